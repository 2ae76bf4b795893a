import CGraphStoreShims
import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

/// What becomes of the original, of files beside it, and of others that use it.
struct MigrationSafetyTests {
  private static func version(_ count: Int) -> ModelDefinition {
    .of(
      EntityDefinition(
        "T",
        attributes: (0...count).map { AttributeDefinition("a\($0)", .string) } + [
          AttributeDefinition("image", .binary, externalStorage: true)
        ]))
  }

  private static let versions = (0..<4).map { version($0) }
  private static let old = versions[0]
  private static let new = versions[3]

  private func store(image: Int = 150_000) throws -> MigratedStore {
    try MigratedStore(Self.old) { context in
      try context.add("T", ["a0": "x", "image": Data(repeating: 7, count: image)])
      try context.add("T")
    }
  }

  private static func lines(_ count: Int) -> [String] {
    let more = (1..<max(1, count + 1)).filter { $0 <= count }.map { " a\($0)=nil" }.joined()
    return ["T/p1 a0=\"x\"\(more) image=150000×7", "T/p2 a0=nil\(more) image=nil"]
  }

  private func options(_ change: (inout MigrationOptions) -> Void) -> MigrationOptions {
    var options = MigrationOptions()
    change(&options)
    return options
  }

  /// Every file of the folder and of those in it, by its path.
  private static func files(_ folder: TemporaryFolder) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      guard let data = FileManager.default.contents(atPath: folder.file(name)) else { continue }
      if !name.hasSuffix("-shm"), !(name.hasSuffix("-wal") && data.isEmpty) {
        files[name] = data
      }
    }
    return files
  }

  @Test(
    "MIG-261, MIG-262, MIG-223: until the swap the original is untouched, readers read, and writers wait in vain"
  )
  func duringRun() throws {
    let store = try store()
    let folder = try VersionFolder(Self.versions)
    let plan = try store.plan(to: folder.versions())
    let before = try Self.files(store.folder)
    let seen = Watched((statements: 0, hidden: Set<String>()))
    let path = store.path
    let log = MigrationLog(level: .statements) { line in
      guard !line.hasPrefix("migrating"), !line.contains("was replaced"), !line.hasPrefix("total") else {
        return
      }
      let count = seen.withLock {
        $0.statements += 1
        return $0.statements
      }
      guard count % 20 == 5 else { return }
      let now = (try? Self.files(store.folder)) ?? [:]
      for (name, data) in before where now[name] != data { Issue.record("\(name) has changed: \(line)") }
      seen.withLock { $0.hidden.formUnion(store.leftovers.filter { !$0.hasSuffix("-journal") }) }
      do {
        let reader = try SQLiteConnection(path: path, mode: .readOnly)
        #expect(try reader.int64("SELECT count(*) FROM ZT") == 2)
        reader.close()
        let writer = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: .zero)
        #expect(throws: SQLiteError.self) { try writer.begin(.immediate) }
        writer.close()
      } catch {
        Issue.record("\(error)")
      }
    }
    _ = try StoreMigration(plan, options: options { $0.log = log }).run()
    #expect(seen.withLock(\.statements) > 60 && seen.withLock { $0.hidden.count } >= 3)
    try store.expectWhole(Self.new)
    #expect(try store.contents(Self.new) == Self.lines(3))
  }

  @Test("MIG-262: a lock that cannot be had in time gives 134090, and nothing has happened")
  func lockedByWriter() throws {
    let store = try store()
    let plan = try store.plan(to: Self.new)
    let before = try Self.files(store.folder)
    let writer = try SQLiteConnection(path: store.path, mode: .readWrite)
    try writer.begin(.immediate)
    let error = try expectFailure(.storeTimeout) {
      _ = try StoreMigration(plan, options: options { $0.timeout = .milliseconds(50) }).run()
    }
    #expect(error.number == 134_090)
    try writer.rollback()
    writer.close()
    #expect(try Self.files(store.folder) == before)
    try store.expectWhole(Self.old)
  }

  @Test(
    "MIG-262, MIG-266: a reader that does not end keeps the swap off, and the store is the old one and can be written"
  )
  func lockedByReader() throws {
    let store = try store()
    let plan = try store.plan(to: Self.new)
    let reader = try SQLiteConnection(path: store.path, mode: .readOnly)
    try reader.execute("BEGIN")
    #expect(try reader.int64("SELECT count(*) FROM ZT") == 2)
    _ = try expectFailure(.storeTimeout) {
      _ = try StoreMigration(plan, options: options { $0.timeout = .milliseconds(50) }).run()
    }
    #expect(try reader.int64("SELECT count(*) FROM ZT") == 2)
    try reader.execute("COMMIT")
    reader.close()
    try store.expectWhole(Self.old)
    #expect(try store.contents(Self.old) == Self.lines(0))
    try store.open(Self.old) { try $0.add("T") }
    #expect(try store.migrated(to: Self.new).count == 3)
  }

  @Test(
    "MIG-264, MIG-267: what is only in the log is part of the source, and no log of the old store stays beside the new one"
  )
  func log() throws {
    let store = try store()
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(Self.old))
    try coordinator.addStore(at: store.path)
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.add("T", ["a0": "only in the log"])
    let copy = store.folder.file("copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy + suffix)
    }
    try FileManager.default.copyItem(
      atPath: store.folder.file(".store_SUPPORT"), toPath: store.folder.file(".copy_SUPPORT"))
    coordinator.close()
    let plan = try MigrationPlan(fromStoreAt: copy, to: ModelVersion(ManagedObjectModel(Self.new)))
    _ = try StoreMigration(plan, options: options { $0.keepsBackup = true }).run()
    #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
    #expect(!FileManager.default.fileExists(atPath: copy + "-shm"))
    #expect(
      try store.contents(Self.new, at: copy) == Self.lines(3) + [
        #"T/p3 a0="only in the log" a1=nil a2=nil a3=nil image=nil"#
      ])
    try store.expectWhole(Self.new, at: copy)
  }

  @Test("MIG-268, MIG-219: backups are whole stores with free names, and go when they are not asked for")
  func backups() throws {
    let store = try store()
    let folder = try VersionFolder(Self.versions)
    var backups: [String] = []
    for version in ["2", "3", "4"] {
      let plan = try store.plan(to: folder.versions(), version: version)
      if version == "3" { try store.folder.write("taken", to: "store.sqlite.2.backup") }
      let result = try StoreMigration(plan, options: options { $0.keepsBackup = version != "4" }).run()
      if let backup = result.backup { backups.append(backup) }
    }
    #expect(backups.count == 2 && Set(backups).count == 2)
    #expect(backups[0] == store.path + ".1.backup" && backups[1].hasPrefix(store.path + ".2"))
    for (version, backup) in backups.enumerated() {
      #expect(try store.contents(Self.versions[version], at: backup) == Self.lines(version))
      try store.expectWhole(Self.versions[version], at: backup)
    }
    #expect(try store.contents(Self.new) == Self.lines(3))
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    #expect(!names.contains { $0.contains(".3.backup") })
    // What one of them has beside it is not shared away.
    TemporaryStore.remove(backups[0])
    #expect(try store.contents(Self.new) == Self.lines(3))
    #expect(try store.contents(Self.versions[1], at: backups[1]) == Self.lines(1))
  }

  @Test(
    "MIG-271: what dead migrations of the same store left is removed, and neither live ones nor those of others"
  )
  func leftovers() throws {
    let store = try store()
    let names = [
      ".store_sqlite-migration-000000000dead", ".store_sqlite-migration-000000000live",
      ".other_sqlite-migration-000000000dead",
    ]
    for name in names {
      for suffix in ["", "-journal", "-wal"] { try store.folder.write("x", to: name + suffix) }
    }
    // Of one whose file has got the name of the store already.
    try store.folder.write("x", to: ".store_sqlite-migration-000000000gone-shm")
    for name in ["000000000dead", "000000000gone"] {
      let data = "_SUPPORT/_EXTERNAL_DATA/04E7FF55-D47F-4F61-842B-EF8DFEFC1A7F"
      try store.folder.write("x", to: "..store_sqlite-migration-\(name)\(data)")
    }
    let live = open(store.folder.file(names[1]), O_RDWR)
    #expect(flock(live, LOCK_EX | LOCK_NB) == 0)
    defer { close(live) }
    try store.migrate(to: Self.new)
    let left = Set(store.leftovers)
    #expect(
      !left.contains { $0.contains("store_sqlite-migration-000000000dead") || $0.contains("000gone") },
      "\(left)")
    for name in names[1...] {
      for suffix in ["", "-journal", "-wal"] { #expect(left.contains(name + suffix), "\(left)") }
    }
  }

  @Test(
    "MIG-273, MIG-274: the metadata that programs keep stay, and the UUID where the old store does not stay")
  func metadata() throws {
    let store = try store()
    let url = URL(fileURLWithPath: store.path)
    let values: [String: Value] = [
      "owner": .string("Ada"), "count": .int(3), "list": .list([.bool(true), .double(0.5)]),
      "data": .data(Data([1])),
    ]
    var metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: url)
    metadata.merge(values) { $1 }
    try PersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreAt: url)
    let identifier = try StoredVersion(at: store.path).identifier
    func check(_ path: String, isSame: Bool) throws {
      let now = try PersistentStoreCoordinator.metadataForPersistentStore(at: URL(fileURLWithPath: path))
      for (key, value) in values { #expect(now[key] == value) }
      #expect(try (StoredVersion(at: path).identifier == identifier) == isSame)
    }
    let copy = store.folder.file("copy.sqlite")
    try store.migrate(to: Self.new) { $0.output = copy }
    try check(copy, isSame: false)
    try check(store.path, isSame: true)
    // Both can be open at once.
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(Self.new))
    try coordinator.addStore(at: copy)
    try store.migrate(to: Self.new)
    try coordinator.addStore(at: store.path)
    coordinator.close()
    try check(store.path, isSame: true)
    let moved = store.folder.file("moved.sqlite")
    try store.migrate(to: Self.version(4)) {
      $0.output = moved
      $0.deletesSource = true
    }
    try check(moved, isSame: true)
    #expect(!FileManager.default.fileExists(atPath: store.path))
    #expect(try store.contents(Self.version(4), at: moved) == Self.lines(4))
  }

  @Test("MIG-276: mode, owner and extended attributes are those of the original")
  func attributes() throws {
    let store = try store()
    chmod(store.path, 0o640)
    let mayChown = chown(store.path, 12_345, 23_456) == 0
    let hasAttributes = setNote(of: store.path)
    try store.migrate(to: Self.new) { $0.keepsBackup = true }
    var status = stat()
    #expect(stat(store.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o640)
    if mayChown { #expect(status.st_uid == 12_345 && status.st_gid == 23_456) }
    if hasAttributes {
      var bytes = [UInt8](repeating: 0, count: 10)
      #expect(gs_getxattr(store.path, "user.note", &bytes, 10) == 5)
      #expect(bytes.prefix(5) == Array("hello".utf8)[...])
    }
  }

  /// Whether the file system keeps attributes.
  private func setNote(of path: String) -> Bool {
    let file = open(path, O_RDWR)
    defer { close(file) }
    return gs_fsetxattr(file, "user.note", "hello", 5) == 0
  }

  @Test(
    "MIG-226, MIG-225: one place under several spellings is replaced, the link stays, and nothing is deleted")
  func spellings() throws {
    let manager = FileManager.default
    for deletes in [true, false] {
      for spelling in ["link", "dots", "hard"] {
        let store = try store()
        let other = store.folder.file("other.sqlite")
        switch spelling {
        case "link": try manager.createSymbolicLink(atPath: other, withDestinationPath: "store.sqlite")
        case "hard": #expect(link(store.path, other) == 0)
        default:
          try manager.createDirectory(atPath: store.folder.file("sub"), withIntermediateDirectories: true)
        }
        let output = spelling == "dots" ? store.folder.file("sub/../store.sqlite") : other
        try store.migrate(to: Self.new) {
          $0.output = output
          $0.deletesSource = deletes
        }
        #expect(try store.contents(Self.new) == Self.lines(3), "\(spelling)")
        if spelling == "link" {
          #expect(try manager.destinationOfSymbolicLink(atPath: other) == "store.sqlite")
        }
        #expect(store.leftovers.isEmpty)
      }
    }
  }

  @Test("MIG-266: a store that is reached by a symbolic link from another folder is replaced where it lies")
  func throughLink() throws {
    let store = try store()
    let folder = try TemporaryFolder()
    let path = folder.file("there.sqlite")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: store.path)
    let plan = try MigrationPlan(fromStoreAt: path, to: ModelVersion(ManagedObjectModel(Self.new)))
    let result = try StoreMigration(plan, options: options { $0.keepsBackup = true }).run()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == store.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["there.sqlite"])
    #expect(result.backup?.hasPrefix(store.folder.path) == true)
    #expect(try store.contents(Self.new) == Self.lines(3))
  }

  @Test(
    "MIG-328, MIG-222, MIG-224, MIG-261: another place is not overwritten unless it is to be, and the source stays as it is"
  )
  func output() throws {
    let store = try store()
    let before = try Self.files(store.folder)
    let taken = try store.folder.write("something else", to: "taken.sqlite")
    _ = try expectFailure(.storeExists) { try store.migrate(to: Self.new) { $0.output = taken } }
    #expect(FileManager.default.contents(atPath: taken) == Data("something else".utf8))
    let output = store.folder.file("out.sqlite")
    let result = try store.migrate(to: Self.versions[1]) { $0.output = output }
    #expect(result.path == output && result.backup == nil)
    try store.expectWhole(Self.versions[1], at: output)
    _ = try expectFailure(.storeExists) { try store.migrate(to: Self.new) { $0.output = output } }
    try store.migrate(to: Self.new) {
      $0.output = output
      $0.replacesOutput = true
    }
    try store.expectWhole(Self.new, at: output)
    #expect(try store.contents(Self.new, at: output) == Self.lines(3))
    for (name, data) in before where name.hasPrefix("store") || name.hasPrefix(".store") {
      #expect(try Self.files(store.folder)[name] == data, "\(name)")
    }
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: store.folder.path).contains {
        $0.contains("backup")
      })
  }

  @Test(
    "MIG-328, MIG-274, MIG-261: a place whose external data would be those of the source is refused, with and without steps"
  )
  func outputBesideExternalData() throws {
    let store = try MigratedStore(Self.old) { context in
      try context.add("T", ["image": Data(repeating: 7, count: 150_000)])
    }
    let before = try Self.files(store.folder)
    for model in [Self.new, Self.old] {
      let error = try expectFailure(.migrationDestination) {
        try store.migrate(to: model) { $0.output = store.folder.file("store.db") }
      }
      #expect(error.message.contains("external data"))
      #expect(try Self.files(store.folder) == before)
      let other = store.folder.file("other-\(model == Self.new ? 1 : 2).db")
      try store.migrate(to: model) { $0.output = other }
      #expect(try store.contents(model, at: other).count == 1)
      try store.open(model, at: other) { context in try context.delete(context.all("T")[0]) }
      #expect(try StoreCheck.run(path: store.path).flatMap(\.findings).isEmpty)
      for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
      where name.contains("other-") {
        try FileManager.default.removeItem(atPath: store.folder.file(name))
      }
    }
  }

  @Test("MIG-326, MIG-265: a rehearsal does everything, leaves nothing, and fails as the run would")
  func rehearsal() throws {
    let store = try store()
    let before = try Self.files(store.folder)
    let result = try store.migrate(to: Self.new) { $0.isRehearsal = true }
    #expect(result.objectCounts == ["T": 2] && result.backup == nil)
    #expect(try Self.files(store.folder) == before)
    let bad = ModelDefinition.of(
      EntityDefinition(
        "T", attributes: [AttributeDefinition("image", .binary, externalStorage: true)],
        uniquenessConstraints: []), EntityDefinition("S", relationships: []))
    _ = try store.migrate(to: bad) { $0.isRehearsal = true }
    #expect(try Self.files(store.folder) == before)
  }

  @Test(
    "MIG-293: cancelling at any moment before the swap stops with 134120, and nothing is left; after it nothing happens"
  )
  func cancelled() throws {
    struct Cause: Error {}
    let store = try store()
    let folder = try VersionFolder(Self.versions)
    let plan = try store.plan(to: folder.versions())
    let before = try Self.files(store.folder)
    let lines = Watched(0)
    // The last line stands behind everything that can be cancelled.
    let counting = MigrationLog(level: .statements) { line in
      if !line.hasPrefix("total") { lines.withLock { $0 += 1 } }
    }
    _ = try StoreMigration(
      plan,
      options: options {
        $0.log = counting
        $0.isRehearsal = true
      }
    ).run()
    let last = lines.withLock(\.self)
    for moment in [1, 2, last / 3, last / 2, last * 4 / 5, last - 1, last] {
      let run = Watched<StoreMigration?>(nil)
      let count = Watched(0)
      let log = MigrationLog(level: .statements) { _ in
        let number = count.withLock {
          $0 += 1
          return $0
        }
        if number == moment { run.withLock(\.self)?.cancelMigration(with: Cause()) }
      }
      let migration = StoreMigration(plan, options: options { $0.log = log })
      run.withLock { $0 = migration }
      let error = try expectFailure(.migrationCancelled) { _ = try migration.run() }
      #expect(error.number == 134_120 && error.underlying is Cause, "\(moment)")
      #expect(try Self.files(store.folder) == before, "\(moment)")
      run.withLock { $0 = nil }
    }
    let byProgress = StoreMigration(plan)
    byProgress.progress.cancel()
    _ = try expectFailure(.migrationCancelled) { _ = try byProgress.run() }
    #expect(try Self.files(store.folder) == before)
    let late = StoreMigration(plan)
    _ = try late.run()
    late.cancelMigration()
    #expect(try store.contents(Self.new) == Self.lines(3))
  }

  @Test(
    "MIG-291, MIG-292, MIG-352: progress has a unit a step, never goes back, and is whole after the swap alone"
  )
  func progress() throws {
    let store = try store()
    let folder = try VersionFolder(Self.versions)
    let plan = try store.plan(to: folder.versions())
    let seen = Watched<[Double]>([])
    let run = Watched<StoreMigration?>(nil)
    let log = MigrationLog(level: .statements) { line in
      guard !line.contains("was replaced"), !line.hasPrefix("total"),
        let progress = run.withLock(\.self)?.progress
      else { return }
      seen.withLock { $0.append(progress.fractionCompleted) }
    }
    let migration = StoreMigration(plan, options: options { $0.log = log })
    run.withLock { $0 = migration }
    #expect(migration.progress.totalUnitCount == 3 && migration.progress.fractionCompleted == 0)
    _ = try migration.run()
    run.withLock { $0 = nil }
    let fractions = seen.withLock(\.self)
    #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(fractions.allSatisfy { $0 < 1 } && Set(fractions).count > 6)
    #expect(migration.progress.fractionCompleted == 1 && migration.progress.completedUnitCount == 3)
  }

  @Test(
    "MIG-285: a plan whose store another one has migrated meanwhile finds the store current, and touches nothing"
  )
  func overtaken() throws {
    let store = try store()
    let plan = try store.plan(to: Self.new)
    _ = try StoreMigration(plan).run()
    let before = try Self.files(store.folder)
    _ = try? StoreMigration(plan).run()
    #expect(try Self.files(store.folder) == before)
    #expect(store.leftovers.isEmpty)
  }

  @Test("MIG-216, MIG-353: an inferred step takes as many statements for many objects as for few")
  func statements() throws {
    func count(_ objects: Int) throws -> Int {
      let store = try MigratedStore(RandomGraphModel.old) { context in
        for number in 0..<objects { try context.insert("T", ["n": number]) }
      }
      let count = Watched(0)
      try store.migrate(to: RandomGraphModel.new) { options in
        options.log = MigrationLog(level: .statements) { _ in count.withLock { $0 += 1 } }
      }
      return count.withLock(\.self)
    }
    let few = try count(2)
    #expect(try count(300) == few && few > 10)
  }

  private enum RandomGraphModel {
    static func model(_ type: AttributeType) -> ModelDefinition {
      .of(
        EntityDefinition(
          "T", attributes: [AttributeDefinition("n", type)],
          relationships: [RelationshipDefinition("next", to: "T", isToMany: true)]))
    }
    static let old = model(.int32)
    static let new = model(.int64)
  }

  @Test(
    "MIG-217, MIG-218: keys are not given again after a migration, not even those of objects that are gone")
  func keys() throws {
    let store = try store()
    try store.open(Self.old) { context in
      for object in try context.all("T") where object.objectID.key == 2 { try context.delete(object) }
    }
    try store.migrate(to: Self.new)
    #expect(try store.open(Self.new) { try $0.add("T").objectID.key } == 3)
  }
}

/// A value that a log's lines change, from whatever thread.
private final class Watched<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  @discardableResult
  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { value.withLock { body(&$0) } }
}
