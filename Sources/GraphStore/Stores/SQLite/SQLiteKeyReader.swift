import GraphStoreSQLite

/// Reads one row of an entity tree by its key, again and again by the same statement.
final class SQLiteKeyReader {
  private let statement: SQLiteStatement
  private let decoder: SQLiteRowDecoder
  private let batch = RowBatch()

  init(statement: SQLiteStatement, decoder: SQLiteRowDecoder) {
    self.statement = statement
    self.decoder = decoder
  }

  func row(_ key: Int64) throws -> Row? {
    try statement.bind(key, at: 1)
    defer {
      statement.reset()
      batch.removeAll()
    }
    _ = try decoder.fill(batch, from: statement)
    return batch.first
  }
}
