import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("Incremental stores")
struct IncrementalStoreTests {
  // MARK: Opening

  // STO-094, STO-095
  @Test("metadata are asked for first and once, and lend the store its type, its UUID and values of programs")
  func metadata() throws {
    let stack = try ShelfStack()
    #expect(stack.shelf.calls == [.metadata])
    #expect(stack.store.typeName == "Shelf" && stack.store.identifier == stack.shelf.uuid)
    #expect(try stack.store.metadata()["shelf"] == .int(1))
    _ = try stack.context.count(for: FetchRequest(entityName: "Employee"))
    #expect(stack.shelf.calls.filter { $0 == .metadata }.count == 1)
    _ = try expectFailure(.storeAlreadyOpen) { try stack.coordinator.addStore(stack.shelf) }
  }

  @Test("DGN-067: each call of the store counts as one statement, of none of SQL's kinds")
  func countedCalls() throws {
    let stack = try ShelfStack().fill(departments: 2)
    let context = stack.newContext()
    stack.shelf.forgetCalls()
    stack.coordinator.resetCounters()
    for employee in try context.fetch(FetchRequest(entityName: "Employee")) {
      _ = try employee.objects(forKey: "projects").count
    }
    let counts = stack.coordinator.counters.statements
    #expect(counts.other == stack.shelf.calls.count && counts.total == counts.other && counts.other > 1)
  }

  /// A store that tells metadata, and holds nothing.
  private struct EmptyStore: IncrementalStore {
    var metadata: [String: Value]

    func loadMetadata() async throws -> [String: Value] { metadata }

    func fetch(_ query: IncrementalStoreQuery) async throws -> IncrementalStoreAnswer { .nodes([]) }

    func nodes(for identifiers: [NodeIdentifier]) async throws -> [IncrementalStoreNode] { [] }

    func members(_ query: IncrementalStoreMemberQuery) async throws -> IncrementalStoreMembers { .init([:]) }
  }

  // STO-095
  @Test("metadata without type or UUID, or with the hashes of another model, are refused with the key's name")
  func wrongMetadata() throws {
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(TestModels.company()))
    let uuid = Value.string(UUID().uuidString)
    for (metadata, key) in [
      (["NSStoreType": Value.string("X")], "NSStoreUUID"), (["NSStoreUUID": uuid], "NSStoreType"),
      (["NSStoreType": .string("X"), "NSStoreUUID": .string("none")], "NSStoreUUID"),
      (["NSStoreType": .int(1), "NSStoreUUID": uuid], "NSStoreType"),
    ] {
      let error = try expectFailure(.storeOpen) { try coordinator.addStore(EmptyStore(metadata: metadata)) }
      #expect(error.number == 134080 && error.message.contains(key) && error.property == key)
    }
    let hashes = Value.dictionary(["Employee": .data(Data([1]))])
    _ = try expectFailure(.incompatibleModel) {
      try coordinator.addStore(
        EmptyStore(
          metadata: [
            "NSStoreType": .string("X"), "NSStoreUUID": uuid, "NSStoreModelVersionHashes": hashes,
          ]))
    }
    #expect(coordinator.persistentStores.isEmpty)
    try coordinator.addStore(EmptyStore(metadata: ["NSStoreType": .string("X"), "NSStoreUUID": uuid]))
  }

  // STO-098, STO-105, STO-054
  @Test("DGN-165: a store that is only read refuses saves, and every store batch requests, with their number")
  func unknownRequests() throws {
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(TestModels.company()))
    try coordinator.addStore(
      EmptyStore(metadata: ["NSStoreType": .string("X"), "NSStoreUUID": .string(UUID().uuidString)]))
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert("Department", ["name": "A"])
    #expect(try expectFailure(.requestUnsupported) { try context.save() }.number == 134091)
    #expect(context.insertedObjects.count == 1)
    let stack = try ShelfStack().fill()
    for body in [
      { _ = try stack.context.execute(BatchDeleteRequest(FetchRequest(entityName: "Employee"))) },
      {
        _ = try stack.context.execute(
          BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["salary": 1]))
      },
      { _ = try stack.context.execute(BatchInsertRequest(entityName: "Employee", objects: [["name": "X"]])) },
    ] {
      let error = try expectFailure(.requestUnsupported, body)
      #expect(error.number == 134091 && error.message.contains("Shelf"))
    }
    #expect(stack.shelf.saveCount == 0 && stack.shelf.nodes.count == 15)
  }

  // STO-093, STO-094
  @Test("a registered type is opened by its location, at which nothing is looked for")
  func registration() throws {
    let model = try ManagedObjectModel(TestModels.company())
    let shelf = ShelfStore(model)
    let type = StoreType(rawValue: "Shelf")
    try PersistentStoreCoordinator.registerStoreType(type) { opening in
      #expect(opening.url.absoluteString == "http://127.0.0.1:1/shelf" && opening.model === model)
      return shelf
    }
    let coordinator = PersistentStoreCoordinator(model: model)
    var options = StoreOptions()
    options.type = type
    let store = try coordinator.addStore(at: "http://127.0.0.1:1/shelf", options: options)
    #expect(store.typeName == "Shelf" && store.url.absoluteString == "http://127.0.0.1:1/shelf")
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert("Department", ["name": "A"])
    try context.save()
    #expect(shelf.nodes.count == 1)
    _ = try expectFailure(.invalidRequest) {
      try PersistentStoreCoordinator.registerStoreType(.sqlite) { _ in shelf }
    }
  }

  // MARK: Identifiers

  // STO-102, STO-091
  @Test(
    "references are in URIs, as numbers or percent-encoded texts, and are read again elsewhere",
    arguments: [false, true])
  func identifiers(hasTexts: Bool) throws {
    let stack = try ShelfStack(TestModels.company(), .init(hasTexts: hasTexts))
    try stack.fill()
    let ids = try stack.context.all("Employee").map(\.objectID)
    let uris = ids.map(\.uriRepresentation)
    let texts = uris.map(\.absoluteString)
    #expect(Set(texts).count == 9)
    if hasTexts {
      #expect(texts.contains { $0.hasSuffix("/Employee/pn%C2%BA%201%2FEmployee") })
      // A text that is a numeral is not the number.
      #expect(texts.contains { $0.hasSuffix("/Employee/p%33") })
      #expect(ids.contains { $0.nodeIdentifier?.reference == .text("3") })
      #expect(
        stack.coordinator.managedObjectID(forShortForm: "Employee/p%33")?.nodeIdentifier?.reference
          == .text("3"))
    } else {
      #expect(texts.contains { $0.hasSuffix("/Employee/p3") })
      #expect(ids.contains { $0.nodeIdentifier == NodeIdentifier(entity: "Employee", reference: 3) })
    }
    #expect(uris.map { stack.coordinator.managedObjectID(forURIRepresentation: $0) } == ids)
    let other = try stack.elsewhere()
    for (id, uri) in zip(ids, uris) {
      let found = try #require(other.coordinator.managedObjectID(forURIRepresentation: uri))
      #expect(found == id && found.hashValue == id.hashValue)
      #expect(
        try other.existingObject(with: found).string("name") == stack.context.object(with: id).string("name"))
      let named = try #require(id.nodeIdentifier)
      #expect(try stack.coordinator.managedObjectID(for: named, in: stack.store) == id)
    }
  }

  // MARK: Saving

  // STO-098, STO-101
  @Test("a save asks for references once, in the order of insertion, and then writes everything in one call")
  func save() throws {
    let stack = try ShelfStack().fill()
    let department = try stack.context.all("Department", "name == 'D1'")[0]
    let employees = try stack.context.all("Employee", "department.name == 'D2'", sort: ["name"])
    let new = try ["A", "B"].map {
      try stack.context.insert("Employee", ["name": $0, "department": department])
    }
    try employees[0].setValue(99, forKey: "salary")
    try employees[0].setValue(nil, forKey: "department")
    try employees[1].removeObjects([employees[1].objects(forKey: "projects")[0]], forKey: "projects")
    try stack.context.delete(employees[2])
    stack.shelf.forgetCalls()
    try stack.context.save()
    #expect(stack.shelf.calls.filter { $0 == .references(2) }.count == 1)
    #expect(stack.shelf.saveCount == 1 && stack.shelf.calls.last == .save)
    let changes = try #require(stack.shelf.savedChanges.last)
    #expect(changes.inserted.map { $0.values["name"] } == [.string("A"), .string("B")])
    #expect(changes.inserted.map(\.identifier) == new.map(\.objectID.nodeIdentifier))
    #expect(changes.inserted[0].destinations["department"] == department.objectID.nodeIdentifier)
    let update = try #require(changes.updated.first { !$0.values.isEmpty })
    #expect(update.identifier == employees[0].objectID.nodeIdentifier && update.version == 1)
    #expect(update.values == ["salary": .int(99)])
    #expect(
      update.destinations.keys.sorted() == ["department"] && update.destinations["department"] == .some(nil))
    #expect(changes.deleted.count == 1 && changes.links.count == 1)
    #expect(changes.links[0].added.isEmpty && changes.links[0].removed.count == 1)
    let other = try stack.elsewhere()
    #expect(try other.all("Employee", "department.name == 'D1'", sort: ["name"]).count == 5)
    #expect(try other.all("Employee", "projects.@count == 0").count == 3)
    #expect(try other.all("Employee").count == 10)
  }

  private struct Broken: Error {}

  // STO-098
  @Test("DGN-262: what the store throws fails the save, with its error below, and everything stays pending")
  func failure() throws {
    let stack = try ShelfStack().fill()
    let employee = try stack.context.all("Employee")[0]
    try employee.setValue(7, forKey: "salary")
    try stack.context.insert("Department", ["name": "New"])
    stack.shelf.change { $0.onCall = { if $0 == .save { throw Broken() } } }
    let error = try expectFailure(.storeSaveFailed) { try stack.context.save() }
    #expect(error.number == 134030 && error.underlying is Broken)
    #expect(stack.context.hasChanges && stack.context.insertedObjects.count == 1)
    #expect(stack.shelf.nodes.count == 15)
    stack.shelf.change { $0.onCall = { _ in } }
    try stack.context.save()
    #expect(stack.shelf.nodes.count == 16)
    stack.shelf.change { $0.onCall = { _ in throw Broken() } }
    let reading = try expectFailure(.storeOperationFailed) { _ = try stack.newContext().all("Employee") }
    #expect(reading.number == 134070 && reading.underlying is Broken)
  }

  // STO-101
  @Test("too few references, or one for two records, fail the save")
  func wrongReferences() throws {
    let stack = try ShelfStack()
    try stack.context.insert("Department", ["name": "A"])
    try stack.context.insert("Department", ["name": "B"])
    for change in [
      { (references: inout [NodeReference]) in _ = references.removeLast() }, { $0.append(77) },
      { $0 = $0.map { _ in 5 } },
    ] as [@Sendable (inout [NodeReference]) -> Void] {
      stack.shelf.change { $0.onReferences = change }
      #expect(try expectFailure(.storeSaveFailed) { try stack.context.save() }.number == 134030)
    }
    #expect(stack.shelf.saveCount == 0 && stack.context.insertedObjects.count == 2)
  }

  // STO-104
  @Test(
    "a record that others have changed is a conflict before the store is asked to save, with versions or without",
    arguments: [IncrementalStoreCapabilities.all, []])
  func conflicts(capabilities: IncrementalStoreCapabilities) throws {
    let stack = try ShelfStack(TestModels.company(), .init(capabilities: capabilities)).fill()
    let (changed, deleted, locked) = (
      try stack.context.all("Employee", "name == 'E11'")[0],
      try stack.context.all("Employee", "name == 'E12'")[0],
      try stack.context.all("Employee", "name == 'E13'")[0]
    )
    for object in [changed, deleted, locked] {
      let saves = stack.shelf.saveCount
      let id = try #require(object.objectID.nodeIdentifier)
      try changed.setValue(1, forKey: "salary")
      if object === deleted { try stack.context.delete(deleted) }
      if object === locked { try stack.context.detectConflicts(for: locked) }
      stack.shelf.change(id) { $0.values["name"] = .string("Other") }
      let error = try expectFailure(.mergeConflict) { try stack.context.save() }
      #expect(error.objectID == object.objectID || error.relatedObjects.contains(object.objectID))
      #expect(stack.shelf.saveCount == saves)
      stack.context.rollback()
      try stack.context.refreshAllObjects()
      #expect(try object.string("name") == "Other")
    }
    try changed.setValue(2, forKey: "salary")
    stack.context.mergePolicy = .mergeByPropertyObjectTrump
    stack.shelf.change(try #require(changed.objectID.nodeIdentifier)) {
      $0.values["name"] = .string("Again")
    }
    try stack.context.save()
    #expect(try changed.string("name") == "Again" && stack.shelf.saveCount > 0)
  }

  // STO-104
  @Test(
    "a change between the check and the save is a conflict that the store finds, and the next save merges")
  func lateConflict() throws {
    let stack = try ShelfStack().fill()
    let employee = try stack.context.all("Employee", "name == 'E11'")[0]
    let id = try #require(employee.objectID.nodeIdentifier)
    try employee.setValue(1, forKey: "salary")
    let shelf = stack.shelf
    shelf.change {
      $0.onCall = { if $0 == .save { shelf.change(id) { $0.values["name"] = .string("Late") } } }
    }
    let error = try expectFailure(.mergeConflict) { try stack.context.save() }
    #expect(error.relatedObjects == [employee.objectID] && stack.context.hasChanges)
    shelf.change { $0.onCall = { _ in } }
    stack.context.mergePolicy = .mergeByPropertyObjectTrump
    try stack.context.save()
    #expect(try employee.string("name") == "Late")
    #expect(shelf.nodes.first { $0.identifier == id }?.values["salary"] == .int(1))
  }

  // MARK: Transactions

  // STO-098
  @Test(
    "several saves in one transaction are one call; reads in it see them, and a savepoint takes its part back"
  )
  func transactions() throws {
    for capabilities in [IncrementalStoreCapabilities.all, []] {
      let stack = try ShelfStack(TestModels.company(isOrdered: true), .init(capabilities: capabilities))
        .fill()
      let context = stack.context
      struct Stop: Error {}
      try stack.coordinator.transaction(with: context) { transaction in
        let department = try context.all("Department", "name == 'D1'")[0]
        try context.insert("Employee", ["name": "New", "salary": 5, "department": department])
        try context.save()
        try context.all("Employee", "name == 'E11'")[0].setValue(1_000, forKey: "salary")
        try context.save()
        context.reset()
        #expect(try context.all("Employee", "salary > 999").map { try $0.string("name") } == ["E11"])
        #expect(try context.count(for: FetchRequest(entityName: "Employee")) == 10)
        #expect(
          try context.all("Department", "name == 'D1'")[0].names("employees") == ["E11", "E12", "E13", "New"])
        #expect(throws: Stop.self) {
          try transaction.savepoint {
            try context.delete(context.all("Employee", "name == 'New'")[0])
            try context.save()
            #expect(try context.all("Employee", "name == 'New'").isEmpty)
            throw Stop()
          }
        }
        #expect(try context.all("Employee", "name == 'New'").count == 1)
        #expect(try stack.newContext().all("Employee").count == 9)
        #expect(stack.shelf.saveCount == 0)
      }
      #expect(stack.shelf.saveCount == 1)
      #expect(try stack.elsewhere().all("Employee", "salary == 1000 OR name == 'New'").count == 2)
    }
  }

  // MARK: Faulty nodes

  // STO-099
  @Test("a node that the model does not have is refused with its place, and never a trap")
  func faultyNodes() throws {
    let stack = try ShelfStack(
      ModelDefinition(
        name: "M",
        entities: [
          EntityDefinition(
            "A",
            attributes: [
              AttributeDefinition("name", .string, isOptional: false), AttributeDefinition("small", .int16),
              AttributeDefinition("note", .string, isTransient: true),
            ],
            relationships: [
              RelationshipDefinition("b", to: "B", inverse: "many"),
              RelationshipDefinition("other", to: "A", inverse: "others"),
              RelationshipDefinition("others", to: "A", inverse: "other", isToMany: true),
            ]),
          EntityDefinition(
            "B", attributes: [AttributeDefinition("name", .string)],
            relationships: [RelationshipDefinition("many", to: "A", inverse: "b", isToMany: true)]),
        ]))
    try stack.context.insert("A", ["name": "x"])
    try stack.context.save()
    let cases: [(String?, @Sendable (inout IncrementalStoreNode) -> Void)] = [
      ("name", { $0.values["name"] = nil }), ("name", { $0.values["name"] = .int(3) }),
      ("small", { $0.values["small"] = .int(70_000) }), ("small", { $0.values["small"] = .string("3") }),
      ("wrong", { $0.values["wrong"] = .int(3) }), ("note", { $0.values["note"] = .string("n") }),
      ("b", { $0.values["b"] = .int(3) }),
      ("many", { $0.destinations["many"] = NodeIdentifier(entity: "A", reference: 1) }),
      ("b", { $0.destinations["b"] = NodeIdentifier(entity: "A", reference: 1) }),
      (nil, { $0.destinations["b"] = NodeIdentifier(entity: "None", reference: 1) }),
      (nil, { $0.version = -1 }),
      (nil, { $0.identifier = NodeIdentifier(entity: "B", reference: 1) }),
      (nil, { $0.identifier = NodeIdentifier(entity: "None", reference: 1) }),
    ]
    for (property, change) in cases {
      stack.shelf.change { $0.onNode = change }
      let context = stack.newContext()
      let error = try expectFailure(.storeCorrupt) { _ = try context.all("A") }
      if let property { #expect(error.property == property && error.entity == "A" && error.objectID != nil) }
      stack.shelf.change { $0.onNode = { _ in } }
      #expect(try context.all("A").count == 1)
    }
  }

  // STO-099
  @Test("a record that is gone is an unfulfillable fault")
  func missingRecords() throws {
    let stack = try ShelfStack().fill()
    let employee = try stack.context.all("Employee", "name == 'E11'")[0]
    let department = try #require(try employee.object(forKey: "department"))
    let id = try #require(department.objectID.nodeIdentifier)
    stack.shelf.remove(id)
    stack.context.shouldDeleteInaccessibleFaults = false
    _ = try expectFailure(.inaccessibleObject) { _ = try department.string("name") }
    _ = try expectFailure(.objectNotFound) {
      _ = try stack.newContext().existingObject(with: department.objectID)
    }
  }
}
