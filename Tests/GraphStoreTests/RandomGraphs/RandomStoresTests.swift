import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

/// Random graphs in two stores, beside the same graph in one store and a plain model of sets.
struct RandomStoresTests {
  @Test(
    "STO-123, STO-130, OBJ-461: random changes of graphs over two stores give what one store gives",
    arguments: TestSeed.sequence(8))
  func agreement(_ seed: TestSeed) throws {
    var run = try Run(seed)
    for step in 0..<90 {
      let action = try run.step()
      let differences = try run.differences()
      guard differences.isEmpty else {
        Issue.record("\(seed), step \(step) (\(action)): \(differences.prefix(5))")
        return
      }
    }
  }

  struct Run {
    private var random: SeededGenerator
    private var graph: RandomGraph
    private var committed: RandomGraph
    private let one: TestStack
    private let two: SeveralStores
    /// By number: which of the two halves of the graph an object belongs to.
    private var halves: [Int: Int] = [:]
    private var objects: [[Int: ManagedObject]] = [[:], [:]]
    private var next = 0

    init(_ seed: TestSeed) throws {
      random = seed.generator
      graph = RandomGraph(rules: &random)
      committed = graph
      one = try TestStack(graph.model)
      two = try SeveralStores(graph.model)
    }

    private var contexts: [ManagedObjectContext] { [one.context, two.context] }

    mutating func step() throws -> String {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<20: try insert()
      case 20..<58: try link()
      case 58..<68: try unlink()
      case 68..<76: try delete()
      case 76..<90: try save()
      case 90..<94: rollback()
      default: try reload()
      }
    }

    /// Objects of the second half are assigned; those of the first find their store.
    private mutating func insert() throws -> String {
      let entity = ["P", "Q", "R", "S"].randomElement(using: &random) ?? "P"
      next += 1
      halves[next] = Int.random(in: 0..<2, using: &random)
      for (index, context) in contexts.enumerated() {
        objects[index][next] = try context.insert(entity, ["n": next])
      }
      if halves[next] == 1, let object = objects[1][next] {
        try two.context.assign(object, to: two.stores[1])
      }
      graph.entities[next] = entity
      return "insert \(next) \(entity)"
    }

    /// A link has both ends in one half.
    private mutating func link() throws -> String {
      let halves = halves
      guard let edit = graph.drawNewLink(&random, where: { halves[$0] == halves[$1] }) else {
        return "nothing"
      }
      return try graph.link(edit, in: objects)
    }

    private mutating func unlink() throws -> String {
      guard let edit = graph.drawLink(&random) else { return "nothing" }
      return try graph.unlink(edit, in: objects)
    }

    private mutating func delete() throws -> String {
      let seeds = graph.drawDeletion(&random)
      for (index, context) in contexts.enumerated() {
        for seed in seeds { if let object = objects[index][seed] { try context.delete(object) } }
        try context.processPendingChanges()
      }
      graph.delete(seeds)
      forgetGone()
      return "delete \(seeds)"
    }

    private mutating func save() throws -> String {
      let isDenied = graph.isDenied
      let results = contexts.map { context in Result { try context.save() } }
      for case .failure(let error) in results where !isDenied { Issue.record("the save failed: \(error)") }
      guard !isDenied else {
        if results.contains(where: { if case .success = $0 { true } else { false } }) {
          Issue.record("a deny was overlooked")
        }
        return rollback()
      }
      graph.save()
      committed = graph
      forgetGone()
      for (number, object) in objects[1]
      where object.storeIndex != two.stores[halves[number] ?? 0].mount.index {
        Issue.record("\(number) is in the other store")
      }
      let findings = try two.findings()
      if !findings.isEmpty { Issue.record("the check found \(findings.prefix(3))") }
      return "save"
    }

    private mutating func rollback() -> String {
      for context in contexts { context.rollback() }
      graph = committed
      forgetGone()
      return "rollback"
    }

    private mutating func reload() throws -> String {
      guard !contexts.contains(where: \.hasChanges) else { return "nothing" }
      for (index, context) in contexts.enumerated() {
        context.reset()
        objects[index] = try RandomGraphTests.Run.all(context)
      }
      return "reset"
    }

    private mutating func forgetGone() {
      for index in objects.indices {
        objects[index] = objects[index].filter { graph.entities[$0.key] != nil }
      }
    }

    mutating func differences() throws -> [String] {
      var found: [String] = []
      for (name, index) in [("one", 0), ("two", 1)] {
        found += try graph.differences(objects[index]).map { "\(name): \($0)" }
      }
      try two.context.checkInvariants()
      return found + (try fetchDifferences())
    }

    /// A random request, asked of both.
    private mutating func fetchDifferences() throws -> [String] {
      let predicates = [
        "modulus:by:(n, 2) == 0", "n > 3 AND n < 20", "one != nil", "parent.n > 2", "ANY reports.n > 1", "",
      ]
      let text = predicates.randomElement(using: &random) ?? ""
      var request = FetchRequest(
        entityName: "P", predicate: text.isEmpty ? nil : try QueryPredicate(parsing: text),
        sortDescriptors: [try QuerySortDescriptor(parsing: Bool.random(using: &random) ? "n" : "-n")])
      request.fetchLimit = Int.random(in: 0...6, using: &random)
      request.fetchOffset = Int.random(in: 0...4, using: &random)
      request.includesPendingChanges = contexts.contains(where: \.hasChanges) || Bool.random(using: &random)
      let answers = try contexts.map { context in
        try context.fetch(request).map { try $0.queryValue(forKey: "n").number }
      }
      let counts = try contexts.map { try $0.count(for: request) }
      guard answers[0] == answers[1], counts[0] == counts[1] else {
        return ["\(text), \(request.fetchLimit) from \(request.fetchOffset): \(answers), \(counts)"]
      }
      return []
    }
  }
}
