import GraphStoreSQLite

@testable import GraphStore

extension TestStack {
  /// Runs statements and gives the texts of those that the store has run for it.
  func recordedStatements(_ body: () throws -> Void) throws -> [String] {
    guard let store = coordinator.stores.first as? SQLiteStore else { return [] }
    var texts: [String] = []
    store.connection.onStatement = { texts.append($0) }
    defer { store.connection.onStatement = nil }
    try body()
    return texts
  }
}
