import GraphStoreSQLite

/// Comparison of the indexes that a store has with those that its model asks for, by what they hold and never
/// by name (STO-265).
///
/// One index serves for another where it is over the same columns in the same order, and a unique one serves
/// for one that is not; read backwards, it serves for one that has all columns the other way round. Unique
/// indexes are constraints: they count for the version hashes, and one that the model does not have stays.
struct SQLiteIndexComparison {
  /// The indexes that the model asks for and the store lacks.
  private(set) var missing: [SQLIndex] = []
  /// Those among them for which none serves that is read backwards either.
  private(set) var unserved: [SQLIndex] = []
  /// The names of the layout's indexes that the model does not have.
  private(set) var surplus: [String] = []

  private struct Present {
    let name: String
    let table: String
    let isUnique: Bool
    let isPartial: Bool
    let content: String
    /// Nil where it is over more than columns in binary order.
    let columns: [Column]?

    /// Whether it does what an index of the model is for.
    func serves(for wanted: SQLIndex, readBackwards: Bool = false) -> Bool {
      guard wanted.table == table, wanted.condition == nil, let columns,
        let others = SQLiteIndexComparison.columns(wanted), columns.map(\.name) == others.map(\.name),
        wanted.isUnique ? isUnique : !isPartial
      else { return false }
      let turned = zip(columns, others).map { $0.isDescending != $1.isDescending }
      return turned.allSatisfy { !$0 } || readBackwards && turned.allSatisfy(\.self)
    }
  }

  private struct Column: Equatable {
    let name: String
    let isDescending: Bool
  }

  init(_ connection: SQLiteConnection, _ schema: SQLSchema) throws {
    let all = try Self.present(connection)
    var present = Dictionary(grouping: all, by: \.content)
    let unmatched = try schema.indexes().filter { present[Self.content($0)]?.popLast() == nil }
    let others = Array(present.values.joined())
    missing = unmatched.filter { index in !all.contains { $0.serves(for: index) } }
    unserved = missing.filter { index in !all.contains { $0.serves(for: index, readBackwards: true) } }
    let tables = Set(schema.tables.map(\.name) + schema.joinTables.map(\.name))
    surplus =
      others
      .filter { tables.contains($0.table) && !$0.isUnique && Self.isOfLayout($0.name) }
      .filter { other in !unmatched.contains { other.serves(for: $0) } }
      .map(\.name).sorted(by: SQLName.precedes)
  }

  /// The columns of an index; nil where it has other elements.
  private static func columns(_ index: SQLIndex) -> [Column]? {
    let columns = index.elements.compactMap { element in
      element.column.map { Column(name: $0, isDescending: element.isDescending == true) }
    }
    return columns.count == index.elements.count ? columns : nil
  }

  /// Whether an index is named as those of models are; others were made by hand and stay.
  private static func isOfLayout(_ name: String) -> Bool { name.hasPrefix("Z") }

  private static func content(_ index: SQLIndex) -> String {
    guard index.condition == nil, index.entityNumbers == nil, let columns = columns(index) else {
      return text(index.isUnique, index.sql)
    }
    let names = columns.map { $0.name + ($0.isDescending ? descending : "") }
    return text(index.isUnique, table: index.table, columns: names.joined(separator: ","))
  }

  /// The statements that made the indexes, by name; those that SQLite makes by itself, for a constraint of a
  /// table, have none.
  ///
  /// Read at once: the schema has no index of its own, so that looking up each name would walk through all of
  /// it.
  private static func texts(_ connection: SQLiteConnection) throws -> [String: String] {
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
        guard let name = row.string(at: 0), let table = row.string(at: 1), let columns = row.string(at: 4)
        else { continue }
        let isUnique = row.int64(at: 2) != 0
        let isPartial = row.int64(at: 3) != 0
        let isOfColumns = !columns.contains("?")
        let content: String
        if isOfColumns, !isPartial {
          content = text(isUnique, table: table, columns: columns)
        } else if let sql = texts[name] {
          content = text(isUnique, sql)
        } else {
          continue
        }
        indexes.append(
          Present(
            name: name, table: table, isUnique: isUnique, isPartial: isPartial, content: content,
            columns: isOfColumns ? parts(columns) : nil))
      }
      return indexes
    }
  }

  private static let descending = " DESC"

  private static func parts(_ columns: String) -> [Column] {
    columns.split(separator: ",").map { part in
      let isDescending = part.hasSuffix(descending)
      return Column(
        name: String(isDescending ? part.dropLast(descending.count) : part), isDescending: isDescending)
    }
  }

  private static func text(_ isUnique: Bool, table: String, columns: String) -> String {
    "\(isUnique ? "unique " : "")\(table) (\(columns))"
  }

  /// The text after the name in the statement that makes an index.
  private static func text(_ isUnique: Bool, _ statement: String) -> String {
    let rest = statement.range(of: " ON ").map { String(statement[$0.upperBound...]) } ?? statement
    return (isUnique ? "unique " : "") + rest
  }
}
