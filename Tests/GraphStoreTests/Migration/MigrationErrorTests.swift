import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// What errors of migrations tell.
struct MigrationErrorTests {
  @Test("MIG-341, DGN-205 to DGN-214: the errors of migrations have the numbers that are known")
  func numbers() {
    let numbers: [(GraphStoreError.Code, Int)] = [
      (.notAStore, 134_020), (.storeTimeout, 134_090), (.incompatibleModel, 134_100),
      (.migrationFailed, 134_110), (.migrationConstraint, 134_111), (.migrationCancelled, 134_120),
      (.sourceModelMissing, 134_130), (.mappingMissing, 134_140), (.migrationSource, 134_150),
      (.migrationDestination, 134_160), (.migrationPolicy, 134_170), (.notInferable, 134_190),
      (.modelReference, 134_504), (.migrationVersion, 134_505), (.migrationBackward, 134_506),
    ]
    for (code, number) in numbers { #expect(GraphStoreError(code, "", remedy: "").number == number) }
  }

  private static func version(_ attributes: [AttributeDefinition], unique: [[String]] = []) -> ModelDefinition
  {
    .of(EntityDefinition("T", attributes: attributes, uniquenessConstraints: unique))
  }

  @Test(
    "MIG-229, MIG-342, MIG-050: what fails in a later step names its versions, and the store is as it was",
    arguments: [true, false])
  func laterStep(isSetBased: Bool) throws {
    let folder = try VersionFolder([
      Self.version([AttributeDefinition("n", .int64)]),
      Self.version([AttributeDefinition("n", .int64), AttributeDefinition("a", .string)]),
      Self.version([AttributeDefinition("n", .int16), AttributeDefinition("a", .string)]),
    ])
    let versions = try folder.versions()
    let first = Self.version([AttributeDefinition("n", .int64)])
    let store = try MigratedStore(first) { for n in [1, 70_000] { try $0.add("T", ["n": n]) } }
    let before = try store.state()
    let plan = try store.plan(to: versions)
    var options = MigrationOptions()
    options.usesStoreSpecificMigrationManager = isSetBased
    let error = try expectFailure(.migrationConstraint) {
      _ = try StoreMigration(plan, options: options).run()
    }
    #expect(error.details.contains { $0.contains("version 2 to 3") }, "\(error.details)")
    #expect(error.errors.contains { $0.property == "n" } || error.property == "n")
    #expect(try store.state() == before)
  }

  @Test("DGN-206: data that break a uniqueness constraint are told with constraint, values and objects")
  func constraint() throws {
    let store = try MigratedStore(Self.version([AttributeDefinition("a", .string)])) { context in
      for value in ["twice", "once", "twice"] { try context.add("T", ["a": value]) }
    }
    let new = Self.version([AttributeDefinition("a", .string)], unique: [["a"]])
    let error = try expectFailure(.migrationConstraint) { try store.migrate(to: new) }
    let text = ([error.message] + error.details + error.errors.flatMap { [$0.message] + $0.details })
      .joined(separator: "\n")
    for part in ["T", "a", "twice", "T/p1", "T/p3"] { #expect(text.contains(part), "\(part): \(text)") }
    #expect(!text.contains("T/p2"))
  }

  @Test("DGN-209, DGN-212: a missing mapping has the reasons underneath, each with entity and property")
  func notInferable() throws {
    let store = try MigratedStore(
      Self.version([AttributeDefinition("a", .string), AttributeDefinition("b", .string)]))
    let new = Self.version([
      AttributeDefinition("a", .date), AttributeDefinition("b", .string),
      AttributeDefinition("c", .string, isOptional: false),
    ])
    let error = try expectFailure(.mappingMissing) { _ = try store.plan(to: new) }
    #expect(error.errors.map(\.code) == [.notInferable])
    #expect(error.details.count == 2)
    #expect(error.details.contains { $0.contains("T.a") } && error.details.contains { $0.contains("T.c") })
  }

  @Test("DGN-208: a store that no version fits is told the versions and how the nearest differs")
  func nearestVersion() throws {
    func model(_ names: [String], _ others: [String]) -> ModelDefinition {
      .of(
        EntityDefinition("T", attributes: names.map { AttributeDefinition($0, .string) }),
        EntityDefinition("U", attributes: others.map { AttributeDefinition($0, .string) }))
    }
    let folder = try VersionFolder([model(["a"], ["a"]), model(["a", "b"], ["b"])])
    let store = try MigratedStore(model(["a", "c"], ["b"]))
    try store.setCarriedModel(nil)
    let error = try expectFailure(.sourceModelMissing) { _ = try store.plan(to: folder.versions()) }
    #expect(
      error.details.contains("nearest is version 2, which differs in T"), "\(error.details)")
  }
}
