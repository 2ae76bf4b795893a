import GraphStoreModel
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// The record of each commit, compared with what is different in the store afterwards.
@Suite(.everyStore)
struct CommitRecordTests {
  @Test(
    "CTX-106: the record of a save is the difference of two states: cascades, links and derived values too",
    arguments: TestSeed.sequence(4))
  func saves(_ seed: TestSeed) throws {
    let run = try Run(CompanyWithDerivations.model)
    var company = RandomCompany(run.context, seed.generator)
    for _ in 0..<20 {
      try company.change()
      try run.expectAgreement(seed) { try run.context.save() }
    }
  }

  @Test(
    "CTX-106: so is that of a transaction of several saves, some of which are taken back",
    arguments: TestSeed.sequence(3))
  func transactions(_ seed: TestSeed) throws {
    struct Stop: Error {}
    let run = try Run(CompanyWithDerivations.model)
    var random = seed.generator
    var company = RandomCompany(run.context, seed.generator)
    for _ in 0..<8 {
      try run.expectAgreement(seed) {
        try run.coordinator.transaction(with: run.context) { transaction in
          for _ in 0..<3 {
            try? transaction.savepoint {
              try company.change()
              try run.context.save()
              if random.chance(30) { throw Stop() }
            }
          }
        }
      }
    }
  }

  @Test(
    "REL-247, REL-392: and that of saves beside another writer, with ordered members, phantoms and conflicts",
    arguments: TestSeed.sequence(6))
  func writers(_ seed: TestSeed) throws {
    var random = seed.generator
    let graph = RandomGraph(rules: &random)
    let run = try Run(graph.model)
    let other = try run.stack.otherProcess()
    run.context.mergePolicy = .mergeByPropertyObjectTrump
    other.mergePolicy = .mergeByPropertyStoreTrump
    var next = 0
    for _ in 0..<25 {
      for context in [other, run.context] {
        for _ in 0..<3 { try change(graph, context, &next, &random) }
      }
      other.performAndWait { if !other.saveOrRollback() { other.reset() } }
      // What the others have written is no part of this commit.
      try run.expectAgreement(seed) { if !run.context.saveOrRollback() { run.context.reset() } }
    }
  }

  @Test(
    "CTX-106: and that of imports, which insert, change and link records without a context's save",
    arguments: TestSeed.sequence(4))
  func imports(_ seed: TestSeed) throws {
    let run = try Run(CompanyWithDerivations.model)
    var random = seed.generator
    for _ in 0..<8 { try run.expectAgreement(seed) { try importRecords(run.coordinator, &random) } }
  }

  /// Imports some records of few names, which are their keys, in batches of one transaction.
  private func importRecords(
    _ coordinator: PersistentStoreCoordinator, _ random: inout SeededGenerator
  ) throws {
    var options = ImportOptions(entities: Array(coordinator.layout.entities.indices))
    options.key = ["name"]
    options.conflictPolicy = random.pick([.update, .replace, .ignore])
    options.skipsFailures = true
    let importer = try RecordImporter(coordinator, options)
    let entities = ["Employee", "Manager", "Department", "Company", "Project"]
    try coordinator.transaction { transaction in
      for batch in 0..<3 {
        for record in 0..<6 {
          let layout = try coordinator.layout.entity(named: random.pick(entities))
          importer.begin(entityAt: layout.index, record: batch * 6 + record, line: record)
          setValues(importer, layout, &random)
          importer.end()
        }
        _ = try importer.flush(in: transaction)
      }
      _ = try importer.finish(in: transaction)
    }
  }

  private func setValues(
    _ importer: RecordImporter, _ layout: EntityLayout, _ random: inout SeededGenerator
  ) {
    func number(_ name: String) -> Int? { layout.property(named: name)?.number }
    func name() -> String { "n\(Int.random(in: 0..<5, using: &random))" }
    if let number = number("name") { importer.setValue(.string(name()), number) }
    if let number = number("salary"), random.chance(60) {
      importer.setInteger(Int64.random(in: 0..<100, using: &random), number)
    }
    for link in ["department", "company", "projects"] where random.chance(50) {
      guard let number = number(link) else { continue }
      let destination = layout.relationships[layout.properties[number].relationship].destinationEntity
      if random.chance(15) {
        importer.clearLinks(number)
      } else if let attribute = destination.attributesByName["name"]?.number {
        importer.addLookup(number, attribute: attribute, text: name())
      }
    }
  }

  /// Inserts, links, unlinks or deletes what a context sees in the store.
  private func change(
    _ graph: RandomGraph, _ context: ManagedObjectContext, _ next: inout Int,
    _ random: inout SeededGenerator
  ) throws {
    let pair = random.pick(graph.pairs)
    func any(_ entity: String) throws -> ManagedObject? {
      try context.all(entity, sort: ["objectID"]).randomElement(using: &random)
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      next += 1
      try context.insert(random.pick(["P", "Q", "R", "S"]), ["n": next])
    case 4..<8:
      let (side, otherSide) = random.chance(50) ? (pair.left, pair.right) : (pair.right, pair.left)
      guard let source = try any(side.entity), let target = try any(otherSide.entity) else { return }
      if random.chance(75) {
        try side.link(source, to: target)
      } else {
        try side.unlink(source, from: target)
      }
    default:
      guard let object = try any(random.pick(["P", "R"])) else { return }
      try context.delete(object)
    }
  }

  /// A store whose commits are read, and a context that writes it.
  private struct Run {
    let stack: TestStack
    let coordinator: PersistentStoreCoordinator
    let context: ManagedObjectContext
    private let store: WatchedStore

    init(_ model: ModelDefinition) throws {
      stack = try TestStack(model)
      store = WatchedStore(try #require(stack.coordinator.firstStore))
      coordinator = PersistentStoreCoordinator(store, layout: stack.coordinator.layout, [:])
      context = ManagedObjectContext(coordinator: coordinator)
    }

    /// Does something that commits at most once, and compares.
    func expectAgreement(_ seed: TestSeed, _ body: () throws -> Void) throws {
      let before = try state()
      try body()
      let commits = store.takeCommits()
      #expect(commits.count <= 1)
      let found = StoreState.disagreements(commits.first ?? [:], from: before, to: try state())
      #expect(found.isEmpty, "\(seed): \(found.sorted().prefix(5))")
    }

    private func state() throws -> StoreState {
      try StoreState(ManagedObjectContext(coordinator: coordinator))
    }
  }
}
