import GraphStore
import Testing

@Suite("The four rules", .everyStore)
struct DeleteRulesTests {
  private let stack: TestStack
  private let owner: ManagedObject
  private let thing: ManagedObject
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(GraphModels.rules)
    owner = try stack.context.insert("Owner", ["name": "o"])
    thing = try stack.context.insert("Thing", ["name": "t"])
  }

  private func stored(_ entity: String) throws -> Int { try stack.otherProcess().all(entity).count }

  @Test("REL-190, REL-425: the rule of the object that goes counts, not the one of the other side")
  func side() throws {
    try owner.setValue([thing], forKey: "nullified")
    try context.save()
    try context.delete(owner)
    try context.save()
    #expect(try stored("Thing") == 1)
    let next = try context.insert("Owner", ["name": "p", "nullified": [thing]])
    try context.save()
    // The thing's own rule for its owner is Cascade.
    try context.delete(thing)
    try context.save()
    #expect(try stored("Owner") == 0 && next.managedObjectContext == nil)
  }

  @Test(
    "REL-190, REL-425: neither Cascade, nor Deny, nor No Action of an owner says what a thing's end does",
    arguments: ["cascaded", "denied", "left"])
  func otherSide(_ key: String) throws {
    try owner.setValue([thing], forKey: key)
    try context.save()
    context.reset()
    try context.delete(context.object(with: thing.objectID))
    try context.save()
    let stored = try stack.otherProcess()
    #expect(try stored.all("Thing").isEmpty && stored.all("Owner")[0].objects(forKey: key).isEmpty)
  }

  @Test("REL-191: a relationship that names no rule nullifies")
  func standard() throws {
    #expect(RelationshipDefinition("r", to: "E").deleteRule == .nullify)
    #expect(
      stack.coordinator.managedObjectModel.entitiesByName["Owner"]?.relationship(named: "plain")?.deleteRule
        == .nullify)
    try owner.setValue([thing], forKey: "plain")
    try context.save()
    try context.delete(owner)
    try context.save()
    #expect(try stored("Thing") == 1 && thing.objects(forKey: "plainOf").isEmpty)
  }

  @Test("REL-200, REL-428: No Action loads, changes, flags and validates nobody")
  func noAction() throws {
    try owner.setValue([thing], forKey: "left")
    try context.save()
    context.reset()
    let (owner, thing) = (try context.object(with: owner.objectID), try context.object(with: thing.objectID))
    try context.delete(owner)
    try context.processPendingChanges()
    #expect(thing.isFault && !thing.hasChanges && context.updatedObjects.isEmpty)
    try context.save()
    #expect(thing.isFault && context.registeredCount == 1)
    #expect(try thing.object(forKey: "leftOf")?.objectID == owner.objectID)
  }

  @Test("REL-201: what is left by No Action and changed in the same save fails, until the reference goes")
  func changedWithoutAction() throws {
    try owner.setValue([thing], forKey: "left")
    try context.save()
    try context.delete(owner)
    try thing.setValue("other", forKey: "name")
    let error = failure { try context.save() }
    #expect(error?.number == 1550 && error?.objectID == thing.objectID && error?.property == "leftOf")
    #expect(try stored("Owner") == 1)
    try thing.setValue(nil, forKey: "leftOf")
    try context.save()
    #expect(try stored("Owner") == 0)
  }

  @Test("REL-202, REL-431, FLT-138: who refers to the deleted object without its knowing is not looked for")
  func unrelated() throws {
    let stack = try TestStack(GraphModels.city())
    let context = stack.context
    let oslo = try context.insert("City", ["name": "Oslo"])
    try context.save()
    /// The statements of deleting a city, with people that were born there or none.
    func cost(_ people: Int) throws -> Int {
      let city = try context.insert("City", ["name": "c"])
      for number in 0..<people { try context.insert("Person", ["name": "\(number)", "birthplace": city]) }
      try context.save()
      let id = city.objectID
      context.reset()
      try context.delete(context.object(with: id))
      return try stack.statements { try context.save() }
    }
    #expect(try cost(5) == cost(0))
    let people = try stack.otherProcess().all("Person")
    #expect(try people.count == 5 && people.allSatisfy { try $0.object(forKey: "birthplace") != nil })
    _ = oslo
  }

  @Test(
    "REL-203: rules hold for every kind of relationship", arguments: RelationshipShape.all,
    [DeleteRule.cascade, .nullify])
  func everyKind(_ shape: RelationshipShape, _ rule: DeleteRule) throws {
    let stack = try TestStack(shape.model(rule))
    let source = try stack.context.insert("Source", ["name": "source"])
    let destination = try stack.context.insert(shape.destination, ["name": "destination"])
    try shape.link(source, destination)
    try stack.context.save()
    stack.context.reset()
    try stack.context.delete(stack.context.object(with: source.objectID))
    try stack.context.save()
    let left = try stack.otherProcess().all(shape.destination)
    #expect(left.count == (rule == .cascade ? 0 : 1))
    #expect(try left.allSatisfy { try shape.backs($0).isEmpty })
  }

  @Test(
    "REL-136: the rules of a one-way relationship work from its source",
    arguments: [DeleteRule.cascade, .nullify, .deny, .noAction], [true, false])
  func oneWay(_ rule: DeleteRule, _ isToMany: Bool) throws {
    let shape = RelationshipShape(
      name: "one-way", isToMany: isToMany, isBackToMany: isToMany, hasInverse: false)
    let stack = try TestStack(shape.model(rule))
    let context = stack.context
    let source = try context.insert("Source", ["name": "source"])
    let destination = try context.insert("Destination", ["name": "destination"])
    try shape.link(source, destination)
    try context.save()
    context.reset()
    let (again, there) = (
      try context.object(with: source.objectID), try context.object(with: destination.objectID)
    )
    try context.delete(again)
    let error = failure { try context.save() }
    #expect(error?.number == (rule == .deny ? 1600 : nil))
    #expect(there.isUpdated == false)
    let other = try stack.otherProcess()
    #expect(try other.all("Source").count == (rule == .deny ? 1 : 0))
    #expect(try other.all("Destination").count == (rule == .cascade ? 0 : 1))
  }

  @Test(
    "REL-195, REL-196, REL-424: Deny does not count destinations that go themselves, in whatever order",
    arguments: [true, false], [true, false])
  func denied(_ isOwnerFirst: Bool, _ isLoaded: Bool) throws {
    try owner.setValue([thing], forKey: "denied")
    try context.save()
    if !isLoaded { context.reset() }
    let all = [owner, thing].map(\.objectID)
    for id in isOwnerFirst ? all : all.reversed() {
      try context.delete(context.object(with: id))
      try context.processPendingChanges()
    }
    try context.save()
    #expect(try stored("Owner") == 0 && stored("Thing") == 0)
  }

  @Test("REL-195, REL-197: an object in the way that has changes of its own is no second error")
  func deniedByChanged() throws {
    try owner.setValue([thing], forKey: "denied")
    try context.save()
    try thing.setValue("changed", forKey: "name")
    try context.delete(owner)
    let error = failure { try context.save() }
    #expect(error?.number == 1600 && error?.relatedObjects == [thing.objectID])
    // Out of the way it is saved, and what refers to the deleted object by itself is an error as before.
    try thing.setValue(nil, forKey: "deniedOf")
    try context.save()
    #expect(try stored("Owner") == 0 && stored("Thing") == 1)
  }

  @Test("REL-199, REL-424: Deny sees members that were never loaded, and those that are not saved")
  func deniedUnseen() throws {
    try context.save()
    let other = try stack.otherProcess()
    try other.all("Owner")[0].setValue(other.all("Thing"), forKey: "denied")
    try other.save()
    context.reset()
    let fault = try context.object(with: owner.objectID)
    try context.delete(fault)
    #expect(failure { try context.save() }?.relatedObjects == [thing.objectID])
    context.rollback()
    try context.object(with: thing.objectID).setValue(nil, forKey: "deniedOf")
    let new = try context.insert("Thing", ["name": "new", "deniedOf": fault])
    try context.delete(fault)
    let error = failure { try context.save() }
    #expect(error?.number == 1600 && error?.relatedObjects == [new.objectID])
  }
}
