import GraphStore
import Testing

/// Notes which object each hook of a save visits.
private final class Visited: ManagedObject {
  nonisolated(unsafe) static var calls: [String] = []
  static let name = AttributeKey<Visited, String>("name")

  private func note(_ hook: String) { Self.calls.append("\(hook) \(self[Self.name] ?? objectID.shortForm)") }

  override func willSave() { note("willSave") }
  override func didSave() {
    if managedObjectContext != nil { note("didSave") } else { Self.calls.append("didSave -") }
  }
  override func validateForInsert() throws {
    note("validate")
    try super.validateForInsert()
  }
  override func validateForUpdate() throws {
    note("validate")
    try super.validateForUpdate()
  }
  override func validateForDelete() throws {
    note("validate")
    try super.validateForDelete()
  }
}

/// Does not look at the rules of the model.
private final class Careless: ManagedObject {
  override func validateForDelete() throws {}
}

@Suite("Order and checks of a save", .serialized)
struct SaveOrderTests {
  @Test("OBJ-079: hooks and validations visit inserted, then updated, then deleted objects")
  func order() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition("Thing", className: "Thing", attributes: [AttributeDefinition("name", .string)])
      ]), classes: ["Thing": Visited.self])
    let context = stack.context
    for name in ["a", "b", "c", "d"] { try context.insert("Thing", ["name": name]) }
    try context.save()
    let stored = try context.all("Thing", sort: ["name"])
    try context.delete(stored[3])
    try stored[1].setValue("b2", forKey: "name")
    try context.insert("Thing", ["name": "new"])
    try context.delete(stored[2])
    try stored[0].setValue("a2", forKey: "name")
    try context.insert("Thing", ["name": "newer"])
    let order = ["new", "newer", "b2", "a2", "d", "c"]
    Visited.calls = []
    try context.save()
    #expect(
      Visited.calls
        == order.map { "validate \($0)" } + order.map { "willSave \($0)" }
        + order.prefix(4).map { "didSave \($0)" } + ["didSave -", "didSave -"])
  }

  private func model(_ rule: DeleteRule, className: String? = nil) -> ModelDefinition {
    ModelDefinition(entities: [
      EntityDefinition(
        "Owner", className: className, attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("things", to: "Thing", inverse: "owner", isToMany: true, deleteRule: rule),
          RelationshipDefinition("self1", to: "Owner", inverse: "self2", isToMany: true, deleteRule: rule),
          RelationshipDefinition("self2", to: "Owner", inverse: "self1"),
        ]),
      EntityDefinition(
        "Thing", relationships: [RelationshipDefinition("owner", to: "Owner", inverse: "things")]),
    ])
  }

  @Test("OBJ-365: validateForDelete called directly honours deny, before and after delete")
  func direct() throws {
    let stack = try TestStack(model(.deny))
    let owner = try stack.context.insert("Owner", ["name": "o"])
    let thing = try stack.context.insert("Thing", ["owner": owner])
    try owner.validateForDelete()
    try stack.context.save()
    for _ in 0..<2 {
      #expect {
        try owner.validateForDelete()
      } throws: { error in
        let error = error as? GraphStoreError
        return error?.code == .deleteDenied && error?.relatedObjects == [thing.objectID]
      }
      try stack.context.delete(owner)
    }
    try thing.setValue(nil, forKey: "owner")
    try owner.validateForDelete()
    try stack.context.save()
    #expect(try stack.otherProcess().all("Owner").isEmpty)
  }

  @Test("REL-232: an object that is related to itself does not deny its own deletion")
  func selfReference() throws {
    let stack = try TestStack(model(.deny))
    let owner = try stack.context.insert("Owner", ["name": "o"])
    try owner.setValue(owner, forKey: "self2")
    try stack.context.save()
    try owner.validateForDelete()
    try stack.context.delete(owner)
    try stack.context.save()
  }

  @Test("A validateForDelete that does not call super leaves no dangling reference all the same")
  func careless() throws {
    let stack = try TestStack(model(.deny, className: "Owner"), classes: ["Owner": Careless.self])
    let owner = try stack.context.insert("Owner", ["name": "o"])
    let thing = try stack.context.insert("Thing", ["owner": owner])
    try stack.context.save()
    try stack.context.delete(owner)
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .deleteDenied && error?.relatedObjects == [thing.objectID]
    }
  }

  @Test(
    "REL-199: the deny rules of a save are looked at with one statement a relationship", arguments: [2, 200])
  func statements(_ count: Int) throws {
    let stack = try TestStack(model(.deny, className: "Owner"), classes: ["Owner": Visited.self])
    for _ in 0..<count { try stack.context.insert("Owner", ["name": "o"]) }
    try stack.context.save()
    for owner in try stack.context.all("Owner") { try stack.context.delete(owner) }
    // Two relationships are looked at before the write and again in it; then versions, rows, BEGIN and
    // COMMIT.
    #expect(try stack.statements { try stack.context.save() } <= 9)
  }
}
