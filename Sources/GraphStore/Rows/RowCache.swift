/// The rows of one store that some context holds an object for, shared by all contexts of the coordinator.
///
/// An entry lives as long as one of the objects that were counted as its holders (FLT-057).
final class RowCache: @unchecked Sendable {
  private let lock: RegistryLock
  private let tables: [RowTable]

  init(_ layout: ModelLayout) {
    lock = layout.registryLock
    tables = layout.entities.map { _ in RowTable() }
  }

  func row(_ root: Int, _ key: Int64) -> Row? {
    lock.withLock { tables[root].row(key) }
  }

  /// Puts rows in; each is counted as many more times as it has new holders.
  func put(_ root: Int, _ key: Int64, _ row: Row, holders: Int32) {
    lock.withLock { tables[root].put(row.block, row.index, key, holders: holders) }
  }

  /// Puts in the rows that objects of one entity tree have, under one lock, and counts the objects as holders.
  func hold(_ root: Int, rowsOf objects: ArraySlice<ManagedObject>) {
    lock.withLock {
      let table = tables[root]
      for object in objects {
        guard let block = object.block else { continue }
        table.put(block, Int(object.rowIndex), object.key, holders: object.state.contains(.holdsRow) ? 0 : 1)
        object.changeState(adding: .holdsRow)
      }
    }
  }

  /// The rows of one entity tree, for who holds the lock.
  @inline(__always)
  func lockedTable(_ root: Int) -> RowTable { tables[root] }

  /// Forgets a row that is not true any more; its holders stay counted until they go.
  func forget(_ root: Int, _ key: Int64) {
    lock.withLock { tables[root].forget(key) }
  }

  /// Forgets the rows of keys, under one lock.
  func forget(_ root: Int, _ keys: [Int64]) {
    lock.withLock {
      for key in keys { tables[root].forget(key) }
    }
  }

  /// Forgets every row; holders stay counted until they go.
  func forgetAll() {
    lock.withLock { for table in tables { table.forgetAll() } }
  }

  /// The number of cached rows (FLT-065).
  var count: Int {
    lock.withLock { tables.reduce(0) { $0 + $1.rowCount } }
  }

  /// Checks every table. Costs a walk of the cache.
  func checkInvariants() throws(InvariantViolation) {
    try lock.withLock { () throws(InvariantViolation) in
      for table in tables { try table.checkInvariants() }
    }
  }
}
