import Testing

@testable import GraphStore

/// One way to damage the store of the workshop by statements, and what is to become of it.
struct DamageCase: Sendable, CustomTestStringConvertible {
  /// The kinds of damage that a check finds.
  let found: Set<StoreDamage>
  let sql: String
  /// What a repair says that it does: check, subject and message.
  var steps: [String] = []
  /// The kinds that it leaves.
  var left: Set<StoreDamage> = []
  /// The cells that it changes, by table, column and key.
  var cells: Set<String> = []

  init(
    _ found: Set<StoreDamage>, _ sql: String, steps: [String] = [], left: Set<StoreDamage> = [],
    cells: Set<String> = []
  ) {
    (self.found, self.sql, self.steps, self.left, self.cells) = (found, sql, steps, left, cells)
  }

  var testDescription: String { sql }

  static let all = rows + links + places + tables + numbers + data

  /// Statements that make a table anew without its constraints.
  static func remake(_ table: String, _ columns: String, _ further: String = "") -> String {
    """
    CREATE TABLE copy AS SELECT * FROM \(table); DROP TABLE \(table);
    CREATE TABLE \(table) (\(columns)); INSERT INTO \(table) SELECT * FROM copy; DROP TABLE copy; \(further)
    """
  }
}
