import GraphStore
import Testing

@Suite("What never fires a fault", .everyStore)
struct FiresNothingTests {
  private let stack: TestStack
  private let id: ManagedObjectID
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    let tools = try stack.context.insert("Department", ["name": "Tools"])
    id = try stack.context.insert("Employee", ["name": "Ada", "department": tools]).permanentID()
    stack.context.reset()
  }

  @Test("FLT-025: none of these calls fires a fault, or runs a statement")
  func calls() throws {
    let calls: [(String, (ManagedObject) throws -> Void)] = [
      ("==", { try check($0 == $0) }),
      ("hash", { try check(Set([$0]).contains($0)) }),
      ("===", { try check($0 === $0) }),
      ("type", { try check(type(of: $0) == ManagedObject.self && ($0 as Any) is ManagedObject) }),
      ("objectID", { try check(!$0.objectID.isTemporaryID) }),
      ("entity", { try check($0.entity.name == "Employee") }),
      ("context", { try check($0.managedObjectContext === context) }),
      ("isFault", { try check($0.isFault) }),
      ("flags", { try check(!$0.isInserted && !$0.isUpdated && !$0.isDeleted) }),
      ("changes", { try check(!$0.hasChanges && !$0.hasPersistentChangedValues) }),
      ("changedValues", { try check($0.changedValues().isEmpty && $0.changedKeys.isEmpty) }),
      ("hasFault", { try check($0.hasFault(forRelationshipNamed: "department")) }),
      ("hasFault, to-many", { try check($0.hasFault(forRelationshipNamed: "reports")) }),
      ("faultingState", { try check($0.faultingState == 1) }),
      ("description", { try check(!$0.description.isEmpty) }),
      ("debugDescription", { try check(!String(reflecting: $0).isEmpty) }),
      ("primitiveValue", { try check($0.primitiveValue(forKey: "name") == nil) }),
      ("refresh", { try context.refresh($0, mergeChanges: false) }),
      ("merging refresh", { try context.refresh($0, mergeChanges: true) }),
      ("obtainPermanentIDs", { try context.obtainPermanentIDs(for: [$0]) }),
      ("registeredObject", { try check(context.registeredObject(for: $0.objectID) === $0) }),
      ("self, by key", { try check($0.value(forKey: "self") as? ManagedObject === $0) }),
      ("objectID, by key", { try check($0.value(forKey: "objectID") as? ManagedObjectID == $0.objectID) }),
      ("didAccessValue", { $0.didAccessValue(forKey: "name") }),
      ("didChangeValue", { $0.didChangeValue(forKey: "name") }),
      ("delete", { try context.delete($0) }),
    ]
    for (name, call) in calls {
      context.reset()
      let fault = try context.object(with: id)
      #expect(try stack.statements { try call(fault) } == 0, "\(name)")
      #expect(fault.isFault, "\(name)")
    }
  }

  @Test("DGN-230: asking a context how many objects it knows, or what it is, fires no fault of them")
  func contexts() throws {
    let faults = try context.all("Employee") + context.all("Department")
    for fault in faults { try context.refresh(fault, mergeChanges: false) }
    let statements = try stack.statements {
      try check(context.registeredCount == 2 && context.registeredObjects.count == 2)
      try check(!context.description.isEmpty && !String(reflecting: context).isEmpty)
    }
    #expect(statements == 0 && faults.count == 2 && faults.allSatisfy(\.isFault))
  }

  @Test(
    "FLT-026: a fault is found in sets and as a key before and after it fires, and a new object after its save"
  )
  func collections() throws {
    let fault = try context.object(with: id)
    let set: Set<ManagedObject> = [fault]
    let values: [ManagedObject: Int] = [fault: 1]
    let hash = fault.hashValue
    _ = try fault.string("name")
    #expect(set.contains(fault) && values[fault] == 1 && fault.hashValue == hash)
    try context.refresh(fault, mergeChanges: false)
    #expect(set.contains(fault) && fault.hashValue == hash)
    let new = try context.insert("Employee", ["name": "Bob"])
    var (news, byNew) = (Set([new]), [new: 1])
    try context.save()
    #expect(news.contains(new) && byNew[new] == 1)
    #expect(news.remove(new) === new && byNew.removeValue(forKey: new) == 1)
    #expect(try stack.newContext().object(with: id) != fault)
  }

  @Test("FLT-033: deleting a fault reads nothing at the call, and later only what its rules need")
  func deleting() throws {
    let fault = try context.object(with: id)
    #expect(try stack.statements { try context.delete(fault) } == 0)
    #expect(fault.isFault && fault.isDeleted && context.registeredCount == 1)
    try context.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty)
  }

  @Test("FLT-033: the members of a relationship with the rule No Action are never loaded")
  func noAction() throws {
    for rule in [DeleteRule.noAction, .nullify] {
      let stack = try TestStack(TestModels.company(employees: rule))
      let tools = try stack.context.insert("Department", ["name": "Tools"])
      try stack.context.insert("Employee", ["name": "Ada", "department": tools])
      try stack.context.save()
      stack.context.reset()
      let fault = try stack.context.all("Department")[0]
      try stack.context.delete(fault)
      try stack.context.processPendingChanges()
      #expect((stack.context.registeredCount == 1) == (rule == .noAction), "\(rule)")
    }
  }
}

extension ManagedObject {
  /// Saves the object's context and gives its identifier.
  fileprivate func permanentID() throws -> ManagedObjectID {
    try managedObjectContext?.save()
    return objectID
  }
}
