#if PostgreSQL
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLDialect {
  var engineName: String { "PostgreSQL" }

  func name(_ name: String) -> String { PostgreSQLName.quoted(name) }

  func tableName(_ name: String) -> String { self.name(schema) + "." + self.name(name) }

  var namesSelects: Bool { true }

  func parameter(_ number: Int) -> String { "$\(number)" }

  func constant(_ isTrue: Bool) -> String { isTrue ? "TRUE" : "FALSE" }

  var noLimit: SQLBinding { .null }

  /// Where missing values are is always said, as it is in indexes; but not of the key of a row, whose own
  /// index says nothing.
  func direction(_ key: SQLSelect.Order) -> String {
    let direction = key.ascending ? "" : " DESC"
    if case .column(let alias, PostgreSQLSchema.naming.systemColumns.key) = key.expression, alias.number <= 0
    {
      return direction
    }
    return direction + (key.nilPlacement == .first ? " NULLS FIRST" : " NULLS LAST")
  }

  func joinOperator(_ kind: SQLSelect.Join.Kind) -> String { kind == .outer ? "LEFT JOIN" : "JOIN" }

  var isDistinct: String { "IS DISTINCT FROM" }

  func insertion(_ conflict: SQLInsert.Conflict) -> (opening: String, closing: String) {
    ("INSERT INTO ", conflict == .ignore ? " ON CONFLICT DO NOTHING" : "")
  }

  func keyList(_ parameter: SQLExpression) -> SQLList {
    SQLList(value: parameter, opening: "SELECT value FROM unnest(", closing: "::bigint[]) AS value")
  }

  func binding(ofKeys keys: [Int64]) -> SQLBinding {
    .text("{" + keys.map(String.init).joined(separator: ",") + "}")
  }

  // MARK: Tables and indexes

  func declaredType(_ kind: SQLColumn.Kind) -> String { PostgreSQLType(kind).declaration }

  /// The name of the index of a table's keys.
  func keyName(of table: String) -> String { PostgreSQLSchema.naming.name("\(table)_pkey", number: 0) }

  func createStatement(_ table: SQLTable) -> String {
    let system = PostgreSQLSchema.naming.systemColumns
    var columns = [
      "\(name(system.key)) bigint NOT NULL", "\(name(system.entity)) integer NOT NULL",
      "\(name(system.version)) bigint NOT NULL DEFAULT 1",
    ]
    columns += table.columns.map { "\(name($0.name)) \(PostgreSQLType($0).declaration)" }
    columns.append("CONSTRAINT \(name(keyName(of: table.name))) PRIMARY KEY (\(name(system.key)))")
    return "CREATE TABLE \(tableName(table.name)) (\(columns.joined(separator: ", ")))"
  }

  func createStatement(_ table: SQLJoinTable) -> String {
    let ends = [table.source, table.destination]
    var columns = table.columns.map { name($0) + " bigint" + (ends.contains($0) ? " NOT NULL" : "") }
    columns.append(
      "CONSTRAINT \(name(keyName(of: table.name))) PRIMARY KEY (\(ends.map(name).joined(separator: ", ")))")
    return "CREATE TABLE \(tableName(table.name)) (\(columns.joined(separator: ", ")))"
  }

  func createStatement(_ index: SQLIndex) -> String {
    let head = index.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    let parts = index.elements.map(part).joined(separator: ", ")
    let text = "\(head) \(name(index.name)) ON \(tableName(index.table)) (\(parts))"
    if let condition = index.condition { return text + " WHERE " + condition }
    guard let numbers = index.entityNumbers else { return text }
    let column = name(PostgreSQLSchema.naming.systemColumns.entity)
    return text + " WHERE \(column) IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  /// Missing values have the place that orders give them, so that the index serves these.
  private func part(_ element: SQLIndex.Element) -> String {
    let order = element.isDescending.map { $0 ? " DESC NULLS LAST" : " NULLS FIRST" } ?? ""
    switch element.subject {
    case .column(let column): return name(column) + order
    case .expression(let text): return "(\(text))" + order
    }
  }

  func literal(_ binding: SQLBinding) -> String? {
    switch binding {
    case .null: return "NULL"
    case .integer(let number): return "\(number)::bigint"
    case .double(let number), .timestamp(let number):
      return number.isFinite ? "'\(number)'::double precision" : nil
    case .text(let text): return text.utf8.contains(0) ? nil : PostgreSQLName.literal(text)
    case .blob(let bytes): return "'\\x\(PostgreSQLArray.hex(bytes))'::bytea"
    }
  }
}
#endif
