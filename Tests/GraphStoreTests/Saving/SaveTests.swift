import Foundation
import GraphStore
import Testing

struct SaveTests {
  private let model = ModelDefinition(
    name: "Shop",
    entities: [
      EntityDefinition(
        "Item",
        attributes: [
          AttributeDefinition(
            "name", .string, isOptional: false, minLength: 2, maxLength: 5, pattern: "[a-z]+"),
          AttributeDefinition("price", .decimal, minimum: .string("0"), maximum: .string("100")),
          AttributeDefinition("stock", .int32, defaultValue: .number("3"), minimum: .number("0")),
          AttributeDefinition("code", .string),
        ],
        relationships: [
          RelationshipDefinition(
            "parts", to: "Part", inverse: "item", isToMany: true, minCount: 2, maxCount: 3)
        ], uniquenessConstraints: [["code"]]),
      EntityDefinition(
        "Part", attributes: [AttributeDefinition("size", .int16)],
        relationships: [RelationshipDefinition("item", to: "Item", inverse: "parts", isOptional: false)]),
    ])

  @Test("OBJ-245, MDL-141: a new object has the model's defaults, and they are no changes")
  func defaults() throws {
    let stack = try TestStack(model)
    let item = try stack.context.insert("Item", ["name": "abc"])
    #expect(try item.value(forKey: "stock") as? Int32 == 3)
  }

  @Test("OBJ-334, OBJ-367, DGN-119: failures of all objects come together, and nothing is written")
  func validation() throws {
    let stack = try TestStack(model)
    let bad = try stack.context.insert("Item", ["name": "A", "price": Decimal(101), "stock": -1])
    try stack.context.insert("Item", [:])
    let good = try stack.context.insert("Item", ["name": "good"])
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.number == 1560 && error?.errors.map(\.number) == [1670, 1680, 1610, 1620, 1570]
    }
    #expect(good.isInserted && bad.objectID.isTemporaryID)
    #expect(try stack.otherProcess().all("Item").isEmpty)
    for (key, value) in ["name": "ok", "price": Decimal(1), "stock": 1] as [String: Any] {
      try bad.setValue(value, forKey: key)
    }
    try stack.context.delete(stack.context.insertedObjects[1])
    try stack.context.save()
    #expect(try stack.otherProcess().all("Item").count == 2)
  }

  @Test("REL-142, REL-143: counts are checked for relationships that are not empty", arguments: 0...4)
  func counts(_ count: Int) throws {
    let stack = try TestStack(model)
    let item = try stack.context.insert("Item", ["name": "abc"])
    for _ in 0..<count { try stack.context.insert("Part", ["item": item]) }
    let result = Result { try stack.context.save() }
    switch count {
    case 0, 2, 3: try result.get()
    default:
      #expect(throws: GraphStoreError.self) { try result.get() }
      #expect((result.failure as? GraphStoreError)?.number == (count == 1 ? 1580 : 1590))
    }
  }

  @Test("CTX-178, DGN-178: a value that must be unique names the other object; a nil one may repeat")
  func uniqueness() throws {
    let stack = try TestStack(model)
    try stack.context.insert("Item", ["name": "one", "code": "X"])
    try stack.context.insert("Item", ["name": "two"])
    try stack.context.insert("Item", ["name": "three"])
    try stack.context.save()
    let twin = try stack.context.insert("Item", ["name": "four", "code": "X"])
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .constraintConflict && error?.relatedObjects.map(\.shortForm) == ["Item/p1"]
    }
    #expect(twin.isInserted)
    try twin.setValue("Y", forKey: "code")
    try stack.context.save()
  }

  @Test("CTX-174, MDL-293: a new object may take the value of one deleted in the same save")
  func uniquenessOfDeleted() throws {
    let stack = try TestStack(model)
    let old = try stack.context.insert("Item", ["name": "one", "code": "X"])
    try stack.context.save()
    try stack.context.delete(old)
    try stack.context.insert("Item", ["name": "two", "code": "X"])
    try stack.context.save()
    #expect(try stack.otherProcess().all("Item").map { try $0.string("name") } == ["two"])
  }

  @Test("CTX-170, CTX-173, DGN-174: a row changed by another writer is a conflict that names the values")
  func conflict() throws {
    let stack = try TestStack(model)
    let item = try stack.context.insert("Item", ["name": "one"])
    try stack.context.save()
    let other = try stack.otherProcess()
    try other.all("Item")[0].setValue(9, forKey: "stock")
    try other.save()
    try item.setValue(5, forKey: "stock")
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      let values = error?.conflicts.flatMap(\.values).map {
        [$0.object, $0.property, $0.mine, $0.theirs, $0.base]
      }
      return error?.code == .mergeConflict && error?.details == ["Item/p1 stock: you 5, store 9, was 3"]
        && values == [["Item/p1", "stock", "5", "9", "3"]]
    }
    #expect(item.hasChanges)
    try stack.context.refresh(item, mergeChanges: true)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Item")[0].value(forKey: "stock") as? Int32 == 5)
  }

  @Test("CTX-177: deleting what is gone already is no conflict; deleting what was changed is one")
  func deletionConflicts() throws {
    let stack = try TestStack(model)
    let gone = try stack.context.insert("Item", ["name": "gone"])
    let changed = try stack.context.insert("Item", ["name": "other"])
    try stack.context.save()
    let other = try stack.otherProcess()
    try other.delete(other.all("Item", "name == 'gone'")[0])
    try other.all("Item", "name == 'other'")[0].setValue(9, forKey: "stock")
    try other.save()
    try stack.context.delete(gone)
    try stack.context.save()
    try stack.context.delete(changed)
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .mergeConflict }
  }

  @Test("REL-320: a link to a record that another writer has deleted is refused")
  func linkToDeleted() throws {
    let stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", [:])
    try stack.context.save()
    let other = try stack.otherProcess()
    try other.delete(other.all("Department")[0])
    try other.save()
    try stack.context.insert("Employee", ["department": department])
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .objectNotFound }
    #expect(try stack.otherProcess().all("Employee").isEmpty)
  }

  @Test("CTX-088: a save without changes runs nothing")
  func emptySave() throws {
    let stack = try TestStack(model)
    #expect(try stack.statements { try stack.context.save() } == 0)
  }

  @Test("OBJ-051, OBJ-113: keys follow the order of insertion and are never given twice")
  func keys() throws {
    let stack = try TestStack(TestModels.company())
    let first = try (0..<3).map { _ in try stack.context.insert(entityNamed: "Employee") }
    let manager = try stack.context.insert(entityNamed: "Manager")
    try stack.context.save()
    #expect(
      (first + [manager]).map(\.objectID.shortForm) == [
        "Employee/p1", "Employee/p2", "Employee/p3", "Manager/p4",
      ])
    try stack.context.delete(manager)
    try stack.context.save()
    let next = try stack.context.insert(entityNamed: "Employee")
    try stack.context.save()
    #expect(next.objectID.shortForm == "Employee/p5")
  }

  @Test("REL-317: members that another writer adds do not stand against a change of their owner")
  func ownerVersion() throws {
    let stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "D"])
    try stack.context.save()
    let other = try stack.otherProcess()
    try other.insert("Employee", ["department": try other.all("Department")[0]])
    try other.save()
    try stack.context.insert("Employee", ["department": department])
    try department.setValue("E", forKey: "name")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Department")[0].objects(forKey: "employees").count == 2)
  }

  @Test("Several saves as one: a transaction that throws leaves nothing and resets the contexts")
  func transaction() throws {
    struct Stop: Error {}
    let stack = try TestStack(TestModels.company())
    #expect(throws: Stop.self) {
      try stack.coordinator.transaction(with: stack.context) { _ in
        for _ in 0..<3 {
          try stack.context.insert("Employee", ["name": "Ada"])
          try stack.context.save()
        }
        #expect(try stack.context.all("Employee").count == 3)
        throw Stop()
      }
    }
    #expect(stack.context.registeredCount == 0)
    #expect(try stack.context.all("Employee").isEmpty)
    try stack.coordinator.transaction(with: stack.context) { _ in
      try stack.context.insert("Employee", ["name": "Bob"])
      try stack.context.save()
    }
    #expect(try stack.otherProcess().all("Employee").count == 1)
  }

  @Test("REL-120: appending to an ordered relationship keeps the order in another process")
  func order() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    let department = try stack.context.insert("Department", [:])
    for name in ["c", "a", "b"] {
      try stack.context.insert("Employee", ["name": name, "department": department])
    }
    try stack.context.save()
    stack.context.reset()
    let context = try stack.otherProcess()
    let stored = try context.all("Department")[0]
    try context.insert("Employee", ["name": "z", "department": stored])
    try context.save()
    #expect(try stack.otherProcess().all("Department")[0].names("employees") == ["c", "a", "b", "z"])
    let members = try stored.objects(forKey: "employees")
    try stored.setValue([members[3], members[0], members[2]], forKey: "employees")
    try context.save()
    #expect(try stack.otherProcess().all("Department")[0].names("employees") == ["z", "c", "b"])
  }

  @Test("STO-168: a store opened for reading refuses a save before anything is written")
  func readOnly() throws {
    let stack = try TestStack(TestModels.company())
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: stack.path, options: StoreOptions(isReadOnly: true))
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert("Employee", [:])
    #expect { try context.save() } throws: { ($0 as? GraphStoreError)?.code == .readOnlyStore }
  }

  @Test("CTX-126: a store held by another writer ends in store-timeout")
  func locked() throws {
    let stack = try TestStack(TestModels.company())
    let other = try PersistentStoreCoordinator.open(
      storeAt: stack.path, options: StoreOptions(timeout: .milliseconds(50)))
    let context = ManagedObjectContext(coordinator: other)
    try context.insert("Employee", [:])
    _ = try stack.coordinator.transaction { _ in
      #expect { try context.save() } throws: { ($0 as? GraphStoreError)?.code == .storeTimeout }
    }
    try context.save()
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { return error }
    return nil
  }
}
