#if PostgreSQL
import Foundation
import GraphStoreModel
import GraphStorePredicates
import Synchronization
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

/// Steps that look as if tables had only to be altered, beside a SQLite store that takes them too.
@Suite("Alterations of stores on a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLAlterationTests {
  private let stores = TestStores()

  // MARK: As a SQLite store

  /// Two versions of a model, and what a store of the first holds.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: [EntityDefinition]
    let new: [EntityDefinition]
    var configuration: (old: [String], new: [String])?
    /// Objects by entity, with their values.
    let objects: [(entity: String, values: [String: String])]
    /// Links: the number of an object, the relationship, the number of another one.
    var links: [(Int, String, Int)] = []

    func model(_ entities: [EntityDefinition], _ names: [String]?) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        ModelDefinition(
          name: "Case", entities: entities,
          configurations: names.map { [ConfigurationDefinition("C", entities: $0)] } ?? []))
    }

    func fill(_ context: ManagedObjectContext) throws {
      let made = try objects.map { entity, values in
        let object = try context.insert(entityNamed: entity)
        for (key, value) in values { try object.setValue(value, forKeyPath: key) }
        // Keys in the order of the list.
        try context.save()
        return object
      }
      for (owner, relationship, member) in links {
        let isToMany = made[owner].entity.relationshipsByName[relationship]?.isToMany == true
        if isToMany {
          let present = try made[owner].objects(forKey: relationship)
          try made[owner].setValue(Set(present + [made[member]]), forKey: relationship)
        } else {
          try made[owner].setValue(made[member], forKey: relationship)
        }
      }
      try context.save()
    }
  }

  private static func text(_ name: String, was former: String? = nil) -> AttributeDefinition {
    AttributeDefinition(name, .string, renamingIdentifier: former)
  }

  private static func mandatory(_ name: String) -> AttributeDefinition {
    AttributeDefinition(name, .string, isOptional: false, defaultValue: .string("x"))
  }

  static let cases: [Case] = [
    Case(
      testDescription: "a value that becomes mandatory, and one derived of it",
      old: [
        EntityDefinition(
          "A",
          attributes: [
            text("name"), AttributeDefinition("key", .string, derivation: "uppercase:(name)"),
          ])
      ],
      new: [
        EntityDefinition(
          "A",
          attributes: [
            mandatory("name"), AttributeDefinition("key", .string, derivation: "uppercase:(name)"),
          ])
      ], objects: [("A", [:]), ("A", ["name": "b"])]),
    Case(
      testDescription: "defaults that break a constraint",
      old: [EntityDefinition("A", attributes: [text("code")], uniquenessConstraints: [["code"]])],
      new: [EntityDefinition("A", attributes: [mandatory("code")], uniquenessConstraints: [["code"]])],
      objects: [("A", [:]), ("A", [:])]),
    Case(
      testDescription: "elements of a composite of which one gets the name of another",
      old: [
        EntityDefinition(
          "A", attributes: [AttributeDefinition("at", .composite, elements: [text("a"), text("b")])])
      ],
      new: [
        EntityDefinition(
          "A",
          attributes: [
            AttributeDefinition("at", .composite, elements: [text("b", was: "a"), text("c", was: "b")])
          ])
      ], objects: [("A", ["at.a": "1", "at.b": "2"])]),
    Case(
      testDescription: "a root that leaves the configuration, and one that joins it",
      old: [
        EntityDefinition("P", attributes: [text("p")]),
        EntityDefinition("S", parent: "P", attributes: [text("s")]),
        EntityDefinition("T", parent: "P", attributes: [text("t")]),
        EntityDefinition("Q", attributes: [text("q")]),
      ],
      new: [
        EntityDefinition("P", attributes: [text("p"), text("more")]),
        EntityDefinition("S", parent: "P", attributes: [text("s")]),
        EntityDefinition("T", parent: "P", attributes: [text("t")]),
        EntityDefinition("Q", attributes: [text("q")]),
      ], configuration: (["S", "T"], ["T", "Q"]),
      objects: [("S", ["s": "1"]), ("T", ["t": "2"]), ("T", ["t": "3"])]),
    Case(
      testDescription: "an entity between others, and one that goes with links to it",
      old: [
        EntityDefinition("P", attributes: [text("p")]),
        EntityDefinition(
          "S", parent: "P", relationships: [RelationshipDefinition("to", to: "G", inverse: "from")]),
        EntityDefinition(
          "G", relationships: [RelationshipDefinition("from", to: "S", inverse: "to", isToMany: true)]),
      ],
      new: [
        EntityDefinition("P", attributes: [text("p")]),
        EntityDefinition(
          "M", parent: "P", attributes: [AttributeDefinition("m", .string, defaultValue: .string("n"))]),
        EntityDefinition("S", parent: "M"),
      ], objects: [("S", ["p": "1"]), ("G", [:]), ("P", ["p": "2"])], links: [(0, "to", 1)]),
    Case(
      testDescription: "a relationship to itself that is renamed on one side",
      old: [
        EntityDefinition(
          "A", attributes: [text("n")],
          relationships: [
            RelationshipDefinition("a", to: "A", inverse: "b", isToMany: true),
            RelationshipDefinition("b", to: "A", inverse: "a", isToMany: true),
          ])
      ],
      new: [
        EntityDefinition(
          "A", attributes: [text("n")],
          relationships: [
            RelationshipDefinition("z", to: "A", inverse: "b", isToMany: true, renamingIdentifier: "a"),
            RelationshipDefinition("b", to: "A", inverse: "z", isToMany: true),
          ])
      ], objects: [("A", ["n": "1"]), ("A", ["n": "2"]), ("A", ["n": "3"])],
      links: [(0, "a", 1), (0, "a", 2), (1, "a", 2)]),
    Case(
      testDescription: "a many-to-many that loses its inverse, of members with one owner each",
      old: [
        EntityDefinition(
          "A", attributes: [text("n")],
          relationships: [RelationshipDefinition("bs", to: "B", inverse: "as", isToMany: true)]),
        EntityDefinition(
          "B", relationships: [RelationshipDefinition("as", to: "A", inverse: "bs", isToMany: true)]),
      ],
      new: [
        EntityDefinition(
          "A", attributes: [text("n")], relationships: [RelationshipDefinition("bs", to: "B", isToMany: true)]
        ),
        EntityDefinition("B"),
      ], objects: [("A", ["n": "1"]), ("B", [:]), ("B", [:])], links: [(0, "bs", 1), (0, "bs", 2)]),
    Case(
      testDescription: "sub-entities that are added and that go, with defaults of their own",
      old: [
        EntityDefinition("P", attributes: [text("p")]),
        EntityDefinition("S", parent: "P", attributes: [text("s")]),
        EntityDefinition("T", parent: "P", attributes: [text("t")]),
      ],
      new: [
        EntityDefinition(
          "P", attributes: [text("p"), AttributeDefinition("d", .int16, defaultValue: .number("3"))]),
        EntityDefinition(
          "T", parent: "P",
          attributes: [text("t"), AttributeDefinition("e", .decimal, defaultValue: .number("1.5"))]),
        EntityDefinition(
          "U", parent: "P", attributes: [AttributeDefinition("f", .boolean, defaultValue: .bool(true))]),
      ], objects: [("P", ["p": "1"]), ("S", ["s": "2"]), ("T", ["t": "3"])]),
  ]

  @Test(
    "STO-425, STO-429: what comes of a step is what comes of it in a SQLite store, or is refused as there",
    arguments: cases)
  func sameAsSQLite(_ example: Case) throws {
    let names = example.configuration
    let old = try example.model(example.old, names?.old)
    let new = try example.model(example.new, names?.new)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).db").path
    defer {
      for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    }
    var (server, file) = (TestStores.options, StoreOptions())
    if names != nil { (server.configuration, file.configuration) = ("C", "C") }
    func outcome(_ place: String, _ options: StoreOptions) throws -> String {
      let coordinator = PersistentStoreCoordinator(model: old)
      try coordinator.addStore(at: place, options: options)
      try example.fill(ManagedObjectContext(coordinator: coordinator))
      coordinator.close()
      var migration = MigrationOptions()
      migration.keepsBackup = false
      do {
        let plan = try MigrationPlan(
          fromStoreAt: place, to: ModelVersion(new), configuration: options.configuration)
        let result = try StoreMigration(plan, options: migration).run()
        let migrated = PersistentStoreCoordinator(model: new)
        try migrated.addStore(at: place, options: options)
        defer { migrated.close() }
        let context = ManagedObjectContext(coordinator: migrated)
        let lines = try migrated.persistentStores[0].entitiesHeld(in: new).flatMap { entity in
          try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).sorted {
            $0.objectID.key < $1.objectID.key
          }
        }.map(RecordLines.line)
        let findings = try StoreCheck.run(path: place).flatMap(\.findings).map(\.message)
        return "\(lines) \(result.objectCounts.sorted { $0.key < $1.key }) \(findings)"
      } catch let error as GraphStoreError {
        return "\(error.code) \(error.details.first ?? "")"
      }
    }
    #expect(try outcome(stores.address(), server) == outcome(path, file))
    #expect(try stores.schemas() == 1)
  }

  // MARK: Others meanwhile

  private static func model(_ attributes: AttributeDefinition...) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      ModelDefinition(
        name: "Pair",
        entities: [
          EntityDefinition("A", attributes: attributes), EntityDefinition("B", attributes: [text("b")]),
        ]))
  }

  private func alter(keepsBackup: Bool = false) throws -> MigrationResult {
    let new = try Self.model(Self.text("y", was: "x"), Self.text("z", was: "y"))
    var options = MigrationOptions()
    options.keepsBackup = keepsBackup
    return try StoreMigration(
      MigrationPlan(fromStoreAt: stores.address(), to: ModelVersion(new)), options: options
    ).run()
  }

  @Test("STO-427: a read that waits for an alteration is told of it, and makes nothing of what it reads")
  func waitingReader() throws {
    let old = try Self.model(Self.text("x"), Self.text("y"))
    let writer = ManagedObjectContext(coordinator: try stores.coordinator(old))
    try writer.insert(entityNamed: "A").setValue("1", forKey: "x")
    try writer.save()
    let reader = try stores.coordinator(old)
    let context = ManagedObjectContext(coordinator: reader, concurrencyType: .privateQueue)
    // What is read is known to the server already.
    _ = try context.performAndWait { try context.fetch(FetchRequest<ManagedObject>(entityName: "A")).count }
    let exchange = try PostgreSQLStoreDriver().beginExchange(
      stores.address(), isLocking: true, timeout: .seconds(10))
    let new = try Self.model(Self.text("y", was: "x"), Self.text("z", was: "y"))
    let plan = try MigrationPlan(fromStoreAt: stores.address(), to: ModelVersion(new))
    let change = StoreAlteration(
      source: StoredEntities(plan.steps[0].source.model), destination: StoredEntities(new),
      pairing: plan.steps[0].difference.pairing)
    #expect(try exchange.alter([change], history: nil, keepsFormer: false) != nil)
    let found = Mutex<GraphStoreError.Code?>(nil)
    let thread = ThreadResult {
      let code = code {
        let texts: [String] = try context.performAndWait {
          try context.refreshAllObjects()
          return try context.fetch(FetchRequest<ManagedObject>(entityName: "A")).map {
            "\(try $0.queryValue(forKey: "x"))"
          }
        }
        return texts
      }
      found.withLock { $0 = code }
    }
    thread.start()
    Thread.sleep(forTimeInterval: 0.3)
    #expect(try exchange.commit(keepsFormer: false) == nil)
    try thread.wait()
    #expect(found.withLock(\.self) == .storeReplaced)
  }

  @Test("STO-427: a migration waits for whoever is writing, and nobody is in the other's way")
  func writing() throws {
    let old = try Self.model(Self.text("x"), Self.text("y"))
    let context = ManagedObjectContext(coordinator: try stores.coordinator(old))
    try context.insert(entityNamed: "A").setValue("1", forKey: "x")
    try context.save()
    let ended = Atomic(false)
    let thread = ThreadResult {
      _ = try alter()
      ended.store(true, ordering: .sequentiallyConsistent)
    }
    try context.coordinator.transaction(with: context) { _ in
      try context.insert(entityNamed: "A").setValue("2", forKey: "x")
      try context.save()
      thread.start()
      Thread.sleep(forTimeInterval: 0.3)
      // More keys than are reserved, by another connection, and a table that was not written so far.
      for number in 0..<200 { try context.insert(entityNamed: "B").setValue("\(number)", forKey: "b") }
      try context.save()
      let isEnded = ended.load(ordering: .sequentiallyConsistent)
      #expect(!isEnded)
    }
    try thread.wait()
    let rows = try stores.run(
      "SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM b), (SELECT max(y) FROM a)")
    #expect(
      try rows.step() && rows.int64(at: 0) == 2 && rows.int64(at: 1) == 200 && rows.string(at: 2) == "2")
  }

  @Test(
    "STO-428: a store stays that of the role that owns it, also where another one has migrated it",
    arguments: [false, true])
  func owner(isInPlace: Bool) throws {
    try stores.coordinator(Self.model(Self.text("x"), Self.text("y"))).close()
    let role = "owner_\(UUID().uuidString.prefix(8).lowercased())"
    try stores.run("CREATE ROLE \(role)")
    defer {
      _ = try? stores.run("DROP OWNED BY \(role) CASCADE")
      _ = try? stores.run("DROP ROLE \(role)")
    }
    let objects = try stores.run(
      "SELECT format('ALTER %s %s OWNER TO \(role)', CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, oid::regclass) "
        + "FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v')")
    while try objects.step() { try stores.run(objects.string(at: 0)) }
    try stores.run("GRANT ALL ON SCHEMA \(PostgreSQLAddress(stores.address()).schema) TO \(role)")
    var options = MigrationOptions()
    options.keepsBackup = false
    options.usesStoreSpecificMigrationManager = isInPlace
    let new = try Self.model(Self.text("x"), Self.text("z"))
    _ = try StoreMigration(
      MigrationPlan(fromStoreAt: stores.address(), to: ModelVersion(new)), options: options
    ).run()
    let owners = try stores.run(
      "SELECT DISTINCT relowner::regrole::text FROM pg_class "
        + "WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v')")
    var found: [String] = []
    while try owners.step() { found.append(owners.string(at: 0)) }
    #expect(found == [role])
  }
}

extension PersistentStoreReference {
  /// The names of the highest entities that the store holds.
  fileprivate func entitiesHeld(in model: ManagedObjectModel) throws -> [String] {
    let held = try model.entities(forConfigurationName: configurationName)
    let names = Set(held.map(\.name))
    return held.filter { !names.contains($0.superentity?.name ?? "") }.map(\.name).sorted()
  }
}
#endif
