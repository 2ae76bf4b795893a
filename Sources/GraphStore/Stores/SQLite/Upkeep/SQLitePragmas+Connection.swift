import GraphStorePredicates
import GraphStoreSQLite

extension SQLitePragmas {
  /// Sets them on a connection, and reads each back.
  ///
  /// Those of the file wait for a full vacuum (STO-193). A connection that may not write leaves the journal
  /// as it is, which has to be the one that is asked for.
  ///
  /// - Throws: `store-option` for one that has not taken; `store-timeout` where another process keeps the
  ///   journal from being changed.
  func apply(to connection: SQLiteConnection, path: String) throws {
    if all.isEmpty { return }
    do {
      try connection.withoutCounting {
        for pragma in all where !pragma.name.isOfFile { try apply(pragma, to: connection, path) }
      }
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  private func apply(_ pragma: SQLitePragma, to connection: SQLiteConnection, _ path: String) throws {
    let name = pragma.name.rawValue
    if pragma.name != .journalMode || !connection.isReadOnly {
      try connection.execute("PRAGMA \(name) = \(pragma.assigned)")
    }
    let found = try connection.string("PRAGMA \(name)")
    guard !pragma.holds(found) else { return }
    throw GraphStoreError(
      .storeOption,
      "The pragma \(name) was set to \(pragma.assigned), and \(path) keeps \(found ?? "none").",
      remedy: "Choose a value that SQLite takes for this file, or leave it out.", property: name,
      value: .string(pragma.assigned))
  }

  /// The settings that hold on a connection, by name.
  static func effective(on connection: SQLiteConnection) throws -> [String: Value] {
    var values: [String: Value] = [:]
    for name in SQLitePragma.Name.allCases.map(\.rawValue) {
      guard let text = try connection.string("PRAGMA \(name)") else { continue }
      values[name] = Int64(text).map { .int($0) } ?? .string(text)
    }
    return values
  }
}
