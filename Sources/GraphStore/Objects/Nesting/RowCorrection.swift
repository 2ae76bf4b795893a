import CGraphStoreShims

/// The correction of rows that a store returns to a child: what the parent has of the records in memory takes
/// their place.
///
/// Where the parent has none of them, or has them as they are stored, the rows go through as they are, and
/// enter the row cache as for any context.
struct RowCorrection {
  private let context: ManagedObjectContext
  private let storeIndex: Int32

  init(of context: ManagedObjectContext, storeIndex: Int32) {
    self.context = context
    self.storeIndex = storeIndex
  }

  /// Hands over a batch with the rows of the context in the place of others.
  func correct(_ batch: inout RowBatch, _ receive: (inout RowBatch) throws -> Void) throws {
    let runs = batch.runs
    let differing = runs.map { run in
      unsafe context.registry.differing(run, batch.keys + run.firstKey, storeIndex)
    }
    guard differing.contains(where: { $0 != 0 }) else { return try receive(&batch) }
    var corrected = RowBatch()
    for (run, bits) in zip(runs, differing) {
      for offset in 0..<run.count {
        let key = unsafe batch.keys[run.firstKey + offset]
        let stored = Row(block: run.block, index: run.firstRow + offset)
        let own = bits >> UInt64(offset) & 1 == 1 ? row(of: stored.layout, key) : nil
        let row = own ?? stored
        corrected.append(key, row.block, row.index)
      }
    }
    try receive(&corrected)
  }

  /// A copy of the row that the context has of a record; nil where the object has none of its own any more.
  private func row(of layout: EntityLayout, _ key: Int64) -> Row? {
    guard let object = context.registry.object(layout, key: key, store: storeIndex), object.isPresent,
      object.layout === layout, let row = object.currentRow
    else { return nil }
    return PrivateRows.copy(of: row)
  }
}

extension ObjectRegistry {
  /// Which rows of a run are others than those that their registered objects have: a bit for each.
  fileprivate func differing(_ run: RowBatch.Run, _ keys: UnsafePointer<Int64>, _ store: Int32) -> UInt64 {
    let root = run.block.layout.rootIndex
    return lock.withLock {
      if unsafe tables[Int(store) * rootCount + root].count == 0 && unsaved.count == 0 { return 0 }
      var bits: UInt64 = 0
      for index in 0..<run.count {
        // Not retained: an object that is being released leaves the table under the lock.
        let found = unsafe withTable(root: root, key: keys[index], store: store) {
          unsafe $0.find(keys[index])?.pointee
        }
        guard let pointer = unsafe found else { continue }
        let differs = unsafe Unmanaged<ManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
          $0.differs(from: Row(block: run.block, index: run.firstRow + index))
        }
        if differs { bits |= 1 << UInt64(index) }
      }
      return bits
    }
  }
}

extension ManagedObject {
  /// Whether the object is realised with another row than one that its source has. Rows that contexts above
  /// have changed are not told apart by their versions.
  fileprivate final func differs(from stored: Row) -> Bool {
    if state.contains(.fault) { return false }
    if state.contains(.ownsRow) || stored.block.isPrivate { return true }
    return withHeldBlock { $0.isPrivate || $0.version(Int(rowIndex)) != stored.version } ?? false
  }
}
