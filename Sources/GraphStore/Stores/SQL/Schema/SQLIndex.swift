/// An index over columns of one table.
struct SQLIndex: Hashable, Sendable {
  /// A column of an index.
  struct Element: Hashable, Sendable {
    /// The column's name.
    var column: String
    /// Whether the greatest value comes first; nil leaves the order unsaid, which means ascending.
    var isDescending: Bool?
  }

  /// The name; never parsed, an index is found by its table and columns.
  var name: String
  /// The table's name.
  var table: String
  /// The columns, in order.
  var elements: [Element]
  /// Whether equal rows are refused; missing values equal nothing.
  var isUnique = false
  /// The numbers of the entities whose rows the index covers; nil for all rows.
  var entityNumbers: [Int]?

  /// The statement that makes it.
  var sql: String {
    let columns = elements.map { element in
      let name = SQLName.quoted(element.column)
      guard let isDescending = element.isDescending else { return name }
      return name + (isDescending ? " COLLATE BINARY DESC" : " COLLATE BINARY ASC")
    }
    let head = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    let text =
      "\(head) \(SQLName.quoted(name)) ON \(SQLName.quoted(table)) (\(columns.joined(separator: ", ")))"
    guard let entityNumbers else { return text }
    return text + " WHERE Z_ENT IN (\(entityNumbers.map(String.init).joined(separator: ", ")))"
  }
}
