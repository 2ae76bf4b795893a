/// How an engine writes what means the same in all of them: parameters, column types, and the statements that make tables
/// and indexes.
protocol SQLSyntax: Sendable {
  /// The engine's name in messages.
  var engineName: String { get }
  /// The parameter of a number, which counts from 1.
  func parameter(_ number: Int) -> String
  /// A condition that is always true, or never.
  func constant(_ isTrue: Bool) -> String
  /// The limit of a select that has an offset alone.
  var noLimit: SQLBinding { get }
  /// The type that a column is declared with.
  func declaredType(_ kind: SQLColumn.Kind) -> String
  /// The statement that makes an entity's table.
  func createStatement(_ table: SQLTable) -> String
  /// The statement that makes a table of pairs.
  func createStatement(_ table: SQLJoinTable) -> String
  /// The statement that makes an index.
  func createStatement(_ index: SQLIndex) -> String
}
