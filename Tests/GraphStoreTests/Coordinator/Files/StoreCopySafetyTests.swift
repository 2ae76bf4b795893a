import Dispatch
import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

/// Copies of stores at paths where something is left of others, of stores that change or are damaged, and
/// several at once.
@Suite("Copies among other files")
struct StoreCopySafetyTests {
  private let source: PhotoStore

  /// A store with a small and a large photo, still open, whose log is not folded in.
  init() throws {
    source = try PhotoStore()
    try source.photo("small", 10)
    try source.photo("large", 150_000)
  }

  private static func url(_ path: String) -> URL { URL(fileURLWithPath: path) }

  private static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  private static func bytes(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  private func file(_ name: String) -> String { source.folder.file(name) }

  /// The files of external data of a store beside the source.
  private func dataFolder(_ stem: String) -> String { file(".\(stem)_SUPPORT/_EXTERNAL_DATA") }

  /// The photos of a store by name, with their images.
  private static func photos(_ path: String) throws -> [String: Data] {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: true))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    var photos: [String: Data] = [:]
    for photo in try context.all("Photo") {
      photos[try photo.string("name") ?? ""] = try photo.value(forKey: "image") as? Data
    }
    return photos
  }

  private static let images = [
    "small": Data(repeating: 7, count: 10), "large": Data(repeating: 7, count: 150_000),
  ]

  /// Expects a copy to be whole, with the images of the source.
  private func expectWhole(_ path: String, _ location: SourceLocation = #_sourceLocation) throws {
    #expect(try Self.photos(path) == Self.images, sourceLocation: location)
    #expect(
      try StoreCheck.run(path: path).flatMap(\.findings) == [], sourceLocation: location)
  }

  /// A log with changes of another store, which SQLite would apply to whatever file has the name.
  private func leaveLog(beside path: String) throws {
    let other = try PhotoStore()
    for number in 0..<40 { try other.photo("other\(number)", 2_000) }
    try FileManager.default.copyItem(atPath: other.path + "-wal", toPath: path + "-wal")
  }

  // MARK: Logs

  @Test(
    "STO-158: a log that was left at a free path is no part of what is put there", arguments: [true, false])
  func leftLog(isEmptyFile: Bool) throws {
    let path = file("free.sqlite")
    try leaveLog(beside: path)
    if isEmptyFile { try Data().write(to: Self.url(path)) }
    let log = try #require(Self.bytes(path + "-wal"))
    let error = try expectFailure(.storeExists) { try StoreBackup.make(ofStoreAt: source.path, at: path) }
    #expect(error.message.contains("free.sqlite-wal"))
    #expect(Self.bytes(path + "-wal") == log && Self.isThere(path) == isEmptyFile)
    try PersistentStoreCoordinator.replacePersistentStore(at: Self.url(path), with: Self.url(source.path))
    try expectWhole(path)
    let again = file("again.sqlite")
    try leaveLog(beside: again)
    #expect(try StoreBackup.restore(source.path, to: again) == nil)
    try expectWhole(again)
  }

  @Test("STO-158, MIG-265: a migration to another path refuses one where a log was left")
  func leftLogOfMigration() throws {
    source.coordinator.close()
    let path = file("free.sqlite")
    try leaveLog(beside: path)
    var target = PhotoStore.model
    target.entities[1].attributes.append(AttributeDefinition("place", .string))
    let model = try ManagedObjectModel(target)
    var options = MigrationOptions()
    options.output = path
    let plan = try MigrationPlan(fromStoreAt: source.path, to: ModelVersion(model))
    _ = try expectFailure(.storeExists) { _ = try StoreMigration(plan, options: options).run() }
    #expect(!Self.isThere(path))
  }

  @Test("STO-158, MIG-268: a replaced store is kept under a name beside which no log was left")
  func leftLogOfBackup() throws {
    let backup = file("kept.sqlite")
    try StoreBackup.make(ofStoreAt: source.path, at: backup)
    source.coordinator.close()
    try leaveLog(beside: source.path + ".backup")
    #expect(try StoreBackup.restore(backup, to: source.path) == source.path + ".backup-2")
    try expectWhole(source.path + ".backup-2")
    try expectWhole(source.path)
  }

  // MARK: Several at once

  @Test("STO-153, STO-163: of copies to one free path one is made, whole, and the others leave it alone")
  func race() throws {
    for round in 0..<12 {
      let (original, path) = (source.path, file("race\(round).sqlite"))
      let outcomes = Mutex<[GraphStoreError.Code?]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        var code: GraphStoreError.Code?
        do {
          try StoreBackup.make(ofStoreAt: original, at: path)
        } catch {
          code = (error as? GraphStoreError)?.code ?? .internalInconsistency
        }
        outcomes.withLock { $0.append(code) }
      }
      let codes = outcomes.withLock(\.self)
      #expect(codes.filter { $0 == nil }.count == 1 && codes.allSatisfy { [nil, .storeExists].contains($0) })
      try expectWhole(path)
    }
  }

  @Test("STO-157: a store that is replaced while it is copied is copied as one or as the other")
  func replacedMeanwhile() throws {
    source.coordinator.close()
    let others = try ["a", "b"].map { name in
      let other = try PhotoStore()
      for number in 0..<3 { try other.photo("\(name)\(number)", 120_000, byte: UInt8(number + 1)) }
      other.coordinator.close()
      return other
    }
    let isDone = Atomic(false)
    let (path, replacements) = (source.path, others.map(\.path))
    let thread = Thread {
      var round = 0
      while !isDone.load(ordering: .relaxed) {
        try? PersistentStoreCoordinator.replacePersistentStore(
          at: Self.url(path), with: Self.url(replacements[round % 2]))
        round += 1
      }
    }
    thread.start()
    defer {
      isDone.store(true, ordering: .relaxed)
      withExtendedLifetime(others) {}
    }
    for number in 0..<30 {
      let copy = file("copy\(number).sqlite")
      do { try StoreBackup.make(ofStoreAt: path, at: copy) } catch let error as GraphStoreError {
        #expect(error.code == .storeTimeout, "\(error)")
        continue
      }
      #expect(try StoreCheck.run(path: copy).flatMap(\.findings) == [], "copy \(number)")
      let sizes = try Self.photos(copy).values.map(\.count)
      #expect(
        sizes == [120_000, 120_000, 120_000] || Set(sizes) == [10, 150_000], "copy \(number): \(sizes)")
    }
  }

  // MARK: Names

  /// A store with an entity whose table is named as SQLite's own parts of stores are, and with an attribute
  /// whose values look like names of files.
  private static func oddStore(_ path: String) throws -> [String: [Data?]] {
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "_Doc",
        attributes: [
          AttributeDefinition("plain", .binary), AttributeDefinition("body", .binary, externalStorage: true),
        ])
    ])
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(model))
    defer { coordinator.close() }
    try coordinator.addStore(at: path)
    let context = ManagedObjectContext(coordinator: coordinator)
    let name = Data([2]) + Data(UUID().uuidString.utf8) + Data([0])
    let body = Data(repeating: 5, count: 150_000)
    try context.insert("_Doc", ["plain": name, "body": body])
    try context.insert("_Doc", ["plain": body])
    try context.save()
    return ["plain": [name, body], "body": [body, nil]]
  }

  @Test(
    "STO-163, STO-186: entities and values of any name and form are copied, counted and left as they are",
    arguments: [true, false])
  func oddNames(isOneFile: Bool) throws {
    let path = file("odd.sqlite")
    let values = try Self.oddStore(path)
    let copy = file("copy.sqlite")
    let result = try StoreBackup.make(ofStoreAt: path, at: copy, isOneFile: isOneFile)
    #expect(result.objectCount == 2 && result.missingFileCount == 0)
    try FileManager.default.removeItem(atPath: file(".odd_SUPPORT"))
    let coordinator = try PersistentStoreCoordinator.open(storeAt: copy)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let objects = try context.all("_Doc").sorted { $0.objectID.shortForm < $1.objectID.shortForm }
    for (key, expected) in values {
      #expect(try objects.map { try $0.value(forKey: key) as? Data } == expected, "\(key)")
    }
  }

  @Test(
    "STO-163: a store that carries no model is copied with its files, and not as one file where it has some")
  func withoutModel() throws {
    source.coordinator.close()
    // As Core Data before 2015 makes stores.
    let connection = try SQLiteConnection(path: source.path, mode: .readWrite)
    let values = try SQLiteLayout.readMetadata(connection).values
    connection.close()
    let stripped = file("stripped.sqlite")
    try StoreBackup.make(ofStoreAt: source.path, at: stripped)
    let other = try SQLiteConnection(path: stripped, mode: .readWrite)
    let foreign = values.filter { !$0.key.hasPrefix("_GS") }
    try other.withStatement("UPDATE Z_METADATA SET Z_PLIST = ?1") { statement in
      let data = try PropertyList.data(foreign)
      try unsafe data.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 1) }
      try statement.run()
    }
    other.close()
    let copy = file("copy.sqlite")
    let result = try StoreBackup.make(ofStoreAt: stripped, at: copy)
    #expect(result.objectCount == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: dataFolder("copy")) == source.files)
    _ = try expectFailure(.noModel) {
      try StoreBackup.make(ofStoreAt: stripped, at: file("one.sqlite"), isOneFile: true)
    }
    #expect(!Self.isThere(file("one.sqlite")))
  }

  @Test("STO-153: a link that leads nowhere is no free path")
  func danglingLink() throws {
    let path = file("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: file("nowhere.sqlite"))
    let looping = file("loop.sqlite")
    try FileManager.default.createSymbolicLink(atPath: looping, withDestinationPath: looping)
    for link in [path, looping] {
      for body: () throws -> Void in [
        { try StoreBackup.make(ofStoreAt: source.path, at: link) },
        { try StoreBackup.restore(source.path, to: link) },
      ] {
        let error = try expectFailure(.migrationDestination) { try body() }
        #expect(error.message.contains("leads nowhere"))
      }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).isEmpty == false)
    }
  }

  @Test("MIG-271: only files of the form of those that are left behind count as such")
  func leftovers() throws {
    let own = file(".copy_sqlite-migration-mine")
    try StoreBackup.make(ofStoreAt: source.path, at: own)
    let left = file(".copy_sqlite-migration-0000000abc123")
    try Data("left".utf8).write(to: Self.url(left))
    let data = file(".") + "/" + ".\(URL(fileURLWithPath: left).lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try Data("half".utf8).write(to: Self.url("\(data)/\(UUID().uuidString)-copy"))
    try StoreBackup.make(ofStoreAt: source.path, at: file("copy.sqlite"))
    try expectWhole(own)
    #expect(!Self.isThere(left) && !Self.isThere(data))
  }

  // MARK: External data

  @Test("STO-185: a file that the source lacks is told, and what it has is copied")
  func missingFile() throws {
    try source.photo("other", 160_000)
    try FileManager.default.removeItem(atPath: source.dataFolder + "/" + source.files[0])
    let result = try StoreBackup.make(ofStoreAt: source.path, at: file("copy.sqlite"))
    #expect(result.missingFileCount == 1 && result.objectCount == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: dataFolder("copy")) == source.files)
  }

  @Test(
    "STO-185, STO-183: what is no file of data where one should be counts as missing",
    arguments: ["link", "pipe", "folder"])
  func noFile(_ kind: String) throws {
    let path = source.dataFolder + "/" + source.files[0]
    try FileManager.default.removeItem(atPath: path)
    switch kind {
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    let result = try StoreBackup.make(ofStoreAt: source.path, at: file("copy.sqlite"))
    #expect(result.missingFileCount == 1 && !Self.isThere(file(".copy_SUPPORT")))
    _ = try expectFailure(.externalDataMissing) {
      try StoreBackup.make(ofStoreAt: source.path, at: file("one.sqlite"), isOneFile: true)
    }
  }

  @Test("STO-157: files of a copy are its own: who damages those of the store leaves them as they were")
  func ownFiles() throws {
    let path = file("copy.sqlite")
    try StoreBackup.make(ofStoreAt: source.path, at: path)
    let handle = try #require(FileHandle(forWritingAtPath: source.dataFolder + "/" + source.files[0]))
    try handle.write(contentsOf: Data(repeating: 0xFF, count: 1_000))
    try handle.close()
    try expectWhole(path)
  }

  @Test(
    "STO-156, STO-185: a damaged file of external data is replaced by that of the backup, and kept with the old store"
  )
  func damagedFile() throws {
    let backup = file("good.sqlite")
    try StoreBackup.make(ofStoreAt: source.path, at: backup)
    let damaged = source.dataFolder + "/" + source.files[0]
    try Data("damaged".utf8).write(to: Self.url(damaged))
    source.coordinator.close()
    let old = try #require(try StoreBackup.restore(backup, to: source.path))
    try expectWhole(source.path)
    try expectWhole(backup)
    #expect(try Self.photos(old)["large"] == Data("damaged".utf8))
  }

  @Test(
    "STO-330, MIG-268: copies whose names differ in the extension alone share files, and none takes another's"
  )
  func sharedByOthers() throws {
    let paths = ["other.monday", "other.tuesday"].map(file)
    for path in paths { try StoreBackup.make(ofStoreAt: source.path, at: path) }
    for path in paths { try expectWhole(path) }
    // Where the content differs there is no way to have both.
    let shared = dataFolder("other") + "/" + source.files[0]
    try Data("damaged".utf8).write(to: Self.url(shared))
    let error = try expectFailure(.migrationDestination) {
      try StoreBackup.make(ofStoreAt: source.path, at: file("other.wednesday"))
    }
    #expect(error.message.contains(source.files[0]))
    #expect(!Self.isThere(file("other.wednesday")) && Self.bytes(shared) == Data("damaged".utf8))
  }

  @Test(
    "MIG-268: a store with external data is kept under a new name each time it is replaced",
    .timeLimit(.minutes(1)))
  func keptAgain() throws {
    let backup = file("good.sqlite")
    try StoreBackup.make(ofStoreAt: source.path, at: backup)
    source.coordinator.close()
    for number in 1...3 {
      let kept = try StoreBackup.restore(backup, to: source.path)
      #expect(kept == source.path + ".backup" + (number == 1 ? "" : "-\(number)"))
    }
    for end in ["", ".backup", ".backup-2", ".backup-3"] { try expectWhole(source.path + end) }
  }

  // MARK: Damage

  @Test("STO-164: a damaged store is replaced by a backup, and kept with its log")
  func damagedStore() throws {
    let backup = file("good.sqlite")
    try StoreBackup.make(ofStoreAt: source.path, at: backup)
    source.coordinator.close()
    var bytes = try #require(Self.bytes(source.path))
    bytes.replaceSubrange(100..<4_096, with: Data(repeating: 0x5A, count: 3_996))
    try bytes.write(to: Self.url(source.path))
    let log = Data("what is left of a log".utf8)
    try log.write(to: Self.url(source.path + "-wal"))
    let files = source.files
    let old = try #require(try StoreBackup.restore(backup, to: source.path))
    try expectWhole(source.path)
    #expect(Self.bytes(old) == bytes && Self.bytes(old + "-wal") == log)
    #expect(try FileManager.default.contentsOfDirectory(atPath: dataFolder("photos.sqlite")) == files)
    #expect(!Self.isThere(source.path + "-wal") || Self.bytes(source.path + "-wal") == Data())
  }

  @Test("STO-164, STO-159: a damaged store that somebody has open is not replaced")
  func damagedStoreInUse() throws {
    let backup = file("good.sqlite")
    try StoreBackup.make(ofStoreAt: source.path, at: backup)
    source.coordinator.close()
    // Connections past the list of the process's own stand for another process.
    let holder = try SQLiteConnection(path: source.path, mode: .readWrite)
    _ = try holder.int64("SELECT count(*) FROM ZPHOTO")
    try holder.execute("UPDATE Z_METADATA SET Z_PLIST = x'00'")
    _ = try expectFailure(.storeTimeout) {
      try StoreBackup.restore(backup, to: source.path, timeout: .milliseconds(50))
    }
    holder.close()
    #expect(try StoreBackup.restore(backup, to: source.path) != nil)
    try expectWhole(source.path)
  }

  @Test("STO-156: a source that is damaged inside is told as such, and nothing appears")
  func damagedSource() throws {
    for number in 0..<200 { try source.photo("p\(number)", 500) }
    source.coordinator.close()
    var bytes = try #require(Self.bytes(source.path))
    let middle = bytes.count / 2 / 4_096 * 4_096
    bytes.replaceSubrange(middle..<middle + 3 * 4_096, with: Data(repeating: 0x5A, count: 3 * 4_096))
    try bytes.write(to: Self.url(source.path))
    let error = try expectFailure(.storeCorrupt) {
      try StoreBackup.make(ofStoreAt: source.path, at: file("copy.sqlite"))
    }
    #expect(error.message.contains(source.path))
    #expect(!Self.isThere(file("copy.sqlite")) && !Self.isThere(file(".copy_SUPPORT")))
  }
}
