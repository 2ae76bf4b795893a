import CGraphStoreTestSupport
import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

extension SaveFaultTests {
  /// Migrations during which the file system fails.
  @Suite("Migrations over a file system that fails", .serialized)
  struct Migrations {
    private static let versions = (0..<4).map { count in
      ModelDefinition.of(
        EntityDefinition(
          "T",
          attributes: (0...count).map { AttributeDefinition("a\($0)", .string) } + [
            AttributeDefinition("image", .binary, externalStorage: true)
          ],
          relationships: [RelationshipDefinition("next", to: "T", isToMany: true, isOrdered: true)],
          indexes: [IndexDefinition("by", elements: [.init("a0")])]))
    }

    private func fill(_ context: ManagedObjectContext) throws {
      let first = try context.add("T", ["a0": "x", "image": Data(repeating: 7, count: 150_000)])
      let second = try context.add("T", ["a0": String(repeating: "y", count: 9_000), "next": [first]])
      try first.setValue([second, first], forKey: "next")
    }

    @Test(
      "MIG-261, MIG-266, MIG-270, MIG-272, MIG-210: whichever call fails in a chain of three steps, the old or the new store is there, whole, and a second run finishes",
      arguments: Fault.allCases, TestSeed.sequence(1, from: 10_270))
    func everyCall(_ fault: Fault, seed: TestSeed) throws {
      let folder = try VersionFolder(Self.versions)
      let versions = try folder.versions()
      let calls = try run(failing: nil, fault, versions, seed)
      try #require(calls > 20)
      // A few of the calls in every run; GS_ROUNDS asks for more.
      var generator = seed.generator
      let first = Int.random(in: 1...max(1, calls / 4), using: &generator)
      let last = (calls - 1)...calls
      for call in Array(stride(from: first, through: calls, by: max(1, calls / 4))) + last {
        _ = try run(failing: call, fault, versions, seed)
      }
    }

    @Test(
      "MIG-265, MIG-266, MIG-210: a step object by object, whose log is folded in at its end, fails where that does",
      arguments: Fault.allCases, TestSeed.sequence(1, from: 10_265))
    func folding(_ fault: Fault, seed: TestSeed) throws {
      let folder = try VersionFolder(Self.versions)
      let versions = try folder.versions()
      let calls = try run(failing: nil, fault, byObjects: true, versions, seed)
      try #require(calls > 20)
      // The last calls of each step fold its log in.
      var generator = seed.generator
      let some = (0..<4).map { _ in Int.random(in: 1...calls, using: &generator) }
      for call in some + Array((calls - 14)...calls) {
        _ = try run(failing: call, fault, byObjects: true, versions, seed)
      }
    }

    /// - Returns: How many calls were made.
    private func run(
      failing call: Int?, _ fault: Fault, byObjects: Bool = false, _ versions: ModelVersions, _ seed: TestSeed
    ) throws -> Int {
      var options = MigrationOptions()
      options.usesStoreSpecificMigrationManager = !byObjects
      let store = try MigratedStore(Self.versions[0], fill: fill)
      let place: Comment = "\(seed), \(fault), call \(call ?? 0)"
      let old = try store.contents(Self.versions[0])
      gs_test_watch_writes(store.folder.path)
      let plan = try store.plan(to: versions)
      gs_test_fail_write(call ?? 0, fault == .once ? 0 : 1)
      var failure: GraphStoreError?
      do {
        _ = try StoreMigration(plan, options: options).run()
      } catch let error as GraphStoreError {
        failure = error
      }
      let calls = gs_test_end_failing()
      if let failure {
        #expect(
          [
            .storeSaveFailed, .diskFull, .storeCorrupt, .storeOpen, .storeTimeout, .sqlite, .migrationFailed,
            .migrationDestination,
          ]
          .contains(failure.code), "\(place): \(failure)")
        #expect(!failure.remedy.isEmpty)
      }
      #expect(store.leftovers.isEmpty, place)
      // What a process that died there left half-written in the store's own journal, the next one takes back.
      try StoreRecovery.run(path: store.path, timeout: .seconds(1))
      let version = try versions.version(ofStoreAt: store.path)?.name
      #expect(version == "1" || version == "4", place)
      if failure == nil { #expect(version == "4", place) }
      if version == "1" {
        try store.expectWhole(Self.versions[0])
        #expect(try store.contents(Self.versions[0]) == old, place)
        _ = try StoreMigration(store.plan(to: versions)).run()
      }
      try store.expectWhole(Self.versions[3])
      #expect(
        try store.contents(Self.versions[3])
          == old.map {
            $0.replacing(" image=", with: " a1=nil a2=nil a3=nil image=")
          }, place)
      #expect(store.leftovers.isEmpty, place)
      return calls
    }
  }
}
