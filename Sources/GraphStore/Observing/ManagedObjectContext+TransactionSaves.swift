/// What saves within a transaction have written is told when that is committed, and not at all where it is taken back (CTX-077).
extension ManagedObjectContext {
  /// What a save within a transaction has written, and the save's number among those of the transaction.
  struct UntoldSave {
    let number: Int
    let objects: SavedObjects
  }

  /// Tells what a save has written, now or when the transaction is committed whose part it is.
  func tellOnceCommitted(_ saved: SavedObjects) {
    guard let transaction else { return tell(saved) }
    if tellsSaves { untoldSaves.append(UntoldSave(number: transaction.numberSave(), objects: saved)) }
  }

  /// Tells of the saves of a transaction that has been committed.
  func tellUntoldSaves() {
    let saves = untoldSaves
    untoldSaves = []
    for save in saves { tell(save.objects) }
  }

  /// Forgets the saves after one of a number, which were taken back.
  func forgetUntoldSaves(after number: Int = 0) { untoldSaves.removeAll { $0.number > number } }
}
