import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("The prefix of values with external storage")
struct ExternalPrefixTests {
  /// A store whose file is changed behind the library's back.
  private func store(_ statements: String, _ change: (inout StoreMetadata) -> Void) throws -> LayoutFolder {
    let folder = try LayoutFolder()
    let model = try ManagedObjectModel(PhotoStore.model)
    var metadata = StoreMetadata(model: model)
    change(&metadata)
    let connection = try SQLiteLayout.create(
      at: folder.file("s"), schema: SQLSchema(model: model), metadata: metadata)
    try connection.execute(statements + "; UPDATE Z_PRIMARYKEY SET Z_MAX = 9")
    connection.close()
    return folder
  }

  private func images(_ path: String) throws -> String? {
    let raw = try SQLiteConnection(path: path, mode: .readWrite)
    defer { raw.close() }
    return try raw.string(
      "SELECT group_concat(CASE WHEN ZIMAGE IS NULL THEN '-' ELSE hex(ZIMAGE) END, ' ') FROM (SELECT * FROM ZPHOTO ORDER BY Z_PK)"
    )
  }

  private static let rows = """
    INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZNAME, ZIMAGE)
      VALUES (1, 2, 1, 'a', x'01FF0000D8'), (2, 2, 1, 'b', NULL), (3, 2, 1, 'c', x''), (4, 2, 1, 'd', x'02')
    """

  @Test("STO-177: in a store of Core Data values have their prefix, and files are found")
  func coreData() throws {
    let name = UUID().uuidString
    let folder = try store(
      """
      INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZNAME, ZIMAGE)
        VALUES (1, 2, 1, 'a', x'01FFD8'), (2, 2, 1, 'b', NULL), (3, 2, 1, 'c', CAST(x'02' || '\(name)' || x'00' AS BLOB))
      """
    ) {
      $0.values[StoreMetadata.Key.format] = nil
      $0.values[StoreMetadata.Key.model] = nil
      $0.values[StoreMetadata.Key.externalData] = nil
    }
    let data = folder.file(".s_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try Data(repeating: 4, count: 110_000).write(to: URL(fileURLWithPath: data + "/" + name))
    let model = try ManagedObjectModel(PhotoStore.model)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.file("s"), model: model)
    let context = ManagedObjectContext(coordinator: coordinator)
    let photos = try context.all("Photo", sort: ["name"])
    #expect(try photos[0].value(forKey: "image") as? Data == Data([0xFF, 0xD8]))
    #expect(try photos[1].value(forKey: "image") == nil)
    #expect(try photos[2].value(forKey: "image") as? Data == Data(repeating: 4, count: 110_000))
    try photos[1].setValue(Data([9]), forKey: "image")
    try photos[2].setValue(Data([1, 2]), forKey: "image")
    try context.save()
    coordinator.close()
    #expect(try images(folder.file("s")) == "01FFD8 0109 010102")
    #expect(try FileManager.default.contentsOfDirectory(atPath: data).isEmpty)
    #expect(try StoreCheck.run(path: folder.file("s"), model: model).allSatisfy(\.isOK))
  }

  @Test(
    "STO-177: a store of an earlier version, without prefixes, is read and written in its form, and check says so"
  )
  func earlierVersion() throws {
    let folder = try store(Self.rows) { $0.values[StoreMetadata.Key.externalData] = nil }
    let path = folder.file("s")
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
    let context = ManagedObjectContext(coordinator: coordinator)
    let photos = try context.all("Photo", sort: ["name"])
    #expect(try photos[0].value(forKey: "image") as? Data == Data([1, 0xFF, 0, 0, 0xD8]))
    #expect(try photos[2].value(forKey: "image") as? Data == Data())
    #expect(try photos[3].value(forKey: "image") as? Data == Data([2]))
    try photos[1].setValue(Data([5]), forKey: "image")
    let large = Data(repeating: 6, count: 110_000)
    try context.insert("Photo", ["name": "e", "image": large])
    try context.save()
    coordinator.close()
    #expect(try images(path)?.hasPrefix("01FF0000D8 05  02 0606") == true)
    let found = try StoreCheck.run(path: path).flatMap(\.findings)
    #expect(found.map(\.subject) == ["Photo.image"] && found[0].severity == .warning && found[0].count == 5)
    let other = ManagedObjectContext(coordinator: try .open(storeAt: path))
    #expect(try other.all("Photo", "name == 'e'")[0].value(forKey: "image") as? Data == large)
  }

  @Test(
    "STO-177: a store of an earlier version without such values goes on as a new one from its first write on")
  func earlierVersionWithoutValues() throws {
    let folder = try store("INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a')") {
      $0.values[StoreMetadata.Key.externalData] = nil
    }
    let path = folder.file("s")
    let context = ManagedObjectContext(coordinator: try .open(storeAt: path))
    try context.all("Photo")[0].setValue(Data([5]), forKey: "image")
    try context.save()
    context.coordinator.close()
    #expect(try images(path) == "0105")
    #expect(try StoreCheck.run(path: path).flatMap(\.findings) == [])
    let other = ManagedObjectContext(coordinator: try .open(storeAt: path))
    #expect(try other.all("Photo")[0].value(forKey: "image") as? Data == Data([5]))
  }

  @Test(
    "STO-177: who reads a store of an earlier version without such values reads those that another writes then"
  )
  func earlierVersionReadOnly() throws {
    let folder = try store("INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a')") {
      $0.values[StoreMetadata.Key.externalData] = nil
    }
    let path = folder.file("s")
    let reader = ManagedObjectContext(
      coordinator: try .open(storeAt: path, options: StoreOptions(isReadOnly: true)))
    let writer = ManagedObjectContext(coordinator: try .open(storeAt: path))
    try writer.all("Photo")[0].setValue(Data([5]), forKey: "image")
    try writer.save()
    #expect(try reader.all("Photo")[0].value(forKey: "image") as? Data == Data([5]))
    for context in [reader, writer] { context.coordinator.close() }
  }

  @Test("STO-177: repairing gives the values of an earlier version their prefix, after a copy was made")
  func repair() throws {
    let folder = try store(Self.rows) { $0.values[StoreMetadata.Key.externalData] = nil }
    let path = folder.file("s")
    let repair = try StoreRepair(path: path)
    #expect(repair.steps.map(\.subject) == ["Photo.image"])
    let result = try repair.run()
    let now = try images(path)
    #expect(now == "0101FF0000D8 - 01 0102")
    #expect(try images(result.backup) == "01FF0000D8 -  02")
    #expect(try StoreCheck.run(path: path).flatMap(\.findings) == [])
    #expect(try StoreRepair(path: path).steps.isEmpty)
    let context = ManagedObjectContext(coordinator: try .open(storeAt: path))
    let photos = try context.all("Photo", sort: ["name"])
    let values = try photos.map { try $0.value(forKey: "image") as? Data }
    #expect(values == [Data([1, 0xFF, 0, 0, 0xD8]), nil, Data(), Data([2])])
  }

  @Test("STO-177: a store that is open elsewhere is not repaired")
  func openElsewhere() throws {
    let folder = try store(Self.rows) { $0.values[StoreMetadata.Key.externalData] = nil }
    let path = folder.file("s")
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
    let context = ManagedObjectContext(coordinator: coordinator)
    _ = try context.all("Photo")
    let error = #expect(throws: GraphStoreError.self) {
      try StoreRepair(path: path, timeout: .milliseconds(50)).run()
    }
    #expect(error?.code == .storeOpen)
    #expect(try images(path) == "01FF0000D8 -  02")
    coordinator.close()
    _ = try StoreRepair(path: path).run()
    #expect(try images(path) == "0101FF0000D8 - 01 0102")
  }
}
