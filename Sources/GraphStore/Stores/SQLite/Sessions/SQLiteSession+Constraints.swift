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

  /// What every build of SQLite since 3.32 takes.
  private static let parameterLimit = 32_000

  private func holders(
    of constraint: UniquenessConstraint, rows: ArraySlice<SaveRequest.FetchedRow>
  ) throws -> [ConstraintHolder] {
    guard let first = rows.first else { return [] }
    let table = schema.entities[first.row.layout.index].table
    let names = columns(of: constraint, first.row.layout).map(\.quotedName)
    if names.isEmpty { return [] }
    let sql = Self.holderQuery(table, names, entities: numbers(boundBy: constraint), count: rows.count)
    var found: [ConstraintHolder] = []
    try reporting {
      try connection.withStatement(sql) { statement in
        try bind(rows, columns: names.count, constraint, to: statement)
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

  /// Each row is a line of a table of values: its position, its own key, which is no holder, and what it has.
  private static func holderQuery(_ table: SQLTable, _ names: [String], entities: String?, count: Int)
    -> String
  {
    let marks = String(repeating: ", ?", count: names.count)
    let lines = (0..<count).map { "(\($0), ?\(marks))" }.joined(separator: ", ")
    let values = names.indices.map { "v\($0)" }
    let tests = zip(names, values).map { "t.\($0) = c.\($1)" } + ["t.Z_PK <> c.k"]
    let bound = entities.map { " AND t.Z_ENT IN (\($0))" } ?? ""
    return "WITH c(n, k, \(values.joined(separator: ", "))) AS (VALUES \(lines))"
      + " SELECT c.n, t.Z_PK, t.Z_ENT FROM c CROSS JOIN \(table.quotedName) t"
      + " WHERE \(tests.joined(separator: " AND "))\(bound) ORDER BY c.n, t.Z_PK"
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

  private func columns(of constraint: UniquenessConstraint, _ layout: EntityLayout) -> [SQLColumn] {
    let entity = schema.entities[layout.index]
    return entity.columns(
      ofConstraint: layout.properties(of: constraint).map { entity.entity.properties[$0.number] })
      ?? []
  }

  /// The numbers of the entities that a constraint binds together; nil if it binds all of the table.
  private func numbers(boundBy constraint: UniquenessConstraint) -> String? {
    guard constraint.declaring.superentity != nil else { return nil }
    return schema.entities[constraint.declaring.index].familyNumbers.map(String.init).joined(separator: ", ")
  }
}
