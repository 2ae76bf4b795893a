import GraphStore
import GraphStoreSQLite
import Testing

/// Links of every shape that another process makes to a record between the delete rules and the write.
@Suite("Links that come late")
struct PhantomLinkTests {
  /// An owner and things, related in each shape under one rule.
  private func model(_ rule: DeleteRule) -> ModelDefinition {
    func relationship(_ name: String, _ inverse: String, isToMany: Bool = true, isOrdered: Bool = false)
      -> RelationshipDefinition
    {
      RelationshipDefinition(
        name, to: "Thing", inverse: inverse, isToMany: isToMany, isOrdered: isOrdered, deleteRule: rule)
    }
    return ModelDefinition(
      name: "Late",
      entities: [
        EntityDefinition(
          "Owner", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            relationship("many", "manyOf"), relationship("row", "rowOf", isOrdered: true),
            relationship("tags", "tagOf"), relationship("steps", "stepOf", isOrdered: true),
            relationship("one", "oneOf", isToMany: false),
          ]),
        EntityDefinition("Special", parent: "Owner"),
        EntityDefinition(
          "Thing", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("manyOf", to: "Owner", inverse: "many"),
            RelationshipDefinition("rowOf", to: "Owner", inverse: "row"),
            RelationshipDefinition("tagOf", to: "Owner", inverse: "tags", isToMany: true),
            RelationshipDefinition("stepOf", to: "Owner", inverse: "steps", isToMany: true),
            RelationshipDefinition("oneOf", to: "Owner", inverse: "one"),
          ]),
      ])
  }

  private static let shapes = ["many", "row", "tags", "steps", "one"]

  /// Deletes an owner to which another process links a thing after the rules were applied; nil where the save
  /// went through.
  private func failure(_ rule: DeleteRule, _ shape: String, _ stack: TestStack) throws -> GraphStoreError? {
    let context = stack.context
    let owners = try (0..<3).map { try context.insert($0 == 1 ? "Special" : "Owner", ["name": "\($0)"]) }
    try context.insert("Thing", ["name": "late"])
    try context.save()
    context.reset()
    let found = try context.object(with: owners[1].objectID)
    try context.delete(found)
    try context.processPendingChanges()
    let other = try stack.otherProcess()
    let thing = try other.all("Thing")[0]
    let owner = try other.all("Owner", "name == '1'")[0]
    try owner.setValue(shape == "one" ? thing : [thing] as Any, forKey: shape)
    try other.save()
    do {
      try context.save()
      return nil
    } catch let error as GraphStoreError {
      return error
    }
  }

  private func check(_ stack: TestStack) throws {
    let findings = try StoreCheck.run(path: stack.path).flatMap(\.findings)
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test("REL-247: nullify leaves no reference, whatever the shape", arguments: shapes)
  func nullify(_ shape: String) throws {
    let stack = try TestStack(model(.nullify))
    let failure = try failure(.nullify, shape, stack)
    // The end of a one-to-one relationship is a value of the deleted record itself, which has changed.
    #expect(failure?.code == (shape == "one" ? .mergeConflict : nil))
    try check(stack)
    #expect(try stack.otherProcess().all("Owner").count == (shape == "one" ? 3 : 2))
    #expect(try stack.otherProcess().all("Thing").count == 1)
  }

  @Test(
    "REL-247: deny and cascade do not let a late link pass, whatever the shape", arguments: shapes,
    [
      DeleteRule.deny, .cascade,
    ])
  func refused(_ shape: String, _ rule: DeleteRule) throws {
    let stack = try TestStack(model(rule))
    let failure = try #require(try failure(rule, shape, stack))
    #expect(failure.code == (rule == .deny ? .deleteDenied : .mergeConflict))
    try check(stack)
    #expect(try stack.otherProcess().all("Owner").count == 3)
    #expect(try stack.otherProcess().all("Thing").count == 1)
  }

  @Test("Links that the save itself takes out are none", arguments: shapes)
  func ownRemovals(_ shape: String) throws {
    let stack = try TestStack(model(.deny))
    let context = stack.context
    let owner = try context.insert("Owner", ["name": "1"])
    let thing = try context.insert("Thing", ["name": "t"])
    try owner.setValue(shape == "one" ? thing : [thing] as Any, forKey: shape)
    try context.save()
    try owner.setValue(nil, forKey: shape)
    try context.delete(owner)
    try context.save()
    try check(stack)
    #expect(try stack.otherProcess().all("Owner").isEmpty)
    #expect(try stack.otherProcess().all("Thing").count == 1)
  }

  @Test("The search for late links is one statement a relationship, and none where nothing can refer")
  func statements() throws {
    let stack = try TestStack(model(.cascade))
    func cost(_ count: Int, _ entity: String) throws -> [String] {
      for number in 0..<count { try stack.context.insert(entity, ["name": "\(number)"]) }
      try stack.context.save()
      stack.context.reset()
      for object in try stack.context.all(entity) { try stack.context.delete(object) }
      return try stack.recordedStatements { try stack.context.save() }
    }
    for count in [1, 500] {
      let owners = try cost(count, "Owner")
      // many, row and one are columns; tags and steps are tables of pairs.
      let reads = owners.drop { !$0.hasPrefix("DELETE") }.filter { $0.hasPrefix("SELECT") }
      #expect(reads.count == 5, "\(reads)")
      let things = try cost(count, "Thing").drop { !$0.hasPrefix("DELETE") }
      // Only oneOf can be referred to: the other ends of the nullified relationships are the things' own.
      #expect(things.filter { $0.hasPrefix("SELECT") }.count == 1, "\(things)")
    }
  }
}
