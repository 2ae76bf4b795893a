import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite struct SQLiteProbeTests {
  private func code(_ probe: SQLiteProbe) -> GraphStoreError.Code? {
    do {
      _ = try probe.metadata(path: "x")
      return nil
    } catch { return (error as? GraphStoreError)?.code }
  }

  /// Probes and sees to it that nothing changed.
  private func probe(_ folder: LayoutFolder, _ name: String) throws -> SQLiteProbe {
    let before = try folder.state()
    let result = SQLiteProbe.probe(folder.file(name))
    #expect(try folder.state() == before)
    return result
  }

  @Test("STO-167: a missing path is told and stays missing")
  func missing() throws {
    let folder = try LayoutFolder()
    #expect(code(try probe(folder, "no")) == .storeNotFound)
    #expect(code(try probe(folder, "no/deeper")) == .storeNotFound)
    try folder.makeStore("s")
    #expect(code(try probe(folder, "s/below")) == .storeNotFound)
  }

  @Test("A folder, a device, an empty file and other files are no stores")
  func notStores() throws {
    let folder = try LayoutFolder()
    #expect(code(SQLiteProbe.probe(folder.path)) == .notAStore)
    #expect(code(SQLiteProbe.probe("/dev/null")) == .notAStore)
    let contents = ["empty": "", "text": "hello", "long": String(repeating: "x", count: 5000), "json": "{}"]
    for (name, text) in contents {
      try text.write(toFile: folder.file(name), atomically: false, encoding: .utf8)
      #expect(code(try probe(folder, name)) == .notAStore, "\(name)")
    }
    guard case .empty = try probe(folder, "empty"), case .notSQLite = try probe(folder, "text") else {
      Issue.record("empty and foreign files are not told apart")
      return
    }
  }

  @Test("STO-286: a SQLite file without the system tables is no store, and stays as it is")
  func notAStore() throws {
    let folder = try LayoutFolder()
    let connection = try SQLiteConnection(path: folder.file("x"), mode: .create)
    try connection.execute("CREATE TABLE t (a)")
    connection.close()
    #expect(code(try probe(folder, "x")) == .notAStore)
  }

  @Test(
    "STO-290: a folder or a link with the name of a side file is named",
    arguments: ["-wal", "-shm", "-journal"], [false, true])
  func blocked(suffix: String, isLink: Bool) throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s")
    let file = folder.file("s" + suffix)
    if isLink {
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: folder.file("other"))
    } else {
      try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    }
    guard case .blocked(let name) = try probe(folder, "s") else {
      Issue.record("it is not noticed")
      return
    }
    #expect(name == folder.file("s" + suffix))
    #expect(code(.blocked(by: name)) == .storeOpen)
    #expect(!SQLiteProbe.isProbablyStore(folder.file("s")))
  }

  @Test("A store of ours is recognised", arguments: [false, true])
  func ours(withRollbackJournal: Bool) throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") { if withRollbackJournal { _ = try $0.string("PRAGMA journal_mode = DELETE") } }
    let metadata = try probe(folder, "s").metadata(path: folder.file("s"))
    #expect(metadata.format == 1)
    #expect(metadata.versionHashes.count == 7)
  }

  @Test("STO-112: a log beside the file counts, whether its index is there or not", arguments: [true, false])
  func log(hasIndex: Bool) throws {
    let folder = try LayoutFolder()
    let writer = try folder.openStore("s")
    var metadata = try SQLiteLayout.readMetadata(writer)
    try metadata.setUserValues(["new": .int(1)])
    try SQLiteLayout.writeMetadata(writer, metadata)
    let copy = try LayoutFolder()
    for name in ["s", "s-wal"] + (hasIndex ? ["s-shm"] : []) {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
    }
    if hasIndex {
      #expect(try SQLiteProbe.probe(folder.file("s")).metadata(path: "s") == metadata)
    } else {
      #expect(try probe(copy, "s").metadata(path: "s") == metadata)
    }
    let linking = try LayoutFolder()
    try FileManager.default.createSymbolicLink(
      atPath: linking.file("link"), withDestinationPath: folder.file("s"))
    #expect(try probe(linking, "link").metadata(path: "link") == metadata)
  }

  @Test("STO-287: a damaged part is named")
  func damagedMetadata() throws {
    let cases = [
      "DELETE FROM Z_METADATA": "no row", "UPDATE Z_METADATA SET Z_PLIST = NULL": "Z_PLIST",
      "UPDATE Z_METADATA SET Z_PLIST = x'00'": "Z_PLIST",
      "UPDATE Z_METADATA SET Z_PLIST = 'bplist00garbage'": "Z_PLIST",
      "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, 200)": "Z_PLIST",
      "UPDATE Z_METADATA SET Z_UUID = 'x'": "identifier", "DROP TABLE Z_METADATA": "Z_METADATA",
      "DROP TABLE Z_PRIMARYKEY": "Z_PRIMARYKEY",
    ]
    for (sql, part) in cases {
      let folder = try LayoutFolder()
      try folder.makeStore("s") { try $0.execute(sql) }
      #expect {
        try probe(folder, "s").metadata(path: "s")
      } throws: {
        GraphStoreError.code(.storeCorrupt) ~= $0 && "\($0)".contains(part)
      }
    }
  }

  @Test("A file cut short at any length is damaged or no store, and never a store")
  func truncated() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s")
    let whole = try #require(FileManager.default.contents(atPath: folder.file("s")))
    for length in [
      1, 15, 16, 50, 99, 100, 101, 1000, 4095, 4096, 5000, whole.count / 2, whole.count - 4096,
      whole.count - 1,
    ] {
      try whole.prefix(length).write(to: URL(fileURLWithPath: folder.file("cut")))
      let found = code(try probe(folder, "cut"))
      #expect(found == (length < 100 ? .notAStore : .storeCorrupt), "\(length)")
    }
  }

  @Test(
    "Random damage is reported or survived, and never changes the file",
    arguments: TestSeed.sequence(1, from: 20_240_611))
  func randomDamage(seed: TestSeed) throws {
    var random = seed.generator
    let folder = try LayoutFolder()
    try folder.makeStore("s")
    let whole = try #require(FileManager.default.contents(atPath: folder.file("s")))
    for round in 0..<60 {
      var bytes = whole
      for _ in 0...Int.random(in: 0..<40, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 3 == 0 { for index in 16..<100 { bytes[index] = UInt8.random(in: 0...255, using: &random) } }
      try bytes.write(to: URL(fileURLWithPath: folder.file("bad")))
      let found = code(try probe(folder, "bad"))
      let expected: [GraphStoreError.Code?] = [nil, .storeCorrupt, .notAStore, .storeOpen, .storePermission]
      #expect(expected.contains(found), "\(seed) round \(round): \(String(describing: found))")
    }
  }

  @Test("STO-290: a newer format is refused as such")
  func newerFormat() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") { connection in
      var metadata = try SQLiteLayout.readMetadata(connection)
      metadata.values["_GSFormat"] = .int(2)
      try SQLiteLayout.writeMetadata(connection, metadata)
    }
    guard case .newerFormat(2) = try probe(folder, "s") else {
      Issue.record("the format is not told")
      return
    }
    #expect(code(try probe(folder, "s")) == .storeOpen)
  }

  @Test("STO-206: a store in a folder without write permission is read", .enabled(if: geteuid() != 0))
  func readOnlyFolder() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s")
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    #expect(code(try probe(folder, "s")) == nil)
    chmod(folder.file("s"), 0)
    #expect(code(SQLiteProbe.probe(folder.file("s"))) == .storePermission)
  }

  @Test(
    "STO-206: a file that may not be written is read beside something that is no log, without waiting",
    .enabled(if: geteuid() != 0))
  func foreignLog() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") { _ = try $0.string("PRAGMA journal_mode = DELETE") }
    try Data(repeating: 0x6A, count: 400).write(to: URL(fileURLWithPath: folder.file("s-wal")))
    for name in ["s", "s-wal"] { chmod(folder.file(name), 0o444) }
    let start = ContinuousClock.now
    for _ in 0..<2 {
      #expect(code(SQLiteProbe.probe(folder.file("s"))) == nil)
      let connection = try SQLiteConnection.openForReading(folder.file("s"))
      #expect(try connection.int64("SELECT count(*) FROM ZPROJECT") == 0)
      connection.close()
    }
    let error = #expect(throws: GraphStoreError.self) {
      try PersistentStoreCoordinator.open(storeAt: folder.file("s"))
    }
    #expect(error?.code == .storePermission)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("STO-206: what begins as no log does is told from a log, where the file cannot be written")
  func logs() throws {
    let folder = try LayoutFolder()
    let writer = try folder.openStore("s")
    try writer.execute("INSERT INTO ZPROJECT (Z_ENT) VALUES (7)")
    #expect(!SQLiteProbe.SideFiles(folder.file("s")).hasUnreadableLog)
    #expect(SQLiteProbe.SideFiles.isLog(folder.file("s-wal")))
    // A log that is still without its header is none that SQLite would look at.
    for (count, isLog) in [(31, true), (32, false)] {
      try Data(repeating: 0x6A, count: count).write(to: URL(fileURLWithPath: folder.file("other")))
      #expect(SQLiteProbe.SideFiles.isLog(folder.file("other")) == isLog)
    }
  }

  @Test("A store that is being written is read, with what was committed")
  func whileWriting() throws {
    let folder = try LayoutFolder()
    let writer = try folder.openStore("s")
    try writer.transaction {
      try writer.execute("UPDATE Z_METADATA SET Z_PLIST = NULL")
      #expect(code(SQLiteProbe.probe(folder.file("s"))) == nil)
    }
    #expect(code(SQLiteProbe.probe(folder.file("s"))) == .storeCorrupt)
  }

  @Test("A file that another process holds exclusively is busy, not damaged")
  func busy() throws {
    let folder = try LayoutFolder()
    let holder = try folder.openStore("s")
    _ = try holder.string("PRAGMA journal_mode = DELETE")
    try holder.begin(.exclusive)
    try holder.execute("INSERT INTO ZPROJECT (Z_ENT) VALUES (7)")
    #expect(code(SQLiteProbe.probe(folder.file("s"))) == .storeTimeout)
    try holder.rollback()
  }

  @Test(
    "STO-278: stores that Core Data wrote are recognised, old ones too",
    .enabled(if: AppleStores.folder != nil))
  func apple() throws {
    let source = try #require(AppleStores.folder)
    let folder = try LayoutFolder()
    let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
    #expect(!names.isEmpty)
    for name in names {
      try FileManager.default.copyItem(atPath: source + "/" + name, toPath: folder.file(name))
      let metadata = try probe(folder, name).metadata(path: name)
      #expect(metadata.format == nil && metadata.modelText == nil, "\(name)")
      #expect(
        !metadata.versionHashes.isEmpty && metadata.versionHashes.values.allSatisfy { $0.count == 32 },
        "\(name)")
      #expect(metadata.values["NSStoreType"] == .string("SQLite"))
      #expect((metadata.frameworkVersion ?? 0) >= 241)
      let connection = try SQLiteConnection(
        path: folder.file(name), mode: SQLiteConnection.Mode.reading(folder.file(name)))
      #expect(try SQLiteLayout.readEntityNumbers(connection).count == metadata.versionHashes.count)
    }
  }
}
