import GraphStore
import Testing

@Suite("Inserted, then deleted", .everyStore)
struct InsertedThenDeletedTests {
  private let stack: TestStack
  private let thing: ManagedObject
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(GraphModels.rules)
    thing = try stack.context.insert("Thing", ["name": "t"])
    try stack.context.save()
  }

  private func stored(_ entity: String) throws -> Int { try stack.otherProcess().all(entity).count }

  @Test(
    "REL-265, REL-266, REL-267, REL-429: Deny nullifies, and the object leaves the context and others' links")
  func denied() throws {
    let owner = try context.insert("Owner", ["name": "o", "denied": [thing], "plain": [thing]])
    try context.delete(owner)
    #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
    let id = owner.objectID
    try context.processPendingChanges()
    #expect(try thing.object(forKey: "deniedOf") == nil && thing.objects(forKey: "plainOf").isEmpty)
    #expect(owner.managedObjectContext == nil && !owner.hasChanges && !owner.isDeleted && !owner.isInserted)
    #expect(context.registeredObject(for: id) == nil && context.deletedObjects.isEmpty)
    #expect(failure { _ = try context.object(with: id) }?.code == .temporaryIDUnknown)
    try context.save()
    #expect(try stored("Owner") == 0 && stored("Thing") == 1)
  }

  @Test("REL-266: Nullify and Cascade are applied as to any object", arguments: ["nullified", "cascaded"])
  func rules(_ key: String) throws {
    let new = try context.insert("Thing", ["name": "new"])
    let owner = try context.insert("Owner", ["name": "o", key: [thing, new]])
    try context.delete(owner)
    try context.processPendingChanges()
    let isCascade = key == "cascaded"
    #expect(thing.isDeleted == isCascade && (new.managedObjectContext == nil) == isCascade)
    try context.save()
    #expect(try stored("Thing") == (isCascade ? 0 : 2) && stored("Owner") == 0)
  }

  @Test("REL-271, REL-429, REL-156: late edits revive nothing, and nobody can be related to it any more")
  func late() throws {
    let owner = try context.insert("Owner", ["name": "o"])
    try context.delete(owner)
    try owner.setValue("late", forKey: "name")
    try owner.addObjects([thing], forKey: "plain")
    try context.processPendingChanges()
    #expect(owner.managedObjectContext == nil && context.insertedObjects.isEmpty)
    #expect(try thing.objects(forKey: "plainOf").isEmpty)
    for call in [
      { try owner.setValue("later", forKey: "name") }, { try owner.addObjects([thing], forKey: "plain") },
      { try thing.setValue(owner, forKey: "nullifiedOf") },
      { try thing.addObjects([owner], forKey: "plainOf") },
    ] {
      #expect(failure(call)?.code == .objectDetached)
    }
    #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
    try context.save()
    #expect(try stored("Owner") == 0)
    #expect(try thing.object(forKey: "nullifiedOf") == nil && thing.objects(forKey: "plainOf").isEmpty)
  }

  @Test(
    "REL-272: a saved object that refers to it loses the link, or with No Action keeps it and is not saved",
    arguments: ["nullified", "left"])
  func referring(_ key: String) throws {
    let owner = try context.insert("Owner", ["name": "o"])
    try thing.setValue(owner, forKey: key + "Of")
    try context.delete(owner)
    let error = failure { try context.save() }
    #expect(error?.number == (key == "left" ? 1550 : nil))
    if key == "left" {
      try thing.setValue(nil, forKey: "leftOf")
      try context.save()
    }
    #expect(try thing.object(forKey: key + "Of") == nil)
    #expect(try stored("Owner") == 0 && stored("Thing") == 1)
  }

  @Test(
    "REL-272, REL-271: who is left with it by No Action lets go of it, whatever the shape",
    arguments: RelationshipShape.all.filter(\.hasInverse))
  func lettingGo(_ shape: RelationshipShape) throws {
    let stack = try TestStack(shape.model(.noAction))
    let destination = try stack.context.insert(shape.destination, ["name": "destination"])
    try stack.context.save()
    let source = try stack.context.insert("Source", ["name": "source"])
    try shape.link(source, destination)
    try stack.context.delete(source)
    try stack.context.processPendingChanges()
    #expect(source.managedObjectContext == nil)
    try destination.setValue(nil, forKey: shape.back)
    #expect(!source.hasChanges && !source.isUpdated)
    try stack.context.save()
    #expect(try shape.backs(destination).isEmpty)
    #expect(try stack.otherProcess().all("Source", "name == 'source'").isEmpty)
  }

  @Test("REL-273: saved objects that it cascades to are deleted in the store")
  func cascading() throws {
    let owner = try context.insert("Owner", ["name": "o", "cascaded": [thing]])
    try context.delete(owner)
    try context.processPendingChanges()
    #expect(context.deletedObjects == [thing])
    try context.save()
    #expect(try stored("Thing") == 0 && thing.managedObjectContext == nil)
  }

  @Test(
    "REL-275: an unsaved graph that is deleted leaves nothing, for every combination of rules",
    arguments: [DeleteRule.nullify, .cascade, .deny, .noAction],
    [DeleteRule.nullify, .cascade, .deny, .noAction])
  func wholeGraph(_ rule: DeleteRule, _ back: DeleteRule) throws {
    var model = GraphModels.tree(rule)
    model.entities[0].relationships[0].deleteRule = back
    let stack = try TestStack(model)
    let context = stack.context
    let nodes = try (0..<6).map { try context.insert("Node", ["name": "\($0)"]) }
    for (index, node) in nodes.enumerated().dropFirst() {
      try node.setValue(nodes[index / 2], forKey: "parent")
    }
    for node in [nodes[3], nodes[0], nodes[5], nodes[1], nodes[2], nodes[4]] { try context.delete(node) }
    try context.processPendingChanges()
    #expect(!context.hasChanges && context.registeredCount == 0)
    #expect(nodes.allSatisfy { $0.managedObjectContext == nil && !$0.hasChanges })
    #expect(try stack.statements { try context.save() } == 0)
  }
}
