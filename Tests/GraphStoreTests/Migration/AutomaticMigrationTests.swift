import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Migration of stores that are added to a coordinator or loaded by a container.
struct AutomaticMigrationTests {
  private static func version(_ names: [String], modifier: String? = nil) -> ModelDefinition {
    .of(
      EntityDefinition(
        "T", attributes: names.map { AttributeDefinition($0, .string) }, versionHashModifier: modifier))
  }

  private static let old = version(["a"])
  private static let new = version(["a", "b"])

  private func store() throws -> MigratedStore {
    try MigratedStore(Self.old) { context in
      try context.add("T", ["a": "x"])
    }
  }

  private func add(
    _ store: MigratedStore, _ model: ModelDefinition = new, _ change: (inout StoreOptions) -> Void
  ) throws -> PersistentStoreCoordinator {
    var options = StoreOptions()
    change(&options)
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(model))
    try coordinator.addStore(at: store.path, options: options)
    return coordinator
  }

  @Test(
    "MIG-021, MIG-023, MIG-024: a store that is added migrates with both options alone; nothing is touched otherwise"
  )
  func options() throws {
    let store = try store()
    let before = try store.state()
    let cases: [((inout StoreOptions) -> Void, GraphStoreError.Code, Int)] = [
      ({ _ in }, .incompatibleModel, 134_100),
      ({ $0.infersMapping = true }, .incompatibleModel, 134_100),
      ({ $0.migratesAutomatically = true }, .mappingMissing, 134_140),
    ]
    for (change, code, number) in cases {
      let error = try expectFailure(code) { _ = try add(store, Self.new, change) }
      #expect(error.number == number)
      #expect(try store.state() == before)
    }
    let coordinator = try add(store) {
      $0.migratesAutomatically = true
      $0.infersMapping = true
    }
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try RecordLines.of(context) == [#"T/p1 a="x" b=nil"#])
    coordinator.close()
    try store.expectWhole(Self.new)
  }

  private enum NewModel: ObjectModel {
    static let whole = Result { try ManagedObjectModel(AutomaticMigrationTests.new) }
    static var model: ManagedObjectModel { get throws { try whole.get() } }
    static let classes: [String: ManagedObject.Type] = [:]
  }

  @Test(
    "MIG-021, MIG-029: a store that is opened under a model migrates as one that is added does",
    arguments: [true, false])
  func opened(byModel: Bool) throws {
    func open(_ store: MigratedStore, _ options: StoreOptions) throws -> PersistentStoreCoordinator {
      try byModel
        ? NewModel.openStore(at: store.path, options: options)
        : .open(storeAt: store.path, options: options, model: ManagedObjectModel(Self.new))
    }
    let store = try store()
    let before = try store.state()
    var options = StoreOptions()
    _ = try expectFailure(.incompatibleModel) { _ = try open(store, options) }
    options.migratesAutomatically = true
    _ = try expectFailure(.mappingMissing) { _ = try open(store, options) }
    #expect(try store.state() == before)
    options.infersMapping = true
    let coordinator = try open(store, options)
    #expect(
      try RecordLines.of(ManagedObjectContext(coordinator: coordinator)) == [
        #"T/p1 a="x" b=nil"#
      ])
    coordinator.close()
    try store.expectWhole(Self.new)
    try open(store, options).close()
  }

  @Test("MIG-031, MIG-274, MIG-273: afterwards the store is open as if it had been of the new version before")
  func openAfterwards() throws {
    let store = try store()
    let identifier = try StoredVersion(at: store.path).identifier
    let coordinator = try add(store) { ($0.migratesAutomatically, $0.infersMapping) = (true, true) }
    defer { coordinator.close() }
    #expect(coordinator.persistentStores.count == 1)
    #expect(coordinator.persistentStore(for: store.path) != nil)
    let context = ManagedObjectContext(coordinator: coordinator)
    let object = try context.all("T")[0]
    try object.setValue("y", forKey: "b")
    #expect(try context.add("T", ["a": "z"]).objectID.key == 2)
    #expect(try StoredVersion(at: store.path).identifier == identifier)
    #expect(object.objectID.uriRepresentation.absoluteString == "x-coredata://\(identifier.uuidString)/T/p1")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.folder.path).allSatisfy {
        $0.hasPrefix("store.sqlite") && !$0.contains("backup")
      })
  }

  @Test(
    "STO-017, MIG-022: the description of a store allows both; a container migrates the store that it loads")
  func container() throws {
    let store = try store()
    var description = PersistentStoreDescription(url: URL(fileURLWithPath: store.path))
    #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
    func load() throws -> (container: PersistentContainer, errors: [GraphStoreError]) {
      let container = PersistentContainer(name: "Tests", model: try ManagedObjectModel(Self.new))
      container.persistentStoreDescriptions = [description]
      let failures = Collected<GraphStoreError>()
      container.loadPersistentStores { _, error in
        if let error = error as? GraphStoreError { failures.add(error) }
      }
      return (container, failures.elements)
    }
    let before = try store.state()
    description.shouldMigrateStoreAutomatically = false
    #expect(try load().errors.map(\.code) == [.incompatibleModel])
    description.shouldMigrateStoreAutomatically = true
    description.shouldInferMappingModelAutomatically = false
    #expect(try load().errors.map(\.code) == [.mappingMissing])
    #expect(try store.state() == before)
    description.shouldInferMappingModelAutomatically = true
    let (container, errors) = try load()
    #expect(errors.isEmpty)
    container.persistentStoreCoordinator.close()
    try store.expectWhole(Self.new)
    #expect(try store.contents(Self.new) == [#"T/p1 a="x" b=nil"#])
  }

  @Test("MIG-027: a store in memory never needs a migration")
  func memory() throws {
    for allowed in [false, true] {
      var options = StoreOptions()
      (options.migratesAutomatically, options.infersMapping) = (allowed, allowed)
      let coordinator = try PersistentStoreCoordinator.inMemory(
        model: ManagedObjectModel(Self.new), options: options)
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator)
      try context.add("T", ["b": "x"])
      #expect(try context.all("T").map { try $0.string("b") } == ["x"])
    }
  }

  @Test("MIG-294: a store that is added asynchronously is migrated in the background, with one completion")
  func asynchronous() async throws {
    let stores = try [store(), store()]
    let container = PersistentContainer(name: "Tests", model: try ManagedObjectModel(Self.new))
    container.persistentStoreDescriptions = stores.map {
      var description = PersistentStoreDescription(url: URL(fileURLWithPath: $0.path))
      description.shouldAddStoreAsynchronously = true
      return description
    }
    let calls = Collected<(path: String, error: (any Error)?)>()
    container.loadPersistentStores { description, error in
      #expect(!Thread.isMainThread)
      calls.add((description.url.path, error))
    }
    for _ in 0..<3_000 where calls.elements.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(calls.elements.map(\.path).sorted() == stores.map(\.path).sorted())
    #expect(calls.elements.allSatisfy { $0.error == nil })
    container.persistentStoreCoordinator.close()
    for store in stores { try store.expectWhole(Self.new) }
  }

  @Test("MIG-295: while a store is migrated that is being added, the other stores answer requests and save")
  func othersMeanwhile() throws {
    let store = try store()
    let other = try MigratedStore(Self.new, name: "other.sqlite")
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(Self.new))
    try coordinator.addStore(at: other.path)
    defer { coordinator.close() }
    // The migration waits for a writer of the old store.
    let writer = try SQLiteConnection(path: store.path, mode: .readWrite)
    try writer.begin(.immediate)
    let outcome = Collected<GraphStoreError?>()
    let path = store.path
    let adding = Thread {
      var options = StoreOptions(timeout: .seconds(60))
      (options.migratesAutomatically, options.infersMapping) = (true, true)
      do {
        try coordinator.addStore(at: path, options: options)
        outcome.add(nil)
      } catch { outcome.add(error as? GraphStoreError) }
    }
    adding.start()
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<20 {
      try context.add("T", ["b": "\(number)"])
      #expect(try context.all("T").count == number + 1)
      usleep(10_000)
    }
    #expect(outcome.elements.isEmpty, "the migration has not waited")
    try writer.rollback()
    writer.close()
    for _ in 0..<6_000 where outcome.elements.isEmpty { usleep(10_000) }
    #expect(outcome.elements.count == 1 && outcome.elements[0] == nil)
    #expect(try context.count(for: FetchRequest(entityName: "T")) == 21)
  }

  @Test("MIG-357: opening a store that fits runs the same statements with and without the options to migrate")
  func openingFits() throws {
    let store = try MigratedStore(Self.new)
    let counts = try [false, true].map { allowed in
      let coordinator = try add(store) { ($0.migratesAutomatically, $0.infersMapping) = (allowed, allowed) }
      defer { coordinator.close() }
      return coordinator.statementCount
    }
    #expect(counts[0] == counts[1])
  }

  @Test("MIG-026: a store opened for reading only is never migrated")
  func readOnly() throws {
    let store = try store()
    let before = try store.state()
    let error = try expectFailure(.incompatibleModel) {
      _ = try add(store) { ($0.migratesAutomatically, $0.infersMapping, $0.isReadOnly) = (true, true, true) }
    }
    #expect(error.number == 134_100 && error.message.contains("reading"))
    #expect(try store.state() == before)
    var description = PersistentStoreDescription(url: URL(fileURLWithPath: store.path))
    description.isReadOnly = true
    let container = PersistentContainer(name: "Tests", model: try ManagedObjectModel(Self.new))
    container.persistentStoreDescriptions = [description]
    #expect(container.load().map(\.code) == ["incompatible-model"])
    #expect(try store.state() == before)
  }

  @Test(
    "STO-017, MIG-029, MIG-121, MIG-030: a migration that fails makes adding fail with its error, and the store is as it was"
  )
  func failing() throws {
    func model(_ type: AttributeType) -> ModelDefinition {
      .of(EntityDefinition("T", attributes: [AttributeDefinition("n", type)]))
    }
    let store = try MigratedStore(model(.int64)) { try $0.add("T", ["n": 70_000]) }
    let before = try store.contents(model(.int64))
    let error = try expectFailure(.migrationConstraint) {
      _ = try add(store, model(.int16)) { ($0.migratesAutomatically, $0.infersMapping) = (true, true) }
    }
    #expect(error.number == 134_111)
    #expect(try store.contents(model(.int64)) == before)
    try store.expectWhole(model(.int64))
    try store.open(model(.int64)) { try $0.add("T", ["n": 1]) }
  }

  @Test("MIG-042, MIG-045, MIG-065: a container whose model is of a directory goes over its versions")
  func directory() throws {
    let versions = [
      Self.old,
      ModelDefinition.of(
        EntityDefinition("T", attributes: [AttributeDefinition("b", .string, renamingIdentifier: "a")])),
      ModelDefinition.of(
        EntityDefinition("T", attributes: [AttributeDefinition("c", .string, renamingIdentifier: "b")])),
    ]
    let folder = try VersionFolder(versions)
    let store = try store()
    let container = try PersistentContainer(name: "Versions", modelFolders: [folder.folder.path])
    container.persistentStoreDescriptions = [
      PersistentStoreDescription(url: URL(fileURLWithPath: store.path))
    ]
    #expect(container.load().map(\.code) == [nil])
    container.persistentStoreCoordinator.close()
    #expect(try store.contents(versions[2]) == [#"T/p1 c="x""#])
    // The same by options.
    let other = try self.store()
    let coordinator = try add(other, versions[2]) {
      ($0.migratesAutomatically, $0.infersMapping) = (true, true)
      $0.modelVersionsPath = folder.path
    }
    coordinator.close()
    #expect(try other.contents(versions[2]) == [#"T/p1 c="x""#])
  }

  @Test("STO-293: a written mapping comes before an inferred one, and without either the reasons are told")
  func writtenFirst() throws {
    func version(_ type: AttributeType, more: Bool = false) -> ModelDefinition {
      let others = more ? [AttributeDefinition("b", .string)] : []
      return .of(EntityDefinition("T", attributes: [AttributeDefinition("a", type)] + others))
    }
    func migrate(_ folder: VersionFolder, to model: ModelDefinition) throws -> MigratedStore {
      let store = try store()
      try add(store, model) {
        ($0.migratesAutomatically, $0.infersMapping) = (true, true)
        $0.modelVersionsPath = folder.path
      }.close()
      return store
    }
    let inferable = try VersionFolder([Self.old, version(.string, more: true)])
    #expect(
      try migrate(inferable, to: version(.string, more: true)).contents(Self.new) == [#"T/p1 a="x" b=nil"#])
    try inferable.folder.write(
      #"{"source": "1", "destination": "2", "entityMappings": [{"source": "T", "destination": "T", "attributes": [{"name": "a", "value": "$source.a"}, {"name": "b", "value": "'written'"}]}]}"#,
      to: "Versions.graphmodel/mappings/1-2.json")
    #expect(
      try migrate(inferable, to: version(.string, more: true)).contents(Self.new) == [
        #"T/p1 a="x" b="written""#
      ])
    let other = try VersionFolder([Self.old, version(.date)])
    let error = try expectFailure(.mappingMissing) { _ = try migrate(other, to: version(.date)) }
    #expect(error.number == 134_140 && error.details.contains { $0.contains("T.a") }, "\(error.details)")
  }

  @Test(
    "MIG-009, MIG-028: a store newer than the program throws 134506 when migration is allowed, 134100 when not"
  )
  func newer() throws {
    let folder = try VersionFolder([Self.old, Self.new], current: 1)
    let store = try MigratedStore(Self.new)
    let before = try store.state()
    let error = try expectFailure(.migrationBackward) {
      _ = try add(store, Self.old) {
        ($0.migratesAutomatically, $0.infersMapping) = (true, true)
        $0.modelVersionsPath = folder.path
      }
    }
    #expect(error.number == 134_506)
    let plain = try expectFailure(.incompatibleModel) {
      _ = try add(store, Self.old) { $0.modelVersionsPath = folder.path }
    }
    #expect(plain.number == 134_100)
    #expect(try store.state() == before)
  }

  @Test(
    "MIG-052, MIG-268: a lossy migration runs as any other and keeps the old store, which opens with the old model"
  )
  func lossy() throws {
    let store = try store()
    let other = Self.version(["b"])
    try add(store, other) { ($0.migratesAutomatically, $0.infersMapping) = (true, true) }.close()
    #expect(try store.contents(other) == ["T/p1 b=nil"])
    let backups = try FileManager.default.contentsOfDirectory(atPath: store.folder.path).filter {
      $0.hasSuffix(".backup")
    }
    #expect(backups.count == 1)
    #expect(try store.contents(Self.old, at: store.folder.file(backups[0])) == [#"T/p1 a="x""#])
  }

  @Test("MIG-263: a store that a coordinator of the process has open is not migrated under it")
  func openHere() throws {
    let store = try store()
    let holder = PersistentStoreCoordinator(model: try ManagedObjectModel(Self.old))
    try holder.addStore(at: store.path)
    let error = try expectFailure(.storeInUse) {
      _ = try add(store) { ($0.migratesAutomatically, $0.infersMapping) = (true, true) }
    }
    #expect(error.message.contains(store.path))
    let context = ManagedObjectContext(coordinator: holder)
    try context.add("T", ["a": "y"])
    holder.close()
    try add(store) { ($0.migratesAutomatically, $0.infersMapping) = (true, true) }.close()
    #expect(try store.contents(Self.new).count == 2)
  }

  @Test(
    "MIG-281, MIG-284: each store of a coordinator is migrated by itself, with the entities of its configuration"
  )
  func configurations() throws {
    func model(_ left: [String], right: [String], extra: String? = nil) -> ModelDefinition {
      var model = ModelDefinition.of(
        EntityDefinition("L", attributes: left.map { AttributeDefinition($0, .string) }),
        EntityDefinition("R", attributes: right.map { AttributeDefinition($0, .string) }),
        EntityDefinition("M", attributes: [AttributeDefinition("m", .string)]))
      model.configurations = [
        ConfigurationDefinition("Left", entities: extra == "Left" ? ["L", "M"] : ["L"]),
        ConfigurationDefinition("Right", entities: extra == "Right" ? ["R", "M"] : ["R"]),
      ]
      return model
    }
    let old = model(["a"], right: ["a"], extra: "Left")
    let folder = try TemporaryFolder()
    let paths = ["Left": folder.file("left.sqlite"), "Right": folder.file("right.sqlite")]
    func open(_ model: ModelDefinition) throws -> PersistentStoreCoordinator {
      let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(model))
      var options = StoreOptions()
      (options.migratesAutomatically, options.infersMapping) = (true, true)
      for (configuration, path) in paths.sorted(by: { $0.key < $1.key }) {
        try coordinator.addStore(at: path, configuration: configuration, options: options)
      }
      return coordinator
    }
    let first = try open(old)
    let context = ManagedObjectContext(coordinator: first)
    try context.add("L", ["a": "l"])
    try context.add("R", ["a": "r"])
    try context.add("M", ["m": "m"])
    first.close()
    let before = try FileManager.default.attributesOfItem(atPath: paths["Right"]!)
    let second = try open(model(["a", "b"], right: ["a"], extra: "Left"))
    #expect(
      try RecordLines.of(ManagedObjectContext(coordinator: second)) == [
        #"L/p1 a="l" b=nil"#, #"M/p1 m="m""#, #"R/p1 a="r""#,
      ])
    second.close()
    let now = try FileManager.default.attributesOfItem(atPath: paths["Right"]!)
    #expect(now[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
    let moved = model(["a", "b"], right: ["a"], extra: "Right")
    let plan = try MigrationPlan(
      fromStoreAt: paths["Left"]!, to: ModelVersion(ManagedObjectModel(moved)), configuration: "Left")
    #expect(plan.losses.map(\.path) == ["M"] && plan.losses.map(\.count) == [1])
    let third = try open(moved)
    #expect(
      try RecordLines.of(ManagedObjectContext(coordinator: third)) == [
        #"L/p1 a="l" b=nil"#, #"R/p1 a="r""#,
      ])
    third.close()
  }
}
