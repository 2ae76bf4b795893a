import GraphStoreModel
import GraphStoreSQLite

/// References and links of a store that was filled which lead to objects that are not there.
struct FilledLinks {
  private let session: SQLiteWriteSession
  private var inspector: StoreInspector

  init(_ session: SQLiteWriteSession, path: String) {
    self.session = session
    inspector = StoreInspector(
      connection: session.connection, path: path, schema: session.schema,
      metadata: StoreMetadata(identifier: session.scope.identifier, values: [:]))
  }

  /// One finding for each relationship that has such.
  mutating func find() throws -> [StoreCheckFinding] {
    try session.reporting {
      inspector.findTables()
      return try inspector.references("references") + inspector.joinRows("join rows")
    }
  }

  /// Sets the references to nil, and removes the links.
  func cut() throws {
    try session.reporting {
      for (entity, relationship) in inspector.declaredRelationships {
        guard case .toOne(let key, let tag, let order) = entity.storage(of: relationship),
          let condition = inspector.isDangling(key, relationship)
        else { continue }
        try clear([key, tag, order].compactMap(\.self), where: condition)
      }
      for columns in session.schema.ownerColumns {
        guard let condition = inspector.isOwnerless(columns) else { continue }
        try clear(columns.columns, where: condition)
      }
      for table in session.schema.joinTables { try removeLinks(of: table) }
    }
  }

  private func clear(_ columns: [SQLColumn], where condition: String) throws {
    let assignments = columns.map { "\($0.quotedName) = NULL" }.joined(separator: ", ")
    try session.connection.execute(
      "UPDATE \(columns[0].table.quotedName) AS s SET \(assignments) WHERE \(condition)")
  }

  private func removeLinks(of table: SQLJoinTable) throws {
    let ends = [(table.source, table.sourceEntity), (table.destination, table.destinationEntity)]
    let isGone = ends.map { column, entity in
      "NOT EXISTS (SELECT 1 FROM \(entity.table.quotedName) AS e "
        + "WHERE e.Z_PK = \(table.quotedName).\(SQLName.quoted(column)))"
    }
    try session.connection.execute(
      "DELETE FROM \(table.quotedName) WHERE \(isGone.joined(separator: " OR "))")
  }
}
