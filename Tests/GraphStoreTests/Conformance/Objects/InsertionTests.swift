import Foundation
import GraphStore
import Testing

/// Gets what only run time knows when it is inserted.
private final class Ticket: ManagedObject {
  override func awakeFromInsert() {
    try? setValue(UUID(), forKey: "number")
    try? setValue(Date(timeIntervalSinceReferenceDate: 7), forKey: "made")
  }
}

@Suite("Inserting, and defaults", .everyStore)
struct InsertionTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Ticket", className: "Ticket",
          attributes: [
            AttributeDefinition("number", .uuid), AttributeDefinition("made", .date),
            AttributeDefinition("seats", .int16, defaultValue: .number("2")),
            AttributeDefinition("title", .string, isOptional: false),
            AttributeDefinition("price", .decimal, isOptional: false),
          ],
          relationships: [
            RelationshipDefinition("holder", to: "Holder", inverse: "tickets", isOptional: false),
            RelationshipDefinition("stops", to: "Stop", inverse: "tickets", isToMany: true, isOrdered: true),
          ]),
        EntityDefinition(
          "Holder", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition(
              "tickets", to: "Ticket", inverse: "holder", isToMany: true, isOptional: false, minCount: 1)
          ]),
        EntityDefinition(
          "Stop",
          relationships: [RelationshipDefinition("tickets", to: "Ticket", inverse: "stops", isToMany: true)]),
      ]), classes: ["Ticket": Ticket.self])
  }

  private func complete(_ values: [String: Any] = [:]) throws -> ManagedObject {
    let holder = try context.insert("Holder", ["name": "H"])
    return try context.insert(
      "Ticket", ["title": "T", "price": 1, "holder": holder].merging(values) { $1 })
  }

  @Test("OBJ-040: however it is made, a new object is the same: registered, temporary, with defaults")
  func waysToInsert() throws {
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Ticket"])
    let made = [
      try context.insert(Ticket.self), try context.insert(Ticket.self, entityNamed: "Ticket"),
      try context.insert(entityNamed: "Ticket"), try Ticket(context: context),
      try EntityDescription.insertNewObject(forEntityName: "Ticket", into: context),
      try Ticket(entity: entity, insertInto: context),
    ]
    for ticket in made {
      #expect(type(of: ticket) == Ticket.self && ticket.isInserted && ticket.objectID.isTemporaryID)
      #expect(try ticket.value(forKey: "seats") as? Int16 == 2 && ticket.value(forKey: "number") != nil)
      #expect(context.registeredObject(for: ticket.objectID) === ticket)
    }
    #expect(context.insertedObjects == made && Set(made.map(\.objectID)).count == made.count)
  }

  @Test("OBJ-044, OBJ-045, OBJ-047: what no object can be made of is told, and nothing is registered")
  func refusals() throws {
    final class Stranger: ManagedObject {}
    let entities = stack.coordinator.managedObjectModel.entitiesByName
    let (ticket, holder) = (try #require(entities["Ticket"]), try #require(entities["Holder"]))
    #expect(code { _ = try Stranger(context: context) } == .classMismatch)
    #expect(code { _ = try ManagedObject(context: context) } == .classMismatch)
    #expect(code { _ = try ManagedObject(entity: ticket, insertInto: context) } == .classMismatch)
    #expect(code { _ = try Ticket(entity: holder, insertInto: context) } == .classMismatch)
    #expect(
      code { _ = try EntityDescription.insertNewObject(forEntityName: "Tickets", into: context) }
        == .unknownEntity)
    #expect(context.registeredCount == 0 && !context.hasChanges)
    let made = try ManagedObject(entity: holder, insertInto: context)
    #expect(made.entity === holder && context.insertedObjects == [made])
  }

  @Test("OBJ-042: inserting and filling an object runs no statement")
  func statements() throws {
    #expect(try stack.statements { _ = try complete(["seats": 3]) } == 0)
  }

  @Test("OBJ-043: a new object is in no store before the save")
  func unsaved() throws {
    _ = try complete()
    #expect(try stack.newContext().all("Ticket").isEmpty && stack.otherProcess().all("Ticket").isEmpty)
    try context.save()
    #expect(try stack.otherProcess().all("Ticket").count == 1)
  }

  @Test("OBJ-052: no related object is made, though the model demands one")
  func alone() throws {
    let ticket = try context.insert(entityNamed: "Ticket")
    let holder = try context.insert(entityNamed: "Holder")
    #expect(context.insertedObjects == [ticket, holder] && context.registeredCount == 2)
    #expect(try ticket.object(forKey: "holder") == nil && holder.objects(forKey: "tickets").isEmpty)
    let numbers = Set(failure { try context.save() }?.errors.map(\.number) ?? [])
    #expect(numbers == [1570] && context.registeredCount == 2)
  }

  @Test("OBJ-246: an attribute without a default is nil at first, mandatory or not, and the save says so")
  func noDefault() throws {
    let ticket = try context.insert(entityNamed: "Ticket")
    for key in ["title", "price"] { #expect(try ticket.value(forKey: key) == nil, "\(key)") }
    let missing = failure { try context.save() }?.errors.compactMap(\.property) ?? []
    #expect(missing == ["holder", "price", "title"])
    #expect(try ticket.value(forKey: "price") == nil)
  }

  @Test("OBJ-247: nil that is set later stays nil, before and after the save")
  func nilLater() throws {
    let ticket = try complete()
    try ticket.setValue(nil, forKey: "seats")
    #expect(try ticket.value(forKey: "seats") == nil)
    try context.save()
    #expect(try stack.otherProcess().all("Ticket")[0].value(forKey: "seats") == nil)
    try ticket.setValue(5, forKey: "seats")
    try context.save()
    try ticket.setValue(nil, forKey: "seats")
    try context.save()
    try context.refresh(ticket, mergeChanges: false)
    #expect(try ticket.value(forKey: "seats") == nil)
  }

  @Test("OBJ-248: defaults are no changed values, though they are saved")
  func notChanged() throws {
    let ticket = try context.insert(entityNamed: "Ticket")
    #expect(try ticket.changedValues().isEmpty && ticket.changedKeys.isEmpty)
    try ticket.setValue("T", forKey: "title")
    #expect(try ticket.changedValues().keys.sorted() == ["title"])
    context.rollback()
    _ = try complete()
    try context.save()
    #expect(try stack.otherProcess().all("Ticket")[0].value(forKey: "seats") as? Int16 == 2)
  }

  @Test("OBJ-249: relationships start without objects")
  func noRelated() throws {
    let ticket = try context.insert(entityNamed: "Ticket")
    #expect(try ticket.value(forKey: "holder") == nil && ticket.objects(forKey: "stops").isEmpty)
    #expect(try ticket.objectIDs(forRelationshipNamed: "stops").isEmpty)
  }

  @Test("OBJ-251: what awakeFromInsert works out is each object's own")
  func runTimeDefaults() throws {
    let tickets = try [complete(), complete()]
    let numbers = try tickets.map { try $0.value(forKey: "number") as? UUID }
    #expect(numbers[0] != nil && numbers[1] != nil && numbers[0] != numbers[1])
    try context.save()
    let stored = try stack.otherProcess().all("Ticket", sort: ["objectID"])
    #expect(try stored.map { try $0.value(forKey: "number") as? UUID } == numbers)
    let date = Date(timeIntervalSinceReferenceDate: 7)
    #expect(try stored.allSatisfy { try $0.value(forKey: "made") as? Date == date })
  }
}
