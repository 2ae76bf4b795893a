import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

@Suite("Making a store")
struct StoreCreationTests {
  private func create(_ path: String, timeout: Duration = .seconds(5)) throws {
    try PersistentStoreCoordinator.create(
      storeAt: path, model: LayoutModels.company(), options: StoreOptions(timeout: timeout)
    ).close()
  }

  private func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? GraphStoreError)?.code }
  }

  @Test("STO-188: a new store is one file, with the pragmas of a store")
  func pragmas() throws {
    let folder = try LayoutFolder()
    try create(folder.file("s"))
    #expect(try folder.state().keys.sorted() == ["s"])
    let connection = try SQLiteConnection(path: folder.file("s"), mode: .readWrite)
    defer { connection.close() }
    #expect(try connection.string("PRAGMA journal_mode") == "wal")
    #expect(try connection.int64("PRAGMA auto_vacuum") == 2)
    #expect(try connection.int64("PRAGMA page_size") == 4096)
    #expect(try connection.string("PRAGMA encoding") == "UTF-8")
  }

  @Test(
    "Of many who make a store at one path one succeeds, and nothing of it is lost", arguments: [false, true])
  func race(isEmptyFileThere: Bool) throws {
    for _ in 0..<5 {
      let folder = try LayoutFolder()
      if isEmptyFileThere { try Data().write(to: URL(fileURLWithPath: folder.file("s"))) }
      let path = folder.file("s")
      let codes = Mutex<[GraphStoreError.Code?]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let result = code { try create(path) }
        codes.withLock { $0.append(result) }
      }
      let results = codes.withLock { $0 }
      #expect(results.filter { $0 == nil }.count == 1)
      #expect(results.allSatisfy { $0 == nil || $0 == .storeExists || $0 == .storeTimeout })
      // Several that close a file at once may each leave its log, and the index of it, to the others.
      let others = try folder.state().filter { $0.key != "s" && !($0.key == "s-wal" && $0.value.isEmpty) }
      #expect(others.keys.allSatisfy { $0 == "s-shm" })
      #expect(try StoreCheck.run(path: folder.file("s")).allSatisfy { $0.isOK })
    }
  }

  @Test("A file that another one made meanwhile stays as it is")
  func taken() throws {
    let folder = try LayoutFolder()
    let other = Data("another's".utf8)
    do {
      let file = try NewFile(for: folder.file("s"))
      try file.write(Array("ours".utf8))
      try other.write(to: URL(fileURLWithPath: folder.file("s")))
      #expect {
        try file.place()
      } throws: { error in
        if case NewFile.Failure.isTaken = error { true } else { false }
      }
    }
    #expect(try folder.state() == ["s": other])
  }

  @Test("A file beside which SQLite has left a journal is not placed: what that is to take back is not known")
  func journalLeft() throws {
    let folder = try LayoutFolder()
    do {
      let file = try NewFile(for: folder.file("s"))
      try file.write(Array("half".utf8))
      try Data("journal".utf8).write(to: URL(fileURLWithPath: file.temporaryPath + "-journal"))
      #expect {
        try file.place()
      } throws: { error in
        if case NewFile.Failure.system(EIO) = error { true } else { false }
      }
    }
    #expect(try folder.state().isEmpty)
  }

  @Test("What cannot be made leaves nothing behind, and an empty file empty")
  func nothingLeft() throws {
    let attributes = (0..<2500).map { AttributeDefinition("a\($0)", .int16) }
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [EntityDefinition("Wide", attributes: attributes)]))
    let folder = try LayoutFolder()
    try Data().write(to: URL(fileURLWithPath: folder.file("empty")))
    for name in ["s", "empty"] {
      let error = #expect(throws: GraphStoreError.self) {
        try PersistentStoreCoordinator.create(storeAt: folder.file(name), model: model)
      }
      #expect(error?.code == .modelTooWide && error?.number == 136002 && error?.entity == "Wide")
      #expect(error?.message.contains("2503") == true)
    }
    #expect(try folder.state() == ["empty": Data()])
  }

  @Test("A model of as many columns as a table can have makes a store")
  func widest() throws {
    let attributes = (0..<1997).map { AttributeDefinition("a\($0)", .int16) }
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [EntityDefinition("Wide", attributes: attributes)]))
    let folder = try LayoutFolder()
    try PersistentStoreCoordinator.create(storeAt: folder.file("s"), model: model).close()
    #expect(try StoreCheck.run(path: folder.file("s"), isQuick: true).allSatisfy { $0.isOK })
  }

  @Test("Through a link the file it points to is made; over a folder or a pipe none is")
  func strangers() throws {
    let folder = try LayoutFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("s"))
    try create(folder.file("link"))
    #expect(try StoreCheck.run(path: folder.file("s"), isQuick: true).allSatisfy { $0.isOK })
    #expect(code { try create(folder.path) } == .storeExists)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(code { try create(folder.file("pipe")) } == .storeExists)
    #expect(code { try create(folder.file("s")) } == .storeExists)
  }

  @Test("Without the right to make a file the folder is told", .enabled(if: access("/sys", F_OK) == 0))
  func permission() {
    #expect(code { try create("/sys/graphstore.db") } == .storePermission)
  }

  @Test("STO-219: a new store has the mode that the umask leaves of 0666, as its side files do")
  func mode() throws {
    let folder = try LayoutFolder()
    let mask = umask(0)
    umask(mask)
    try create(folder.file("s"))
    var status = stat()
    #expect(stat(folder.file("s"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o666 & ~mask)
  }
}
