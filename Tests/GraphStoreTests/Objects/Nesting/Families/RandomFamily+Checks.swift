@testable import GraphStore

extension RandomFamily {
  /// Compares what a context shows, itself or to a child that has just been made.
  mutating func check(_ node: FamilyNode) throws {
    guard let context = node.context else { return }
    try node.synchronize()
    checkFlags(node, context)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: try compare(node, context, node.name)
    case 3..<6: try compare(node, ManagedObjectContext(childOf: context), "a new child of \(node.name)")
    case 6..<7:
      let child = ManagedObjectContext(childOf: context)
      try compare(node, ManagedObjectContext(childOf: child), "a new grandchild of \(node.name)")
    default: break
    }
    for _ in 0..<2 {
      if random.chance(70) { try checkRequest(node, context, node.name) }
      if random.chance(30) {
        try checkRequest(node, ManagedObjectContext(childOf: context), "a new child of \(node.name)")
      }
    }
  }

  /// Saves everything, and compares what is stored.
  mutating func finish() throws {
    for node in nodes.reversed() { node.discard() }
    try root.synchronize()
    try compare(root, stack.otherProcess(), "another process")
    guard stack.has(.files) else { return }
    let findings = try StoreCheck.run(path: stack.path).flatMap(\.findings)
    if !findings.isEmpty { differences.append("the check found \(findings.prefix(3))") }
  }

  private mutating func checkFlags(_ node: FamilyNode, _ context: ManagedObjectContext) {
    let inserted = node.own.graph.entities.keys.count { node.base.graph.entities[$0] == nil }
    if context.insertedObjects.count != inserted {
      differences.append("\(node.name) has \(context.insertedObjects.count) insertions, not \(inserted)")
    }
    // A cascade may reach what is deleted above and waits for Deny.
    if node.parent?.awaitsDenial == true { return }
    let deleted = context.deletedObjects.count { !$0.state.contains(.inaccessible) }
    if deleted != node.own.graph.deleted.count {
      differences.append("\(node.name) has \(deleted) deletions, not \(node.own.graph.deleted)")
    }
  }

  /// Compares all that a context shows with what a node's has to.
  mutating func compare(
    _ node: FamilyNode, _ context: ManagedObjectContext, _ name: String
  ) throws {
    var objects: [Int: ManagedObject] = [:]
    for object in try context.all("P") + context.all("R") { objects[try Self.number(object)] = object }
    let there = node.own.graph.live("P") + node.own.graph.live("R")
    if Set(objects.keys) != Set(there) {
      differences.append("\(name) has \(objects.keys.sorted()), not \(there.sorted())")
    }
    differences += try node.own.graph.differences(objects).map { "\(name): \($0)" }
    for (number, object) in objects {
      let value = Int(try object.queryValue(forKey: "v").number)
      if value != node.own.values[number] ?? -1 {
        differences.append("\(name): \(number) has \(value), not \(node.own.values[number] ?? -1)")
      }
      if context === node.context, let held = node.held[number], held !== object {
        differences.append("\(name) has two objects of \(number)")
      }
    }
  }

  // MARK: Requests

  private typealias Condition = (text: String, holds: (FamilyGraph, Int) -> Bool)

  private mutating func checkRequest(
    _ node: FamilyNode, _ context: ManagedObjectContext, _ name: String
  ) throws {
    let limit = Int.random(in: 0..<1000, using: &random)
    let conditions: [Condition] = [
      ("v > \(limit)", { $0.value($1) > limit }),
      ("one != nil", { !$0.members("one", $1).isEmpty }),
      (
        "one.v < \(limit)",
        { graph, number in graph.members("one", number).contains { graph.value($0) < limit } }
      ),
      (
        "parent.v > \(limit)",
        { graph, number in graph.members("parent", number).contains { graph.value($0) > limit } }
      ),
      (
        "ANY reports.v > \(limit)",
        { graph, number in graph.members("reports", number).contains { graph.value($0) > limit } }
      ),
      ("children.@count > 0", { !$0.members("children", $1).isEmpty }),
      ("steps.@count == 1", { $0.members("steps", $1).count == 1 }),
      (
        "ANY list.tagged.v < \(limit)",
        { graph, number in
          graph.members("list", number).contains { member in
            graph.members("tagged", member).contains { graph.value($0) < limit }
          }
        }
      ),
      ("TRUEPREDICATE", { _, _ in true }),
    ]
    // Links to a deleted object count until the save that Deny judges them by.
    let condition = node.awaitsDenial ? conditions[0] : random.pick(conditions)
    let isDescending = random.chance(50)
    var request = FetchRequest(
      entityName: "P", predicate: try QueryPredicate(parsing: condition.text),
      sortDescriptors: [
        try QuerySortDescriptor(parsing: isDescending ? "-v" : "v"), try QuerySortDescriptor(parsing: "n"),
      ])
    let graph = node.own
    let all = graph.graph.live("P").filter { condition.holds(graph, $0) }.sorted {
      let (left, right) = (graph.value($0), graph.value($1))
      return left == right ? $0 < $1 : (left < right) != isDescending
    }
    let count = try context.count(for: request)
    if count != all.count { differences.append("\(name) counts \(count) of \(condition.text), not \(all)") }
    request.fetchOffset = Int.random(in: 0...3, using: &random)
    request.fetchLimit = Int.random(in: 0...6, using: &random)
    request.fetchBatchSize = random.chance(20) ? 2 : 0
    if random.chance(20) { request.relationshipKeyPathsForPrefetching = ["list", "parent.reports", "one"] }
    let wanted = Array(
      all.dropFirst(request.fetchOffset).prefix(request.fetchLimit == 0 ? .max : request.fetchLimit))
    let ids = random.chance(50) ? try context.fetchIdentifiers(request) : nil
    let objects = try context.fetch(request)
    let numbers = try objects.map(Self.number)
    if numbers != wanted {
      differences.append("\(name) fetches \(condition.text): \(numbers), not \(wanted)")
    }
    if let ids, ids != objects.map(\.objectID) {
      differences.append("\(name) fetches other identifiers of \(condition.text)")
    }
  }
}

extension FamilyGraph {
  /// The value of an object.
  fileprivate func value(_ number: Int) -> Int { values[number] ?? 0 }

  /// What a relationship of an object leads to.
  fileprivate func members(_ name: String, _ number: Int) -> [Int] {
    for (index, pair) in graph.pairs.enumerated() {
      if pair.left.name == name { return graph.members(index, isLeft: true, number) }
      if pair.right.name == name { return graph.members(index, isLeft: false, number) }
    }
    return []
  }
}
