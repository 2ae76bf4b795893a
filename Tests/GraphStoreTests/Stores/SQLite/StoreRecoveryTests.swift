import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Changes that were interrupted")
struct StoreRecoveryTests {
  /// A folder with a store `s` as a writer leaves it that is killed amid a change: a part of the change in
  /// the file, and what takes it back in the journal.
  private func interrupted() throws -> LayoutFolder {
    let source = try LayoutFolder()
    let writer = try source.openStore("s")
    _ = try writer.string("PRAGMA journal_mode = DELETE")
    try writer.execute(
      """
      INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT value, 7, 1, hex(zeroblob(200))
        FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 500) SELECT value FROM n);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 500 WHERE Z_ENT = 7;
      PRAGMA cache_size = 2;
      BEGIN;
      UPDATE ZPROJECT SET ZTITLE = 'half' || Z_PK;
      """)
    let folder = try LayoutFolder()
    for name in ["s", "s-journal"] {
      try FileManager.default.copyItem(atPath: source.file(name), toPath: folder.file(name))
    }
    try writer.rollback()
    writer.close()
    let journal = try #require(try folder.state()["s-journal"])
    #expect(!journal.isEmpty)
    return folder
  }

  private func titles(_ path: String, isReadOnly: Bool = false) throws -> Int {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: isReadOnly))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let predicate = try QueryPredicate(parsing: "title BEGINSWITH 'half'")
    return try context.count(for: FetchRequest(entityName: "Project", predicate: predicate))
  }

  @Test("Opening for writing takes an interrupted change back")
  func writing() throws {
    let folder = try interrupted()
    #expect(try titles(folder.file("s")) == 0)
    #expect(try StoreCheck.run(path: folder.file("s")).allSatisfy { $0.isOK })
  }

  @Test("STO-166: opening for reading only changes nothing and says what to do; recovery does it once")
  func reading() throws {
    let folder = try interrupted()
    let before = try folder.state()
    let error = #expect(throws: GraphStoreError.self) { try titles(folder.file("s"), isReadOnly: true) }
    #expect(error?.code == .storeOpen)
    #expect(throws: GraphStoreError.self) { try StoreCheck.run(path: folder.file("s")) }
    #expect(try folder.state() == before)
    #expect(try StoreRecovery.run(path: folder.file("s")))
    #expect(try !StoreRecovery.run(path: folder.file("s")))
    #expect(try titles(folder.file("s"), isReadOnly: true) == 0)
  }

  @Test("STO-213: a journal that names another file is refused, and the file stays")
  func hostileJournal() throws {
    let folder = try interrupted()
    let victim = folder.file("victim")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
    var journal = try #require(try folder.state()["s-journal"])
    journal += Data(count: (512 - journal.count % 512) % 512)
    func word(_ number: Int) -> Data { withUnsafeBytes(of: UInt32(number).bigEndian) { Data($0) } }
    journal += word(0x4000_0000 / 4096 + 1) + Data(victim.utf8) + word(victim.utf8.count)
    journal += word(victim.utf8.reduce(0) { $0 + Int(Int8(bitPattern: $1)) })
    journal += Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
    try journal.write(to: URL(fileURLWithPath: folder.file("s-journal")))
    let before = try folder.state()
    for work in [
      { _ = try titles(folder.file("s")) }, { try StoreRecovery.run(path: folder.file("s")) },
      {
        try PersistentStoreCoordinator.create(storeAt: folder.file("s"), model: LayoutModels.company())
          .close()
      },
    ] as [() throws -> Void] {
      let error = #expect(throws: GraphStoreError.self) { try work() }
      #expect(error?.code == .storeOpen && error?.message.contains("victim") == true)
      #expect(try folder.state() == before)
    }
  }

  @Test("A store whose making was interrupted is made after all")
  func interruptedMaking() throws {
    let source = try LayoutFolder()
    let writer = try SQLiteConnection(path: source.file("s"), mode: .create)
    try writer.execute("PRAGMA cache_size = 2; BEGIN; PRAGMA auto_vacuum = 2")
    for number in 0..<50 { try writer.execute("CREATE TABLE t\(number) (a)") }
    let folder = try LayoutFolder()
    for name in ["s", "s-journal"] {
      try FileManager.default.copyItem(atPath: source.file(name), toPath: folder.file(name))
    }
    try writer.rollback()
    writer.close()
    let file = try #require(try folder.state()["s"])
    #expect(!file.isEmpty)
    try PersistentStoreCoordinator.create(storeAt: folder.file("s"), model: LayoutModels.company()).close()
    #expect(try StoreCheck.run(path: folder.file("s")).allSatisfy { $0.isOK })
  }
}
