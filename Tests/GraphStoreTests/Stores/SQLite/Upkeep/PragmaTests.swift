import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Pragmas of SQLite stores")
struct PragmaTests {
  private let folder: LayoutFolder

  init() throws { folder = try LayoutFolder() }

  private func open(
    _ pragmas: [String: Value], isReadOnly: Bool = false
  ) throws -> PersistentStoreCoordinator {
    var options = StoreOptions(isReadOnly: isReadOnly, timeout: .milliseconds(100))
    options.sqlitePragmas = pragmas
    let path = folder.file("s")
    return FileManager.default.fileExists(atPath: path)
      ? try PersistentStoreCoordinator.open(storeAt: path, options: options)
      : try PersistentStoreCoordinator.create(storeAt: path, model: LayoutModels.company(), options: options)
  }

  private func effective(_ pragmas: [String: Value]) throws -> [String: Value] {
    let coordinator = try open(pragmas)
    defer { coordinator.close() }
    return try coordinator.persistentStores[0].effectivePragmas
  }

  private func refusal(_ pragmas: [String: Value]) -> GraphStoreError? {
    let error = #expect(throws: GraphStoreError.self) { try open(pragmas).close() }
    #expect(error?.code == .storeOption, "\(pragmas): \(error?.message ?? "")")
    return error
  }

  @Test("STO-188: a store that asks for nothing has the log, whole synchronisation and pages of 4096 bytes")
  func defaults() throws {
    let values = try effective([:])
    #expect(values["page_size"] == .int(4096) && values["auto_vacuum"] == .int(2))
    #expect(values["journal_mode"] == .string("wal"))
    #expect(values["synchronous"] == .int(2) && values["fullfsync"] == .int(0))
    #expect(values["wal_autocheckpoint"] == .int(1000))
  }

  @Test("STO-189: pragmas are those of every connection of the store")
  func everyConnection() throws {
    let coordinator = try open(["cache_size": .int(-123), "synchronous": .string("normal")])
    defer { coordinator.close() }
    let pool = try #require(coordinator.firstStore as? SQLiteStore).pool
    let writer = try pool.takeWriter()
    let readers = try (0..<3).map { _ in try pool.takeReader(takesReaderSlot: true) }
    #expect(pool.connectionCount == 4)
    for taken in [writer] + readers {
      #expect(try taken.connection.int64("PRAGMA cache_size") == -123)
      #expect(try taken.connection.int64("PRAGMA synchronous") == 1)
    }
    for reader in readers { pool.giveBackReader(reader, takesReaderSlot: true) }
    pool.giveBackWriter(writer)
  }

  @Test("STO-189: a description has pragmas by name, which its options hold")
  @MainActor func description() throws {
    let place = try ContainerFolder()
    let container = try place.container("s")
    container.persistentStoreDescriptions[0].setValue(.string("OFF"), forPragmaNamed: "synchronous")
    container.persistentStoreDescriptions[0].setValue(.int(7), forPragmaNamed: "wal_autocheckpoint")
    container.persistentStoreDescriptions[0].setValue(.int(1), forPragmaNamed: "threads")
    container.persistentStoreDescriptions[0].setValue(nil, forPragmaNamed: "threads")
    #expect(
      container.persistentStoreDescriptions[0].options["sqlitePragmas"]
        == .dictionary(["synchronous": .string("OFF"), "wal_autocheckpoint": .int(7)]))
    #expect(container.loadOne() == nil)
    let values = try container.persistentStoreCoordinator.persistentStores[0].effectivePragmas
    #expect(values["synchronous"] == .int(0) && values["wal_autocheckpoint"] == .int(7))
    container.persistentStoreCoordinator.close()
  }

  @Test("STO-190: synchronous takes words in any case and numbers; the two fsyncs are independent of it")
  func synchronous() throws {
    for (position, word) in ["OFF", "Normal", "full", "EXTRA"].enumerated() {
      #expect(try effective(["synchronous": .string(word)])["synchronous"] == .int(Int64(position)))
      #expect(try effective(["synchronous": .int(Int64(position))])["synchronous"] == .int(Int64(position)))
    }
    for (value, number) in [(Value.string("on"), 1), (.string("OFF"), 0), (.int(1), 1), (.int(0), 0)] {
      let one = try effective(["fullfsync": value])
      #expect(one["fullfsync"] == .int(Int64(number)) && one["checkpoint_fullfsync"] == .int(0))
      let other = try effective(["checkpoint_fullfsync": value])
      #expect(other["checkpoint_fullfsync"] == .int(Int64(number)) && other["fullfsync"] == .int(0))
      #expect(one["synchronous"] == .int(2))
    }
    for value in [Value.int(4), .int(-1), .string("HIGH"), .bool(true), .double(1)] {
      #expect(refusal(["synchronous": value])?.message.contains("OFF, NORMAL, FULL, EXTRA") == true)
    }
  }

  @Test("STO-191: these are allowed, each with its values, and no other")
  func allowed() throws {
    let values: [String: Value] = [
      "wal_autocheckpoint": .int(5), "journal_size_limit": .int(4096), "cache_size": .int(77),
      "mmap_size": .int(65536), "temp_store": .string("MEMORY"), "cache_spill": .string("OFF"),
      "secure_delete": .string("FAST"), "threads": .int(2),
    ]
    let found = try effective(values)
    for (name, value) in [
      ("wal_autocheckpoint", 5), ("journal_size_limit", 4096), ("cache_size", 77), ("mmap_size", 65536),
      ("temp_store", 2), ("cache_spill", 0), ("secure_delete", 2), ("threads", 2),
    ] { #expect(found[name] == .int(Int64(value)), "\(name)") }
    for name in ["foreign_keys", "user_version", "locking_mode", "x; DROP TABLE Z_METADATA", ""] {
      #expect(refusal([name: .int(1)])?.message.contains("journal_mode") == false)
    }
    #expect(refusal(["cache_sise": .int(1)])?.suggestions == ["cache_size"])
    for value in [Value.int(1000), .int(256), .int(131_072), .string("1024; SELECT 1")] {
      #expect(refusal(["page_size": value])?.message.contains("power of two") == true)
    }
  }

  @Test("STO-192: a value that did not take is an error for who asked for it, and no store is left")
  func refused() throws {
    let error = refusal(["threads": .int(1_000_000)])
    #expect(error?.message.contains("keeps") == true && error?.property == "threads")
    #expect(try folder.state().isEmpty)
    try open([:]).close()
    let state = try folder.state()
    #expect(refusal(["threads": .int(1_000_000)]) != nil)
    #expect(try folder.state()["s"] == state["s"])
  }

  @Test(
    "STO-191, STO-193: size of pages and auto-vacuum are those of a new store, and of others once vacuumed")
  func form() throws {
    let form: [String: Value] = ["page_size": .int(8192), "auto_vacuum": .string("NONE")]
    try open([:]).close()
    let coordinator = try open(form)
    let store = coordinator.persistentStores[0]
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert("Department", ["name": "Sales"])
    try context.save()
    #expect(try store.effectivePragmas["page_size"] == .int(4096))
    #expect(try store.effectivePragmas["auto_vacuum"] == .int(2))
    try store.vacuum()
    #expect(try store.effectivePragmas["page_size"] == .int(8192))
    #expect(try store.effectivePragmas["auto_vacuum"] == .int(0))
    #expect(try store.effectivePragmas["journal_mode"] == .string("wal"))
    #expect(try context.count(for: FetchRequest(entityName: "Department")) == 1)
    coordinator.close()
    #expect(try StoreCheck.run(path: folder.file("s")).allSatisfy { $0.isOK })
    try FileManager.default.removeItem(atPath: folder.file("s"))
    let new = try effective(form)
    #expect(new["page_size"] == .int(8192) && new["auto_vacuum"] == .int(0))
  }

  @Test("STO-198: three rollback journals; one in memory only where nothing is synchronised, none never")
  func journals() throws {
    for mode in ["DELETE", "TRUNCATE", "PERSIST"] {
      let coordinator = try open(["journal_mode": .string(mode)])
      let store = coordinator.persistentStores[0]
      #expect(try store.effectivePragmas["journal_mode"] == .string(mode.lowercased()))
      let context = ManagedObjectContext(coordinator: coordinator)
      try context.insert("Department", ["name": mode])
      try context.save()
      let files = try folder.state()
      #expect(files["s-wal"] == nil)
      #expect((files["s-journal"] != nil) == (mode != "DELETE"), "\(mode)")
      #expect((files["s-journal"]?.isEmpty == false) == (mode == "PERSIST"), "\(mode)")
      coordinator.close()
    }
    #expect(refusal(["journal_mode": .string("MEMORY")])?.remedy.contains("synchronous") == true)
    #expect(refusal(["journal_mode": .string("MEMORY"), "synchronous": .int(1)]) != nil)
    #expect(refusal(["journal_mode": .string("OFF"), "synchronous": .int(0)]) != nil)
    let memory = try effective(["journal_mode": .string("MEMORY"), "synchronous": .string("OFF")])
    #expect(memory["journal_mode"] == .string("memory"))
    #expect(try effective(["journal_mode": .string("WAL")])["journal_mode"] == .string("wal"))
  }

  @Test("STO-192: reading only leaves the journal as it is, and says so where another was asked for")
  func reading() throws {
    try open([:]).close()
    let state = try folder.state()
    #expect(throws: GraphStoreError.self) {
      try open(["journal_mode": .string("DELETE")], isReadOnly: true).close()
    }
    try open(["journal_mode": .string("WAL"), "cache_size": .int(9)], isReadOnly: true).close()
    #expect(try folder.state() == state)
  }
}
