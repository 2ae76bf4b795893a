import GraphStoreSQLite

/// The entities of records as their own rows have them, for references beside which none is recorded.
struct SQLiteRecordEntities {
  let connection: SQLiteConnection
  let schema: SQLSchema

  /// The position in the model of the entity of a record.
  ///
  /// - Parameter destination: The position of an entity of the record's tree.
  /// - Returns: nil where there is no such record, or it is of no entity.
  func entity(of key: Int64, near destination: Int) -> Int? {
    let table = schema.entities[destination].table
    let sql = "SELECT Z_ENT FROM \(table.quotedName) WHERE Z_PK = ?1"
    let number = try? connection.withStatement(sql) { row in
      try row.bind(key, at: 1)
      return try row.step() ? row.int64(at: 0) : 0
    }
    return number.flatMap { schema.entity(numbered: Int($0))?.entity.index }
  }
}
