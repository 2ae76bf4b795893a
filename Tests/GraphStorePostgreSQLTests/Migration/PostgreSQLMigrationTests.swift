#if PostgreSQL
import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Migrations of stores on a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLMigrationTests {
  private let stores = TestStores()

  // MARK: Versions

  private static func version(
    _ entity: String, _ attributes: [AttributeDefinition], others: [EntityDefinition] = []
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      ModelDefinition(
        name: "Versions",
        entities: [
          EntityDefinition(
            entity, attributes: attributes,
            relationships: [
              RelationshipDefinition("owner", to: entity, inverse: "things"),
              RelationshipDefinition("things", to: entity, inverse: "owner", isToMany: true),
            ], renamingIdentifier: "T")
        ] + others))
  }

  private static func first() throws -> ManagedObjectModel {
    try version(
      "T",
      [
        AttributeDefinition("a", .string, preservesValueInHistory: true),
        AttributeDefinition("b", .string, preservesValueInHistory: true),
      ], others: [EntityDefinition("Gone", attributes: [AttributeDefinition("x", .string)])])
  }

  /// Another name, attributes before and behind, one that is gone, and an entity with a lower number.
  private static func second() throws -> ManagedObjectModel {
    try version(
      "U",
      [
        AttributeDefinition("aa", .int32),
        AttributeDefinition("z", .string, preservesValueInHistory: true, renamingIdentifier: "b"),
      ], others: [EntityDefinition("A", attributes: [AttributeDefinition("y", .string)])])
  }

  /// A store of the first version with three transactions, of which the last deletes.
  @discardableResult
  private func fill(_ number: Int = 0) throws -> ManagedObjectContext {
    var options = TestStores.options
    options.historyTracking = true
    let context = ManagedObjectContext(
      coordinator: try stores.coordinator(Self.first(), number, options: options))
    context.transactionAuthor = "me"
    let objects = try ["1", "2"].map { name in
      let object = try context.insert(entityNamed: "T")
      try object.setValue("a" + name, forKey: "a")
      try object.setValue("b" + name, forKey: "b")
      return object
    }
    try context.insert(entityNamed: "Gone").setValue("x", forKey: "x")
    try context.save()
    try objects[0].setValue("b3", forKey: "b")
    try objects[0].setValue("a3", forKey: "a")
    try objects[1].setValue(objects[0], forKey: "owner")
    try context.save()
    try context.delete(objects[1])
    try context.save()
    return context
  }

  private func open(_ model: ManagedObjectModel, _ number: Int = 0) throws -> ManagedObjectContext {
    ManagedObjectContext(coordinator: try stores.coordinator(model, number))
  }

  private func lines(_ context: ManagedObjectContext) throws -> [String] { try RecordLines.of(context) }

  private func history(
    _ context: ManagedObjectContext, after token: PersistentHistoryToken? = nil
  ) throws -> [PersistentHistoryTransaction] {
    try context.execute(.fetchHistory(after: token)).transactions
  }

  private func plan(to model: ManagedObjectModel, _ number: Int = 0) throws -> MigrationPlan {
    try MigrationPlan(fromStoreAt: stores.address(number), to: ModelVersion(model))
  }

  /// Removes what a migration has kept.
  private func removeBackup(_ result: MigrationResult) throws {
    if let backup = result.backup { try PostgreSQLRemoval.remove(backup) }
  }

  // MARK: Meaning

  @Test(
    "STO-425, MIG-217, MIG-219: a random chain gives what dictionaries give, with the schema of a new store",
    arguments: TestSeed.sequence(5, from: 425))
  func chain(_ seed: TestSeed) throws {
    var version = RandomVersions(seed, hasNulCharacters: false)
    let start = try ManagedObjectModel(version.definition)
    try version.fill(open(start))
    var log: [String] = []
    for step in 0..<4 {
      let (objectCount, before) = (version.records.count, version.lines)
      version = edited(version, &log)
      let model = try ManagedObjectModel(version.definition)
      let place = "\(seed), step \(step), \(log)"
      var options = MigrationOptions()
      options.usesStoreSpecificMigrationManager = step % 2 == 0
      options.keepsBackup = false
      let plan = try plan(to: model)
      #expect(plan.steps.isEmpty || plan.objectCount == objectCount, "\(place)")
      do { _ = try StoreMigration(plan, options: options).run() } catch GraphStoreError.code(
        .requestUnsupported)
      {
        // Members may have several owners behind it.
        #expect(try lines(open(plan.source.model)) == before, "\(place)")
        return
      } catch {
        Issue.record("\(place): \(error)")
        return
      }
      let found = try lines(open(model))
      guard found == version.lines else {
        let (extra, missing) = (
          found.filter { !version.lines.contains($0) }, version.lines.filter { !found.contains($0) }
        )
        Issue.record("\(place): there \(extra.prefix(4)), wanted \(missing.prefix(4))")
        return
      }
      let findings = try StoreCheck.run(path: stores.address()).flatMap(\.findings)
      #expect(findings.isEmpty, "\(place): \(findings.prefix(2))")
      try stores.makeTwin(model, as: 1)
      #expect(try stores.catalog() == stores.catalog(1), "\(place)")
      try PostgreSQLRemoval.remove(stores.address(1))
    }
    #expect(try stores.schemas() == 1, "something is left beside the store")
  }

  @Test(
    "STO-429: a step that adds, renames and removes leaves rows where they are", arguments: [false, true])
  func inPlace(keepsBackup: Bool) throws {
    try fill().coordinator.close()
    func places(_ table: String) throws -> [String] {
      let rows = try stores.run("SELECT xmin || ' ' || ctid FROM \(table) ORDER BY 1")
      var places: [String] = []
      while try rows.step() { places.append(rows.string(at: 0)) }
      return places
    }
    let before = try places("t")
    var options = MigrationOptions()
    options.keepsBackup = keepsBackup
    let result = try StoreMigration(plan(to: Self.second()), options: options).run()
    #expect(try !before.isEmpty && places("u") == before)
    #expect(try lines(open(Self.second())) == [#"U/p1 aa=nil owner=nil things={} z="b3""#])
    #expect(result.objectCounts == ["U": 1, "A": 0] && (result.backup != nil) == keepsBackup)
    try stores.makeTwin(Self.second(), as: 1)
    #expect(try stores.catalog() == stores.catalog(1))
    try PostgreSQLRemoval.remove(stores.address(1))
    guard let backup = result.backup else {
      #expect(try stores.schemas() == 1)
      return
    }
    // It is a store as others are.
    #expect(try StoreCheck.run(path: backup).flatMap(\.findings).isEmpty)
    let kept = ManagedObjectContext(coordinator: try PersistentStoreCoordinator.open(storeAt: backup))
    #expect(
      try lines(kept) == [#"Gone/p1 x="x""#, #"T/p1 a="a3" b="b3" owner=nil things={}"#])
    kept.coordinator.close()
    try PostgreSQLRemoval.remove(backup)
  }

  @Test("STO-429: names that are exchanged, defaults, and values that have become mandatory")
  func exchangedNames() throws {
    func model(_ entities: EntityDefinition...) throws -> ManagedObjectModel {
      try ManagedObjectModel(ModelDefinition(name: "Names", entities: entities))
    }
    let first = try model(
      EntityDefinition(
        "A",
        attributes: [
          AttributeDefinition("x", .string), AttributeDefinition("y", .string),
          AttributeDefinition("n", .int16),
        ],
        relationships: [RelationshipDefinition("bs", to: "B", inverse: "as", isToMany: true)],
        uniquenessConstraints: [["x"]]),
      EntityDefinition(
        "B", attributes: [AttributeDefinition("x", .string)],
        relationships: [RelationshipDefinition("as", to: "A", inverse: "bs", isToMany: true)]))
    let second = try model(
      EntityDefinition(
        "B",
        attributes: [
          AttributeDefinition("y", .string, renamingIdentifier: "x"),
          AttributeDefinition("x", .string, renamingIdentifier: "y"),
          AttributeDefinition("n", .int16, isOptional: false, defaultValue: .number("7")),
          AttributeDefinition("new", .string, defaultValue: .string("it's")),
          AttributeDefinition("when", .date, defaultValue: .string("2001-01-01T00:00:01Z")),
        ],
        relationships: [
          RelationshipDefinition("bs", to: "A", inverse: "as", isToMany: true)
        ], uniquenessConstraints: [["y"]], renamingIdentifier: "A"),
      EntityDefinition(
        "A", attributes: [AttributeDefinition("x", .string)],
        relationships: [RelationshipDefinition("as", to: "B", inverse: "bs", isToMany: true)],
        renamingIdentifier: "B"))
    let context = try open(first)
    let (a, b) = (try context.insert(entityNamed: "A"), try context.insert(entityNamed: "B"))
    try a.setValue("1", forKey: "x")
    try a.setValue("2", forKey: "y")
    try b.setValue("3", forKey: "x")
    try a.setValue(Set([b]), forKey: "bs")
    try context.save()
    var options = MigrationOptions()
    options.keepsBackup = false
    let plan = try plan(to: second)
    _ = try StoreMigration(plan, options: options).run()
    let migrated = try open(second)
    let found = try lines(migrated)
    #expect(
      found == [
        #"A/p1 as={B/p1} x="3""#, #"B/p1 bs={A/p1} n=7 new="it\'s" when=1.0 x="2" y="1""#,
      ])
    #expect(try StoreCheck.run(path: stores.address()).flatMap(\.findings).isEmpty)
    try migrated.insert(entityNamed: "B").setValue("1", forKey: "y")
    #expect(code { try migrated.save() } == .constraintConflict)
    try stores.makeTwin(second, as: 1)
    #expect(try stores.catalog() == stores.catalog(1))
    try PostgreSQLRemoval.remove(stores.address(1))
  }

  @Test(
    "STO-429: where others have views over the tables, rows are written anew, and the views read the old store"
  )
  func dependents() throws {
    try fill().coordinator.close()
    try stores.run("CREATE VIEW theirs AS SELECT b FROM t_view")
    try stores.run("ALTER TABLE t ADD COLUMN theirs integer")
    try stores.run("CREATE INDEX theirs_index ON t (theirs)")
    try stores.run("ALTER TABLE t ADD CONSTRAINT theirs_check CHECK (theirs > 0)")
    let notices = try plan(to: Self.second()).notices.joined()
    for name in ["column t.theirs", "index theirs_index", "check theirs_check of t"] {
      #expect(notices.contains(name), "\(notices)")
    }
    let result = try StoreMigration(plan(to: Self.second())).run()
    #expect(try lines(open(Self.second())) == [#"U/p1 aa=nil owner=nil things={} z="b3""#])
    let rows = try stores.run("SELECT b FROM theirs")
    #expect(try rows.step() && rows.string(at: 0) == "b3")
    try stores.run("DROP VIEW theirs")
    try removeBackup(result)
  }

  /// Up to three edits that the data allow make the next version.
  private func edited(_ version: RandomVersions, _ log: inout [String]) -> RandomVersions {
    var next = version
    next.touched = []
    for _ in 0..<3 {
      var trial = next
      let (name, outcome) = trial.edit()
      next.random = trial.random
      guard case .changed = outcome else { continue }
      log.append(name)
      next = trial
    }
    return next
  }

  @Test("STO-426, MIG-275, CTX-390, CTX-403: inferred steps carry the history and its readers over")
  func history() throws {
    let context = try fill()
    let before = try history(context)
    let store = context.coordinator.persistentStores[0]
    try context.coordinator.registerHistoryConsumer(named: "mirror", of: store)
    try context.coordinator.updateHistoryConsumer(named: "mirror", to: before[1].token)
    try removeBackup(StoreMigration(plan(to: Self.second())).run())
    let migrated = try open(Self.second())
    let found = try history(migrated)
    #expect(found.map(\.transactionNumber) == [1, 2, 3, 4])
    #expect(found.map(\.author) == ["me", "me", "me", "graphstore.migration"])
    #expect(
      found.map(\.lines) == [
        ["insert U/p1", "insert U/p2"], ["update U/p1 things z", "update U/p2 owner"],
        ["delete U/p2 z=string(\"b2\")", "update U/p1 things"], [],
      ])
    #expect(try history(migrated, after: before[1].token).map(\.transactionNumber) == [3, 4])
    #expect(try migrated.coordinator.historyConsumers().map(\.token) == [before[1].token])
    try migrated.insert(entityNamed: "U").setValue("new", forKey: "z")
    try migrated.save()
    let later = try history(migrated, after: found[3].token).flatMap(\.lines)
    #expect(later.count == 1 && later[0].hasPrefix("insert U/p"))
  }

  @Test("STO-426, MIG-275, CTX-390: behind a written mapping the history begins anew")
  func written() throws {
    let before = try history(fill())
    let (first, second) = try (Self.first(), Self.second())
    let step = try MigrationStep(
      from: ModelVersion(first), to: ModelVersion(second),
      written: [MappingModel(entityMappings: [EntityMapping(from: "T", to: "U")])])
    let plan = try MigrationPlan(fromStoreAt: stores.address(), steps: [step])
    #expect(plan.notices.contains { $0.contains("history") }, "\(plan.notices)")
    try removeBackup(StoreMigration(plan).run())
    let migrated = try open(second)
    #expect(try lines(migrated).filter { $0.hasPrefix("U/") } == [#"U/p1 aa=nil owner=nil things={} z="b3""#])
    #expect(try history(migrated).isEmpty)
    #expect(code { try history(migrated, after: before[2].token) } == .historyExpired)
    try migrated.insert(entityNamed: "U").setValue("new", forKey: "z")
    try migrated.save()
    #expect(try history(migrated).map(\.transactionNumber) == [5])
  }

  // MARK: Others meanwhile

  @Test("STO-425, STO-427: others read while the store is exchanged, wait to write, and are told that it was")
  func others() throws {
    let writer = try fill()
    let reader = try open(Self.first())
    var impatient = TestStores.options
    impatient.timeout = .milliseconds(200)
    let late = ManagedObjectContext(coordinator: try stores.coordinator(Self.first(), options: impatient))
    let driver = PostgreSQLStoreDriver()
    let exchange = try driver.beginExchange(stores.address(), isLocking: true, timeout: .seconds(10))
    let model = try Self.second()
    var form = NewStoreForm()
    form.identifier = exchange.metadata.identifier
    try exchange.fill(StoreOptions(), model, form, history: nil) { _ in }
    // What is there is what there was, to others.
    #expect(try reader.count(for: FetchRequest<ManagedObject>(entityName: "T")) == 1)
    #expect(try stores.schemas() == 1)
    try late.insert(entityNamed: "T").setValue("late", forKey: "a")
    #expect(code { try late.save() } == .storeTimeout)
    let former = try #require(try exchange.commit(keepsFormer: true))
    exchange.end()
    #expect(code { try late.save() } == .storeReplaced)
    try writer.insert(entityNamed: "T").setValue("mine", forKey: "a")
    #expect(code { try writer.save() } == .storeReplaced)
    #expect(code { try reader.fetch(FetchRequest<ManagedObject>(entityName: "T")) } == .storeReplaced)
    #expect(try lines(open(model)).isEmpty)
    // The old store opens where it is kept.
    let kept = try PersistentStoreCoordinator.open(storeAt: former)
    #expect(try lines(ManagedObjectContext(coordinator: kept)).contains { $0.contains("b3") })
    kept.close()
    try PostgreSQLRemoval.remove(former)
  }

  @Test(
    "STO-425: a migration that ends early leaves nothing, and nobody waits for it", arguments: [false, true])
  func ended(isFilled: Bool) throws {
    try fill().coordinator.close()
    let before = try stores.catalog()
    do {
      let exchange = try PostgreSQLStoreDriver().beginExchange(
        stores.address(), isLocking: true, timeout: .seconds(10))
      if isFilled {
        let form = NewStoreForm()
        try exchange.fill(StoreOptions(), Self.second(), form, history: nil) { _ in }
      }
      exchange.end()
    }
    #expect(try stores.catalog() == before && stores.schemas() == 1)
    let context = try open(Self.first())
    try context.insert(entityNamed: "T").setValue("next", forKey: "a")
    try context.save()
  }

  @Test("STO-425: a rehearsal does everything, and changes nothing; a store of a new version needs no step")
  func rehearsal() throws {
    try fill().coordinator.close()
    let before = try stores.catalog()
    var options = MigrationOptions()
    options.isRehearsal = true
    let plan = try plan(to: Self.second())
    #expect(plan.objectCount == 2 && plan.estimatedSize > 0)
    let rehearsed = try StoreMigration(plan, options: options).run()
    #expect(rehearsed.objectCounts == ["U": 1, "A": 0] && rehearsed.backup == nil)
    #expect(try stores.catalog() == before && stores.schemas() == 1)
    let result = try StoreMigration(plan, options: MigrationOptions()).run()
    #expect(result.objectCounts == rehearsed.objectCounts && result.path == plan.path)
    // Something was left behind, so that the old store is kept.
    let backup = try #require(result.backup)
    #expect(backup.contains("_backup"))
    #expect(try self.plan(to: Self.second()).steps.isEmpty)
    // Another process has been faster.
    #expect(try StoreMigration(plan).run().stepCount == 0)
    try PostgreSQLRemoval.remove(backup)
  }

  @Test("STO-425, MIG-021, MIG-023: a store is migrated as it is added, where the options say so")
  func automatic() throws {
    try fill().coordinator.close()
    #expect(code { try stores.coordinator(Self.second()) } == .incompatibleModel)
    var options = TestStores.options
    options.migratesAutomatically = true
    options.infersMapping = true
    options.keepsMigrationBackup = false
    let context = ManagedObjectContext(coordinator: try stores.coordinator(Self.second(), options: options))
    #expect(try lines(context).contains { $0.contains("b3") })
    context.coordinator.close()
    let container = PersistentContainer(
      name: "Versions", model: try Self.version("T", [AttributeDefinition("z", .string)]))
    let url = try #require(URL(string: stores.address()))
    var description = PersistentStoreDescription(url: url)
    description.type = .postgreSQL
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let background = container.newBackgroundContext()
    let found = try background.performAndWait { try lines(background) }
    #expect(found == [#"T/p1 owner=nil things={} z="b3""#])
    container.persistentStoreCoordinator.close()
    for name in try stores.backups() { try PostgreSQLRemoval.remove(name) }
  }

  @Test(
    "STO-428: roles keep their privileges on tables and views of the old names", arguments: [false, true])
  func privileges(isInPlace: Bool) throws {
    try fill().coordinator.close()
    try stores.run("GRANT SELECT, UPDATE ON gone TO PUBLIC")
    try stores.run("GRANT SELECT ON gone_view TO PUBLIC")
    try stores.run("GRANT INSERT (a) ON t TO PUBLIC")
    let model = try Self.version(
      "T", [AttributeDefinition("a", .string)],
      others: [
        EntityDefinition(
          "Gone", attributes: [AttributeDefinition("x", .string), AttributeDefinition("y", .int32)])
      ])
    var options = MigrationOptions()
    options.keepsBackup = false
    options.usesStoreSpecificMigrationManager = isInPlace
    _ = try StoreMigration(plan(to: model), options: options).run()
    let rows = try stores.run(
      "SELECT relname || ' ' || string_agg(privilege_type, ' ' ORDER BY privilege_type) "
        + "FROM pg_class, aclexplode(relacl) WHERE grantee = 0 "
        + "AND relnamespace = current_schema()::regnamespace "
        + "GROUP BY relname ORDER BY relname")
    var found: [String] = []
    while try rows.step() { found.append(rows.string(at: 0)) }
    #expect(found == ["gone SELECT UPDATE", "gone_view SELECT"])
    let columns = try stores.run("SELECT has_column_privilege('public', 't', 'a', 'INSERT')")
    #expect(try columns.step() && columns.int64(at: 0) != 0)
  }

  // MARK: The command

  @Test("STO-425, STO-427: the command plans, rehearses and applies a migration at an address")
  func command() throws {
    let tool = try ServerTool()
    try tool.makeCompany()
    try #require(try tool.run("backup", "before.db", "--store", tool.address).code == 0)
    try tool.editModel(to: "next.json")
    let store = ["--store", tool.address, "--to", "next.json"]
    let status = try tool.run(["migrate", "status"] + store + ["--exit-code"])
    #expect(status.code == 2 && status.output.contains("inferred"), "\(status)")
    let plan = try tool.run(["migrate", "plan"] + store)
    #expect(plan.code == 0 && plan.output.contains("Employee.nickname"), "\(plan)")
    #expect(plan.output.contains("others wait to write"), "\(plan)")
    let elsewhere = try tool.run(["migrate", "apply"] + store + ["--output", "x.db"])
    #expect(elsewhere.code == 64 && elsewhere.errors.contains("backup"), "\(elsewhere)")
    let rehearsed = try tool.run(["migrate", "apply", "--dry-run"] + store)
    #expect(rehearsed.code == 0, "\(rehearsed)")
    #expect(try tool.run("diff", "before.db", tool.address, "--exit-code").code == 0)
    let applied = try tool.run(["migrate", "apply"] + store)
    #expect(applied.code == 0 && applied.errors.contains("_backup"), "\(applied)")
    let fetched = try tool.run(
      "count", "Employee", "--where", "nickname == nil", "--store", tool.address)
    #expect(fetched.output == "9\n", "\(fetched)")
    #expect(try tool.run("check", "--store", tool.address).code == 0)
    let former = tool.address.replacing(/schema=([a-z0-9_]+)/) { "schema=\($0.1)_backup" }
    #expect(try tool.run("diff", "before.db", former, "--exit-code").code == 0)
    try PostgreSQLRemoval.remove(former)
    // A file of the same content gets the same by the same migration.
    try #require(try tool.run("migrate", "apply", "--store", "before.db", "--to", "next.json").code == 0)
    let difference = try tool.run("diff", "before.db", tool.address, "--exit-code")
    #expect(difference.code == 0, "\(difference)")
  }
}
#endif
