import GraphStore
import Testing

/// An inverse that a parent of the destination declares, as models of Xcode may have it.
struct InheritedInverseTests {
  private static let model = ModelDefinition(
    name: "Pets",
    entities: [
      EntityDefinition(
        "Owner", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition(
            "dogs", to: "Dog", inverse: "owner", isToMany: true, deleteRule: .cascade,
            xcode: ["inverseEntity": "Animal"])
        ]),
      EntityDefinition(
        "Animal", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("owner", to: "Owner", inverse: "dogs")]),
      EntityDefinition("Dog", parent: "Animal"), EntityDefinition("Cat", parent: "Animal"),
    ])

  @Test("MDL-204: both sides follow, and the cascade reaches the members")
  func links() throws {
    let stack = try TestStack(Self.model)
    let owner = try stack.context.insert("Owner", ["name": "Ada"])
    let dog = try stack.context.insert("Dog", ["name": "Rex", "owner": owner])
    #expect(try owner.objects(forKey: "dogs").map(\.objectID) == [dog.objectID])
    try stack.context.save()
    let other = try stack.otherProcess().all("Owner")[0]
    #expect(try other.objects(forKey: "dogs").count == 1)
    try stack.context.delete(owner)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Dog").isEmpty)
  }

  @Test("MDL-204: an object that the other side does not lead to is refused, and nothing changes")
  func misfits() throws {
    let stack = try TestStack(Self.model)
    let owner = try stack.context.insert("Owner", ["name": "Ada"])
    for entity in ["Cat", "Animal"] {
      let animal = try stack.context.insert(entity, ["name": "x"])
      let error = #expect(throws: GraphStoreError.self) { try animal.setValue(owner, forKey: "owner") }
      #expect(error?.code == .wrongDestination)
      #expect(throws: GraphStoreError.self) { try owner.setValue([animal], forKey: "dogs") }
      #expect(try animal.object(forKey: "owner") == nil)
      try animal.setValue(nil, forKey: "owner")
    }
    #expect(try owner.objects(forKey: "dogs").isEmpty)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Owner")[0].objects(forKey: "dogs").isEmpty)
  }
}
