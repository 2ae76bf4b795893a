import Foundation
import GraphStoreTestSupport

@testable import GraphStore
@testable import GraphStoreSQLite

/// Folder of a test of stores.
typealias LayoutFolder = TemporaryFolder

extension LayoutFolder {
  /// Every file with its content, to tell that nothing changed.
  func state() throws -> [String: Data] {
    var state: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      state[name] = FileManager.default.contents(atPath: file(name)) ?? Data()
    }
    return state
  }

  /// A new store of the company, closed.
  func makeStore(_ name: String, _ fill: (SQLiteConnection) throws -> Void = { _ in }) throws {
    let connection = try openStore(name)
    try fill(connection)
    connection.close()
  }

  /// A new store of the company, open.
  func openStore(_ name: String) throws -> SQLiteConnection {
    let model = try LayoutModels.company()
    return try SQLiteLayout.create(
      at: file(name), schema: SQLSchema(model: model), metadata: StoreMetadata(model: model))
  }
}
