import GraphStore
import Testing

/// Ordered relationships into which two processes put members, each by the members that it knows.
@Suite("Order that two processes give")
struct ConcurrentOrderTests {
  private static let model = ModelDefinition(
    name: "Order",
    entities: [
      EntityDefinition(
        "Owner",
        relationships: [
          RelationshipDefinition("row", to: "Thing", inverse: "rowOf", isToMany: true, isOrdered: true),
          RelationshipDefinition("steps", to: "Thing", inverse: "stepOf", isToMany: true, isOrdered: true),
        ]),
      EntityDefinition(
        "Thing", attributes: [AttributeDefinition("n", .int64)],
        relationships: [
          RelationshipDefinition("rowOf", to: "Owner", inverse: "row"),
          RelationshipDefinition("stepOf", to: "Owner", inverse: "steps", isToMany: true),
        ]),
    ])

  private func numbers(_ key: String, _ stack: TestStack) throws -> [Int64] {
    let owner = try stack.otherProcess().all("Owner")[0]
    return try owner.objects(forKey: key).map { try $0.queryValue(forKey: "n").number }
  }

  @Test("REL-199: no two members have one place", arguments: ["row", "steps"])
  func places(key: String) throws {
    let stack = try TestStack(Self.model)
    let context = stack.context
    let owner = try context.insert(entityNamed: "Owner")
    for number in 1...5 { try context.insert("Thing", ["n": number]) }
    try context.save()
    let things = try context.all("Thing", sort: ["n"])
    #expect(try owner.objects(forKey: key).isEmpty)

    let other = try stack.otherProcess()
    let there = try other.all("Thing", sort: ["n"])
    try other.all("Owner")[0].addObjects([there[3], there[4]], forKey: key)
    try other.save()
    try owner.addObjects([things[0], things[1]], forKey: key)
    try context.save()

    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings).isEmpty)
    let stored = try numbers(key, stack)
    #expect(stored.sorted() == [1, 2, 4, 5])
    #expect(stored.filter { $0 < 3 } == [1, 2])
    #expect(stored.filter { $0 > 3 } == [4, 5])
    try owner.addObjects([things[2]], forKey: key)
    try context.save()
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings).isEmpty)
    #expect(try numbers(key, stack).sorted() == [1, 2, 3, 4, 5])
  }
}
