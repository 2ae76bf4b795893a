import Synchronization

/// The rows of one store that some context holds an object for, shared by all contexts of the coordinator.
///
/// An entry lives as long as one of the objects that were counted as its holders (FLT-057).
final class RowCache: @unchecked Sendable {
  private let lock = Mutex(())
  private let tables: [RowTable]

  init(entityCount: Int) {
    tables = (0..<entityCount).map { _ in RowTable() }
  }

  func row(_ root: Int, _ key: Int64) -> Row? {
    lock.withLock { _ in tables[root].row(key) }
  }

  /// The cached row, with one more holder.
  func retainedRow(_ root: Int, _ key: Int64) -> Row? {
    lock.withLock { _ in
      guard let row = tables[root].row(key) else { return nil }
      tables[root].put(row.block, row.index, key, holders: 1)
      return row
    }
  }

  /// Puts rows in; each is counted as many more times as it has new holders.
  func put(_ root: Int, _ key: Int64, _ row: Row, holders: Int32) {
    lock.withLock { _ in tables[root].put(row.block, row.index, key, holders: holders) }
  }

  /// Puts in the rows that objects of one entity tree have, under one lock, and counts the objects as holders.
  func hold(_ root: Int, rowsOf objects: ArraySlice<ManagedObject>) {
    lock.withLock { _ in
      let table = tables[root]
      for object in objects {
        guard let block = object.block else { continue }
        table.put(block, Int(object.rowIndex), object.key, holders: object.state.contains(.holdsRow) ? 0 : 1)
        object.state.insert(.holdsRow)
      }
    }
  }

  /// Puts in a run of rows that a store has read for objects, under one lock, and counts the objects as holders.
  func hold(_ root: Int, _ run: RowBatch.Run, for objects: ArraySlice<ManagedObject>) {
    lock.withLock { _ in
      let table = tables[root]
      var row = run.firstRow
      for object in objects {
        table.put(run.block, row, object.key, holders: object.state.contains(.holdsRow) ? 0 : 1)
        object.state.insert(.holdsRow)
        row += 1
      }
    }
  }

  func release(_ root: Int, _ key: Int64) {
    lock.withLock { _ in tables[root].release(key) }
  }

  /// Forgets a row that is not true any more; its holders stay counted until they go.
  func forget(_ root: Int, _ key: Int64) {
    lock.withLock { _ in tables[root].forget(key) }
  }

  /// Forgets every row; holders stay counted until they go.
  func forgetAll() {
    lock.withLock { _ in for table in tables { table.forgetAll() } }
  }

  /// The number of cached rows (FLT-065).
  var count: Int {
    lock.withLock { _ in tables.reduce(0) { $0 + $1.rowCount } }
  }
}
