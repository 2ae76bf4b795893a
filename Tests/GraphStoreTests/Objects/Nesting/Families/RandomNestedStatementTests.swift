import Testing

@testable import GraphStore

/// Random sequences of reads in a root, its child and its grandchild, which cost each of them the same.
@Suite(.everyStore)
struct RandomNestedStatementTests {
  @Test(
    "CTX-287, FET-037: without unsaved changes above, whatever a child reads costs what it costs a root",
    arguments: TestSeed.sequence(10))
  func costs(_ seed: TestSeed) throws {
    var random = seed.generator
    let graph = RandomGraph(rules: &random)
    let stack = try TestStack(graph.model)
    try fill(stack.context, graph, &random)
    let root = stack.newContext()
    let child = ManagedObjectContext(childOf: stack.context)
    let grandchild = ManagedObjectContext(childOf: child)
    for round in 0..<8 {
      var costs: [[Int]] = []
      for context in [root, child, grandchild] {
        for other in [root, stack.context, child, grandchild] { other.reset() }
        var reader = Reader(random, stack, context)
        for _ in 0..<8 { try reader.read() }
        costs.append(reader.costs)
        if context === grandchild { random = reader.random }
      }
      guard costs[1] == costs[0], costs[2] == costs[0] else {
        Issue.record("\(seed), round \(round): \(costs)")
        return
      }
    }
  }

  private func fill(
    _ context: ManagedObjectContext, _ start: RandomGraph, _ random: inout SeededGenerator
  ) throws {
    var graph = start
    var objects: [Int: ManagedObject] = [:]
    for number in 1...30 {
      let entity = random.pick(["P", "Q", "R", "S"])
      objects[number] = try context.insert(entity, ["n": number])
      graph.entities[number] = entity
    }
    for _ in 0..<90 {
      if let edit = graph.drawNewLink(&random) { _ = try graph.link(edit, in: [objects]) }
    }
    try context.save()
  }

  /// Reads at random, and counts what each read costs.
  private struct Reader {
    var random: SeededGenerator
    let stack: TestStack
    let context: ManagedObjectContext
    var held: [ManagedObject] = []
    var costs: [Int] = []

    init(_ random: SeededGenerator, _ stack: TestStack, _ context: ManagedObjectContext) {
      (self.random, self.stack, self.context) = (random, stack, context)
    }

    mutating func read() throws {
      let before = stack.coordinator.statementCount
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3: held += try context.fetch(request())
      case 3: _ = try context.count(for: request())
      case 4:
        for id in try context.fetchIdentifiers(request()) { held.append(try context.object(with: id)) }
      case 5:
        for object in held where random.chance(30) { try follow(object) }
      case 6: for object in try context.fetchBatched(request()) { _ = try object.queryValue(forKey: "n") }
      default:
        try context.refreshAllObjects()
        if random.chance(50) { held.removeAll() }
      }
      costs.append(stack.coordinator.statementCount - before)
    }

    private mutating func request() throws -> FetchRequest<ManagedObject> {
      let text = random.pick([
        "n > 5", "one != nil", "parent.n < 20", "ANY reports.n > 3", "children.@count > 0", "TRUEPREDICATE",
      ])
      var request = FetchRequest(
        entityName: random.pick(["P", "Q"]), predicate: try QueryPredicate(parsing: text),
        sortDescriptors: [try QuerySortDescriptor(parsing: random.pick(["n", "-n", "parent.n"]))])
      request.fetchBatchSize = random.pick([0, 0, 3])
      request.fetchLimit = random.pick([0, 0, 7])
      request.returnsObjectsAsFaults = random.chance(70)
      request.includesPropertyValues = random.chance(80)
      request.relationshipKeyPathsForPrefetching = random.pick([
        [], [], ["many"], ["one.tagged", "parent"], ["steps", "list.owner"],
      ])
      return request
    }

    private mutating func follow(_ object: ManagedObject) throws {
      let isP = RandomGraph.root(object.entity.name) == "P"
      let key = random.pick(
        isP
          ? ["one", "many", "tags", "parent", "friends", "list"] : ["oneBack", "owner", "tagged", "stepOf"])
      if object.entity.relationship(named: key)?.isToMany == true {
        for other in try object.objects(forKey: key) { _ = try other.queryValue(forKey: "n") }
      } else {
        _ = try object.object(forKey: key)?.queryValue(forKey: "n")
      }
    }
  }
}
