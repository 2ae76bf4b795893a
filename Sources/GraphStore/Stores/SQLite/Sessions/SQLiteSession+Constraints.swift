import GraphStoreModel
import GraphStoreSQLite

extension SQLiteSession {
  /// The records that have the values of rows under a uniqueness constraint, with one statement for any
  /// number that the parameters of one hold.
  func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]) throws
    -> [ConstraintHolder]
  {
    let width = constraint.names.count + 1
    let capacity = Self.parameterLimit / width
    var found: [ConstraintHolder] = []
    var start = 0
    while start < rows.count {
      let end = min(start + capacity, rows.count)
      found += try holders(of: constraint, rows: rows[start..<end])
      start = end
    }
    return found
  }

  /// The number of parameters that every build of SQLite since 3.32 accepts.
  private static let parameterLimit = 32_000

  private func holders(
    of constraint: UniquenessConstraint, rows: ArraySlice<SaveRequest.FetchedRow>
  ) throws -> [ConstraintHolder] {
    guard let first = rows.first else { return [] }
    let table = schema.entities[first.row.layout.index].table
    let columns = columns(of: constraint, first.row.layout)
    if columns.isEmpty { return [] }
    let sql = statements.holders(
      table, columns, entities: numbers(boundBy: constraint), lines: rows.count)
    var found: [ConstraintHolder] = []
    try reporting {
      try connection.withStatement(sql) { statement in
        try bind(rows, columns: columns.count, constraint, to: statement)
        while try statement.step() {
          guard let entity = schema.entity(numbered: Int(statement.int64(at: 2))) else { continue }
          found.append(
            ConstraintHolder(
              position: rows.startIndex + Int(statement.int64(at: 0)),
              holder: ObjectKey(entity: entity.entity.index, key: statement.int64(at: 1))))
        }
      }
    }
    return found
  }

  private func bind(
    _ rows: ArraySlice<SaveRequest.FetchedRow>, columns count: Int, _ constraint: UniquenessConstraint,
    to statement: SQLiteStatement
  ) throws {
    var binders: [Int: SQLiteColumnBinder] = [:]
    for (position, fetched) in rows.enumerated() {
      let layout = fetched.row.layout
      let offset = position * (count + 1)
      let binder =
        binders[layout.index]
        ?? SQLiteColumnBinder(
          layout: layout, columns: columns(of: constraint, layout), firstParameter: 2, schema: schema,
          keys: PermanentKeyMap())
      binders[layout.index] = binder
      try statement.bind(fetched.key, at: offset + 1)
      try binder.bind(fetched.row, to: statement, offset: offset)
    }
  }
}
