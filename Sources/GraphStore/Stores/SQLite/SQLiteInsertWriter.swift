import GraphStoreSQLite

/// Writes the inserted rows of a save, with one statement and one binder an entity.
struct SQLiteInsertWriter {
  private let store: SQLiteStore
  private let save: SaveRequest

  init(_ store: SQLiteStore, _ save: SaveRequest) {
    self.store = store
    self.save = save
  }

  func run() throws {
    var start = 0
    var statements: [Int: (SQLiteStatement, SQLiteColumnBinder)] = [:]
    defer { for (statement, _) in statements.values { store.connection.recycle(statement) } }
    while start < save.insertions.count {
      let plan = save.insertions[start].row.plan
      var end = start + 1
      while end < save.insertions.count, save.insertions[end].row.plan === plan { end += 1 }
      let (statement, binder) = try statements[plan.index] ?? prepare(plan)
      statements[plan.index] = (statement, binder)
      for position in start..<end { try insert(save.insertions[position], statement, binder) }
      start = end
    }
  }

  private func prepare(_ plan: EntityPlan) throws -> (SQLiteStatement, SQLiteColumnBinder) {
    let entity = store.schema.entities[plan.index]
    let statement = try store.connection.statement(store.statements.insert(entity))
    let binder = SQLiteColumnBinder(
      plan: plan, columns: store.statements.writtenColumns(entity), firstParameter: 2, schema: store.schema,
      keys: save.permanentKeys)
    return (statement, binder)
  }

  @inline(__always)
  private func insert(
    _ insertion: SaveRequest.Insertion, _ statement: SQLiteStatement, _ binder: SQLiteColumnBinder
  ) throws {
    try statement.bind(insertion.key, at: 1)
    try binder.bind(insertion.row, to: statement)
    do {
      try statement.run()
    } catch let error where error.category == .unique {
      throw store.constraintConflict(error, insertion.row, key: insertion.key)
    }
  }
}
