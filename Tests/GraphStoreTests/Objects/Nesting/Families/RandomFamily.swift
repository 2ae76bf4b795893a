import Foundation
import Testing

@testable import GraphStore

/// A family of contexts that changes at random, beside a root context of another coordinator on the same
/// store.
///
/// Where contexts below have set the links of the same objects, or one has set what another has deleted, the
/// lower ones are rolled back: what they would show is up to no rule. For the same reason relationships are
/// not compared while an object is deleted above whose links Deny keeps.
struct RandomFamily {
  static let maximumDepth = 4
  static let maximumSiblings = 3

  var random: SeededGenerator
  let stack: TestStack
  let store: FamilyNode
  let root: FamilyNode
  let other: FamilyNode
  /// Identifiers by number.
  var temporary: [Int: ManagedObjectID] = [:]
  var permanent: [Int: ManagedObjectID] = [:]
  var differences: [String] = []
  var lastNumber = 0
  var lastName = 0

  init(_ seed: TestSeed) throws {
    random = seed.generator
    let graph = RandomGraph(rules: &random)
    stack = try TestStack(Self.withValues(graph.model))
    store = FamilyNode("store", nil, below: nil, FamilyGraph(graph: graph))
    root = FamilyNode("root", stack.context, below: store, store.own)
    other = FamilyNode("other", try stack.otherProcess(), below: store, store.own)
  }

  private static func withValues(_ model: ModelDefinition) -> ModelDefinition {
    var model = model
    for index in model.entities.indices where ["P", "R"].contains(model.entities[index].name) {
      model.entities[index].attributes.append(AttributeDefinition("v", .int64))
    }
    return model
  }

  enum Trace { static let isOn = getenv("TRACE") != nil }
  var nodes: [FamilyNode] { root.tree }

  // MARK: Steps

  /// Does something at random, and says what.
  mutating func step() throws -> String {
    let node = random.chance(6) ? other : random.pick(nodes)
    var action = try "\(node.name): \(act(node))"
    // The other coordinator keeps nothing unsaved, so that no save meets a conflict.
    if node === other { action += try ", \(saveOther())" }
    if Trace.isOn { print(action) }
    if node === other { return action }
    try check(random.pick(nodes))
    for node in nodes + [other] {
      try node.context?.checkInvariants()
      let errors = node.context?.takeDeferredErrors() ?? []
      if !errors.isEmpty { differences.append("\(node.name) has deferred \(errors)") }
    }
    return action
  }

  private mutating func act(_ node: FamilyNode) throws -> String {
    guard let context = node.context else { return "nothing" }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<62: return try edit(node, context)
    case 62..<76: return node === other ? "nothing" : try save(node, context)
    case 76..<79:
      node.discard()
      return "rollback"
    case 79..<81:
      node.held = [:]
      node.discard { $0.reset() }
      return "reset"
    case 81..<86: return try refresh(node, context)
    case 86..<89: return try obtain(node, context)
    case 89..<91:
      node.held = node.held.filter { _ in random.chance(50) }
      return "release"
    case 91..<97: return node === other ? "nothing" : makeChild(of: node, context)
    default: return dropChild(of: node)
    }
  }

  private mutating func makeChild(of node: FamilyNode, _ context: ManagedObjectContext) -> String {
    guard node.depth < Self.maximumDepth, node.children.count < Self.maximumSiblings else { return "nothing" }
    lastName += 1
    let child = FamilyNode(
      "\(node.name).\(lastName)", ManagedObjectContext(childOf: context), below: node, node.own.seenFromBelow,
      mergesSaves: random.chance(50))
    return "make \(child.name)"
  }

  private mutating func dropChild(of node: FamilyNode) -> String {
    guard let child = node.children.randomElement(using: &random) else { return "nothing" }
    node.remove(child)
    forgetTemporary()
    return "drop \(child.name)"
  }

  // MARK: Saving

  private mutating func save(_ node: FamilyNode, _ context: ManagedObjectContext) throws -> String {
    // What is deleted above and waits for Deny is neither there nor gone.
    guard let parent = node.parent, !parent.awaitsDenial else { return "nothing" }
    try node.synchronize()
    if node.own.graph.isDenied {
      do {
        try context.save()
        differences.append("a denial was overlooked")
      } catch let error as GraphStoreError where error.parts.contains(where: { $0.code == .deleteDenied }) {}
      node.discard()
      return "denied save"
    }
    let change = node.change
    try holdObjects(parent.children.filter { $0 !== node && $0.mergesSaves })
    var changes: SavedChanges?
    let token = context.observe(.didSave) { changes = SavedChanges($0) }
    try context.save()
    token.cancel()
    let version = parent.version
    let saved = node.own.seenFromBelow
    (node.base, node.own) = (saved, saved)
    node.touched = Touched()
    node.releaseGone()
    var above = parent.own.applying(change)
    if parent === store { above = above.seenFromBelow }
    parent.show(above, savedBy: node)
    node.seen = parent.version
    for sibling in try changes.map({ try node.mergeIntoOthers($0, version) }) ?? [] {
      if let context = sibling.context { try compare(sibling, context, sibling.name) }
    }
    if context.hasChanges { differences.append("changes after the save of \(node.name)") }
    if node === root { try recordIdentifiers() }
    return "save"
  }

  /// Has contexts that are going to merge a save see what is there before, and hold some of it.
  private mutating func holdObjects(_ nodes: [FamilyNode]) throws {
    for node in nodes where random.chance(70) {
      try node.synchronize()
      guard let context = node.context else { continue }
      for object in try context.all("P") + context.all("R") where random.chance(60) {
        node.held[try Self.number(object)] = object
        let key = RandomGraph.root(object.entity.name) == "P" ? "tags" : "stepOf"
        if random.chance(50) { _ = try object.objects(forKey: key) }
      }
    }
  }

  private mutating func saveOther() throws -> String {
    try other.synchronize()
    let change = other.change
    let isContradicted = nodes.contains { !$0.touched.objects.isDisjoint(with: change.touched) }
    if isContradicted || other.own.graph.isDenied {
      other.discard()
      return "not saved"
    }
    guard let context = other.context else { return "nothing" }
    try context.save()
    let saved = other.own.seenFromBelow
    (other.base, other.own) = (saved, saved)
    other.touched = Touched()
    store.show(store.own.applying(change).seenFromBelow, savedBy: other)
    other.seen = store.version
    try recordIdentifiers()
    return "saved"
  }

  /// Once there are permanent identifiers, temporary ones are known for as long as there are children.
  private mutating func forgetTemporary() {
    if root.children.isEmpty { temporary = temporary.filter { permanent[$0.key] == nil } }
  }

  private mutating func recordIdentifiers() throws {
    defer { forgetTemporary() }
    for object in try stack.newContext().all("P") + stack.newContext().all("R") {
      permanent[try Self.number(object)] = object.objectID
    }
  }

  private mutating func obtain(_ node: FamilyNode, _ context: ManagedObjectContext) throws -> String {
    try node.synchronize()
    let new = context.insertedObjects.filter { _ in random.chance(60) }
    try context.obtainPermanentIDs(for: new)
    for object in new {
      permanent[try Self.number(object)] = object.objectID
      if object.objectID.isTemporaryID { differences.append("\(object) has no permanent identifier") }
    }
    forgetTemporary()
    return "obtain \(new.count)"
  }

  private mutating func refresh(_ node: FamilyNode, _ context: ManagedObjectContext) throws -> String {
    try node.synchronize()
    let touched = node.change.touched
    if random.chance(30) {
      try context.refreshAllObjects()
      return "refresh all"
    }
    for (number, object) in node.held.sorted(by: { $0.key < $1.key })
    where random.chance(50) && !object.isInserted && !object.isDeleted {
      try context.refresh(object, mergeChanges: touched.contains(number) || random.chance(50))
    }
    return "refresh"
  }

  static func number(_ object: ManagedObject) throws -> Int {
    Int(try object.queryValue(forKey: "n").number)
  }
}
