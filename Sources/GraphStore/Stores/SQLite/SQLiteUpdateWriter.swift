import GraphStoreSQLite

/// Writes the changed columns of a save's updated rows, each under its key and the version it was read with.
struct SQLiteUpdateWriter {
  private let session: SQLiteWriteSession
  private let save: SaveRequest

  private final class Prepared {
    let statement: SQLiteStatement
    let binder: SQLiteColumnBinder
    let parameterCount: Int

    init(statement: SQLiteStatement, binder: SQLiteColumnBinder, parameterCount: Int) {
      self.statement = statement
      self.binder = binder
      self.parameterCount = parameterCount
    }
  }

  init(_ session: SQLiteWriteSession, _ save: SaveRequest) {
    self.session = session
    self.save = save
  }

  /// Writes all updates. Where values that must be unique move from one object to another, the columns are
  /// cleared first if they collide on the way.
  ///
  /// - Returns: The records that another writer has changed or deleted, which are not written.
  func run() throws -> [RowConflict] {
    let exchanges = SQLExchange.all(in: save, session.statements)
    guard exchanges.reduce(0, { $0 + $1.keys.count }) > 1 else { return try writeAll() }
    do {
      return try session.connection.savepoint { try writeAll() }
    } catch GraphStoreError.code(.constraintConflict) {
      // Once the columns are cleared no row says any more what another writer has made of it.
      let conflicts = try session.conflicts(ofUpdated: save.updates)
      if !conflicts.isEmpty { return conflicts }
      for exchange in exchanges {
        let sql = session.statements.clear(exchange.columns, of: exchange.table, .list)
        try session.run(sql, [.text(SQLiteSession.list(exchange.keys))]) { _ = try $0.step() }
      }
      return try writeAll()
    }
  }

  private func writeAll() throws -> [RowConflict] {
    var prepared: [SQLUpdateShape: Prepared] = [:]
    defer { for one in prepared.values { session.connection.recycle(one.statement) } }
    var (lastEntity, lastChanged) = (-1, PropertySet())
    var last: Prepared?
    var conflicts: [RowConflict] = []
    for update in save.updates {
      let entity = update.row.layout.index
      if entity != lastEntity || update.changed != lastChanged {
        let shape = SQLUpdateShape(update)
        last = try prepared[shape] ?? prepare(update)
        prepared[shape] = last
        (lastEntity, lastChanged) = (entity, update.changed)
      }
      guard let last else { continue }
      if let conflict = try write(update, by: last) { conflicts.append(conflict) }
    }
    return conflicts
  }

  private func prepare(_ update: SaveRequest.Update) throws -> Prepared {
    let entity = session.schema.entities[update.row.layout.index]
    let columns = session.statements.writtenColumns(entity).filter { update.changes($0) }
    return Prepared(
      statement: try session.connection.statement(session.statements.update(entity, columns)),
      binder: SQLiteColumnBinder(
        layout: update.row.layout, columns: columns, firstParameter: 1, schema: session.schema,
        keys: save.permanentKeys, externalData: session.externalData),
      parameterCount: columns.count)
  }

  private func write(_ update: SaveRequest.Update, by prepared: Prepared) throws -> RowConflict? {
    if try step(update, by: prepared, version: update.row.version) { return nil }
    if let conflict = try session.conflict(of: update) { return conflict }
    _ = try step(update, by: prepared, version: update.row.version)
    return nil
  }

  private func step(_ update: SaveRequest.Update, by prepared: Prepared, version: Int64) throws -> Bool {
    try prepared.binder.bind(update.row, to: prepared.statement)
    try prepared.statement.bind(update.key, at: prepared.parameterCount + 1)
    try prepared.statement.bind(version, at: prepared.parameterCount + 2)
    do {
      try prepared.statement.run()
    } catch let error where error.category == .unique {
      throw session.constraintConflict(error, update.row, key: update.key)
    }
    return session.connection.changes > 0
  }
}
