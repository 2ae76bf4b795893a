import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// Ways that go over the versions between at once, and the choice between them and those version by version.
@Suite("Migration at once")
struct AtOnceTests {
  /// A version: an entity with attributes, each with its renaming identifier, and a hash of its own.
  private static func version(
    of entity: (name: String, former: String?) = ("T", nil), _ attributes: [(name: String, former: String?)],
    type: AttributeType = .string, unique: [[String]] = [], modifier: String
  ) -> ModelDefinition {
    .of(
      EntityDefinition(
        entity.name,
        attributes: attributes.map { AttributeDefinition($0.name, type, renamingIdentifier: $0.former) },
        uniquenessConstraints: unique, renamingIdentifier: entity.former, versionHashModifier: modifier))
  }

  private static func store(_ model: ModelDefinition, _ values: [String: Any]...) throws -> MigratedStore {
    try MigratedStore(model) { context in
      for values in values { try context.add(model.entities[0].name, values) }
    }
  }

  private static func ways(_ steps: [MigrationStep]) -> [String] {
    steps.map { "\($0.source.label)-\($0.destination.label) \($0.kind.rawValue)" }
  }

  @Test("MIG-045, MIG-051: an attribute that a version between lacks keeps its values; both ways are shown")
  func keptOver() throws {
    let versions = [
      Self.version([("a", nil), ("b", nil)], modifier: "1"), Self.version([("b", nil)], modifier: "2"),
      Self.version([("a", nil), ("b", nil)], modifier: "3"),
    ]
    let folder = try VersionFolder(versions)
    let store = try Self.store(versions[0], ["a": "x", "b": "y"])
    let plan = try store.plan(to: folder.versions())
    #expect(Self.ways(plan.steps) == ["1-3 inferred"] && !plan.isLossy)
    let other = try #require(plan.alternative)
    #expect(other.isStepByStep && other.refusals.isEmpty)
    #expect(Self.ways(other.steps) == ["1-2 inferred", "2-3 inferred"])
    #expect(other.losses.map { "\($0.path) \($0.count ?? -1)" } == ["T.a 1"])
    var options = MigrationOptions()
    options.isRehearsal = true
    let rehearsed = try StoreMigration(plan, options: options).run()
    let result = try StoreMigration(plan).run()
    #expect(rehearsed.objectCounts == result.objectCounts && rehearsed.stepCount == result.stepCount)
    try store.expectWhole(versions[2])
    #expect(try store.contents(versions[2]) == [#"T/p1 a="x" b="y""#])
  }

  @Test(
    "MIG-045, MIG-065: renames over several versions count on the way that goes at once",
    arguments: [false, true])
  func renames(keepsFirstName: Bool) throws {
    let versions = [
      Self.version([("a", nil), ("b", nil)], modifier: "1"),
      Self.version(of: ("U", "T"), [("x", "a")], modifier: "2"),
      keepsFirstName
        ? Self.version(of: ("V", "T"), [("y", "a"), ("b", nil)], modifier: "3")
        : Self.version(of: ("V", "U"), [("y", "x"), ("b", nil)], modifier: "3"),
    ]
    let folder = try VersionFolder(versions)
    for isGeneral in [false, true] {
      let store = try Self.store(versions[0], ["a": "1", "b": "2"])
      let plan = try store.plan(to: folder.versions())
      #expect(Self.ways(plan.steps) == ["1-3 inferred"] && !plan.isLossy)
      var options = MigrationOptions()
      options.usesStoreSpecificMigrationManager = !isGeneral
      _ = try StoreMigration(plan, options: options).run()
      try store.expectWhole(versions[2])
      #expect(try store.contents(versions[2]) == [#"V/p1 b="2" y="1""#], "object by object: \(isGeneral)")
    }
  }

  @Test(
    "MIG-045, MIG-067: what two properties claim on the way is refused at once as it is version by version")
  func claimedOnTheWay() throws {
    let versions = [
      Self.version([("a", nil), ("b", nil)], modifier: "1"), Self.version([("x", "a")], modifier: "2"),
      Self.version([("a", nil), ("b", nil), ("x", "x")], modifier: "3"),
    ]
    let folder = try VersionFolder(versions)
    let store = try Self.store(versions[0], ["a": "1", "b": "2"])
    let error = try expectFailure(.mappingMissing) { _ = try store.plan(to: folder.versions()) }
    #expect(error.details.contains { $0.contains("x") }, "\(error.details)")
  }

  @Test("MIG-045, MIG-049: a step between that cannot be inferred does not stand in the way")
  func overRefusal() throws {
    let versions = [
      Self.version([("n", nil)], type: .int64, modifier: "1"),
      Self.version([("n", nil)], type: .string, modifier: "2"),
      Self.version([("n", nil)], type: .int32, modifier: "3"),
    ]
    let folder = try VersionFolder(versions)
    let store = try Self.store(versions[0], ["n": 7])
    _ = try expectFailure(.mappingMissing) {
      _ = try MigrationPlan(fromStoreAt: store.path, to: folder.versions(), isStepByStep: true)
    }
    let plan = try store.plan(to: folder.versions())
    #expect(Self.ways(plan.steps) == ["1-3 inferred"])
    #expect(plan.alternative?.refusals.map(\.code) == [.notInferable, .notInferable])
    #expect(plan.alternative?.isStepByStep == true && plan.alternative?.steps.isEmpty == true)
    _ = try StoreMigration(plan).run()
    #expect(try store.contents(versions[2]) == ["T/p1 n=7"])
  }

  @Test(
    "MIG-045: where both ways leave as much behind the one version by version is taken, and no other is shown"
  )
  func alike() throws {
    let versions = [
      Self.version([("a", nil), ("b", nil)], modifier: "1"), Self.version([("b", nil)], modifier: "2"),
      Self.version([("b", nil), ("c", nil)], modifier: "3"),
    ]
    let folder = try VersionFolder(versions)
    let store = try Self.store(versions[0], ["a": "x", "b": "y"])
    let plan = try store.plan(to: folder.versions())
    #expect(Self.ways(plan.steps) == ["1-2 inferred", "2-3 inferred"])
    #expect(plan.losses.map(\.path) == ["T.a"] && plan.alternative == nil)
  }

  @Test("MIG-045: what comes and goes on the way is no loss of the store's")
  func onTheWay() throws {
    let versions = [
      Self.version([("a", nil)], modifier: "1"), Self.version([("a", nil), ("b", nil)], modifier: "2"),
      Self.version([("a", nil)], modifier: "3"),
    ]
    let folder = try VersionFolder(versions)
    let store = try Self.store(versions[0], ["a": "x"])
    let plan = try store.plan(to: folder.versions())
    #expect(Self.ways(plan.steps) == ["1-2 inferred", "2-3 inferred"] && plan.alternative == nil)
  }

  @Test(
    "MIG-045, MIG-121: values that a version between would have left behind may not break a rule of the last one"
  )
  func brokenRule() throws {
    let versions = [
      Self.version([("a", nil), ("b", nil)], modifier: "1"), Self.version([("b", nil)], modifier: "2"),
      Self.version([("a", nil), ("b", nil)], unique: [["a"]], modifier: "3"),
    ]
    let folder = try VersionFolder(versions)
    let store = try Self.store(versions[0], ["a": "x"], ["a": "x"])
    let plan = try store.plan(to: folder.versions())
    #expect(Self.ways(plan.steps) == ["1-2 inferred", "2-3 inferred"])
    #expect(plan.alternative?.isStepByStep == false)
    #expect(plan.alternative?.refusals.map(\.code) == [.migrationConstraint])
    _ = try StoreMigration(plan).run()
    #expect(try store.contents(versions[2]) == ["T/p1 a=nil b=nil", "T/p2 a=nil b=nil"])
  }

  @Test(
    "MIG-043, MIG-045, MIG-046: written mappings stay on the way; what is inferred before and behind goes at once"
  )
  func aroundWritten() throws {
    // The second and the sixth version lack an attribute that the next has again.
    let lacking = [2: "a", 6: "b"]
    let versions = (1...7).map { number in
      let names = ["a", "b"].filter { $0 != lacking[number] }
      return Self.version(names.map { ($0, nil) }, modifier: "\(number)")
    }
    let folder = try VersionFolder(versions)
    let mapping = try MappingFile(
      contentsOf: folder.folder.write(
        #"{"source": "3", "destination": "4", "entityMappings": [{"source": "T", "destination": "T"}]}"#,
        to: "3-4.json"))
    let store = try Self.store(versions[0], ["a": "x", "b": "y"])
    let plan = try MigrationPlan(fromStoreAt: store.path, to: folder.versions(), mappings: [mapping])
    #expect(Self.ways(plan.steps) == ["1-3 inferred", "3-4 written", "4-7 inferred"])
    #expect(plan.alternative?.steps.count == 6 && plan.alternative?.losses.count == 2)
    _ = try StoreMigration(plan).run()
    #expect(try store.contents(versions[6]) == [#"T/p1 a="x" b="y""#])
  }
}
