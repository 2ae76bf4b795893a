import Foundation
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

/// Migration in stages.
struct StagedMigrationTests {
  private static func people(_ attributes: [AttributeDefinition]) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      ModelDefinition(name: "People", entities: [EntityDefinition("Person", attributes: attributes)]))
  }

  private static let optional = AttributeDefinition("name", .string)
  private static let mandatory = AttributeDefinition("name", .string, isOptional: false)

  /// Makes a store in a folder that goes with it.
  private final class Store {
    let folder: URL
    let path: String

    init(_ model: ManagedObjectModel, _ fill: (ManagedObjectContext) throws -> Void) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "graphstore-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      path = folder.appending(path: "people.db").path
      let coordinator = try PersistentStoreCoordinator.create(storeAt: path, model: model)
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator)
      try fill(context)
      try context.save()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func names(_ model: ManagedObjectModel, _ key: String = "name") throws -> [String?] {
      let coordinator = try PersistentStoreCoordinator.open(storeAt: path, model: model)
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator)
      return try context.all("Person", sort: ["objectID"]).map { try $0.string(key) }
    }
  }

  private static func run(
    _ manager: StagedMigrationManager, _ store: Store, to model: ManagedObjectModel, isGeneral: Bool = false
  ) throws {
    let plan = try manager.plan(forStoreAt: store.path, to: ModelVersion(model))
    var options = MigrationOptions()
    options.usesStoreSpecificMigrationManager = !isGeneral
    options.keepsBackup = false
    _ = try StoreMigration(plan, options: options).run()
  }

  /// Gives people without a name one.
  private static let fillNames: CustomMigrationStage.Handler = { manager, _ in
    let context = try manager.container.newBackgroundContext()
    try context.performAndWait {
      for person in try context.fetch(FetchRequest(entityName: "Person"))
      where try person.string("name") == nil {
        try person.setValue("unnamed", forKey: "name")
      }
      try context.save()
    }
  }

  @Test(
    "MIG-243, MIG-234, MIG-104: a handler fills what is missing before it becomes mandatory",
    arguments: [false, true])
  func fillingMissing(isGeneral: Bool) throws {
    let (old, new) = try (Self.people([Self.optional]), Self.people([Self.mandatory]))
    let store = try Store(old) { context in
      try context.insert("Person", ["name": "a"])
      for _ in 0..<2 { try context.insert("Person", [:]) }
    }
    var stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: old), to: ManagedObjectModelReference(model: new))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    // Without the handler the data refuse, and the store stays as it is (MIG-236).
    do {
      try Self.run(StagedMigrationManager(stages: [stage]), store, to: new, isGeneral: isGeneral)
      Issue.record("missing values were taken")
    } catch let error as GraphStoreError {
      #expect(error.code == .migrationConstraint && error.message.contains("2 objects"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == bytes)
    stage.willMigrateHandler = Self.fillNames
    try Self.run(StagedMigrationManager(stages: [stage]), store, to: new, isGeneral: isGeneral)
    #expect(try store.names(new) == ["a", "unnamed", "unnamed"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["people.db"])
  }

  private static func headlines(_ names: String...) throws -> ManagedObjectModel {
    try people(names.map { AttributeDefinition($0, .string) })
  }

  @Test(
    "MIG-244, MIG-233, MIG-232, MIG-240: a headline is filled between two stages, and its parts go with the last"
  )
  func threeVersions() throws {
    let models = try [
      Self.headlines("title", "subtitle"), Self.headlines("title", "subtitle", "headline"),
      Self.headlines("headline"),
    ]
    let store = try Store(models[0]) { context in
      for index in 0..<3 { try context.insert("Person", ["title": "t\(index)", "subtitle": "s\(index)"]) }
    }
    var stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: models[0]),
      to: ManagedObjectModelReference(model: models[1]), label: "headline")
    stage.didMigrateHandler = { manager, stage in
      #expect(stage.label == "headline")
      let context = try manager.container.newBackgroundContext()
      try context.performAndWait {
        for person in try context.fetch(FetchRequest(entityName: "Person")) {
          let parts = try [person.string("title"), person.string("subtitle")].compactMap(\.self)
          try person.setValue(parts.joined(separator: ": "), forKey: "headline")
        }
        try context.save()
      }
    }
    // The last step closes the gap to the wanted version.
    try Self.run(StagedMigrationManager(stages: [stage]), store, to: models[2])
    #expect(try store.names(models[2], "headline") == ["t0: s0", "t1: s1", "t2: s2"])
  }

  @Test("MIG-235: changes that a handler leaves unsaved end the migration")
  func unsaved() throws {
    let (old, new) = try (Self.people([Self.optional]), Self.headlines("name", "other"))
    let store = try Store(old) { try $0.insert("Person", ["name": "a"]) }
    var stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: old), to: ManagedObjectModelReference(model: new))
    let kept = Mutex<[ManagedObjectContext]>([])
    stage.didMigrateHandler = { manager, _ in
      let context = try manager.container.newBackgroundContext()
      kept.withLock { $0.append(context) }
      try context.performAndWait { _ = try context.insert(entityNamed: "Person") }
    }
    do {
      try Self.run(StagedMigrationManager(stages: [stage]), store, to: new)
      Issue.record("unsaved changes were dropped")
    } catch let error as GraphStoreError {
      #expect(error.number == 134_110 && error.message.contains("unsaved"))
    }
    #expect(try store.names(old) == ["a"])
  }

  @Test("MIG-231, MIG-031: a container runs the stages of a description and opens the result")
  func container() async throws {
    let (old, new) = try (Self.people([Self.optional]), Self.people([Self.mandatory]))
    let store = try Store(old) { try $0.insert("Person", [:]) }
    var stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: old), to: ManagedObjectModelReference(model: new))
    stage.willMigrateHandler = Self.fillNames
    let container = PersistentContainer(name: "people", model: new)
    var description = PersistentStoreDescription(url: URL(fileURLWithPath: store.path))
    description.stagedMigrationManager = try StagedMigrationManager(stages: [stage])
    container.persistentStoreDescriptions = [description]
    try await container.loadPersistentStores()
    let names = try await container.performBackgroundTask { context in
      try context.fetch(FetchRequest(entityName: "Person")).map { try $0.value(forKey: "name") as? String }
    }
    #expect(names == ["unnamed"])
    container.persistentStoreCoordinator.close()
  }

  @Test(
    "MIG-238: a checksum in two stages is refused, unless a custom stage goes on where the one before ended")
  func duplicates() throws {
    let models = try [Self.headlines("a"), Self.headlines("a", "b"), Self.headlines("a", "b", "c")]
    let references = models.map { ManagedObjectModelReference(model: $0) }
    let checksums = models.map(\.versionChecksum)
    let first = CustomMigrationStage(migratingFrom: references[0], to: references[1])
    let second = CustomMigrationStage(migratingFrom: references[1], to: references[2])
    #expect(try StagedMigrationManager(stages: [first, second]).stages.count == 2)
    #expect(throws: GraphStoreError.self) { try StagedMigrationManager(stages: [first, first]) }
    #expect(throws: GraphStoreError.self) {
      try StagedMigrationManager(stages: [
        first, LightweightMigrationStage(versionChecksums: Array(checksums[1...])),
      ])
    }
  }

  @Test(
    "MIG-239, MIG-237: the run begins in the stage with the store's checksum; others are told what is missing"
  )
  func beginning() throws {
    let models = try [Self.headlines("a"), Self.headlines("a", "b"), Self.headlines("a", "b", "c")]
    let references = models.map { ManagedObjectModelReference(model: $0) }
    let manager = try StagedMigrationManager(
      stages: [
        LightweightMigrationStage(versionChecksums: Array(models[..<2].map(\.versionChecksum))),
        CustomMigrationStage(migratingFrom: references[1], to: references[2]),
      ], models: references)
    for (position, steps) in [(0, 2), (1, 1), (2, 0)] {
      let store = try Store(models[position]) { _ in }
      #expect(try manager.plan(forStoreAt: store.path, to: ModelVersion(models[2])).steps.count == steps)
    }
    let other = try Store(Self.headlines("z")) { _ in }
    do {
      _ = try manager.plan(forStoreAt: other.path, to: ModelVersion(models[2]))
      Issue.record("a store of no stage was planned")
    } catch let error as GraphStoreError {
      #expect(error.code == .sourceModelMissing && error.number == 134_130)
    }
    let wrong = ManagedObjectModelReference(model: models[0], versionChecksum: "other")
    #expect { try wrong.resolvedModel() } throws: { ($0 as? GraphStoreError)?.number == 134_504 }
  }

  @Test("MIG-241: stages that lead to an earlier version of the directory are refused")
  func backward() throws {
    let versions = [[Self.optional], [Self.optional, AttributeDefinition("age", .int16)]].map {
      ModelDefinition(name: "People", entities: [EntityDefinition("Person", attributes: $0)])
    }
    let folder = try VersionFolder(versions, current: 1)
    let models = try versions.map { try ManagedObjectModel($0) }
    let store = try Store(models[1]) { try $0.insert("Person", ["name": "a"]) }
    let stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: models[1]),
      to: ManagedObjectModelReference(model: models[0]))
    let manager = try StagedMigrationManager(stages: [stage], versions: folder.versions())
    let error = #expect(throws: GraphStoreError.self) {
      _ = try manager.plan(forStoreAt: store.path, to: ModelVersion(models[0], name: "1"))
    }
    #expect(error?.code == .migrationBackward && error?.number == 134_506)
    #expect(try store.names(models[1]) == ["a"])
  }

  @Test(
    "MIG-242: a store that does not record its checksum is told by its hashes, one without hashes not at all")
  func withoutChecksum() throws {
    let (old, new) = try (Self.people([Self.optional]), Self.people([Self.mandatory]))
    var stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: old), to: ManagedObjectModelReference(model: new))
    stage.willMigrateHandler = Self.fillNames
    for isWithoutHashes in [false, true] {
      let store = try Store(old) { _ = try $0.insert(entityNamed: "Person") }
      do {
        let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
        defer { connection.close() }
        var metadata = try StoreHeader.read(connection).get().metadata
        metadata.values[StoreMetadata.Key.checksum] = nil
        metadata.values[StoreMetadata.Key.digest] = nil
        if isWithoutHashes { metadata.values[StoreMetadata.Key.hashes] = nil }
        try SQLiteLayout.writeMetadata(connection, metadata)
      }
      let manager = try StagedMigrationManager(stages: [stage])
      if isWithoutHashes {
        let error = #expect(throws: GraphStoreError.self) { try Self.run(manager, store, to: new) }
        #expect(error?.number == 134_505)
      } else {
        try Self.run(manager, store, to: new)
        #expect(try store.names(new) == ["unnamed"])
      }
    }
  }
}
