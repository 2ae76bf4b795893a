/// The tables of a store that exists, as far as the layout of its model depends on them.
struct ExistingTables: Sendable {
  /// The tables of a store that is yet to be made.
  static let none = ExistingTables(names: [])

  /// The names of all tables.
  let names: Set<String>
  /// The columns of the tables of pairs, by the tables' names.
  var pairColumns: [String: [String]] = [:]

  /// Whether a table of pairs has a column.
  func havePairColumn(_ name: String) -> Bool { pairColumns.values.contains { $0.contains(name) } }
}
