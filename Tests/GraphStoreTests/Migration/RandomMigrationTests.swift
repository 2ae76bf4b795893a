import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

/// Random chains of versions with random objects, beside plain dictionaries that the same edits change.
@Suite("Random migrations")
struct RandomMigrationTests {
  @Test(
    "MIG-053, MIG-071, MIG-121, MIG-217, MIG-219: a random chain gives what dictionaries give, step by step and at once",
    arguments: TestSeed.sequence(6, from: 1_071))
  func chain(_ seed: TestSeed) throws {
    var history = RandomVersions(seed)
    var definitions = [history.definition]
    let store = try MigratedStore(history.definition) { try history.fill($0) }
    try #require(try store.contents(history.definition) == history.lines, "\(seed)")
    let other = try copy(store)
    var log: [String] = []
    for step in 0..<4 {
      log.append("version \(step + 2)")
      let next = try edited(history, of: store, &log, seed)
      history = next
      definitions.append(history.definition)
      do {
        let there = try store.migrated(to: history.definition)
        guard there == history.lines else {
          Issue.record("\(seed), \(log): \(differences(there, history.lines)), \(edits(definitions))")
          return
        }
      } catch {
        Issue.record("\(seed), \(log): \(error), \(edits(definitions))")
        return
      }
    }
    try atOnce(store, other, definitions, history, "\(seed), \(log)")
  }

  @Test(
    "MIG-216, MIG-158, MIG-177: entity mappings that leave everything to inference give what dictionaries give, by statements",
    arguments: TestSeed.sequence(8, from: 216_071))
  func written(_ seed: TestSeed) throws {
    var history = RandomVersions(seed)
    let store = try MigratedStore(history.definition) { try history.fill($0) }
    var log: [String] = []
    var bySets = 0
    for step in 0..<4 {
      log.append("version \(step + 2)")
      let next = try edited(history, of: store, &log, seed)
      let (old, new) = try (ManagedObjectModel(history.definition), ManagedObjectModel(next.definition))
      let inferred = try CheckedMapping(mapping: nil, from: old, to: new)
      let mappings = inferred.entityMappings.compactMap { mapping -> EntityMapping? in
        guard let source = mapping.source, let destination = mapping.destination else { return nil }
        return EntityMapping(from: source.name, to: destination.name)
      }
      let written = try MigrationStep(
        from: ModelVersion(old), to: ModelVersion(new), written: [MappingModel(entityMappings: mappings)])
      history = next
      if WrittenPairing(written.mappings) != nil { bySets += 1 }
      do {
        _ = try StoreMigration(MigrationPlan(fromStoreAt: store.path, steps: [written])).run()
        let there = try store.contents(history.definition)
        guard there == history.lines else {
          Issue.record("\(seed), \(log): \(differences(there, history.lines))")
          return
        }
        try store.expectWhole(history.definition)
      } catch {
        Issue.record("\(seed), \(log): \(error)")
        return
      }
    }
    #expect(bySets > 0, "\(seed), \(log)")
  }

  @Test(
    "MIG-277, MIG-217, MIG-219: a random chain gives of documents what it gives of a SQLite store, by statements as object by object",
    arguments: TestSeed.sequence(4, from: 277_071))
  func documents(_ seed: TestSeed) throws {
    var history = RandomVersions(seed)
    let store = try MigratedStore(history.definition) { try history.fill($0) }
    let documents = try AtomicFolder.types.map { type in
      let path = store.folder.file("document.\(type)")
      try StoreBackup.make(ofStoreAt: store.path, at: path, type: type)
      return path
    }
    var log: [String] = []
    for step in 0..<3 {
      log.append("version \(step + 2)")
      let next = try edited(history, of: store, &log, seed)
      history = next
      let target = ModelVersion(try ManagedObjectModel(history.definition))
      let twin = try store.plan(to: history.definition, checksData: true)
      #expect(try store.migrated(to: history.definition) == history.lines, "\(seed), \(log)")
      for path in documents {
        let plan = try MigrationPlan(fromStoreAt: path, to: target, checksData: true)
        #expect(
          plan.losses == twin.losses && plan.objectCount == twin.objectCount, "\(seed), \(log), \(path)")
        var options = MigrationOptions()
        options.usesStoreSpecificMigrationManager = step % 2 == 0
        options.keepsBackup = false
        _ = try StoreMigration(plan, options: options).run()
        let there = try store.contents(history.definition, at: path)
        guard there == history.lines else {
          Issue.record("\(seed), \(log), \(path): \(differences(there, history.lines))")
          return
        }
        let findings = try StoreCheck.run(path: path).flatMap(\.findings)
        #expect(findings.isEmpty, "\(seed), \(log), \(path): \(findings.prefix(2))")
      }
    }
    #expect(store.leftovers.isEmpty)
  }

  /// Up to three edits make the next version; one that the data do not allow is tried by itself and taken
  /// back.
  private func edited(
    _ history: RandomVersions, of store: MigratedStore, _ log: inout [String], _ seed: TestSeed
  ) throws -> RandomVersions {
    var next = history
    next.touched = []
    var hasRefused = false
    for _ in 0..<Int.random(in: 1...3, using: &next.random) {
      var trial = next
      let (name, outcome) = trial.edit()
      switch outcome {
      case .nothing:
        next.random = trial.random
      case .changed:
        log.append(name)
        next = trial
      case .refused:
        // Alone, on the version that the store has.
        next.random = trial.random
        guard !hasRefused else { continue }
        hasRefused = true
        var alone = history
        alone.touched = []
        alone.random = SeededGenerator(seed: UInt64(log.count))
        for _ in 0..<200 {
          var attempt = alone
          let edit = attempt.edit()
          alone.random = attempt.random
          guard case .refused(let entity, let property, let count) = edit.outcome else { continue }
          try refuse(attempt, of: store, (entity, property, count), "\(seed), \(log), refused \(edit.name)")
          break
        }
      }
    }
    return next
  }

  private func refuse(
    _ version: RandomVersions, of store: MigratedStore,
    _ wanted: (entity: String, property: String, count: Int),
    _ place: String
  ) throws {
    let before = try state(store)
    let findings = try store.plan(to: version.definition, checksData: true).findings
    let found = findings.filter { ($0.property ?? "") == wanted.property }
    #expect(found.map(\.count).reduce(0, +) == wanted.count, "\(place): \(findings), not \(wanted)")
    #expect(found.contains { $0.entity == wanted.entity }, "\(place): \(findings), not \(wanted)")
    #expect(findings.count == found.count, "\(place): \(findings), not \(wanted)")
    let error = #expect(throws: GraphStoreError.self, "\(place)") {
      try store.migrate(to: version.definition)
    }
    #expect(error?.code == .migrationConstraint, "\(place)")
    #expect(try state(store) == before, "\(place)")
  }

  /// The whole chain over a directory of the versions.
  private func atOnce(
    _ store: MigratedStore, _ path: String, _ definitions: [ModelDefinition], _ history: RandomVersions,
    _ place: String
  ) throws {
    let folder = try VersionFolder(definitions)
    // MIG-045: what versions between lack is kept by the other way, which has to give a sound store too.
    let shorter = try MigrationPlan(fromStoreAt: path, to: folder.versions())
    var options = MigrationOptions()
    options.output = store.folder.file("shorter.sqlite")
    _ = try StoreMigration(shorter, options: options).run()
    try store.expectWhole(history.definition, at: options.output)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: store.folder.file("shorter.sqlite") + suffix)
    }
    let plan = try MigrationPlan(fromStoreAt: path, to: folder.versions(), isStepByStep: true)
    _ = try StoreMigration(plan).run()
    let there = try store.contents(history.definition, at: path)
    #expect(there == history.lines, "\(place), at once: \(differences(there, history.lines))")
    try store.expectWhole(history.definition, at: path)
    // It goes on: new objects have new keys.
    try store.open(history.definition, at: path) { context in
      let greatest = Dictionary(
        history.records.values.map { (history.line(of: $0.entity).last!.name, $0.key) }, uniquingKeysWith: max
      )
      for entity in history.entities where !entity.isAbstract {
        let key = try context.add(entity.name).objectID.key
        #expect(key > greatest[history.line(of: entity.name).last!.name] ?? 0, "\(place), \(entity.name)")
      }
    }
  }

  /// The files, without the logs of stores that are read.
  private func state(_ store: MigratedStore) throws -> [String: Data] {
    try store.folder.state().filter { !$0.key.hasSuffix("-wal") && !$0.key.hasSuffix("-shm") }
  }

  private func copy(_ store: MigratedStore) throws -> String {
    let path = store.folder.file("whole.sqlite")
    try FileManager.default.copyItem(atPath: store.path, toPath: path)
    return path
  }

  private func differences(_ there: [String], _ wanted: [String]) -> String {
    let (extra, missing) = (there.filter { !wanted.contains($0) }, wanted.filter { !there.contains($0) })
    return "there \(extra.prefix(4)), wanted \(missing.prefix(4))"
  }

  /// The last two versions, for whoever looks into a failure.
  private func edits(_ definitions: [ModelDefinition]) -> String {
    guard ProcessInfo.processInfo.environment["GS_SEED"] != nil else { return "see GS_SEED" }
    return definitions.suffix(2).map { String(decoding: $0.jsonData(), as: UTF8.self) }.joined(
      separator: "\n")
  }
}
