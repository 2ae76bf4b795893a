import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// What the log of migrations tells.
@Suite("Log of migrations")
struct MigrationLogTests {
  private static let head = "GraphStore: annotation: (migration) "
  private static let versions = [AttributeType.int16, .int32, .int64].map { type in
    ModelDefinition.of(
      EntityDefinition("T", attributes: [AttributeDefinition("n", type)]), EntityDefinition("U"))
  }

  private static func store(_ numbers: [Int] = [1, 2]) throws -> MigratedStore {
    try MigratedStore(versions[0]) { for n in numbers { try $0.add("T", ["n": n]) } }
  }

  @Test(
    "DGN-100, DGN-004: level 1 tells what is attempted, versions, plan, steps, checks, replacement, backup, time"
  )
  func steps() throws {
    let store = try Self.store()
    let folder = try VersionFolder(Self.versions)
    let path = ResolvedPath.of(store.path)
    let lines = try DiagnosticsTurn.migrationLines(level: 1) {
      var options = MigrationOptions()
      options.keepsBackup = true
      _ = try StoreMigration(
        MigrationPlan(fromStoreAt: store.path, to: folder.versions(), isStepByStep: true), options: options
      ).run()
    }
    #expect(
      lines
        == [
          "migrating \(store.path) from 1 to 3, 2 steps",
          "\(store.path) has version 1; what differs in 3: T",
          "plan: 1 to 2 (inferred), 2 to 3 (inferred)",
          "step 1 of 2: 1 to 2, inferred, 2 objects, T", "checked the store of version 2",
          "step 2 of 2: 2 to 3, inferred, 2 objects, T", "checked the store of version 3",
          "\(path) was replaced; the old store is kept as \(path).1.backup", "total: T",
        ].map { Self.head + $0 })
  }

  @Test("DGN-100: a migration that goes by itself when a store is opened is logged as any other")
  func automatic() throws {
    let store = try Self.store()
    var options = StoreOptions()
    options.migratesAutomatically = true
    options.infersMapping = true
    let lines = try DiagnosticsTurn.migrationLines(level: 1) {
      try store.open(Self.versions[1], options) { _ in }
    }
    #expect(lines.first?.hasPrefix(Self.head + "migrating \(store.path) from ") == true, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("was replaced; the old store is not kept") }, "\(lines)")
    #expect(lines.last == Self.head + "total: T")
    #expect(
      try DiagnosticsTurn.migrationLines(level: 1) { try store.open(Self.versions[1], options) { _ in } }
        == [])
  }

  @Test("DGN-101, MIG-303: level 2 adds the mappings, level 3 statements; results are the same")
  func levels() throws {
    let logs = try (0...3).map { level in
      let store = try Self.store()
      let lines = try DiagnosticsTurn.migrationLines(level: level) { try store.migrate(to: Self.versions[1]) }
      #expect(try store.contents(Self.versions[1]).count == 2)
      return lines.map { $0.replacing(store.path, with: "S") }
    }
    #expect(logs[0] == [])
    #expect(
      !logs[1].contains { $0.contains("$source.n") }
        && logs[2].contains { $0.contains("n: $source.n, inferred") })
    #expect(
      !logs[2].contains { $0.contains("INSERT INTO") } && logs[3].contains { $0.contains("INSERT INTO") })
    for (lower, higher) in zip(logs, logs.dropFirst()) {
      #expect(Set(lower).isSubset(of: higher), "\(lower)")
    }
  }

  @Test("DGN-102: each reason why no mapping can be inferred is a line, with entity and property")
  func refused() throws {
    let store = try Self.store()
    var new = Self.versions[0]
    new.entities[0].attributes[0].type = .binary
    new.entities[1].attributes.append(AttributeDefinition("needed", .string, isOptional: false))
    let lines = try DiagnosticsTurn.migrationLines(level: 1) {
      _ = try expectFailure(.mappingMissing) { _ = try store.plan(to: new) }
    }
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix(Self.head + "refused: ") }, "\(lines)")
    #expect(lines.contains { $0.contains("T.n") } && lines.contains { $0.contains("U.needed") }, "\(lines)")
    #expect(DiagnosticsTurn.migrationLines(level: 0) { _ = try? store.plan(to: new) } == [])
  }

  /// Fails at the object whose number is 2.
  private final class FailingPolicy: EntityMigrationPolicy {
    struct Failure: Error {}

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
    ) throws {
      if try source.value(forKey: "n") as? Int16 == 2 { throw Failure() }
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
  }

  @Test(
    "DGN-103, DGN-101: a step that fails tells its object, mapping and policy; level 3 what the policy made")
  func failing() throws {
    EntityMigrationPolicy.register(FailingPolicy.self, named: "FailingAtTwo")
    let lines = try DiagnosticsTurn.migrationLines(level: 3) {
      let migration = try ObjectMigration(from: Self.versions[0], to: Self.versions[1]) { context in
        for n in [1, 2, 3] { try context.insert("T", ["n": n]) }
      }
      let error = try migration.failure([EntityMapping(from: "T", to: "T", policyName: "FailingAtTwo")])
      #expect(error?.code == .migrationPolicy)
    }
    let last = try #require(lines.last)
    #expect(
      last.hasPrefix(Self.head + "failed at T/p2, mapping ") && last.hasSuffix("policy FailingPolicy"),
      "\(last)")
    #expect(lines.contains { $0.contains("FailingPolicy made") && $0.contains("T/p1") }, "\(lines)")
  }
}
