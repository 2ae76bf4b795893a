import GraphStorePredicates
import GraphStoreSQLite

/// SQL functions over runs of bytes: bytes, part. Nothing has the empty run in it (PRD-102).
enum SQLiteDataFunctions {
  /// Whether the bytes have the part in them.
  static let containsName = "gs_data_contains"
  /// Whether the bytes begin with the part.
  static let beginsName = "gs_data_begins"
  /// Whether the bytes end with the part.
  static let endsName = "gs_data_ends"

  static func install(on connection: SQLiteConnection) throws {
    try register(containsName, .contains, on: connection)
    try register(beginsName, .beginsWith, on: connection)
    try register(endsName, .endsWith, on: connection)
  }

  private static func register(
    _ name: String, _ operation: TextMatcher.Operation, on connection: SQLiteConnection
  ) throws {
    let test = EngineTextTest(bytes: operation)
    try connection.register(function: name, argumentCount: 2) { arguments, result in
      guard !arguments.isNull(at: 0), !arguments.isNull(at: 1) else { return }
      let kind = SQLiteValueKind.data
      result.set(try test.matches(kind.value(arguments, 0), kind.value(arguments, 1)))
    }
  }
}
