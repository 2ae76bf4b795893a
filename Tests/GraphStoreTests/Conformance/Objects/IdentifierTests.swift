import Foundation
import GraphStore
import Testing

@Suite("Identifiers of objects", .everyStore)
struct IdentifierTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company()) }

  @Test("OBJ-111, OBJ-529: after the save the identifier is another, and the temporary one leads to nothing")
  func replaced() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    let temporary = ada.objectID
    #expect(context.registeredObject(for: temporary) === ada)
    try context.save()
    #expect(ada.objectID != temporary && !ada.objectID.isTemporaryID && temporary.isTemporaryID)
    #expect(context.registeredObject(for: temporary) == nil)
    #expect(code { _ = try context.object(with: temporary) } == .temporaryIDUnknown)
    #expect(code { _ = try context.existingObject(with: temporary) } == .temporaryIDUnknown)
    #expect(context.registeredObject(for: ada.objectID) === ada)
  }

  @Test(
    "OBJ-115: identifiers tell their entity, whether they are temporary, and a URI; and are values in sets")
  func parts() throws {
    let max = try context.insert("Manager", ["name": "Max"])
    #expect(max.objectID.entity.name == "Manager" && max.objectID.isTemporaryID)
    try context.save()
    let id = max.objectID
    #expect(id.entity === max.entity && !id.isTemporaryID)
    #expect(id.uriRepresentation.absoluteString.hasSuffix("/Manager/p1"))
    let elsewhere = try stack.newContext().all("Employee")[0].objectID
    #expect(Set([id, elsewhere]).count == 1 && [id: 1][elsewhere] == 1)
  }

  @Test("OBJ-115: identifiers are ordered by root entity and key, temporary ones last")
  func order() throws {
    let saved = try ["Desk", "Manager", "Employee", "Department"].map {
      try context.insert(entityNamed: $0)
    }
    try context.save()
    let new = try (0..<3).map { _ in try context.insert(entityNamed: "Department").objectID }
    let names = (new.shuffled() + saved.map(\.objectID).shuffled()).sorted().map(\.shortForm)
    #expect(names.prefix(4) == ["Department/p1", "Manager/p1", "Employee/p2", "Desk/p1"])
    #expect(Array(names.suffix(3)) == new.map(\.shortForm))
    let mixed = try ["Desk", "Department", "Manager", "Department", "Desk"].map {
      try context.insert(entityNamed: $0).objectID
    }
    #expect(mixed.shuffled().sorted() == mixed, "in the order of their creation, whatever the entity")
  }

  @Test("OBJ-115, OBJ-114: of two models with other orders of entities no identifier comes before its equal")
  func orderOfModels() throws {
    guard stack.has(.files) else { return }
    for entity in ["Desk", "Department"] { try context.insert(entityNamed: entity) }
    try context.save()
    var model = TestModels.company()
    model.entities.reverse()
    let other = ManagedObjectContext(
      coordinator: try .open(storeAt: stack.path, model: ManagedObjectModel(model)))
    let here = try (context.all("Desk") + context.all("Department")).map(\.objectID)
    let there = try (other.all("Desk") + other.all("Department")).map(\.objectID)
    #expect(here == there && zip(here, there).allSatisfy { !($0 < $1) && !($1 < $0) })
    #expect(here[1] < there[0] && there[1] < here[0] && !(here[0] < there[1]))
    other.coordinator.close()
  }

  @Test("OBJ-115: identifiers of two stores are ordered by the store first")
  func orderOfStores() throws {
    let stores = try SeveralStores()
    for (entity, number) in [("Desk", 0), ("Department", 1), ("Department", 0), ("Desk", 1)] {
      try stores.insert(entity, [:], into: number)
    }
    try stores.context.save()
    let ids = try (stores.context.all("Desk") + stores.context.all("Department")).map(\.objectID).sorted()
    let hosts = ids.map { $0.uriRepresentation.host() ?? "" }
    #expect(hosts[0] == hosts[1] && hosts[2] == hosts[3] && hosts[0] < hosts[2])
    #expect(ids.map(\.entity.name) == ["Department", "Desk", "Department", "Desk"])
  }

  @Test("OBJ-117: the URI of a temporary identifier has an empty authority, the entity, a UUID and a number")
  func temporaryURI() throws {
    let uris = try (0..<3).map { _ in try context.insert(entityNamed: "Manager").objectID.uriRepresentation }
    for uri in uris {
      let match = try #require(
        uri.absoluteString.wholeMatch(of: /x-coredata:\/\/\/Manager\/t([0-9A-F-]{36})([0-9]+)/))
      #expect(UUID(uuidString: String(match.1)) != nil)
      #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == nil)
    }
    #expect(Set(uris).count == 3)
  }

  @Test("OBJ-121: the look-up of registered objects asks no store, and its nil says nothing of the record")
  func registered() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    let other = stack.newContext()
    var found: ManagedObject?
    #expect(stack.statements { found = other.registeredObject(for: ada.objectID) } == 0)
    #expect(found == nil && other.registeredCount == 0)
    let fault = try other.object(with: ada.objectID)
    #expect(stack.statements { found = other.registeredObject(for: ada.objectID) } == 0)
    #expect(found === fault && fault.isFault)
  }

  @Test("OBJ-122: an object of an identifier is the registered one or a fault, and no store is asked")
  func fault() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    #expect(try context.object(with: ada.objectID) === ada)
    let other = stack.newContext()
    let missing = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p77"))
    var made: [ManagedObject] = []
    #expect(
      try stack.statements { made = try [ada.objectID, missing].map { try other.object(with: $0) } } == 0)
    #expect(made.allSatisfy(\.isFault) && made.map(\.objectID) == [ada.objectID, missing])
    #expect(try made[0].string("name") == "Ada" && !made[0].isDeleted)
    #expect(try made[1].string("name") == nil && made[1].isDeleted)
    other.rollback()
    other.shouldDeleteInaccessibleFaults = false
    #expect(failure { _ = try made[1].string("name") }?.number == 133000)
  }

  @Test("DGN-239, OBJ-122: an identifier of a store that is not open here, or that nobody knows, is refused")
  func refused() throws {
    let elsewhere = try TestStack(TestModels.company())
    let foreign = try elsewhere.context.insert("Employee", ["name": "Ada"])
    #expect(code { _ = try context.object(with: foreign.objectID) } == .temporaryIDUnknown)
    try elsewhere.context.save()
    #expect(code { _ = try context.object(with: foreign.objectID) } == .foreignObjectID)
    #expect(context.registeredObject(for: foreign.objectID) == nil && context.registeredCount == 0)
  }

  @Test(
    "OBJ-124, OBJ-529, DGN-148: another context refuses a temporary identifier and says what to do; its object is unharmed"
  )
  func temporaryElsewhere() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    let other = stack.newContext()
    for lookUp in [other.object(with:), other.existingObject(with:)] {
      let error = failure { _ = try lookUp(ada.objectID) }
      #expect(error?.code == .temporaryIDUnknown && error?.number == 136022)
      #expect(error?.remedy.contains("Save") == true && error?.remedy.contains("permanent") == true)
      #expect(error?.objectID == ada.objectID)
    }
    #expect(try context.existingObject(with: ada.objectID) === ada)
    #expect(try context.object(with: ada.objectID) === ada)
    #expect(ada.isInserted && context.insertedObjects == [ada])
    try context.save()
    #expect(try other.existingObject(with: ada.objectID).string("name") == "Ada")
  }

  @Test(
    "OBJ-129, DGN-149: an object that was never saved is not refreshed, and keeps state and values",
    arguments: [false, true])
  func refreshingInserted(_ merges: Bool) throws {
    let tools = try context.insert("Department", ["name": "Tools"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": tools])
    func expectRefused(_ location: SourceLocation = #_sourceLocation) throws {
      let error = failure { try context.refresh(ada, mergeChanges: merges) }
      #expect(
        error?.code == .cannotRefreshInserted && error?.number == 136025, sourceLocation: location)
      #expect(
        ada.isInserted && !ada.isFault && context.insertedObjects.contains(ada), sourceLocation: location)
      #expect(try ada.string("name") == "Ada" && tools.objects(forKey: "employees") == [ada])
    }
    try expectRefused()
    try context.obtainPermanentIDs(for: [ada])
    try expectRefused()
    try context.save()
    try context.refresh(ada, mergeChanges: merges)
    #expect(ada.isFault)
  }
}
