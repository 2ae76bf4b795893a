import Foundation
import GraphStoreFiles
import GraphStoreModel
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

/// Descriptors that are closed beside connections, whose locks the system would take with them.
@Suite(.enabled(if: FileManager.default.isReadableFile(atPath: "/proc/locks"), "the system tells no locks"))
struct DatabaseFilesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("x")
    let maker = try SQLiteConnection(path: path, mode: .create)
    try maker.execute("CREATE TABLE t (a); INSERT INTO t VALUES (4)")
    maker.close()
  }

  /// How many locks the process has on the file.
  private func locks() throws -> Int {
    let number = try #require(
      FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)
    let text = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
    return text.split(separator: "\n").count {
      $0.contains(" POSIX ") && $0.contains(" \(getpid()) ") && $0.contains(":\(number) ")
    }
  }

  /// How many descriptors of the file the process has open.
  private func descriptors() throws -> Int {
    // That of the list itself is gone by then.
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }

  private func writer(journal: String) throws -> SQLiteConnection {
    let writer = try SQLiteConnection(path: path, mode: .readWrite)
    _ = try writer.string("PRAGMA journal_mode = \(journal)")
    try writer.begin(.immediate)
    return writer
  }

  @Test(
    "STO-327: a descriptor that is closed beside a connection leaves it its locks",
    arguments: ["WAL", "DELETE"])
  func closing(journal: String) throws {
    let writer = try writer(journal: journal)
    let before = try locks()
    #expect(before > 0)
    for _ in 0..<3 {
      #expect(DatabaseFiles.firstBytes(path, count: 6) == Array("SQLite".utf8))
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      DatabaseFiles.close(descriptor)
    }
    #expect(try locks() == before)
    try writer.rollback()
    writer.close()
    #expect(try descriptors() == 0)
    #expect(try locks() == 0)
  }

  @Test("STO-327: a store that is given for a model beside a connection leaves it its locks")
  func modelFile() throws {
    let writer = try writer(journal: "DELETE")
    let before = try locks()
    #expect(before > 0)
    #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: path) }
    #expect(try locks() == before)
    writer.close()
    #expect(try descriptors() == 0)
  }

  @Test("STO-327: what is read beside a connection again and again takes one descriptor")
  func oneDescriptor() throws {
    let writer = try writer(journal: "WAL")
    _ = DatabaseFiles.firstBytes(path, count: 6)
    let before = try descriptors()
    for _ in 0..<100 { _ = DatabaseFiles.firstBytes(path, count: 6) }
    #expect(try descriptors() == before)
    writer.close()
  }

  @Test(
    "STO-327: a connection that is closed leaves others their locks, whatever its mode",
    arguments: [SQLiteConnection.Mode.readOnly, .immutable, .detached, .readWrite], ["WAL", "DELETE"])
  func closingConnections(mode: SQLiteConnection.Mode, journal: String) throws {
    let writer = try writer(journal: journal)
    let before = try locks()
    let reader = try SQLiteConnection(path: path, mode: mode)
    #expect(try reader.int64("SELECT a FROM t") == 4)
    reader.close()
    #expect(try locks() == before)
    try writer.execute("UPDATE t SET a = 5")
    try writer.commit()
    writer.close()
  }

  @Test("STO-327: a connection that was open before another one took its locks leaves them too")
  func earlierConnection() throws {
    for mode in [SQLiteConnection.Mode.readOnly, .immutable, .detached] {
      let reader = try SQLiteConnection(path: path, mode: mode)
      #expect(try reader.int64("SELECT a FROM t") == 4)
      let writer = try writer(journal: "DELETE")
      let before = try locks()
      reader.close()
      #expect(try locks() == before)
      writer.close()
    }
  }

  @Test("STO-327: two files that had one path are kept apart")
  func replaced() throws {
    let writer = try writer(journal: "DELETE")
    let before = try locks()
    let former = folder.file("former")
    try FileManager.default.moveItem(atPath: path, toPath: former)
    try Data("another".utf8).write(to: URL(fileURLWithPath: path))
    #expect(DatabaseFiles.firstBytes(path, count: 7) == Array("another".utf8))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: former, toPath: path)
    #expect(try locks() == before)
    writer.close()
  }
}
