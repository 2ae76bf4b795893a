import CGraphStoreTestSupport
import Foundation
import GraphStoreModel
import Synchronization
import Testing

@testable import GraphStore

/// What becomes of a document that is migrated, of others that use it, and of files beside it.
struct DocumentMigrationSafetyTests {
  private static func version(_ count: Int) -> ModelDefinition {
    .of(EntityDefinition("T", attributes: (0...count).map { AttributeDefinition("a\($0)", .string) }))
  }

  private static let (old, new) = (version(0), version(1))

  private static func document(_ type: StoreType, name: String = "document") throws -> MigratedStore {
    var options = StoreOptions()
    options.type = type
    return try MigratedStore(old, options: options, name: name) { context in
      try context.add("T", ["a0": "x"])
      try context.add("T")
    }
  }

  private static func bytes(_ store: MigratedStore) -> Data? {
    FileManager.default.contents(atPath: store.path)
  }

  /// A log that does something once the only step is done, before the document is replaced.
  private static func log(_ body: @escaping @Sendable () -> Void) -> MigrationLog {
    MigrationLog(level: .steps) { line in if line.hasPrefix("step 1") { body() } }
  }

  private static func options(_ log: MigrationLog) -> MigrationOptions {
    var options = MigrationOptions()
    (options.log, options.timeout) = (log, .milliseconds(50))
    return options
  }

  @Test(
    "MIG-277, MIG-261, STO-059: a document that another program changes meanwhile keeps what that has written",
    arguments: AtomicFolder.types)
  func changed(_ type: StoreType) throws {
    let store = try Self.document(type)
    let plan = try store.plan(to: Self.new)
    let other = try Self.document(type, name: "other")
    let written = try #require(Self.bytes(other))
    let path = store.path
    for isAtomic in [true, false] {
      let log = Self.log {
        try? written.write(to: URL(fileURLWithPath: path), options: isAtomic ? .atomic : [])
      }
      let error = try expectFailure(.fileChanged) {
        _ = try StoreMigration(plan, options: Self.options(log)).run()
      }
      #expect(error.message.contains(path))
      #expect(Self.bytes(store) == written && store.leftovers.isEmpty)
      #expect(try store.folder.state().count == 1)
      #expect(try store.contents(Self.old).count == 2)
    }
    // It is not removed either, where it was to be.
    var options = Self.options(Self.log { try? Data("{".utf8).write(to: URL(fileURLWithPath: path)) })
    (options.output, options.deletesSource) = (store.folder.file("out"), true)
    _ = try expectFailure(.fileChanged) { _ = try StoreMigration(plan, options: options).run() }
    #expect(Self.bytes(store) == Data("{".utf8))
    #expect(try store.folder.state().count == 1)
  }

  @Test(
    "MIG-285, MIG-277: a document that another has brought to the version meanwhile is accepted, and one of another version is not",
    arguments: AtomicFolder.types)
  func overtaken(_ type: StoreType) throws {
    let store = try Self.document(type)
    let plan = try store.plan(to: Self.new)
    let original = try #require(Self.bytes(store))
    _ = try StoreMigration(plan).run()
    let migrated = try #require(Self.bytes(store))
    // Planned before, begun behind the other.
    let late = try StoreMigration(plan).run()
    #expect(late.stepCount == 0 && Self.bytes(store) == migrated)
    // Replaced before the end, by an editor that takes no turn.
    let path = store.path
    try original.write(to: URL(fileURLWithPath: path))
    let log = Self.log { try? migrated.write(to: URL(fileURLWithPath: path)) }
    let result = try StoreMigration(plan, options: Self.options(log)).run()
    #expect(result.stepCount == 0 && result.backup == nil && Self.bytes(store) == migrated)
    try original.write(to: URL(fileURLWithPath: path))
    let further = try store.plan(to: Self.new)
    _ = try store.migrate(to: Self.version(2))
    _ = try expectFailure(.migrationFailed) { _ = try StoreMigration(further).run() }
    #expect(store.leftovers.isEmpty)
  }

  @Test(
    "MIG-262, MIG-277: who saves a document while it is migrated waits, and then learns that it has changed",
    arguments: AtomicFolder.types)
  func waitingWriter(_ type: StoreType) throws {
    let store = try Self.document(type)
    var opening = StoreOptions()
    opening.timeout = .milliseconds(20)
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(Self.old))
    try coordinator.addStore(at: store.path, options: opening)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let code = Noted<GraphStoreError.Code?>(nil)
    let log = Self.log {
      context.performAndWait {
        _ = try? context.insert("T", ["a0": "late"])
        do { try context.save() } catch { code.withLock { $0 = (error as? GraphStoreError)?.code } }
      }
    }
    #expect(try StoreMigration(store.plan(to: Self.new), options: Self.options(log)).run().stepCount == 1)
    #expect(code.withLock { $0 } == .storeTimeout)
    let error = #expect(throws: GraphStoreError.self) { try context.performAndWait { try context.save() } }
    #expect(error?.code == .fileChanged)
    #expect(try store.contents(Self.new).count == 2)
  }

  @Test("MIG-285: of two that migrate one document at once, one does, and the other finds it done")
  func atOnce() throws {
    let store = try Self.document(.json)
    let plan = try store.plan(to: Self.new)
    let steps = Noted<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        let result = try StoreMigration(plan).run()
        steps.withLock { $0.append(result.stepCount) }
      } catch {
        Issue.record(error)
      }
    }
    #expect(steps.withLock { $0.sorted() } == [0, 0, 0, 1])
    #expect(try store.contents(Self.new).count == 2 && store.folder.state().count == 1)
  }

  @Test(
    "MIG-262, MIG-293: a turn that cannot be had gives 134090, and waiting for it can be cancelled; a migration that is cancelled leaves the document alone",
    arguments: AtomicFolder.types)
  func turns(_ type: StoreType) throws {
    let store = try Self.document(type)
    let before = Self.bytes(store)
    let plan = try store.plan(to: Self.new)
    var turn = SavingTurn(at: ResolvedPath.of(store.path), timeout: .zero)
    #expect(turn != nil)
    let error = try expectFailure(.storeTimeout) {
      _ = try StoreMigration(plan, options: Self.options(MigrationLog())).run()
    }
    #expect(error.number == 134_090)
    let waiting = StoreMigration(plan)
    waiting.progress.cancel()
    _ = try expectFailure(.migrationCancelled) { _ = try waiting.run() }
    turn = nil
    struct Enough: Error {}
    let migration = Noted<StoreMigration?>(nil)
    let log = Self.log { migration.withLock { $0?.cancelMigration(with: Enough()) } }
    let late = StoreMigration(plan, options: Self.options(log))
    migration.withLock { $0 = late }
    let cancelled = try expectFailure(.migrationCancelled) { _ = try late.run() }
    #expect(cancelled.underlying is Enough)
    #expect(Self.bytes(store) == before && turn == nil)
    #expect(try store.folder.state().count == 1)
  }

  @Test(
    "MIG-271, MIG-270: second names that a killed migration gave a document go when it is migrated or opened for writing, and hidden files at the next migration",
    arguments: AtomicFolder.types)
  func leftovers(_ type: StoreType) throws {
    let store = try Self.document(type)
    func links() -> Int {
      var status = stat()
      return stat(store.path, &status) == 0 ? Int(status.st_nlink) : 0
    }
    let names = ["document.1.backup", ".document-migration-0000000000abc"]
    for name in names { #expect(link(store.path, store.folder.file(name)) == 0) }
    try store.open(Self.old, StoreOptions(isReadOnly: true)) { _ in }
    #expect(links() == 3)
    try store.open(Self.old) { _ in }
    #expect(links() == 1)
    for name in names { #expect(link(store.path, store.folder.file(name)) == 0) }
    try store.folder.write(Data("{".utf8), to: ".document-migration-0000000000abd")
    _ = try store.migrate(to: Self.new)
    #expect(links() == 1)
    #expect(try store.folder.state().keys.sorted() == ["document"])
  }

  @Test("MIG-276, STO-057: mode and symbolic link stay", arguments: AtomicFolder.types)
  func attributes(_ type: StoreType) throws {
    let store = try Self.document(type)
    chmod(store.path, 0o640)
    let name = store.folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: store.path)
    let plan = try MigrationPlan(fromStoreAt: name, to: ModelVersion(ManagedObjectModel(Self.new)))
    var options = MigrationOptions()
    options.keepsBackup = true
    let result = try StoreMigration(plan, options: options).run()
    #expect(result.backup == ResolvedPath.of(store.path) + ".Versions.backup")
    var status = stat()
    #expect(stat(store.path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: name) == store.path)
    #expect(try store.contents(Self.new, at: name).count == 2)
  }

  @Test(
    "MIG-282, MIG-283: stores of several types are replaced together or not at all, and put back where one cannot be"
  )
  func several() throws {
    let stores =
      try [MigratedStore(Self.old) { try $0.add("T", ["a0": "sqlite"]) }]
      + AtomicFolder.types.map { try Self.document($0) }
    let before = stores.map(Self.bytes)
    let last = try #require(stores.last)
    let (path, meanwhile) = (last.path, Data("{}".utf8))
    var options = MigrationOptions()
    options.timeout = .milliseconds(200)
    options.log = MigrationLog(level: .steps) { line in
      if line.hasPrefix("\(stores[2].path) was replaced") {
        try? meanwhile.write(to: URL(fileURLWithPath: path))
      }
    }
    func migrations() throws -> [StoreMigration] {
      try stores.map { StoreMigration(try $0.plan(to: Self.new), options: options) }
    }
    let failing = try migrations()
    let error = try expectFailure(.fileChanged) { _ = try StoreMigration.run(failing) }
    for store in stores.dropLast() {
      #expect(error.details.contains("\(store.path) is the old store again"), "\(error.details)")
      #expect(try store.contents(Self.old).count == (store === stores[0] ? 1 : 2))
    }
    #expect(stores[1...2].map(Self.bytes) == Array(before[1...2]) && Self.bytes(last) == meanwhile)
    try before[3]?.write(to: URL(fileURLWithPath: path))
    // One whose data are refused keeps all others from being replaced.
    options.log = MigrationLog()
    let results = try StoreMigration.run(migrations())
    #expect(results.map(\.stepCount) == [1, 1, 1, 1] && results.map(\.backup) == [nil, nil, nil, nil])
    for store in stores { #expect(try !store.contents(Self.new).isEmpty && store.leftovers.isEmpty) }
  }

  @Test("MIG-283: a document that others have saved since it was replaced stays, and its old one beside it")
  func writtenMeanwhile() throws {
    let stores = try [Self.document(.json), Self.document(.binary)]
    let (first, last) = (stores[0], stores[1])
    var options = MigrationOptions()
    options.log = MigrationLog(level: .steps) { line in
      guard line.hasPrefix("\(first.path) was replaced") else { return }
      try? first.open(Self.new) { _ = try $0.add("T", ["a0": "new"]) }
      try? Data("bplist00".utf8).write(to: URL(fileURLWithPath: last.path))
    }
    let migrations = try stores.map { StoreMigration(try $0.plan(to: Self.new), options: options) }
    let error = try expectFailure(.fileChanged) { _ = try StoreMigration.run(migrations) }
    let told = try #require(error.details.first { $0.contains("somebody has written already") })
    #expect(try first.contents(Self.new).count == 3)
    let backup = try #require(told.split(separator: " ").last.map(String.init))
    #expect(try first.contents(Self.old, at: backup).count == 2)
  }
}

/// A value that closures of a migration note.
private final class Noted<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  @discardableResult
  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { value.withLock { body(&$0) } }
}

extension SaveFaultTests.Migrations {
  private static let documentVersions = (0..<3).map { count in
    ModelDefinition.of(
      EntityDefinition(
        "T", attributes: (0...count).map { AttributeDefinition("a\($0)", .string) },
        relationships: [RelationshipDefinition("next", to: "T", isToMany: true, isOrdered: true)]))
  }

  @Test(
    "MIG-277, MIG-261, MIG-266, MIG-270: whichever call fails while a document is migrated, the old or the new one is there, whole",
    arguments: SaveFaultTests.Fault.allCases, TestSeed.sequence(1, from: 277_270))
  func document(_ fault: SaveFaultTests.Fault, seed: TestSeed) throws {
    let folder = try VersionFolder(Self.documentVersions)
    defer { withExtendedLifetime(folder) {} }
    let versions = try folder.versions()
    var generator = seed.generator
    let type = generator.pick(AtomicFolder.types)
    let calls = try migrate(failing: nil, fault, type, versions, seed)
    try #require(calls > 20)
    let some = (0..<4).map { _ in Int.random(in: 1...calls, using: &generator) }
    // The last ones replace it.
    for call in some + Array((calls - 8)...calls) {
      _ = try migrate(failing: call, fault, type, versions, seed)
    }
  }

  /// - Returns: How many calls were made.
  private func migrate(
    failing call: Int?, _ fault: SaveFaultTests.Fault, _ type: StoreType, _ versions: ModelVersions,
    _ seed: TestSeed
  ) throws -> Int {
    var options = StoreOptions()
    options.type = type
    let store = try MigratedStore(Self.documentVersions[0], options: options, name: "document") { context in
      let first = try context.add("T", ["a0": "x"])
      try context.add("T", ["a0": "y", "next": [first]])
    }
    let place: Comment = "\(seed), \(type), \(fault), call \(call ?? 0)"
    let (before, old) = (
      try store.contents(Self.documentVersions[0]), FileManager.default.contents(atPath: store.path)
    )
    let plan = try store.plan(to: versions)
    gs_test_watch_writes(store.folder.path)
    gs_test_fail_write(call ?? 0, fault == .once ? 0 : 1)
    var failure: GraphStoreError?
    do { _ = try StoreMigration(plan).run() } catch let error as GraphStoreError { failure = error }
    let calls = gs_test_end_failing()
    if let failure {
      let codes: [GraphStoreError.Code] = [
        .storeSaveFailed, .diskFull, .storeCorrupt, .storeOpen, .storeTimeout, .sqlite, .migrationFailed,
        .migrationDestination,
      ]
      #expect(codes.contains(failure.code), "\(place): \(failure)")
      #expect(!failure.remedy.isEmpty)
    }
    let version = try versions.version(ofStoreAt: store.path)?.name
    #expect(version == "3" || version == "1" && failure != nil, place)
    if version == "1" {
      #expect(FileManager.default.contents(atPath: store.path) == old, place)
      _ = try StoreMigration(store.plan(to: versions)).run()
    }
    StoreMigration.removeLeftovers(ofStoreAt: store.path)
    #expect(
      try store.contents(Self.documentVersions[2])
        == before.map { $0.replacing(" next=", with: " a1=nil a2=nil next=") },
      place)
    #expect(try store.folder.state().count == 1, place)
    return calls
  }
}
