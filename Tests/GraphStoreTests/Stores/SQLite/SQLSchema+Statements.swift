@testable import GraphStore

extension SQLSchema {
  /// The statement that makes a table in SQLite.
  func createStatement(_ table: SQLTable) -> String { SQLiteDialect().createStatement(table) }

  /// The statement that makes a table of pairs in SQLite.
  func createStatement(_ table: SQLJoinTable) -> String { SQLiteDialect().createStatement(table) }
}
