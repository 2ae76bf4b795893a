import Foundation
import GraphStore
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("dump and load")
struct DumpTests {
  /// Dumps a store, makes another of it, and dumps that.
  private static func roundTrip(
    _ folder: TransferFolder, _ store: String = "store.db", to copy: String = "copy.db"
  ) throws -> (first: String, second: String) {
    try folder.run(["dump", folder.path("first.dump"), "--yes"], store: store)
    try folder.run(["load", folder.path("first.dump"), "-q"], store: copy)
    try folder.run(["dump", folder.path("second.dump"), "--yes"], store: copy)
    return (try folder.read("first.dump"), try folder.read("second.dump"))
  }

  @Test(
    "PAT-177, STO-318: random graphs come back equal, and their dump is the same text",
    arguments: TestSeed.sequence(4, from: 177))
  func randomGraphs(seed: TestSeed) throws {
    var graph = RandomGraph(seed)
    let folder = try TransferFolder(model: try graph.modelText)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.path("store.db"))
    try graph.fill(ManagedObjectContext(coordinator: coordinator))
    coordinator.close()
    let (first, second) = try Self.roundTrip(folder)
    #expect(first == second, "\(seed)")
    #expect(try folder.export(["--all"], store: "copy.db") == folder.export(["--all"]), "\(seed)")
    #expect(try folder.run(["check", "--quiet"], store: "copy.db") == .success, "\(seed)")
    let answer = try folder.run(
      ["diff", folder.path("store.db"), folder.path("copy.db"), "--exit-code", "-o", folder.path("diff")])
    #expect(answer == .success, "\(seed)")
    #expect(try folder.read("diff") == "", "\(seed)")
  }

  private static let kinds = """
    { "name": "Kinds", "entities": [
      { "name": "Thing",
        "attributes": [
          { "name": "big", "type": "int64" }, { "name": "money", "type": "decimal" },
          { "name": "when", "type": "date" }, { "name": "blob", "type": "binary" },
          { "name": "photo", "type": "binary", "externalStorage": true }, { "name": "mark", "type": "uuid" },
          { "name": "link", "type": "uri" }, { "name": "tags", "type": "transformable" },
          { "name": "place", "type": "composite", "attributes": [
            { "name": "city", "type": "string" }, { "name": "x", "type": "float" } ] },
          { "name": "text", "type": "string", "maxLength": 10 },
          { "name": "short", "type": "string", "derivation": "lowercase:(text)" },
          { "name": "touched", "type": "date", "derivation": "now()" } ],
        "relationships": [
          { "name": "parts", "destination": "Part", "toMany": true, "ordered": true },
          { "name": "friends", "destination": "Thing", "inverse": "friends", "toMany": true } ] },
      { "name": "Part", "attributes": [ { "name": "name", "type": "string" } ] } ] }
    """

  @Test("STO-185, STO-243: every kind of attribute and relationship comes back to the bit")
  func kinds() throws {
    let folder = try TransferFolder(model: Self.kinds)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.path("store.db"))
    let context = ManagedObjectContext(coordinator: coordinator)
    let thing = try context.insert(entityNamed: "Thing")
    let photo = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let values: [String: Value] = [
      "big": .int(.min), "money": .decimal(Decimal(string: "-1234567890123456789012345678.9012345678") ?? 0),
      "when": .date(Date(timeIntervalSinceReferenceDate: 123_456_789.123_456_78)), "blob": .data(Data()),
      "photo": .data(photo), "mark": .uuid(UUID()), "text": .string("A\u{0}B"),
      "link": URL(string: "https://example.org/a%20b").map { .uri($0) } ?? .null,
      "place": .dictionary(["city": .string("Rome"), "x": .double(0.5)]),
    ]
    for (key, value) in values { try thing.setQueryValue(value, forKey: key) }
    let small = try context.insert(entityNamed: "Thing")
    try small.setQueryValue(.data(Data([1, 2])), forKey: "photo")
    let parts = try (0..<4).map { _ in try context.insert(entityNamed: "Part") }
    try thing.setValue([parts[2], parts[0], parts[3]], forKey: "parts")
    try thing.addObjects([small, thing], forKey: "friends")
    try context.save()
    coordinator.close()
    let connection = try SQLiteConnection(path: folder.path("store.db"), mode: .readWrite)
    // An archive of a transformer that only its program has.
    try connection.execute("UPDATE ZTHING SET ZTAGS = x'00ff10', ZTOUCHED = 1.5 WHERE Z_PK = 1")
    connection.close()
    try folder.run(["metadata", "set", "note=kept"])
    let (first, second) = try Self.roundTrip(folder)
    #expect(first == second)
    #expect(first.contains("\"tags\":\"AP8Q\""))
    #expect(first.contains("\"metadata\":{\"note\":\"kept\"}"))
    #expect(first.contains("\"parts\":[\"Part/p3\",\"Part/p1\",\"Part/p4\"]"))
    // The archive is none of the usual kind in either store.
    #expect(try folder.run(["check", "--quiet"], store: "copy.db") == .negativeAnswer)
    #expect(try folder.run(["check", "--quiet"]) == .negativeAnswer)
    let copied = try PersistentStoreCoordinator.open(storeAt: folder.path("copy.db"))
    let other = ManagedObjectContext(coordinator: copied)
    let id = try #require(copied.managedObjectID(forShortForm: "Thing/p1"))
    let copy = try other.object(with: id)
    for (key, value) in values { #expect(try copy.queryValue(forKey: key) == value, "\(key)") }
    #expect(try copy.queryValue(forKey: "touched") == .date(Date(timeIntervalSinceReferenceDate: 1.5)))
    #expect(copied.persistentStores[0].externalData?.files == 1)
    copied.close()
  }

  @Test("STO-318: ids go on behind the greatest that was ever given, and a history begins anew")
  func counters() throws {
    let folder = try TransferFolder(model: TransferFolder.teams)
    try folder.run(["history", "enable"])
    try folder.load("{\"name\":\"a\"}\n{\"name\":\"b\"}\n", ["Tag"])
    try folder.run(["delete", "Tag/p2"])
    let (first, second) = try Self.roundTrip(folder)
    #expect(first == second)
    #expect(first.hasPrefix("{\"dump\":1,"))
    #expect(first.contains("\"history\":true"))
    #expect(first.contains("\"keys\":{\"Tag\":2}"))
    #expect(first.hasSuffix("{\"end\":1}\n"))
    try folder.run(["insert", "Tag", "name=c", "-o", folder.path("id")], store: "copy.db")
    #expect(try folder.read("id") == "Tag/p3\n")
    let copied = try PersistentStoreCoordinator.open(storeAt: folder.path("copy.db"))
    defer { copied.close() }
    #expect(try copied.isTrackingHistory(of: copied.persistentStores[0]))
  }

  @Test("DGN-106: values that break rules younger than they are dumped and loaded")
  func youngRules() throws {
    let folder = try TransferFolder(model: Self.kinds)
    try folder.load("{}", ["Thing"])
    let connection = try SQLiteConnection(path: folder.path("store.db"), mode: .readWrite)
    try connection.execute("UPDATE ZTHING SET ZTEXT = 'longer than ten', ZLINK = CAST(x'ff41' AS TEXT)")
    connection.close()
    let (first, second) = try Self.roundTrip(folder)
    #expect(first == second)
    #expect(first.contains("\"text\":\"longer than ten\""))
    // Text that is no UTF-8 stays what it is.
    #expect(first.contains("\"link\":{\"$data\":\"/0E=\"}"))
  }

  // MARK: Core Data's stores

  private static let appleStores: [String] = {
    guard let folder = Repository.sharedData("apple/stores")?.path else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      .filter { $0.hasSuffix(".moody") }.map { "\(folder)/\($0)" }
  }()

  @Test(
    "STO-318: stores that Core Data has made come back equal, with Core Data's hashes", arguments: appleStores
  )
  func coreData(path: String) throws {
    let tool = try CommandLineTool()
    try FileManager.default.copyItem(atPath: path, toPath: tool.path("app.sqlite"))
    try Self.expectEqualCopy(tool)
    let hashes = try tool.runShell("graphstore info -s copy.sqlite | grep -c \"Core Data's\"")
    #expect(hashes.output == "1\n")
  }

  @Test("STO-318: a store in Core Data's form comes back equal")
  func standIn() throws { try Self.expectEqualCopy(try .coreDataStandIn()) }

  private static func expectEqualCopy(_ tool: CommandLineTool) throws {
    let dumped = try tool.run("dump", "-s", "app.sqlite", "app.dump")
    try #require(dumped.code == 0, "\(dumped.errors)")
    let loaded = try tool.run("load", "app.dump", "-s", "copy.sqlite")
    try #require(loaded.code == 0, "\(loaded.errors)")
    let again = try tool.runShell("graphstore dump -s copy.sqlite | cmp - app.dump")
    #expect(again.code == 0, "\(again.output)")
    let difference = try tool.run("diff", "app.sqlite", "copy.sqlite", "--exit-code")
    #expect(difference.code == 0, "\(difference.output.prefix(500))")
  }
}
