import Foundation
import GraphStore
import OrderedCollections
import Testing

@Suite("Values that properties read and take", .everyStore)
struct ValueRuleTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing",
          attributes: AttributeType.allCases.filter { $0 != .undefined }.map { type in
            AttributeDefinition(
              type.rawValue, type, isOptional: false,
              elements: type == .composite ? [AttributeDefinition("x", .int16)] : [])
          } + [
            AttributeDefinition("any", .undefined, isOptional: false, isTransient: true),
            AttributeDefinition("large", .binary, isOptional: false, externalStorage: true),
          ],
          relationships: [
            RelationshipDefinition("one", to: "Thing", inverse: "many", isOptional: false),
            RelationshipDefinition(
              "many", to: "Thing", inverse: "one", isToMany: true, isOptional: false, minCount: 1),
            RelationshipDefinition("first", to: "Thing", inverse: "list"),
            RelationshipDefinition("list", to: "Thing", inverse: "first", isToMany: true, isOrdered: true),
          ])
      ]))
  }

  @Test("OBJ-140: every setter takes nil for every property, and the save alone says what is missing")
  func nilEverywhere() throws {
    let thing = try context.insert(entityNamed: "Thing")
    let names = thing.entity.properties.map(\.name)
    #expect(names.count == 20)
    for name in names {
      try thing.setValue(nil, forKey: name)
      try thing.setPrimitiveValue(nil, forKey: name)
      thing[name] = nil
    }
    thing[AttributeKey<ManagedObject, Int16>("int16")] = nil
    thing[AttributeKey<ManagedObject, String>("string")] = nil
    thing[ToOneKey<ManagedObject, ManagedObject>("one")] = nil
    #expect(context.takeDeferredErrors().isEmpty)
    for name in names where !["many", "list"].contains(name) {
      #expect(try thing.value(forKey: name) == nil, "\(name)")
    }
    #expect(try thing.objects(forKey: "many").isEmpty && thing.objects(forKey: "list").isEmpty)
    let error = failure { try context.save() }
    #expect(error?.errors.allSatisfy { $0.number == 1570 } == true)
    #expect(Set(error?.errors.compactMap(\.property) ?? []) == Set(names).subtracting(["list", "first"]))
  }

  @Test("OBJ-140: nil takes a value away that a saved object had")
  func nilLater() throws {
    let thing = try context.insert("Thing", ["int16": 1, "string": "s", "binary": Data([1])])
    for name in ["int16", "string", "binary"] {
      try thing.setValue(nil, forKey: name)
      #expect(try thing.value(forKey: name) == nil, "\(name)")
    }
  }

  @Test("OBJ-150: a to-one reads as an object or nil, a to-many as a set, and never as nil")
  func relationships() throws {
    let things = try (0..<3).map { _ in try context.insert(entityNamed: "Thing") }
    #expect(try things[0].value(forKey: "one") == nil)
    #expect(try (things[0].value(forKey: "many") as? RelationshipSet)?.objects == [])
    #expect(things[0][ToManyKey<ManagedObject, Set<ManagedObject>>("many")].isEmpty)
    #expect(things[0][ToManyKey<ManagedObject, OrderedSet<ManagedObject>>("list")].isEmpty)
    try things[0].setValue(Set(things[1...]), forKey: "many")
    try things[0].setValue([things[2], things[1]], forKey: "list")
    #expect(try (things[0].value(forKey: "many") as? RelationshipSet)?.objects == Set(things[1...]))
    #expect(things[0][ToManyKey<ManagedObject, Set<ManagedObject>>("many")] == Set(things[1...]))
    #expect(things[0][ToManyKey<ManagedObject, OrderedSet<ManagedObject>>("list")] == [things[2], things[1]])
    #expect(try things[1].value(forKey: "one") as? ManagedObject === things[0])
    #expect(things[2][ToOneKey<ManagedObject, ManagedObject>("first")] === things[0])
  }
}

@Suite("Realising an object as a whole", .everyStore)
struct WholeRealisationTests {
  private let stack: TestStack
  private let id: ManagedObjectID

  init() throws {
    stack = try TestStack(TestModels.company())
    let context = stack.context
    let tools = try context.insert("Department", ["name": "Tools"])
    let max = try context.insert("Manager", ["name": "Max"])
    let ada = try context.insert(
      "Employee", ["name": "Ada", "salary": 7, "department": tools, "manager": max])
    try context.save()
    id = ada.objectID
    context.reset()
  }

  @Test(
    "OBJ-155, FLT-010: the first read brings all attributes and the identifiers of the to-ones, in one statement",
    arguments: ["name", "salary", "department", "spouse"])
  func atOnce(_ first: String) throws {
    let ada = try stack.context.object(with: id)
    let one = stack.has(.statements) ? 1 : 0
    #expect(try stack.statements { _ = try ada.value(forKey: first) } == one)
    #expect(
      try stack.statements {
        try check(ada.string("name") == "Ada" && ada.value(forKey: "salary") as? Int64 == 7)
        try check(ada.object(forKey: "department")?.objectID.shortForm == "Department/p1")
        try check(ada.objectIDs(forRelationshipNamed: "manager").map(\.shortForm) == ["Manager/p1"])
        try check(ada.object(forKey: "desk") == nil)
      } == 0)
  }

  @Test("OBJ-155, FLT-010: all values are of the time of the first read, whatever is saved meanwhile")
  func atOneTime() throws {
    let ada = try stack.context.object(with: id)
    #expect(try ada.string("name") == "Ada")
    let other = stack.newContext()
    let theirs = try other.existingObject(with: id)
    try theirs.setValue(8, forKey: "salary")
    try theirs.setValue(nil, forKey: "department")
    try other.save()
    #expect(try ada.value(forKey: "salary") as? Int64 == 7 && ada.object(forKey: "department") != nil)
  }
}
