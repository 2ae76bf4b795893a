import GraphStore
import Testing

@Suite("Cycles and several paths", .everyStore)
struct CascadePathTests {
  /// Nodes of a graph with both ends of a many-to-many under rules, and a one-to-one within.
  private static func model(_ rule: DeleteRule, _ back: DeleteRule) -> ModelDefinition {
    ModelDefinition(
      name: "Paths",
      entities: [
        EntityDefinition(
          "Node", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("next", to: "Node", inverse: "previous", isToMany: true, deleteRule: rule),
            RelationshipDefinition("previous", to: "Node", inverse: "next", isToMany: true, deleteRule: back),
            RelationshipDefinition("twin", to: "Node", inverse: "twin", deleteRule: rule),
          ])
      ])
  }

  private func nodes(_ context: ManagedObjectContext, _ names: String) throws -> [ManagedObject] {
    try names.map { try context.insert("Node", ["name": String($0)]) }
  }

  private func stored(_ stack: TestStack) throws -> String {
    try stack.otherProcess().all("Node", sort: ["name"]).compactMap { try $0.string("name") }.joined()
  }

  @Test(
    "REL-230, REL-426: an object is deleted once, however many paths and cycles lead to it",
    arguments: [true, false])
  func once(_ isLoaded: Bool) throws {
    let log = HookLog()
    let stack = try TestStack(hooked: Self.model(.cascade, .nullify), log)
    let all = try nodes(stack.context, "abcde")
    try all[0].setValue([all[1], all[2]], forKey: "next")
    try all[1].setValue([all[3]], forKey: "next")
    try all[2].setValue([all[3], all[1], all[2]], forKey: "next")
    try all[3].setValue([all[0]], forKey: "next")
    try all[4].setValue([all[3]], forKey: "next")
    try stack.context.save()
    if !isLoaded { stack.context.reset() }
    try stack.context.delete(stack.context.object(with: all[0].objectID))
    try stack.context.processPendingChanges()
    #expect(log.names.sorted() == ["a", "b", "c", "d"] && stack.context.deletedObjects.count == 4)
    try stack.context.save()
    #expect(try stored(stack) == "e")
    #expect(try stack.otherProcess().all("Node")[0].objects(forKey: "next").isEmpty)
  }

  @Test("REL-231: Cascade at both ends takes the partner, and all that share a to-many with it")
  func bothEnds() throws {
    let stack = try TestStack(Self.model(.cascade, .cascade))
    let all = try nodes(stack.context, "abcdefg")
    try all[0].setValue([all[1], all[2]], forKey: "next")
    try all[3].setValue([all[2]], forKey: "next")
    try all[4].setValue(all[5], forKey: "twin")
    try stack.context.save()
    stack.context.reset()
    try stack.context.delete(stack.context.object(with: all[5].objectID))
    try stack.context.save()
    #expect(try stored(stack) == "abcdg")
    try stack.context.delete(stack.context.object(with: all[1].objectID))
    try stack.context.save()
    #expect(try stored(stack) == "g")
  }

  @Test(
    "REL-233: Cascade wins over Nullify and No Action, and satisfies a Deny of another path",
    arguments: ["nullified", "left", "denied"], [true, false])
  func severalRules(_ key: String, _ isCascadeFirst: Bool) throws {
    let stack = try TestStack(GraphModels.rules)
    let context = stack.context
    let owners = try ["1", "2"].map { try context.insert("Owner", ["name": $0]) }
    let thing = try context.insert("Thing", ["name": "t"])
    try owners[0].setValue([thing], forKey: "cascaded")
    try owners[1].setValue([thing], forKey: key)
    try context.save()
    context.reset()
    for owner in isCascadeFirst ? owners : owners.reversed() {
      try context.delete(context.object(with: owner.objectID))
    }
    try context.save()
    #expect(try stack.otherProcess().all("Thing").isEmpty && stack.otherProcess().all("Owner").isEmpty)
  }

  @Test(
    "REL-235: all objects of a connected graph go in one save, under every rule and in any order",
    arguments: [DeleteRule.nullify, .cascade, .deny, .noAction], TestSeed.sequence(3))
  func everything(_ rule: DeleteRule, _ seed: TestSeed) throws {
    var random = seed.generator
    let stack = try TestStack(Self.model(rule, rule))
    let all = try nodes(stack.context, "abcdefgh")
    for node in all {
      try node.addObjects(Array(all.shuffled(using: &random).prefix(3)), forKey: "next")
      try node.setValue(all.randomElement(using: &random), forKey: "twin")
    }
    try stack.context.save()
    if seed.number % 2 == 1 { stack.context.reset() }
    let ids = all.map(\.objectID).shuffled(using: &random)
    for id in ids { try stack.context.delete(stack.context.object(with: id)) }
    try stack.context.save()
    #expect(try stored(stack).isEmpty && !stack.context.hasChanges)
  }

  @Test("REL-236, REL-433: a save never collides with its own statements")
  func ownStatements() throws {
    let stack = try TestStack(
      ModelDefinition(
        name: "Unique",
        entities: [
          EntityDefinition(
            "Owner", attributes: [AttributeDefinition("code", .string)],
            relationships: [
              RelationshipDefinition(
                "things", to: "Thing", inverse: "owner", isToMany: true, deleteRule: .cascade),
              RelationshipDefinition("friends", to: "Thing", inverse: "friendOf", isToMany: true),
            ], uniquenessConstraints: [["code"]]),
          EntityDefinition(
            "Thing", attributes: [AttributeDefinition("code", .string)],
            relationships: [
              RelationshipDefinition("owner", to: "Owner", inverse: "things"),
              RelationshipDefinition("friendOf", to: "Owner", inverse: "friends", isToMany: true),
              RelationshipDefinition("next", to: "Thing", inverse: "previous"),
              RelationshipDefinition("previous", to: "Thing", inverse: "next"),
            ], uniquenessConstraints: [["code"]]),
        ]))
    let context = stack.context
    func fill() throws -> ManagedObject {
      let owner = try context.insert("Owner", ["code": "o"])
      let things = try "abc".map { try context.insert("Thing", ["code": String($0), "owner": owner]) }
      try owner.setValue(Set(things), forKey: "friends")
      for (left, right) in zip(things, things.dropFirst()) { try left.setValue(right, forKey: "next") }
      return owner
    }
    var owner = try fill()
    try context.save()
    // Members that leave and join raise the version of the owner before it goes with them.
    try owner.objects(forKey: "things")[0].setValue("d", forKey: "code")
    try owner.removeObjects(owner.objects(forKey: "friends"), forKey: "friends")
    try context.delete(owner)
    owner = try fill()
    try context.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Owner").count == 1)
    #expect(try other.all("Thing", sort: ["code"]).map { try $0.string("code") } == ["a", "b", "c"])
    try context.delete(owner)
    try context.save()
    #expect(try stack.otherProcess().all("Thing").isEmpty)
  }
}
