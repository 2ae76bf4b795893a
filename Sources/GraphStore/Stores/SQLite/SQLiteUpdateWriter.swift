import GraphStoreSQLite

/// Writes the changed columns of a save's updated rows, each under its key and the version it was read with.
struct SQLiteUpdateWriter {
  private let store: SQLiteStore
  private let save: SaveRequest

  private struct Shape: Hashable {
    let entity: Int
    let changed: PropertySet
  }

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

  init(_ store: SQLiteStore, _ save: SaveRequest) {
    self.store = store
    self.save = save
  }

  func run() throws {
    var prepared: [Shape: Prepared] = [:]
    defer { for plan in prepared.values { store.connection.recycle(plan.statement) } }
    var last: (shape: Shape, prepared: Prepared)?
    var conflicts: [MergeConflict] = []
    for update in save.updates {
      let shape = Shape(entity: update.row.plan.index, changed: update.changed)
      if last?.shape != shape {
        let plan = try prepared[shape] ?? prepare(update)
        prepared[shape] = plan
        last = (shape, plan)
      }
      guard let plan = last?.prepared else { continue }
      if let conflict = try write(update, plan) { conflicts.append(conflict) }
    }
    if !conflicts.isEmpty { throw MergeConflict.error(conflicts, scope: store.scope) }
  }

  private func prepare(_ update: SaveRequest.Update) throws -> Prepared {
    let entity = store.schema.entities[update.row.plan.index]
    let columns = store.statements.writtenColumns(entity).filter {
      update.changed.contains($0.property.number)
    }
    return Prepared(
      statement: try store.connection.statement(store.statements.update(entity, columns)),
      binder: SQLiteColumnBinder(
        plan: update.row.plan, columns: columns, firstParameter: 1, schema: store.schema,
        keys: save.permanentKeys),
      parameterCount: columns.count)
  }

  private func write(_ update: SaveRequest.Update, _ plan: Prepared) throws -> MergeConflict? {
    if try step(update, plan, version: update.committed.version) { return nil }
    let stored = try store.row(update.row.plan, update.key)
    let conflict = MergeConflict(
      key: update.key, committed: update.committed, own: update.row, stored: stored)
    guard !conflict.isReal, let stored else { return conflict }
    update.committed.block.setVersion(update.committed.index, stored.version)
    return try step(update, plan, version: stored.version) ? nil : conflict
  }

  private func step(_ update: SaveRequest.Update, _ plan: Prepared, version: Int64) throws -> Bool {
    try plan.binder.bind(update.row, to: plan.statement)
    try plan.statement.bind(update.key, at: plan.parameterCount + 1)
    try plan.statement.bind(version, at: plan.parameterCount + 2)
    do {
      try plan.statement.run()
    } catch let error where error.category == .unique {
      throw store.constraintConflict(error, update.row, key: update.key)
    }
    return store.connection.changes > 0
  }
}
