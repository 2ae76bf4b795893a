/// The correction of rows that a store returns to a child: those of records that the parent has changed give
/// way to what it has of them.
///
/// All others go through as they are, and enter the row cache as for any context.
struct RowCorrection {
  private let context: ManagedObjectContext
  private let storeIndex: Int32
  /// By entity tree: the keys of records with unsaved values.
  private let changedKeys: [Int: Set<Int64>]

  init(of context: ManagedObjectContext, storeIndex: Int32) {
    self.context = context
    self.storeIndex = storeIndex
    var keys: [Int: Set<Int64>] = [:]
    context.unsaved.objects.forEachBorrowed { object in
      guard object.storeIndex == storeIndex, object.state.contains(.ownsRow), object.isPresent else { return }
      keys[object.layout.rootIndex, default: []].insert(object.key)
    }
    changedKeys = keys
  }

  /// Hands over a batch with the rows of the context in the place of others.
  func correct(_ batch: inout RowBatch, _ receive: (inout RowBatch) throws -> Void) throws {
    guard !changedKeys.isEmpty, let keys = batch.first.flatMap({ changedKeys[$0.layout.rootIndex] }) else {
      return try receive(&batch)
    }
    var corrected = RowBatch()
    var hasOther = false
    batch.forEach { key, stored in
      let own = keys.contains(key) ? row(of: stored.layout, key) : nil
      hasOther = hasOther || own != nil
      let row = own ?? stored
      corrected.append(key, row.block, row.index)
    }
    if hasOther { try receive(&corrected) } else { try receive(&batch) }
  }

  /// A copy of the row that the context has of a record; nil where it has no such object any more.
  private func row(of layout: EntityLayout, _ key: Int64) -> Row? {
    guard let object = context.registry.object(layout, key: key, store: storeIndex), object.isPresent,
      object.layout === layout, let row = object.currentRow
    else { return nil }
    return PrivateRows.copy(of: row)
  }
}
