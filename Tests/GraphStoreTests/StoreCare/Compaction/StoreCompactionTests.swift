import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Compaction of stores")
struct StoreCompactionTests {
  private let folder: LayoutFolder
  private let path: String

  private static let albums = ModelDefinition(
    name: "Album",
    entities: [
      EntityDefinition(
        "Photo",
        attributes: [
          AttributeDefinition("image", .binary, externalStorage: true),
          AttributeDefinition("note", .string),
        ])
    ])

  init() throws {
    folder = try LayoutFolder()
    path = folder.file("s.db")
    var options = StoreOptions()
    options.externalStorageThreshold = 100
    options.sqlitePragmas = ["auto_vacuum": .int(0)]
    let coordinator = try PersistentStoreCoordinator.create(
      storeAt: path, model: ManagedObjectModel(Self.albums), options: options)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<40 {
      try context.insert(
        "Photo",
        [
          "image": Data(repeating: UInt8(number), count: 500),
          "note": String(repeating: "x", count: 20_000),
        ])
    }
    try context.save()
    for photo in try context.all("Photo").dropFirst(3) { try context.delete(photo) }
    try context.save()
  }

  private var externalFolder: String { folder.file(".s_SUPPORT/_EXTERNAL_DATA") }

  private func addUnnamedFile() throws {
    try Data(count: 1234).write(to: URL(fileURLWithPath: externalFolder + "/" + UUID().uuidString))
  }

  private func images() throws -> [Int] {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: true))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    return try context.all("Photo").compactMap { try ($0.value(forKey: "image") as? Data)?.count }
  }

  @Test("STO-183, STO-201: free pages and files that no row names are given back, and counted")
  func all() throws {
    try addUnnamedFile()
    let compaction = try StoreCompaction(path: path)
    #expect(compaction.freeBytes > 100_000 && compaction.unnamedFiles?.count == 1)
    #expect(compaction.unnamedFiles?.bytes == 1234)
    let before = compaction.before
    #expect(before.externalData == 3 * 500 + 1234)
    let result = try compaction.run()
    #expect(result.unfinished.isEmpty && result.removed.count == 1)
    #expect(result.before == before && result.after == StoreSize(path: path))
    #expect(result.after.externalData == 1500 && result.after.log == 0)
    #expect(before.file - result.after.file >= compaction.freeBytes)
    #expect(try images() == [500, 500, 500])
    #expect(try StoreCheck.run(path: path).allSatisfy { $0.isOK && $0.findings.isEmpty })
    let again = try StoreCompaction(path: path).run()
    #expect(again.before == again.after && again.removed.count == 0)
  }

  @Test("STO-201: beside an idle process all but the removal of files is done, beside a reader nothing grows")
  func others() throws {
    try addUnnamedFile()
    let other = try SQLiteConnection(path: path, mode: .readWrite)
    defer { other.close() }
    _ = try other.int64("SELECT count(*) FROM ZPHOTO")
    let idle = try StoreCompaction(path: path, timeout: .milliseconds(50)).run()
    #expect(idle.unfinished == [.files] && idle.after.file < idle.before.file)
    #expect(idle.after.externalData == idle.before.externalData)
    try other.execute("CREATE TABLE SPARE (A)")
    try other.execute("INSERT INTO SPARE VALUES (zeroblob(500000))")
    let reader = try SQLiteConnection(path: path, mode: .readOnly)
    defer { reader.close() }
    try reader.begin(.deferred)
    _ = try reader.int64("SELECT count(*) FROM ZPHOTO")
    try other.execute("DROP TABLE SPARE")
    let busy = try StoreCompaction(path: path, timeout: .milliseconds(50)).run()
    #expect(busy.unfinished == [.file, .log, .files])
    #expect(busy.after.total <= busy.before.total)
    try reader.rollback()
    try other.begin(.immediate)
    let locked = try StoreCompaction(path: path, timeout: .milliseconds(50)).run()
    #expect(locked.unfinished.contains(.file) && locked.unfinished.contains(.files))
    try other.rollback()
    #expect(try images() == [500, 500, 500])
  }

  @Test("STO-201: a store with damage is left byte for byte as it is")
  func damaged() throws {
    let raw = try SQLiteConnection(path: path, mode: .readOnly)
    let page = try #require(try raw.int64("SELECT rootpage FROM sqlite_schema WHERE name = 'ZPHOTO'"))
    raw.close()
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xAB, count: 4096))
    try file.close()
    let state = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: GraphStoreError.self) { try StoreCompaction(path: path).run() }
    #expect(error?.code == .storeCorrupt)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == state)
  }

  @Test("STO-183: files of a folder that another store has too are nobody's leftovers")
  func shared() throws {
    try addUnnamedFile()
    try FileManager.default.copyItem(atPath: path, toPath: folder.file("s.backup"))
    let result = try StoreCompaction(path: path).run()
    #expect(result.removed.count == 0 && result.after.externalData == 1500 + 1234)
  }

  @Test("STO-201: what is no store stays as it is", arguments: ["text", "empty", "folder", "missing"])
  func noStore(_ kind: String) throws {
    let place = folder.file(kind)
    switch kind {
    case "text": try Data("hello".utf8).write(to: URL(fileURLWithPath: place))
    case "empty": try Data().write(to: URL(fileURLWithPath: place))
    case "folder": try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    default: break
    }
    #expect(throws: GraphStoreError.self) { try StoreCompaction(path: place) }
    #expect(FileManager.default.fileExists(atPath: place) == (kind != "missing"))
  }
}
