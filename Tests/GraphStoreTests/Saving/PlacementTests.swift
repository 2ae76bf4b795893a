import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("The stores that new objects go to")
struct PlacementTests {
  private let stack: SeveralStores
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try SeveralStores() }

  @Test("STO-139, OBJ-461: without a choice an object goes to the first store")
  func first() throws {
    try stack.insert("Department", ["name": "D"])
    try context.save()
    #expect(try stack.names("Department", in: 0) == ["D"] && stack.names("Department", in: 1).isEmpty)
  }

  @Test("STO-139, OBJ-461, REL-158: an object goes where the objects live that it is related to, by any link")
  func besidePlaced() throws {
    let department = try stack.insert("Department", ["name": "D"], into: 1)
    let boss = try stack.insert("Employee", ["name": "Boss"], into: 1)
    try context.save()
    let first = try stack.insert("Employee", ["name": "to-one", "department": department])
    let second = try stack.insert("Employee", ["name": "to-many"])
    try boss.addObjects([second], forKey: "reports")
    let friend = try stack.insert("Employee", ["name": "pairs"])
    try friend.addObjects([boss], forKey: "friends")
    let spouse = try stack.insert("Employee", ["name": "spouse"])
    try boss.setValue(spouse, forKey: "spouse")
    try context.save()
    #expect(try stack.names("Employee", in: 0).isEmpty)
    #expect(try stack.names("Employee", in: 1) == ["Boss", "pairs", "spouse", "to-many", "to-one"])
    #expect(try first.object(forKey: "department") === department)
    #expect(try stack.findings().isEmpty)
  }

  @Test("STO-139, OBJ-461: new objects related to each other go together, by a chain, in whatever order")
  func chains() throws {
    let people = try (0..<5).map { try stack.insert("Employee", ["name": "E\($0)"]) }
    for (boss, report) in zip(people, people.dropFirst()) { try report.setValue(boss, forKey: "manager") }
    let desk = try stack.insert("Desk", ["name": "Desk", "owner": people[0]])
    try context.assign(people[4], to: stack.stores[1])
    let lone = try stack.insert("Employee", ["name": "lone"])
    try context.save()
    #expect(try stack.names("Employee", in: 1) == ["E0", "E1", "E2", "E3", "E4"])
    #expect(try stack.names("Desk", in: 1) == ["Desk"])
    #expect(try stack.names("Employee", in: 0) == ["lone"])
    #expect(desk.objectID.uriText.contains(stack.stores[1].identifier.uuidString))
    #expect(lone.objectID.uriText.contains(stack.stores[0].identifier.uuidString))
  }

  @Test("OBJ-461: objects that go together go to the first store that holds them all")
  func commonStore() throws {
    let model = ModelDefinition(
      name: "Three",
      entities: [
        EntityDefinition(
          "A", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("b", to: "B", inverse: "a")]),
        EntityDefinition(
          "B", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("a", to: "A", inverse: "b")]),
      ],
      configurations: [
        ConfigurationDefinition("OnlyA", entities: ["A"]), ConfigurationDefinition("OnlyB", entities: ["B"]),
      ])
    let stack = try SeveralStores(model, ["OnlyA", "OnlyB", nil])
    let b = try stack.context.insert("B", ["name": "b"])
    try stack.context.insert("A", ["name": "a", "b": b])
    try stack.context.insert("A", ["name": "alone"])
    try stack.context.save()
    #expect(try stack.names("A", in: 2) == ["a"] && stack.names("B", in: 2) == ["b"])
    #expect(try stack.names("A", in: 0) == ["alone"])
    #expect(try stack.findings().isEmpty)
  }

  @Test(
    "OBJ-462: objects that go together and have no store in common are refused, with the reason of each store"
  )
  func noCommonStore() throws {
    let model = ModelDefinition(
      name: "Ring",
      entities: ["A", "B", "C"].map { name in
        EntityDefinition(
          name, attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("next", to: ["A": "B", "B": "C", "C": "A"][name] ?? "A")])
      },
      configurations: [
        ConfigurationDefinition("AB", entities: ["A", "B"]),
        ConfigurationDefinition("BC", entities: ["B", "C"]),
        ConfigurationDefinition("CA", entities: ["C", "A"]),
      ])
    let stack = try SeveralStores(model, ["AB", "BC", "CA"])
    let context = stack.context
    let a = try context.insert("A", [:])
    try a.setValue(try context.insert("B", ["next": try context.insert("C", ["name": "c"])]), forKey: "next")
    let error = failure { try context.save() }
    #expect(error?.code == .noStoreForObject && error?.number == 136027 && error?.details.count == 3)
    #expect(error?.entity == "A" && context.insertedObjects.count == 3)
    #expect(try stack.names("C", in: 1).isEmpty)
    try a.setValue(nil, forKey: "next")
    try context.save()
  }

  @Test("STO-140, OBJ-463: the last assignment before the save counts, and nothing is written before")
  func assigning() throws {
    let object = try stack.insert("Department", ["name": "D"], into: 1)
    try context.assign(object, to: stack.stores[0])
    try context.assign(object, to: stack.stores[1])
    #expect(object.objectID.isTemporaryID)
    #expect(try stack.names("Department", in: 1).isEmpty)
    try context.save()
    #expect(try stack.names("Department", in: 1) == ["D"] && stack.names("Department", in: 0).isEmpty)
  }

  @Test("STO-140: an assignment outlasts a save that fails")
  func assigningBeforeFailure() throws {
    let model = TestModels.company(isDepartmentOptional: false)
    let stack = try SeveralStores(model)
    let employee = try stack.insert("Employee", ["name": "E"], into: 1)
    #expect(throws: GraphStoreError.self) { try stack.context.save() }
    let department = try stack.insert("Department", ["name": "D"])
    try employee.setValue(department, forKey: "department")
    try stack.context.save()
    #expect(try stack.names("Employee", in: 1) == ["E"] && stack.names("Department", in: 1) == ["D"])
  }

  @Test("STO-141, OBJ-465: stores that cannot take an object are refused at the call")
  func refusals() throws {
    let other = try SeveralStores()
    let object = try stack.insert("Department", ["name": "D"])
    let foreign = failure { try context.assign(object, to: other.stores[0]) }
    #expect(foreign?.code == .unknownStore && foreign?.number == 136009)
    let reading = PersistentStoreCoordinator(model: stack.coordinator.managedObjectModel)
    defer { reading.close() }
    let store = try reading.addStore(at: stack.path(0), options: StoreOptions(isReadOnly: true))
    let readingContext = ManagedObjectContext(coordinator: reading)
    let unsaved = try readingContext.insert("Department", ["name": "D"])
    #expect(code { try readingContext.assign(unsaved, to: store) } == .readOnlyStore)
    let divided = try SeveralStores(MountingTests.divided(), ["Left", "Right"])
    let thing = try divided.context.insert("Thing", ["name": "T"])
    let error = failure { try divided.context.assign(thing, to: divided.stores[0]) }
    #expect(error?.code == .noStoreForObject && error?.number == 136027)
    #expect(error?.details == ["\(divided.path(0)) holds the configuration Left, which does not have Thing"])
    #expect(code { try other.context.assign(object, to: other.stores[0]) } == .contextMismatch)
    try context.save()
    #expect(try stack.names("Department", in: 0) == ["D"])
  }

  @Test("STO-142, OBJ-464, DGN-180: a saved object stays in its store; to assign it there does nothing")
  func reassigning() throws {
    let object = try stack.insert("Department", ["name": "D"], into: 1)
    try context.save()
    let error = failure { try context.assign(object, to: stack.stores[0]) }
    #expect(error?.code == .storeReassignment && error?.number == 136023)
    #expect(
      error?.message.hasPrefix("Can't reassign an object to a different store once it has been saved") == true
    )
    #expect(error?.remedy.contains("move(object, to: store)") == true)
    try context.assign(object, to: stack.stores[1])
    #expect(!context.hasChanges)
    try object.setValue("E", forKey: "name")
    try context.save()
    #expect(try stack.names("Department", in: 1) == ["E"])
  }

  @Test(
    "STO-143, OBJ-462: where no store takes an entity inserting works, and the save says why for each store")
  func nowhere() throws {
    let folder = try LayoutFolder()
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(MountingTests.divided()))
    defer { coordinator.close() }
    let right = try coordinator.addStore(at: folder.file("right"), configuration: "Right")
    try coordinator.remove(right)
    try coordinator.addStore(at: folder.file("left"), configuration: "Left")
    try coordinator.addStore(
      at: folder.file("right"), options: StoreOptions(isReadOnly: true, configuration: "Right"))
    let context = ManagedObjectContext(coordinator: coordinator)
    let guest = try context.insert("Guest", ["name": "G"])
    let thing = try context.insert("Thing", ["name": "T"])
    let error = failure { try context.save() }
    #expect(error?.code == .noStoreForObject && error?.entity == "Thing")
    #expect(
      error?.details == [
        "\(folder.file("left")) holds the configuration Left, which does not have Thing",
        "\(folder.file("right")) was opened for reading only",
      ])
    #expect(context.insertedObjects == [guest, thing])
    #expect(try ManagedObjectContext(coordinator: coordinator).all("Guest").isEmpty)
    try context.delete(thing)
    try context.save()
    #expect(try ManagedObjectContext(coordinator: coordinator).all("Guest").count == 1)
  }

  @Test("STO-139: with a read-only store first, an object goes to the first that can be written")
  func readOnlyFirst() throws {
    try stack.insert("Department", ["name": "old"])
    try context.save()
    let coordinator = PersistentStoreCoordinator(model: stack.coordinator.managedObjectModel)
    defer { coordinator.close() }
    try coordinator.addStore(at: stack.path(0), options: StoreOptions(isReadOnly: true))
    try coordinator.addStore(at: stack.path(1))
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert("Department", ["name": "new"])
    try context.save()
    #expect(try stack.names("Department", in: 1) == ["new"])
    try context.all("Department", "name == 'old'")[0].setValue("older", forKey: "name")
    #expect(code { try context.save() } == .readOnlyStore)
    #expect(context.updatedObjects.count == 1)
  }
}
