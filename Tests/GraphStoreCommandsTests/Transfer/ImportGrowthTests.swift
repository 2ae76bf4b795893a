import Foundation
import Testing

@testable import GraphStore
@testable import GraphStoreCommands

@Suite("How the cost of imports grows")
struct ImportGrowthTests {
  private static let model = """
    { "name": "Growth", "entities": [ { "name": "Item", "attributes": [
      { "name": "number", "type": "int32" }, { "name": "text", "type": "string" } ],
      "uniquenessConstraints": [["number"]] } ] }
    """

  /// Imports a file in a session, and gives the texts of the statements that the store has run.
  private func statements(_ folder: TransferFolder, _ options: [String]) throws -> [String] {
    let command = try TransferFolder.parsing.withLock {
      try ImportCommand.parse(["Item", folder.path("input.ndjson")] + options)
    }
    var settings = CommandSettings()
    try command.adjust(&settings)
    settings.stores = [StoreName(path: folder.path("store.db"))]
    var texts: [String] = []
    let session = CommandSession(settings: settings, environment: [:]) { coordinator in
      (coordinator.firstStore as? SQLiteStore)?.pool.onStatement = { texts.append($0) }
      return ManagedObjectContext(coordinator: coordinator)
    }
    defer { session.close() }
    #expect(try session.run(command) == .success)
    return texts
  }

  private func write(_ numbers: Range<Int>, _ folder: TransferFolder) throws {
    try folder.write("input.ndjson", numbers.map { "{\"number\":\($0),\"text\":\"t\($0)\"}\n" }.joined())
  }

  @Test(
    "STO-303, STO-326: find-or-create by key runs one fetch a batch, and as many more as there are more keys",
    arguments: [(1_000, 100), (10_000, 100), (10_000, 1_000)])
  func fetches(_ count: Int, _ batch: Int) throws {
    let folder = try TransferFolder(model: Self.model)
    try write(0..<count / 2, folder)
    _ = try statements(folder, [])
    try write(0..<count, folder)
    let texts = try statements(
      folder, ["--key", "number", "--on-conflict", "update", "--batch-size", "\(batch)"])
    let fetches = texts.filter { $0.hasPrefix("SELECT") && $0.contains("ZNUMBER IN") }
    #expect(fetches.count == count / batch, "\(texts.filter { $0.hasPrefix("SELECT") }.prefix(5))")
    // A save with new objects asks once more who holds their values (CTX-226).
    #expect(texts.count { $0.hasPrefix("SELECT") } <= 2 * count / batch + 10)
    #expect(try folder.count("Item") == count)
  }

  @Test("STO-323: with --commit batch the log of a long import stays as large as a few batches")
  func logSize() throws {
    let text = String(repeating: "x", count: 1_000)
    let lines = (0..<16_000).map { "{\"number\":\($0),\"text\":\"\(text)\"}\n" }.joined()
    /// The size of the log after an import, which a connection that stays open keeps.
    func size(_ options: [String]) throws -> Int {
      let folder = try TransferFolder(model: Self.model)
      let open = try PersistentStoreCoordinator.open(storeAt: folder.path("store.db"))
      defer { open.close() }
      let context = ManagedObjectContext(coordinator: open)
      #expect(try context.count(for: FetchRequest(entityName: "Item")) == 0)
      try folder.load(lines, ["Item"] + options)
      #expect(try context.count(for: FetchRequest(entityName: "Item")) == 16_000)
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("store.db-wal"))
      return (attributes[.size] as? Int) ?? 0
    }
    #expect(try size(["--commit", "batch"]) < 8_000_000)
    #expect(try size([]) > 15_000_000)
  }
}
