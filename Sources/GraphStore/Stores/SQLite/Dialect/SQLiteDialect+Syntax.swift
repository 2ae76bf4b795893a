import Foundation
import GraphStorePredicates

extension SQLiteDialect {
  var engineName: String { "SQLite" }

  func parameter(_ number: Int) -> String { "?\(number)" }

  func constant(_ isTrue: Bool) -> String { isTrue ? "1" : "0" }

  var noLimit: SQLBinding { .integer(-1) }

  func direction(_ key: SQLSelect.Order) -> String {
    let direction = key.ascending ? "" : " DESC"
    if key.nilPlacement == .usual(ascending: key.ascending) { return direction }
    return direction + (key.nilPlacement == .first ? " NULLS FIRST" : " NULLS LAST")
  }

  func joinOperator(_ kind: SQLSelect.Join.Kind) -> String {
    switch kind {
    case .inner: "JOIN"
    case .outer: "LEFT JOIN"
    case .inOrder: "CROSS JOIN"
    }
  }

  var isDistinct: String { "IS NOT" }

  func insertion(_ conflict: SQLInsert.Conflict) -> (opening: String, closing: String) {
    switch conflict {
    case .fail: ("INSERT INTO ", "")
    case .failAtRow: ("INSERT OR FAIL INTO ", "")
    case .ignore: ("INSERT OR IGNORE INTO ", "")
    }
  }

  func keyList(_ parameter: SQLExpression) -> SQLList {
    SQLList(value: parameter, opening: "SELECT value FROM json_each(", closing: ")")
  }

  func binding(ofKeys keys: [Int64]) -> SQLBinding { .text(SQLiteSession.list(keys)) }

  // MARK: Tables and indexes

  func declaredType(_ kind: SQLColumn.Kind) -> String {
    switch kind {
    case .integer, .boolean, .toOneKey, .toOneEntity, .orderKey, .ownerKey: "INTEGER"
    case .float, .double: "FLOAT"
    case .decimal: "DECIMAL"
    case .date: "TIMESTAMP"
    case .string, .uri: "VARCHAR"
    case .uuid, .transformable, .binary: "BLOB"
    }
  }

  func createStatement(_ table: SQLTable) -> String {
    var columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    columns += table.columns.map { "\($0.quotedName) \(declaredType($0.kind))" }
    return "CREATE TABLE \(table.quotedName) ( \(columns.joined(separator: ", ")) )"
  }

  func createStatement(_ table: SQLJoinTable) -> String {
    let columns = table.columns.map { SQLName.quoted($0) + " INTEGER" }.joined(separator: ", ")
    let key = [table.source, table.destination].map(SQLName.quoted).joined(separator: ", ")
    return "CREATE TABLE \(table.quotedName) ( \(columns), PRIMARY KEY (\(key)) )"
  }

  func createStatement(_ index: SQLIndex) -> String {
    let parts = index.elements.map(part).joined(separator: ", ")
    let head = index.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    let text = "\(head) \(SQLName.quoted(index.name)) ON \(SQLName.quoted(index.table)) (\(parts))"
    if let condition = index.condition { return text + " WHERE " + condition }
    guard let numbers = index.entityNumbers else { return text }
    return text + " WHERE Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  private func part(_ element: SQLIndex.Element) -> String {
    let order = element.isDescending.map { $0 ? " DESC" : " ASC" } ?? ""
    switch element.subject {
    case .column(let name): return SQLName.quoted(name) + (order.isEmpty ? "" : " COLLATE BINARY" + order)
    case .expression(let text): return text + order
    }
  }
}

extension SQLIndex {
  /// The statement that makes it in SQLite.
  var sql: String { SQLiteDialect().createStatement(self) }
}

extension SQLiteDialect {
  /// A constant as written in the text of an index; nil where SQLite would not read back the very value.
  func literal(_ binding: SQLBinding) -> String? {
    switch binding {
    case .null: return "NULL"
    case .integer(let number): return String(number)
    case .double(let number), .timestamp(let number):
      // SQLite reads numbers of up to 15 digits exactly.
      let text = String(format: "%.15g", number)
      guard number.isFinite, Double(text) == number else { return nil }
      return text.contains(where: { $0 == "." || $0 == "e" }) ? text : text + ".0"
    case .text(let text):
      guard !text.utf8.contains(0) else { return nil }
      return "'" + text.replacing("'", with: "''") + "'"
    case .blob(let bytes):
      let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
      return "X'" + digits.joined() + "'"
    }
  }
}
