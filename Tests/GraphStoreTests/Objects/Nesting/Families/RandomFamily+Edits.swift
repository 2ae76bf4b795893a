@testable import GraphStore

extension RandomFamily {
  /// Changes something in a context at random.
  mutating func edit(_ node: FamilyNode, _ context: ManagedObjectContext) throws -> String {
    try node.synchronize()
    var changed = node.own
    let action: String
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: action = try insert(&changed, node, context)
    case 20..<52:
      guard let edit = changed.graph.drawNewLink(&random) else { return "nothing" }
      action = try changed.graph.link(edit, in: [ends(edit, node, context)])
    case 52..<64:
      guard let edit = changed.graph.drawLink(&random) else { return "nothing" }
      action = try changed.graph.unlink(edit, in: [ends(edit, node, context)])
    case 64..<80: action = try setValue(&changed, node, context)
    case 80..<90: action = try delete(&changed, node, context)
    default: action = try reorder(&changed, node, context)
    }
    if random.chance(30) { try context.processPendingChanges() }
    node.show(changed)
    return action
  }

  private mutating func insert(
    _ changed: inout FamilyGraph, _ node: FamilyNode, _ context: ManagedObjectContext
  ) throws -> String {
    let entity = random.pick(["P", "Q", "R", "S"])
    lastNumber += 1
    let object = try context.insert(entity, ["n": lastNumber, "v": lastNumber])
    changed.graph.entities[lastNumber] = entity
    changed.values[lastNumber] = lastNumber
    if node !== other { temporary[lastNumber] = object.objectID }
    if random.chance(60) { node.held[lastNumber] = object }
    return "insert \(lastNumber) \(entity)"
  }

  private mutating func setValue(
    _ changed: inout FamilyGraph, _ node: FamilyNode, _ context: ManagedObjectContext
  ) throws -> String {
    guard let number = anyNumber(changed) else { return "nothing" }
    let value = Int.random(in: 0..<1000, using: &random)
    try object(number, node, context).setValue(value, forKey: "v")
    node.touched.objects.insert(number)
    changed.values[number] = value
    return "set \(number) to \(value)"
  }

  private mutating func delete(
    _ changed: inout FamilyGraph, _ node: FamilyNode, _ context: ManagedObjectContext
  ) throws -> String {
    let seeds = changed.graph.drawDeletion(&random)
    for object in try seeds.map({ try object($0, node, context) }) { try context.delete(object) }
    try context.processPendingChanges()
    let before = changed.graph
    changed.graph.delete(seeds)
    // Nullify writes to what was linked to them.
    for link in before.links.joined() where !changed.isThere(link.left) || !changed.isThere(link.right) {
      node.touched.objects.formUnion([link.left, link.right])
    }
    changed.values = changed.values.filter { changed.graph.entities[$0.key] != nil }
    return "delete \(seeds)"
  }

  private mutating func reorder(
    _ changed: inout FamilyGraph, _ node: FamilyNode, _ context: ManagedObjectContext
  ) throws -> String {
    let ordered = changed.graph.pairs.indices.filter { changed.graph.pairs[$0].left.isOrdered }
    let pair = random.pick(ordered)
    guard let owner = changed.graph.live("P").randomElement(using: &random) else { return "nothing" }
    let members = changed.graph.members(pair, isLeft: true, owner).shuffled(using: &random)
    let objects = try members.map { try object($0, node, context) }
    let key = changed.graph.pairs[pair].left.name
    try object(owner, node, context).setValue(objects, forKey: key)
    node.touched.objects.insert(owner)
    node.touched.ends.insert(owner)
    changed.reorder(pair, owner, members)
    return "order \(owner).\(key) as \(members)"
  }

  private mutating func anyNumber(_ graph: FamilyGraph) -> Int? {
    (graph.graph.live("P") + graph.graph.live("R")).randomElement(using: &random)
  }

  private mutating func ends(
    _ edit: RandomGraph.Edit, _ node: FamilyNode, _ context: ManagedObjectContext
  ) throws -> [Int: ManagedObject] {
    var ends = [edit.source: try object(edit.source, node, context)]
    if edit.target != edit.source { ends[edit.target] = try object(edit.target, node, context) }
    node.touched.objects.formUnion(ends.keys)
    node.touched.ends.formUnion(ends.keys)
    return ends
  }

  // MARK: Objects

  /// The object of a number: one that is held, or else looked up in one of many ways.
  mutating func object(
    _ number: Int, _ node: FamilyNode, _ context: ManagedObjectContext
  ) throws -> ManagedObject {
    if let held = node.held[number] { return held }
    let found = try lookUp(number, node, context)
    if random.chance(50) { node.held[number] = found }
    return found
  }

  private mutating func lookUp(
    _ number: Int, _ node: FamilyNode, _ context: ManagedObjectContext
  ) throws -> ManagedObject {
    let ids = [temporary[number], permanent[number]].compactMap { $0 }
      .filter { node !== other || !$0.isTemporaryID }
    guard let id = ids.randomElement(using: &random), random.chance(70) else {
      let root = RandomGraph.root(node.own.graph.entities[number] ?? "")
      guard let found = try context.all(root, "n == \(number)").first else { throw Missing(number: number) }
      return found
    }
    return random.chance(50) ? try context.object(with: id) : try context.existingObject(with: id)
  }

  struct Missing: Error {
    let number: Int
  }
}
