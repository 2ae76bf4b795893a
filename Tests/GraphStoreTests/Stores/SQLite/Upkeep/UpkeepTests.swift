import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Care of SQLite stores: log, free pages, statistics")
struct UpkeepTests {
  private let folder: LayoutFolder
  private let path: String

  init() throws {
    folder = try LayoutFolder()
    path = folder.file("s")
  }

  private static let notes = ModelDefinition(
    name: "Notes",
    entities: [
      EntityDefinition(
        "Note", attributes: [AttributeDefinition("text", .string), AttributeDefinition("place", .int64)],
        indexes: [IndexDefinition("byPlace", elements: [.init("place")])])
    ])

  private func open(_ set: (inout StoreOptions) -> Void = { _ in }) throws -> PersistentStoreCoordinator {
    var options = StoreOptions(timeout: .milliseconds(100))
    set(&options)
    return FileManager.default.fileExists(atPath: path)
      ? try PersistentStoreCoordinator.open(storeAt: path, options: options)
      : try PersistentStoreCoordinator.create(
        storeAt: path, model: ManagedObjectModel(Self.notes), options: options)
  }

  /// Some notes of about ten pages each.
  private func write(_ count: Int, to coordinator: PersistentStoreCoordinator) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<count {
      try context.insert("Note", ["text": String(repeating: "x", count: 40_000), "place": number])
    }
    try context.save()
  }

  private func deleteAll(_ coordinator: PersistentStoreCoordinator) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    for note in try context.all("Note") { try context.delete(note) }
    try context.save()
  }

  private func size(_ name: String = "s") -> Int { RegularFile.size(folder.file(name)) ?? 0 }

  private func connection(_ coordinator: PersistentStoreCoordinator) throws -> SQLiteConnection {
    let pool = try #require(coordinator.firstStore as? SQLiteStore).pool
    let taken = try pool.takeReader(takesReaderSlot: true)
    defer { pool.giveBackReader(taken, takesReaderSlot: true) }
    return taken.connection
  }

  // MARK: The log

  @Test("STO-196: log and index lie beside an open store, and go with the last connection")
  func sideFiles() throws {
    let first = try open()
    let second = try open()
    try write(1, to: first)
    #expect(try folder.state().keys.sorted() == ["s", "s-shm", "s-wal"])
    first.close()
    #expect(try folder.state().keys.sorted() == ["s", "s-shm", "s-wal"])
    #expect(try ManagedObjectContext(coordinator: second).all("Note").count == 1)
    second.close()
    #expect(try folder.state().keys.sorted() == ["s"])
  }

  @Test("STO-197: the log is written into the file after 1,000 pages, and with 0 only when asked to")
  func checkpoints() throws {
    let automatic = try open()
    for _ in 0..<6 { try write(60, to: automatic) }
    #expect(size("s-wal") < 1300 * 4096)
    automatic.close()
    let manual = try open { $0.sqlitePragmas = ["wal_autocheckpoint": .int(0)] }
    defer { manual.close() }
    for _ in 0..<3 { try write(60, to: manual) }
    #expect(size("s-wal") > 1500 * 4096)
    let store = manual.persistentStores[0]
    let pages = size("s-wal") / 4096
    let result = try store.checkpoint()
    #expect(result.pagesInLog > 1500 && result.pagesInLog <= pages)
    #expect(result.pagesMoved == result.pagesInLog && !result.isBlocked)
    for mode in CheckpointMode.allCases {
      #expect(try !store.checkpoint(mode).isBlocked)
      #expect((size("s-wal") == 0) == (mode == .truncate))
    }
  }

  @Test("STO-197: who reads a former state keeps the log, and nobody is waited for beyond the time-out")
  func blockedCheckpoint() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    try write(1, to: coordinator)
    let other = try SQLiteConnection(path: path, mode: .readOnly)
    defer { other.close() }
    try other.begin(.deferred)
    _ = try other.int64("SELECT count(*) FROM ZNOTE")
    try write(1, to: coordinator)
    let store = coordinator.persistentStores[0]
    #expect(try store.checkpoint(.truncate).isBlocked)
    let part = try store.checkpoint()
    #expect(part.pagesMoved < part.pagesInLog)
    try other.rollback()
    #expect(try !store.checkpoint(.truncate).isBlocked)
  }

  @Test("STO-166, STO-197: a store that is only read is not taken care of, nor one without a file of SQLite")
  func refused() throws {
    try open().close()
    let reading = try open { $0.isReadOnly = true }
    defer { reading.close() }
    let store = reading.persistentStores[0]
    for act in [{ _ = try store.checkpoint() }, { try store.vacuum() }, { try store.analyze() }] {
      let error = #expect(throws: GraphStoreError.self) { try act() }
      #expect(error?.code == .readOnlyStore)
    }
    #expect(try store.effectivePragmas["page_size"] == .int(4096))
    for key in [StoreOptionKey.sqliteManualVacuum, .sqliteAnalyze] {
      let error = #expect(throws: GraphStoreError.self) {
        try PersistentStoreCoordinator.open(
          storeAt: path, options: StoreOptions([key.rawValue: .bool(true), "readOnly": .bool(true)]))
      }
      #expect(error?.code == .storeOption && error?.property == key.rawValue)
    }
  }

  // MARK: Free pages

  @Test("STO-199: a save that leaves more than 1,000 free pages gives back 1,000, the close the rest")
  func freePages() throws {
    let coordinator = try open()
    try write(150, to: coordinator)
    let full = try connection(coordinator).int64("PRAGMA page_count") ?? 0
    #expect(full > 1500)
    try deleteAll(coordinator)
    let left = try connection(coordinator).int64("PRAGMA page_count") ?? 0
    // Of the pages that say where others are some go with them.
    #expect((1000...1010).contains(full - left))
    #expect(try connection(coordinator).int64("PRAGMA freelist_count") ?? 0 > 400)
    coordinator.close()
    #expect(size() < 30 * 4096)
    #expect(try StoreCheck.run(path: path).allSatisfy { $0.isOK })
  }

  @Test("STO-199: fewer free pages stay for later rows")
  func fewFreePages() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    try write(60, to: coordinator)
    let pages = try connection(coordinator).int64("PRAGMA page_count")
    try deleteAll(coordinator)
    #expect(try connection(coordinator).int64("PRAGMA page_count") == pages)
    try write(60, to: coordinator)
    #expect(try connection(coordinator).int64("PRAGMA page_count") == pages)
  }

  @Test("STO-199, STO-203: care is no statement of a save, and a store that was only read closes as it was")
  func silence() throws {
    let coordinator = try open()
    let store = try #require(coordinator.firstStore as? SQLiteStore)
    var texts: [String] = []
    store.pool.onStatement = { texts.append($0) }
    try write(1, to: coordinator)
    #expect(texts.allSatisfy { !$0.contains("PRAGMA") } && texts.last == "COMMIT")
    store.pool.onStatement = nil
    coordinator.close()
    let state = try folder.state()
    let reading = try open()
    let context = ManagedObjectContext(coordinator: reading)
    #expect(try context.all("Note", "place == 0").count == 1)
    reading.close()
    #expect(try folder.state() == state)
  }

  @Test("STO-200, PAT-197: a vacuum gives all free pages back, and beside it nothing is lost")
  func vacuum() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    try write(60, to: coordinator)
    let context = ManagedObjectContext(coordinator: coordinator)
    for note in try context.all("Note", "place > 2") { try context.delete(note) }
    try context.save()
    let store = coordinator.persistentStores[0]
    try store.checkpoint(.truncate)
    let before = size()
    try store.vacuum()
    #expect(size() < before / 4)
    #expect(try connection(coordinator).int64("PRAGMA freelist_count") == 0)
    #expect(try context.all("Note").count == 3)
    let writing = try #require(coordinator.firstStore).beginWriting(isShared: false)
    let error = #expect(throws: GraphStoreError.self) { try store.vacuum() }
    #expect(error?.code == .storeTimeout)
    try writing.rollback()
  }

  @Test("STO-200: both can be asked for while the store is being added")
  func whenAdded() throws {
    let coordinator = try open { $0.sqlitePragmas = ["auto_vacuum": .int(0)] }
    try write(60, to: coordinator)
    try deleteAll(coordinator)
    try write(1, to: coordinator)
    coordinator.close()
    #expect(size() > 300 * 4096)
    try open {
      $0.vacuumsWhenAdded = true
      $0.analyzesWhenAdded = true
    }.close()
    #expect(size() < 60 * 4096)
    let raw = try SQLiteConnection(path: path, mode: .readOnly)
    defer { raw.close() }
    #expect(try raw.int64("SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'ZNOTE'") ?? 0 > 0)
  }

  // MARK: Statistics

  @Test("STO-203: a store that was written to renews its statistics when it is closed")
  func optimized() throws {
    let coordinator = try open()
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<500 { try context.insert("Note", ["place": number % 7]) }
    try context.save()
    #expect(try context.all("Note", "place == 3").count > 0)
    coordinator.close()
    let raw = try SQLiteConnection(path: path, mode: .readOnly)
    defer { raw.close() }
    let statistics = try raw.string("SELECT stat FROM sqlite_stat1 WHERE idx LIKE '%byPlace%'")
    // An estimate, by as many rows as are looked at.
    let numbers = statistics?.split(separator: " ").compactMap { Int($0) } ?? []
    #expect(numbers.count == 2 && numbers.allSatisfy { $0 > 20 }, "\(statistics ?? "none")")
  }
}
