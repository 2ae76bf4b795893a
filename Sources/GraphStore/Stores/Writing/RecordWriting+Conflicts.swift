extension RecordWriting {
  /// The conflict of an update whose record has another version than the one it was read with.
  ///
  /// - Returns: nil where the values are those that were read; the object's own row has the stored version then, and the
  ///   update can be written.
  func conflict(of update: SaveRequest.Update) throws -> MergeConflict? {
    let stored = try row(update.row.layout, update.key)
    let conflict = MergeConflict(
      key: update.key, committed: update.committed, own: update.row, stored: stored)
    guard !conflict.isReal, let stored else {
      renewCache(update.row.layout, key: update.key, stored: stored)
      return conflict
    }
    update.row.block.setVersion(update.row.index, stored.version)
    return nil
  }

  /// Makes sure that deleted records whose versions have moved have the values with which they were read.
  ///
  /// - Throws: `merge-conflict`; what is gone already is none (CTX-177, CTX-178).
  func checkDeletion(of suspects: [SaveRequest.Deletion.Committed]) throws {
    var conflicts: [MergeConflict] = []
    for suspect in suspects {
      guard let current = try row(suspect.row.layout, suspect.key) else { continue }
      let conflict = MergeConflict(key: suspect.key, committed: suspect.row, own: nil, stored: current)
      guard conflict.isReal else { continue }
      conflicts.append(conflict)
      renewCache(suspect.row.layout, key: suspect.key, stored: current)
    }
    if !conflicts.isEmpty { throw MergeConflict.error(conflicts, scope: scope) }
  }
}
