import Foundation
import GraphStoreModel
import GraphStoreModelTestSupport
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// Stores that record the hashes by which Core Data knows their model.
@Suite("Stores with Core Data's hashes")
struct CoreDataVersionTests {
  private let folder: TemporaryFolder
  private let package: ArchivedPackage

  init() throws {
    folder = try TemporaryFolder()
    package = try ArchivedPackage.library(folder.file("Library.momd"))
  }

  private var path: String { folder.file("app.sqlite") }

  private func versions() throws -> ModelVersions { try ModelVersions(at: package.path) }

  private func fill(_ coordinator: PersistentStoreCoordinator) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    let shelf = try context.add("Shelf", ["label": "Poems"])
    try context.add("Book", ["title": "Howl", "pages": 57, "shelf": shelf])
  }

  /// The keys that Core Data writes.
  private static let keys: Set = [
    "NSStoreType", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
    "NSStoreModelVersionIdentifiers", "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
    "NSPersistenceFrameworkVersion", "_NSAutoVacuumLevel",
  ]

  /// Expects what Core Data writes for a version, and nothing else.
  private func expectCoreDatas(
    _ version: String, at path: String, besides others: Set<String> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    defer { connection.close() }
    let metadata = try SQLiteLayout.readMetadata(connection)
    let hashes = package.hashes(of: version)
    #expect(Set(metadata.values.keys) == Self.keys.union(others), sourceLocation: sourceLocation)
    #expect(metadata.versionHashes == hashes, sourceLocation: sourceLocation)
    #expect(
      metadata.versionChecksum == ManagedObjectModel.versionChecksum(of: hashes)
        && metadata.versionHashesDigest == ManagedObjectModel.versionHashesDigest(of: hashes),
      sourceLocation: sourceLocation)
    let cache = try #require(try SQLiteLayout.readModelCache(connection), sourceLocation: sourceLocation)
    #expect(
      CoreDataVersion(hashes: hashes, modelCache: cache).compiledModel
        == Data(package.compiledModel(of: version)), sourceLocation: sourceLocation)
    #expect(
      try StoreCheck.run(path: path).flatMap(\.findings).isEmpty, sourceLocation: sourceLocation)
  }

  @Test("MDL-403, STO-278, STO-282: a new store of a package's model has what Core Data writes, and keeps it")
  func made() throws {
    for name in try versions().names {
      let model = try versions().model(named: name)
      #expect(model.coreDataVersion?.hashes == package.hashes(of: name))
      #expect(
        model.coreDataVersion?.checksum == ManagedObjectModel.versionChecksum(of: package.hashes(of: name)))
      let path = folder.file("\(name).sqlite")
      let coordinator = try PersistentStoreCoordinator.create(storeAt: path, model: model)
      try fill(coordinator)
      coordinator.close()
      try expectCoreDatas(name, at: path)
      // Without the model, and with it, the store opens as one of Core Data's.
      for given in [nil, model] {
        let opened = try PersistentStoreCoordinator.open(storeAt: path, model: given)
        #expect(opened.persistentStores[0].isMadeByCoreData && opened.warnings.isEmpty)
        let context = ManagedObjectContext(coordinator: opened)
        #expect(try context.all("Book").map { try $0.string("title") } == ["Howl"])
        opened.close()
      }
      let plan = try MigrationPlan(fromStoreAt: path, to: ModelVersion(model, name: name))
      #expect(plan.steps.isEmpty)
    }
  }

  @Test("MDL-403: a compiled model alone, and one that no list knows, has hashes of our own")
  func unlisted() throws {
    let alone = folder.file("Alone.mom")
    try Data(package.compiledModel(of: "Library")).write(to: URL(fileURLWithPath: alone))
    #expect(try ManagedObjectModel(contentsOf: alone).coreDataVersion == nil)
    try Data("no list".utf8).write(to: URL(fileURLWithPath: package.listPath))
    let model = try ManagedObjectModel(contentsOf: "\(package.path)/Library.mom")
    #expect(model.coreDataVersion == nil)
    try PersistentStoreCoordinator.create(storeAt: path, model: model).close()
    #expect(try StoredVersion(at: path).recordedHashes == model.entityVersionHashesByName)
  }

  @Test(
    "MDL-403, MIG-278, MIG-273, MIG-002: a migrated store has those of its new version",
    arguments: [false, true])
  func migrated(isGeneral: Bool) throws {
    let first = try versions().model(named: "Library")
    let coordinator = try PersistentStoreCoordinator.create(storeAt: path, model: first)
    try fill(coordinator)
    let store = coordinator.persistentStores[0]
    var metadata = try coordinator.metadata(for: store)
    metadata["owner"] = .string("Ada")
    try coordinator.setMetadata(metadata, for: store)
    try ManagedObjectContext(coordinator: coordinator).save()
    coordinator.close()
    let plan = try MigrationPlan(fromStoreAt: path, to: versions())
    #expect(plan.source.label == "Library" && plan.steps.count == 1 && plan.recordsCoreDataHashes)
    var options = MigrationOptions()
    options.usesStoreSpecificMigrationManager = !isGeneral
    _ = try StoreMigration(plan, options: options).run()
    try expectCoreDatas("Library 2", at: path, besides: ["owner"])
    #expect(try MigrationPlan(fromStoreAt: path, to: versions()).steps.isEmpty)
    #expect(try versions().version(ofStoreAt: path)?.name == "Library 2")
  }

  @Test("MIG-002, MIG-008: the hashes that a package lists tell the version of a store without a model")
  func foundByList() throws {
    let store = try MigratedStore(
      versions().model(named: "Library").definition
    ) { context in
      try context.add("Book", ["title": "Howl"])
    }
    try store.makeForeign { values in
      values[StoreMetadata.Key.hashes] = .dictionary(package.hashes(of: "Library").mapValues { .data($0) })
    }
    #expect(try versions().version(ofStoreAt: store.path)?.name == "Library")
    _ = try StoreMigration(MigrationPlan(fromStoreAt: store.path, to: versions())).run()
    try expectCoreDatas("Library 2", at: store.path)
    // Hashes that the list does not have are another version's, whatever the columns are.
    let other = try MigratedStore(versions().model(named: "Library").definition)
    try other.makeForeign()
    let error = try expectFailure(.sourceModelMissing) {
      _ = try MigrationPlan(fromStoreAt: other.path, to: versions())
    }
    #expect(error.details.contains { $0.hasPrefix("version Library 2: Book ") }, "\(error.details)")
  }

  @Test("MIG-010, MDL-403: a store of ours of the same version gets Core Data's hashes by one step")
  func ours() throws {
    let definition = try versions().currentModel().definition
    let store = try MigratedStore(definition) { try $0.add("Book", ["title": "Howl", "year": 1956]) }
    let plan = try MigrationPlan(fromStoreAt: store.path, to: versions())
    #expect(plan.steps.count == 1 && plan.steps[0].changes.isEmpty && !plan.isLossy)
    _ = try StoreMigration(plan).run()
    try expectCoreDatas("Library 2", at: store.path)
    #expect(try MigrationPlan(fromStoreAt: store.path, to: versions()).steps.isEmpty)
  }

  @Test("MDL-403: what Core Data keeps in a form that is not known here has stores of ours")
  func formOfOurs() throws {
    let attributes = [
      AttributeDefinition("total", .int64, derivation: "parts.@count"),
      AttributeDefinition("place", .composite, elements: [AttributeDefinition("lat", .double)]),
    ]
    for attribute in attributes {
      let definition = ModelDefinition(
        name: "Orders",
        entities: [
          EntityDefinition(
            "Order", attributes: [attribute],
            relationships: [RelationshipDefinition("parts", to: "Part", inverse: "order", isToMany: true)]),
          EntityDefinition(
            "Part", relationships: [RelationshipDefinition("order", to: "Order", inverse: "parts")]),
        ])
      let version = CoreDataVersion(
        hashes: ["Order": Data(repeating: 1, count: 32), "Part": Data(repeating: 2, count: 32)])
      let model = try ManagedObjectModel(definition).known(as: version)
      #expect(model.formOfItsOwn?.contains("Order.\(attribute.name)") == true)
      let path = folder.file("\(attribute.name).sqlite")
      try PersistentStoreCoordinator.create(storeAt: path, model: model).close()
      #expect(try StoredVersion(at: path).recordedHashes == model.entityVersionHashesByName)
    }
  }

  @Test("MDL-404: hashes of other entities, and a compiled model of another version, are refused")
  func otherVersions() throws {
    let model = try versions().model(named: "Library")
    let own = try CoreDataVersion(contentsOf: package.path, version: "Library", of: model)
    #expect(own == model.coreDataVersion)
    for (version, text) in [("Library 2", "another version"), ("Library 3", "no version")] {
      let error = #expect(throws: ModelError.self) {
        _ = try CoreDataVersion(contentsOf: package.listPath, version: version, of: model)
      }
      #expect(error?.problems.first?.message.contains(text) == true, "\(error.map { "\($0)" } ?? "none")")
    }
    let stranger = try ManagedObjectModel(.of(EntityDefinition("Stranger")))
    #expect(throws: ModelError.self) { _ = try CoreDataVersion(contentsOf: package.path, of: stranger) }
  }

  @Test("MDL-403: a compiled model longer than a block of DEFLATE comes back whole")
  func longModels() throws {
    for count in [0, 1, 65_535, 65_536, 200_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
      let version = CoreDataVersion(hashes: [:], compiledModel: Data(bytes))
      let cache = try #require(version.modelCache)
      #expect(CoreDataVersion(hashes: [:], modelCache: cache).compiledModel == Data(bytes), "\(count)")
    }
  }

  // MARK: Real stores

  @Test(
    "MDL-403: a store made like a real one differs from it in the framework's version and what came with that",
    .enabled(if: AppleStores.folder != nil), arguments: ForeignFolder.names)
  func likeReal(_ name: String) throws {
    let stores = try ForeignFolder([name + ".moody"])
    let real = stores.file(name + ".moody")
    let version = try #require(try StoreModel.coreDataVersion(ofStoreAt: real))
    let model = try StoreModel.load(fromStoreAt: real).model.known(as: version)
    try PersistentStoreCoordinator.create(storeAt: path, model: model).close()
    let (made, there) = (try Contents(path), try Contents(real))
    let isNew: Set = ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"]
    #expect(
      Set(made.metadata.keys)
        == Set(there.metadata.keys.filter { $0.hasPrefix("NS") || $0.hasPrefix("_NS") }).union(isNew))
    for (key, value) in made.metadata where !isNew.contains(key) && key != "NSPersistenceFrameworkVersion" {
      #expect(there.metadata[key] == value, "\(key)")
    }
    #expect(made.entities == there.entities && made.columns == there.columns)
    // Constraints are indexes since, and indexes have other names: the text of all other tables is the same.
    for (table, sql) in there.tables where !sql.contains("CONSTRAINT") { #expect(made.tables[table] == sql) }
    #expect(made.order == there.order)
    #expect(try StoreModel.coreDataVersion(ofStoreAt: path) == version)
  }

  /// What a store of Core Data's consists of besides its rows.
  private struct Contents {
    let metadata: [String: Value]
    let entities: [String]
    /// The names of the tables, in the order in which they were made.
    let order: [String]
    let tables: [String: String]
    let columns: [String: [String]]

    init(_ path: String) throws {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      defer { connection.close() }
      func lines(_ query: String) throws -> [String] {
        try connection.withStatement(query) { row in
          var lines: [String] = []
          while try row.step() { lines.append(row.string(at: 0) ?? "") }
          return lines
        }
      }
      metadata = try SQLiteLayout.readMetadata(connection).values
      entities = try lines("SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT")
      let names = try lines("SELECT name FROM sqlite_schema WHERE type = 'table'")
      order = names
      var (tables, columns): ([String: String], [String: [String]]) = ([:], [:])
      for name in names {
        tables[name] = try lines("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'")[0]
        columns[name] = try lines("SELECT name || ' ' || type || ' ' || pk FROM pragma_table_info('\(name)')")
      }
      (self.tables, self.columns) = (tables, columns)
    }
  }
}
