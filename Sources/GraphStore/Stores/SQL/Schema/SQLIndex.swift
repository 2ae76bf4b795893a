/// An index over columns and expressions of one table.
struct SQLIndex: Hashable, Sendable {
  /// One part of an index.
  struct Element: Hashable, Sendable {
    /// What is indexed.
    enum Subject: Hashable, Sendable {
      /// A column, by its name.
      case column(String)
      /// An expression over columns, as its text.
      case expression(String)
    }

    /// What is indexed.
    var subject: Subject
    /// Whether the greatest value comes first; nil leaves the order unsaid, which means ascending.
    var isDescending: Bool?

    init(column: String, isDescending: Bool?) {
      subject = .column(column)
      self.isDescending = isDescending
    }

    init(expression: String, isDescending: Bool?) {
      subject = .expression(expression)
      self.isDescending = isDescending
    }

    /// The column's name; nil for an expression.
    var column: String? {
      if case .column(let name) = subject { name } else { nil }
    }
  }

  /// The name; never parsed, an index is found by its table and columns.
  var name: String
  /// The table's name.
  var table: String
  /// The parts, in order.
  var elements: [Element]
  /// Whether equal rows are refused; missing values equal nothing.
  var isUnique = false
  /// The numbers of the entities whose rows the index covers; nil for all rows.
  var entityNumbers: [Int]?
  /// The condition of the rows that the index covers, as text; nil for all rows.
  var condition: String?
  /// Whether functions of the library are part of it, which other programs do not have.
  var callsFunctions = false
}
