import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Finding of a store's version, and of the chain to another one.
struct PlanningTests {
  /// A version: `T` with attributes `a0` to `aN`.
  private static func version(_ count: Int, _ change: (inout EntityDefinition) -> Void = { _ in })
    -> ModelDefinition
  {
    var entity = EntityDefinition(
      "T", attributes: (0...count).map { AttributeDefinition("a\($0)", .string) })
    change(&entity)
    return .of(entity)
  }

  private static let versions = (0..<4).map { version($0) }

  private static func store(_ number: Int) throws -> MigratedStore {
    try MigratedStore(versions[number - 1]) { try $0.add("T", ["a0": "x"]) }
  }

  private static func steps(_ plan: MigrationPlan) -> [String] {
    plan.steps.map { "\($0.source.label)-\($0.destination.label) \($0.kind.rawValue)" }
  }

  // MARK: Versions

  @Test(
    "MIG-002, MIG-003, MIG-004, MIG-005: the version is found by hashes, and nothing is written or kept out")
  func found() throws {
    let folder = try VersionFolder(Self.versions)
    let store = try Self.store(2)
    let before = try store.folder.state()
    #expect(try folder.versions().version(ofStoreAt: store.path)?.name == "2")
    #expect(ModelVersion(storeAt: store.path, in: try folder.versions())?.label == "2")
    #expect(try store.folder.state() == before)
    // With the store open elsewhere, in the middle of a write.
    let other = try SQLiteConnection(path: store.path, mode: .readWrite)
    defer { other.close() }
    try other.begin(.immediate)
    #expect(try folder.versions().version(ofStoreAt: store.path)?.name == "2")
    #expect(try Self.steps(store.plan(to: folder.versions())) == ["2-3 inferred", "3-4 inferred"])
    try other.rollback()
  }

  @Test("MIG-002: of versions with equal hashes the newest is the answer, and no step leads between them")
  func newestOfEqual() throws {
    let alike = Self.version(1) { $0.userInfo["note"] = .string("x") }
    let folder = try VersionFolder([Self.versions[0], Self.versions[1], alike, Self.versions[2]])
    let store = try Self.store(2)
    #expect(try folder.versions().version(ofStoreAt: store.path)?.name == "3")
    #expect(try Self.steps(store.plan(to: folder.versions())) == ["3-4 inferred"])
    #expect(try Self.steps(store.plan(to: folder.versions(), version: "2")) == [])
    let older = try Self.store(1)
    let plan = try older.plan(to: folder.versions())
    #expect(plan.steps.count == 2)
    _ = try StoreMigration(plan).run()
    #expect(try older.contents(Self.versions[2]) == [#"T/p1 a0="x" a1=nil a2=nil"#])
  }

  @Test("MIG-003: a store that no version fits has none; one that cannot be read throws the cause")
  func notFound() throws {
    let folder = try VersionFolder(Self.versions)
    let store = try MigratedStore(Self.version(0) { $0.name = "Other" })
    #expect(try folder.versions().version(ofStoreAt: store.path) == nil)
    #expect(ModelVersion(storeAt: store.path, in: try folder.versions()) == nil)
    let text = try store.folder.write("no store at all, but long enough to be looked at", to: "text")
    for (path, code) in [(text, GraphStoreError.Code.notAStore), (store.folder.file("none"), .storeNotFound)]
    {
      let error = try expectFailure(code) { _ = try folder.versions().version(ofStoreAt: path) }
      #expect(error.message.contains(path))
      #expect(ModelVersion(storeAt: path, in: try folder.versions()) == nil)
      _ = try expectFailure(code) {
        _ = try MigrationPlan(fromStoreAt: path, to: folder.versions())
      }
    }
  }

  @Test("MIG-006, MIG-111: the configuration of the store decides, and refusals elsewhere do not concern it")
  func configuration() throws {
    func model(_ count: Int, bad: AttributeType) -> ModelDefinition {
      var model = Self.version(count)
      model.entities.append(EntityDefinition("B", attributes: [AttributeDefinition("x", bad)]))
      model.configurations = [
        ConfigurationDefinition("Left", entities: ["T"]), ConfigurationDefinition("Right", entities: ["B"]),
      ]
      return model
    }
    let (old, new) = (model(0, bad: .string), model(1, bad: .int64))
    let folder = try VersionFolder([old, new])
    let left = try MigratedStore(old, options: StoreOptions(configuration: "Left")) {
      try $0.add("T", ["a0": "x"])
    }
    #expect(try folder.versions().version(ofStoreAt: left.path)?.name == "1")
    let plan = try left.plan(to: folder.versions())
    #expect(Self.steps(plan) == ["1-2 inferred"] && !plan.isLossy)
    _ = try StoreMigration(plan).run()
    let lines = try left.open(new, StoreOptions(configuration: "Left")) { context in
      try context.all("T").map { try $0.string("a0") }
    }
    #expect(lines == ["x"])
    let right = try MigratedStore(old, options: StoreOptions(configuration: "Right"))
    _ = try expectFailure(.mappingMissing) { _ = try right.plan(to: folder.versions()) }
  }

  @Test(
    "MIG-007, MIG-047, MIG-042: a store of no known version goes by the model it carries, in one step to the target"
  )
  func carried() throws {
    let folder = try VersionFolder([Self.versions[0], Self.versions[2]])
    let store = try Self.store(2)
    let plan = try store.plan(to: folder.versions())
    #expect(plan.steps.count == 1 && plan.steps[0].destination.name == "2" && plan.source.name == nil)
    _ = try StoreMigration(plan).run()
    try store.expectWhole(Self.versions[2])
    #expect(try store.contents(Self.versions[2]) == [#"T/p1 a0="x" a1=nil a2=nil"#])
  }

  @Test("MIG-008: without a carried model and a version that fits 134130 lists the hashes of both sides")
  func sourceMissing() throws {
    let folder = try VersionFolder([Self.versions[0], Self.versions[2]])
    let store = try Self.store(2)
    for text in ["{\"entities\": ", nil] {
      try store.setCarriedModel(text)
      let error = try expectFailure(.sourceModelMissing) { _ = try store.plan(to: folder.versions()) }
      #expect(error.number == 134_130)
      #expect(error.details.count { $0.hasPrefix("the store:") } == 1)
      #expect(error.details.count { $0.hasPrefix("version ") } == 2)
      let whole = try VersionFolder(Self.versions)
      #expect(try store.plan(to: whole.versions()).steps.count == 2)
    }
  }

  // MARK: Chains

  @Test(
    "MIG-001, MIG-043, MIG-045, MIG-221, MIG-053: a chain goes over every version, and the result is that of single steps"
  )
  func chain() throws {
    let folder = try VersionFolder(Self.versions)
    let store = try Self.store(1)
    let plan = try store.plan(to: folder.versions())
    #expect(Self.steps(plan) == ["1-2 inferred", "2-3 inferred", "3-4 inferred"])
    #expect(
      try Self.steps(store.plan(to: folder.versions(), version: "3")) == ["1-2 inferred", "2-3 inferred"])
    let result = try StoreMigration(plan).run()
    #expect(result.stepCount == 3 && result.objectCounts == ["T": 1] && result.backup == nil)
    try store.expectWhole(Self.versions[3])
    #expect(try store.contents(Self.versions[3]) == [#"T/p1 a0="x" a1=nil a2=nil a3=nil"#])
  }

  @Test(
    "MIG-041, MIG-351: a chain of a hundred versions is planned without a mapping, each version read a few times"
  )
  func hundred() throws {
    let folder = try VersionFolder((0..<100).map { Self.version($0) })
    let store = try Self.store(1)
    let before = try store.state()
    let watch = try OpeningWatch(folder.path)
    let plan = try store.plan(to: folder.versions())
    #expect(watch.count() <= 310)
    #expect(plan.steps.count == 99 && plan.steps.allSatisfy { $0.kind == .inferred } && !plan.isLossy)
    #expect(try store.state() == before)
  }

  @Test(
    "MIG-044: of several chains the shortest is taken, then that with more written steps, then the first in order"
  )
  func choice() throws {
    let count = 12
    let folder = try VersionFolder((0..<count).map { Self.version($0) })
    let store = try Self.store(1)
    func write(_ source: Int, _ destination: Int) throws -> MappingFile {
      let text = "{\"source\": \"\(source)\", \"destination\": \"\(destination)\", \"entityMappings\": []}"
      return try MappingFile(contentsOf: folder.folder.write(text, to: "\(source)-\(destination).json"))
    }
    func steps(_ mappings: [MappingFile]) throws -> [String] {
      try Self.steps(
        MigrationPlan(fromStoreAt: store.path, to: folder.versions(), mappings: mappings))
    }
    let pairs = try (1..<count - 1).map { try write($0, $0 + 2) }
    #expect(
      try steps(pairs) == [
        "1-2 inferred", "2-4 written", "4-6 written", "6-8 written", "8-10 written", "10-12 written",
      ])
    let all = try pairs + [write(11, 12)]
    #expect(try steps(all).last == "11-12 written" && steps(all).first == "1-3 written")
    #expect(try steps(all + [write(1, 12)]) == ["1-12 written"])
    #expect(try steps([write(4, 9)]).count == 7)
    // A mapping backwards is no way forward.
    #expect(try steps([write(12, 1)]).count == 11)
  }

  @Test("MIG-009, MIG-048: a store of a later version is not taken back")
  func backward() throws {
    let folder = try VersionFolder(Self.versions, current: 2)
    let store = try Self.store(3)
    let before = try store.state()
    let error = try expectFailure(.migrationBackward) { _ = try store.plan(to: folder.versions()) }
    #expect(error.number == 134_506 && error.message.contains("3") && error.message.contains("2"))
    _ = try expectFailure(.migrationBackward) {
      _ = try MigrationPlan(fromStoreAt: store.path, to: folder.versions(), allowsBackward: true)
    }
    #expect(try store.state() == before)
  }

  @Test(
    "MIG-049, MIG-050, MIG-228, MIG-342: a gap in the middle is refused as a whole, with the versions and the reasons"
  )
  func gap() throws {
    let bad = Self.version(2) { $0.attributes[0].type = .int64 }
    let folder = try VersionFolder([
      Self.versions[0], Self.versions[1], bad, Self.version(3) { $0.attributes[0].type = .int64 },
    ])
    let store = try Self.store(1)
    let before = try store.state()
    let error = try expectFailure(.mappingMissing) { _ = try store.plan(to: folder.versions()) }
    #expect(error.number == 134_140)
    #expect(error.errors.map(\.code) == [.notInferable])
    #expect(error.errors[0].message.contains("from 2 to 3"))
    #expect(error.details.contains { $0.contains("T.a0") })
    #expect(try store.state() == before)
  }

  @Test("MIG-024, MIG-049: without inference there is no way")
  func withoutInference() throws {
    let folder = try VersionFolder(Self.versions)
    let store = try Self.store(1)
    _ = try expectFailure(.mappingMissing) {
      _ = try MigrationPlan(fromStoreAt: store.path, to: folder.versions(), allowsInference: false)
    }
  }

  @Test(
    "MIG-010, MIG-011, MIG-274: at the target nothing is touched; at another place a copy is made as it is")
  func current() throws {
    let store = try Self.store(1)
    let before = try store.state()
    let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
    let plan = try store.plan(to: Self.versions[0])
    #expect(plan.steps.isEmpty && !plan.isLossy && plan.source.label == plan.target.label)
    var options = MigrationOptions()
    options.keepsBackup = true
    let result = try StoreMigration(plan, options: options).run()
    #expect(result.stepCount == 0 && result.backup == nil && result.path == store.path)
    #expect(try store.state() == before)
    let now = try FileManager.default.attributesOfItem(atPath: store.path)
    #expect(now[.modificationDate] as? Date == attributes[.modificationDate] as? Date)
    #expect(now[.systemFileNumber] as? Int == attributes[.systemFileNumber] as? Int)
    options.output = store.folder.file("copy.sqlite")
    _ = try StoreMigration(plan, options: options).run()
    #expect(try store.contents(Self.versions[0], at: options.output) == [#"T/p1 a0="x""#])
    try store.expectWhole(Self.versions[0], at: options.output)
    let identifiers = try [store.path, options.output!].map { try StoredVersion(at: $0).identifier }
    #expect(identifiers[0] != identifiers[1])
  }

  @Test(
    "MIG-051: each step tells what it loses, with the numbers of the store, traced through renames before it")
  func losses() throws {
    let one = ModelDefinition.of(
      EntityDefinition(
        "A", attributes: [AttributeDefinition("x", .string), AttributeDefinition("y", .string)],
        relationships: [RelationshipDefinition("list", to: "B", isToMany: true, isOrdered: true)]),
      EntityDefinition("B"))
    let two = ModelDefinition.of(
      EntityDefinition(
        "C",
        attributes: [
          AttributeDefinition("x2", .string, renamingIdentifier: "x"), AttributeDefinition("y", .string),
        ], relationships: [RelationshipDefinition("list", to: "B", isToMany: true)],
        renamingIdentifier: "A"), EntityDefinition("B"))
    let three = ModelDefinition.of(
      EntityDefinition(
        "C", attributes: [AttributeDefinition("y", .string)],
        relationships: [RelationshipDefinition("list", to: "B", isToMany: true)]), EntityDefinition("B"))
    let four = ModelDefinition.of(EntityDefinition("B"))
    let folder = try VersionFolder([one, two, three, four])
    let store = try MigratedStore(one) { context in
      let members = try (0..<2).map { _ in try context.add("B") }
      try context.add("A", ["x": "1", "list": members])
      try context.add("A", ["x": "2"])
      try context.add("A")
    }
    let plan = try MigrationPlan(fromStoreAt: store.path, to: folder.versions(), isStepByStep: true)
    #expect(
      plan.losses.map { "\($0.version) \($0.path) \($0.count ?? -1)" } == [
        "1 A.list 1", "2 C.x2 2", "3 C 3",
      ])
    let result = try StoreMigration(plan).run()
    #expect(result.objectCounts == ["B": 2])
    #expect(result.backup.map { FileManager.default.fileExists(atPath: $0) } == true)
    #expect(try store.contents(four) == ["B/p1", "B/p2"])
  }

  @Test(
    "MIG-156, MIG-322: of objects that no filter takes the plan tells how many there are, and nothing where there are none",
    arguments: [
      (["TRUEPREDICATE"], 0), (["a0 == 'a'", "a0 != 'a'"], 1), (["a0 == 'a'", "a0 != 'a' OR a0 == nil"], 0),
      (["a0 == 'a'"], 3), (["a0 == 'z'"], 5),
      (["a0 == 'a'", "a0 == 'b'"], 1),
    ])
  func leftByFilters(_ filters: [String], _ count: Int) throws {
    let store = try MigratedStore(Self.versions[0]) { context in
      for value in ["a", "a", "b", "b", nil] { try context.add("T", value.map { ["a0": $0] } ?? [:]) }
    }
    let mappings = try filters.enumerated().map { number, text in
      EntityMapping("m\(number)", from: "T", to: "T", filter: try QueryPredicate(parsing: text))
    }
    let step = try MigrationStep(
      from: ModelVersion(ManagedObjectModel(Self.versions[0])),
      to: ModelVersion(ManagedObjectModel(Self.versions[1])),
      written: [MappingModel(entityMappings: mappings)])
    let plan = try MigrationPlan(fromStoreAt: store.path, steps: [step])
    #expect(plan.losses.map(\.count) == (count == 0 ? [] : [count]))
    _ = try StoreMigration(plan).run()
    #expect(try store.contents(Self.versions[1]).count == 5 - count)
  }

  @Test("MIG-041, MIG-272: a plan tells how many objects it handles, and how much room it needs")
  func consequences() throws {
    let folder = try VersionFolder(Self.versions)
    let store = try MigratedStore(Self.versions[0]) { context in
      for number in 0..<7 { try context.insert("T", ["a0": "\(number)"]) }
    }
    let size = try #require(try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int)
    let versions = try folder.versions()
    let plans = try ["1", "2", "3", "4"].map { try store.plan(to: versions, version: $0) }
    #expect(plans.map(\.objectCount) == [0, 7, 7, 7])
    #expect(plans.map(\.estimatedSize) == [0, size, 2 * size, 2 * size])
  }

  @Test("MIG-054, MIG-041: checking the data only counts, on the source")
  func checkedData() throws {
    let old = Self.version(0) { $0.attributes.append(AttributeDefinition("n", .int64)) }
    let new = Self.version(0) { $0.attributes.append(AttributeDefinition("n", .int16)) }
    let store = try MigratedStore(old) { context in
      try context.add("T", ["n": 40_000])
      try context.add("T", ["n": 4])
    }
    let before = try store.state()
    #expect(try store.plan(to: new).findings.isEmpty)
    let findings = try store.plan(to: new, checksData: true).findings
    #expect(findings.map(\.count) == [1] && findings[0].examples.map(\.value) == ["40000"])
    #expect(findings[0].examples[0].uri.hasSuffix("/T/p1") && !findings[0].remedy.isEmpty)
    #expect(try store.state() == before)
  }
}
