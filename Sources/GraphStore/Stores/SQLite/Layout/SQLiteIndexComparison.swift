import GraphStoreSQLite

/// The indexes that a store has beside those that its model asks for, compared by what they hold and never by name
/// (STO-265).
///
/// Unique indexes are constraints: they count for the version hashes, and one that the model does not have stays.
struct SQLiteIndexComparison {
  /// The indexes that the model asks for and the store lacks.
  private(set) var missing: [SQLIndex] = []
  /// The names of the layout's indexes that the model does not have.
  private(set) var surplus: [String] = []

  private struct Present {
    let name: String
    let table: String
    let isUnique: Bool
    let content: String
  }

  init(_ connection: SQLiteConnection, _ schema: SQLSchema) throws {
    var present = Dictionary(grouping: try Self.present(connection), by: \.content)
    for index in try schema.indexes() {
      if present[Self.content(index)]?.popLast() == nil { missing.append(index) }
    }
    let tables = Set(schema.tables.map(\.name) + schema.joinTables.map(\.name))
    surplus = present.values.joined()
      .filter { tables.contains($0.table) && !$0.isUnique && Self.isOfLayout($0.name) }
      .map(\.name).sorted(by: SQLName.precedes)
  }

  /// Whether an index is named as those of models are; others were made by hand and stay.
  private static func isOfLayout(_ name: String) -> Bool { name.hasPrefix("Z") }

  private static func content(_ index: SQLIndex) -> String {
    let columns = index.elements.compactMap { element in
      element.column.map { $0 + (element.isDescending == true ? " DESC" : "") }
    }
    guard index.condition == nil, index.entityNumbers == nil, columns.count == index.elements.count else {
      return text(index.isUnique, index.sql)
    }
    return text(index.isUnique, table: index.table, columns: columns.joined(separator: ","))
  }

  /// The statements that made the indexes, by name; those that SQLite makes by itself have none.
  ///
  /// Read at once: the schema has no index of its own, so that looking up each name would walk through all of it.
  static func texts(_ connection: SQLiteConnection) throws -> [String: String] {
    try connection.withStatement(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    ) { row in
      var texts: [String: String] = [:]
      while try row.step() {
        if let name = row.string(at: 0), let text = row.string(at: 1) { texts[name] = text }
      }
      return texts
    }
  }

  private static func present(_ connection: SQLiteConnection) throws -> [Present] {
    let texts = try texts(connection)
    return try connection.withStatement(
      """
      SELECT l.name, m.name, l."unique", l.partial,
        (SELECT group_concat(CASE WHEN i.cid < 0 OR i.coll <> 'BINARY' THEN '?' ELSE i.name END
            || CASE i.desc WHEN 1 THEN ' DESC' ELSE '' END)
          FROM (SELECT * FROM pragma_index_xinfo(l.name) WHERE key = 1 ORDER BY seqno) AS i)
      FROM sqlite_schema AS m, pragma_index_list(m.name) AS l
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL TABLE%' ORDER BY l.name DESC
      """
    ) { row in
      var indexes: [Present] = []
      while try row.step() {
        guard let name = row.string(at: 0), let table = row.string(at: 1), let sql = texts[name],
          let columns = row.string(at: 4)
        else { continue }
        let isUnique = row.int64(at: 2) != 0
        let isPlain = row.int64(at: 3) == 0 && !columns.contains("?")
        indexes.append(
          Present(
            name: name, table: table, isUnique: isUnique,
            content: isPlain ? text(isUnique, table: table, columns: columns) : text(isUnique, sql)))
      }
      return indexes
    }
  }

  private static func text(_ isUnique: Bool, table: String, columns: String) -> String {
    "\(isUnique ? "unique " : "")\(table) (\(columns))"
  }

  /// What follows the name in the statement that makes an index.
  private static func text(_ isUnique: Bool, _ statement: String) -> String {
    let rest = statement.range(of: " ON ").map { String(statement[$0.upperBound...]) } ?? statement
    return (isUnique ? "unique " : "") + rest
  }
}
