/// Bounded LRU cache of prepared statements by their text.
///
/// A statement is out of the cache while it is used, so that nested use of one text is safe.
struct SQLiteStatementCache {
  private struct Entry {
    let statement: SQLiteStatement
    let lastUse: UInt64
  }

  let bound: Int
  private var entries: [String: Entry] = [:]
  private var clock: UInt64 = 0

  init(bound: Int) {
    self.bound = bound
  }

  var count: Int { entries.count }

  mutating func checkOut(_ sql: String) -> SQLiteStatement? {
    entries.removeValue(forKey: sql)?.statement
  }

  mutating func checkIn(_ statement: SQLiteStatement) {
    clock += 1
    entries[statement.sql] = Entry(statement: statement, lastUse: clock)
    guard entries.count > bound else { return }
    if let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries.removeValue(forKey: oldest.key)
    }
  }

  mutating func removeAll() {
    entries.removeAll()
  }
}
