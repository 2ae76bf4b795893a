import Foundation
import GraphStore
import Testing

@Suite("Looking objects up by identifier", .everyStore)
struct IdentifierLookupTests {
  private let stack: TestStack
  private let id: ManagedObjectID
  private var context: ManagedObjectContext { stack.context }
  /// What one statement counts as in the store that is tested.
  private var one: Int { stack.has(.statements) ? 1 : 0 }

  init() throws {
    stack = try TestStack(TestModels.company())
    let ada = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    id = ada.objectID
    stack.context.reset()
  }

  private func missing(_ number: Int = 99) throws -> ManagedObjectID {
    try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p\(number)"))
  }

  @Test("FLT-081, FLT-192: the registered object or nil, without I/O and without making one")
  func registered() throws {
    #expect(try stack.statements { try check(context.registeredObject(for: id) == nil) } == 0)
    #expect(context.registeredCount == 0)
    // The record is there all the same.
    let fault = try context.object(with: id)
    #expect(context.registeredObject(for: id) === fault && fault.isFault)
    #expect(try context.existingObject(with: id) === fault && context.registeredObject(for: id) === fault)
    #expect(try context.registeredObject(for: missing()) == nil && context.registeredCount == 1)
  }

  @Test("FLT-082, FLT-192: the registered object or a fault, also of a record that is not there")
  func fault() throws {
    var faults: [ManagedObject] = []
    #expect(
      try stack.statements { faults = [try context.object(with: id), try context.object(with: missing())] }
        == 0)
    #expect(faults.allSatisfy(\.isFault) && !faults[1].isDeleted)
    #expect(try context.object(with: id) === faults[0] && context.object(with: missing()) === faults[1])
    #expect(try faults[0].string("name") == "Ada" && !faults[0].isDeleted)
    #expect(try faults[1].string("name") == nil && faults[1].isDeleted)
  }

  @Test(
    "FLT-083, FLT-192: never a fault: what is realised costs nothing, the rest a statement, or an error",
    arguments: [true, false])
  func existing(_ marks: Bool) throws {
    context.shouldDeleteInaccessibleFaults = marks
    let fault = try context.object(with: id)
    #expect(try stack.statements { try check(!context.existingObject(with: id).isFault) } == one)
    #expect(try stack.statements { try check(context.existingObject(with: id) === fault) } == 0)
    #expect(!fault.isFault)
    let gone = try missing()
    var found: GraphStoreError.Code?
    #expect(stack.statements { found = code { _ = try context.existingObject(with: gone) } } == one)
    #expect(found == .objectNotFound)
    #expect(failure { _ = try context.existingObject(with: gone) }?.objectID == gone)
    #expect(!context.hasChanges && context.registeredCount == 1)
  }

  @Test("FLT-085: an inserted object is found by its identifier in its own context, by all three calls")
  func inserted() throws {
    let new = try context.insert("Employee", ["name": "new"])
    for _ in 0..<2 {
      #expect(context.registeredObject(for: new.objectID) === new)
      #expect(try context.object(with: new.objectID) === new)
      #expect(try context.existingObject(with: new.objectID) === new)
      try context.obtainPermanentIDs(for: [new])
    }
  }

  @Test("FLT-086, FLT-087, FLT-193: elsewhere a temporary identifier leads nowhere, and harms nothing")
  func temporary() throws {
    let new = try context.insert("Employee", ["name": "new"])
    let temporary = new.objectID
    let other = stack.newContext()
    for call in [
      { _ = try other.object(with: temporary) }, { _ = try other.existingObject(with: temporary) },
    ] {
      let error = failure(call)
      #expect(error?.code == .temporaryIDUnknown)
      #expect(error?.remedy.contains("permanent") == true && error?.remedy.contains("Save") == true)
    }
    #expect(other.registeredObject(for: temporary) == nil && other.registeredCount == 0)
    #expect(try new.isInserted && new.string("name") == "new" && new.objectID == temporary)
    #expect(try context.object(with: temporary) === new)
    try context.save()
    #expect(try stack.otherProcess().all("Employee", "name == 'new'").count == 1)
    #expect(code { _ = try other.object(with: temporary) } == .temporaryIDUnknown)
  }

  @Test("FLT-088: an identifier of a store that is not open is refused, and named")
  func foreign() throws {
    let twin = try TestStack(TestModels.company())
    let theirs = try twin.context.insert("Employee", ["name": "theirs"])
    try twin.context.save()
    for call in [
      { _ = try context.object(with: theirs.objectID) },
      { _ = try context.existingObject(with: theirs.objectID) },
      { _ = try context.existingObjects(with: [id, theirs.objectID]) },
    ] {
      let error = failure(call)
      #expect(error?.code == .foreignObjectID && error?.message.contains(theirs.objectID.uriText) == true)
    }
    #expect(context.registeredObject(for: theirs.objectID) == nil)
  }

  @Test("FLT-089, FLT-091: the URI finds the same record under another coordinator, and later")
  func otherCoordinator() throws {
    let uri = id.uriRepresentation
    let other = try stack.otherProcess()
    let theirs = try #require(other.coordinator.managedObjectID(forURIRepresentation: uri))
    #expect(theirs.uriRepresentation == uri)
    #expect(try other.existingObject(with: theirs).string("name") == "Ada")
    #expect(try #require(URL(string: uri.absoluteString)) == uri)
  }

  @Test(
    "FLT-090: a URI that cannot name a record gives nil; whether the record is there is not asked",
    .needs(.numbers))
  func uris() throws {
    let text = id.uriText
    let other = "x-coredata://\(UUID().uuidString)/Employee/p1"
    for wrong in [
      other, text.replacingOccurrences(of: "Employee", with: "Nobody"),
      text.replacingOccurrences(of: "/p", with: "/t"),
      text.replacingOccurrences(of: "x-coredata", with: "https"), text + "/more", text + "x",
      text.replacingOccurrences(of: "/p1", with: "/p0"), text.replacingOccurrences(of: "/p1", with: "/p-1"),
      text.replacingOccurrences(of: "/p1", with: ""),
    ] {
      let uri = try #require(URL(string: wrong))
      #expect(
        try stack.statements {
          try check(stack.coordinator.managedObjectID(forURIRepresentation: uri) == nil)
        } == 0,
        "\(wrong)")
    }
    let unknown = try #require(URL(string: text.replacingOccurrences(of: "/p1", with: "/p77")))
    #expect(
      try stack.statements {
        try check(stack.coordinator.managedObjectID(forURIRepresentation: unknown) != nil)
      } == 0)
  }

  @Test("FLT-094: an identifier obtained before a failed save is saved under later, and never given again")
  func obtained() throws {
    let stack = try TestStack(TestModels.company(isDepartmentOptional: false))
    let context = stack.context
    let new = try context.insert("Employee", ["name": "new"])
    try context.obtainPermanentIDs(for: [new])
    let obtained = new.objectID
    #expect(code { try context.save() } != nil)
    #expect(new.objectID == obtained && new.isInserted)
    try new.setValue(context.insert("Department", ["name": "D"]), forKey: "department")
    try context.save()
    #expect(new.objectID == obtained)
    #expect(try stack.otherProcess().all("Employee").map(\.objectID.uriText) == [obtained.uriText])
    let dropped = try context.insert("Employee", ["name": "dropped"])
    try context.obtainPermanentIDs(for: [dropped])
    let lost = dropped.objectID
    context.rollback()
    for _ in 0..<3 {
      let next = try context.insert("Employee", ["name": "next", "department": context.all("Department")[0]])
      try context.save()
      #expect(next.objectID != lost)
    }
  }

  @Test("FLT-095: else the identifier changes with the first successful save, and says which kind it is")
  func renewed() throws {
    let stack = try TestStack(TestModels.company(isDepartmentOptional: false))
    let new = try stack.context.insert("Employee", ["name": "new"])
    let temporary = new.objectID
    #expect(temporary.isTemporaryID && temporary.uriRepresentation.lastPathComponent.hasPrefix("t"))
    #expect(code { try stack.context.save() } != nil)
    #expect(new.objectID == temporary)
    try new.setValue(stack.context.insert("Department", ["name": "D"]), forKey: "department")
    try stack.context.save()
    #expect(new.objectID != temporary && !new.objectID.isTemporaryID)
    #expect(new.objectID.uriRepresentation.lastPathComponent == "p1")
    let number = new.objectID
    try new.setValue("other", forKey: "name")
    try stack.context.save()
    #expect(new.objectID == number)
  }

  @Test("FLT-096: faults made by the thousand run no statement and enter no row")
  func many() throws {
    var held: [ManagedObject] = []
    #expect(
      try stack.statements {
        for number in 1...5_000 { held.append(try context.object(with: missing(number))) }
      } == 0)
    #expect(stack.cachedRows == 0 && context.registeredCount == 5_000)
    held = []
    #expect(stack.cachedRows == 0 && context.registeredCount == 0)
  }
}
