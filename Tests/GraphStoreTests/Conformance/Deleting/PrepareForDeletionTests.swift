import GraphStore
import Testing

@Suite("prepareForDeletion", .everyStore)
struct PrepareForDeletionTests {
  private let stack: TestStack
  private let log = HookLog()
  private let rome: ManagedObject
  private let people: [ManagedObject]
  private var context: ManagedObjectContext { stack.context }

  /// Rome, which cascades to its residents Ada and Bob; Cas is its mayor.
  init() throws {
    stack = try TestStack(hooked: GraphModels.city(residents: .cascade), log)
    let context = stack.context
    rome = try context.insert("City", ["name": "Rome"])
    people = try ["Ada", "Bob", "Cas"].map { try context.insert("Person", ["name": $0]) }
    for person in people.prefix(2) { try person.setValue(rome, forKey: "homeTown") }
    try people[2].setValue(rome, forKey: "mayorOf")
    try context.save()
  }

  @Test(
    "REL-255, REL-430: it runs once an object: inside the call, and for those it cascades to in the processing"
  )
  func moments() throws {
    try context.delete(rome)
    #expect(log.objects == [rome])
    try context.processPendingChanges()
    #expect(log.objects == [rome, people[0], people[1]])
    try context.save()
    #expect(log.objects.count == 3)
  }

  @Test(
    "REL-256: the object is deleted already, and its values and links are there, so it does not find itself")
  func state() throws {
    var seen: [Bool] = []
    var alive: [[String]] = []
    log.onPrepare = { object in
      guard let town = try object.object(forKey: "homeTown") else { return }
      seen += [object.isDeleted, try town.objects(forKey: "residents").contains(object)]
      alive.append(
        try town.objects(forKey: "residents").filter { !$0.isDeleted }.compactMap { try $0.string("name") })
    }
    try context.delete(people[1])
    try context.processPendingChanges()
    #expect(seen == [true, true] && alive == [["Ada"]] && log.errors.isEmpty)
  }

  @Test("REL-257: hooks that delete each other's objects end, each hook having run once, at once")
  func mutual() throws {
    var depth: [Int] = []
    log.onPrepare = { [context, log, people, rome] object in
      depth.append(log.objects.count)
      if object === people[0] { try context.delete(people[2]) }
      if object === people[2] { try context.delete(people[0]) }
      if object === people[2] { try context.delete(rome) }
    }
    try context.delete(people[0])
    #expect(log.objects == [people[0], people[2], rome] && depth == [1, 2, 3])
    try context.processPendingChanges()
    #expect(log.objects == [people[0], people[2], rome, people[1]])
    #expect(Set(context.deletedObjects) == Set(people + [rome]))
    try context.save()
    #expect(try stack.otherProcess().all("Person").isEmpty && log.errors.isEmpty)
  }

  @Test("REL-257, OBJ-533: hooks that make and delete objects without end end in an error, either way")
  func endless() throws {
    func expectRefusal(_ body: () throws -> Void) throws {
      let error = failure { try body() }
      #expect(error?.code == .changesDoNotSettle && error?.entity == "Person", "\(String(describing: error))")
      #expect(error?.relatedObjects.count == 20 && error?.message.contains("1000") == true)
      log.onPrepare = { _ in }
      context.rollback()
      #expect(!context.hasChanges && !people[0].isDeleted)
      try context.save()
      #expect(try stack.otherProcess().all("Person").count == 3)
    }
    // Inside of each other, whether the hook looks at the errors or not.
    for isCaught in [true, false] {
      log.onPrepare = { [context] _ in
        let next = try context.insert(entityNamed: "Person")
        if isCaught { try? context.delete(next) } else { try context.delete(next) }
      }
      try expectRefusal { try context.delete(people[0]) }
    }
    // One after the other, by a cascade that hooks make longer.
    log.onPrepare = { [context] object in
      guard object.entity.name == "Person" else { return }
      let city = try context.insert(entityNamed: "City")
      try context.insert(entityNamed: "Person").setValue(city, forKey: "homeTown")
      try context.delete(city)
    }
    let error = failure {
      try context.delete(people[0])
      try context.save()
    }
    #expect(error?.code == .changesDoNotSettle)
    log.onPrepare = { _ in }
    context.rollback()
    #expect(!context.hasChanges)
  }

  @Test("REL-257: a chain of hooks as long as a list, each deleting the next, needs no deep stack")
  func chain() throws {
    let stack = try TestStack(hooked: GraphModels.tree(.nullify), log)
    let context = stack.context
    var nodes = [try context.insert("Node", ["name": "0"])]
    for number in 1..<5000 {
      nodes.append(try context.insert("Node", ["name": "\(number)", "parent": nodes[number - 1]]))
    }
    try context.save()
    log.objects = []
    log.onPrepare = { [nodes] object in
      guard let number = Int(try object.string("name") ?? ""), number + 1 < nodes.count else { return }
      try object.managedObjectContext?.delete(nodes[number + 1])
    }
    try context.delete(nodes[0])
    #expect(log.objects == nodes && nodes.allSatisfy(\.isDeleted))
    try context.save()
    #expect(try stack.otherProcess().all("Node").isEmpty && log.errors.isEmpty)
  }

  @Test("REL-258, REL-282: what it changes elsewhere is tracked, told, undone and saved like any change")
  func otherChanges() throws {
    try context.setUndoManager(GraphUndoManager())
    log.onPrepare = { [people] object in
      if object.entity.name == "City" { try people[2].setValue("was mayor", forKey: "name") }
    }
    var updated: Set<ManagedObject> = []
    let token = context.observe(.objectsDidChange) { updated.formUnion($0.updated) }
    try context.delete(rome)
    #expect(people[2].isUpdated && people[2].changedKeys == ["name"])
    try context.processPendingChanges()
    #expect(updated == [people[2]])
    try context.undo()
    #expect(try people[2].string("name") == "Cas" && people[2].object(forKey: "mayorOf") === rome)
    try context.redo()
    try context.save()
    #expect(try stack.otherProcess().all("Person").map { try $0.string("name") } == ["was mayor"])
    token.cancel()
  }

  @Test(
    "REL-259: it runs for new objects, and for faults, which it realises only by reading",
    arguments: [true, false])
  func faults(_ reads: Bool) throws {
    let stack = try TestStack(hooked: GraphModels.tree(.cascade), log)
    let context = stack.context
    let root = try context.insert("Node", ["name": "root"])
    for name in ["1", "2"] { try context.insert("Node", ["name": name, "parent": root]) }
    try context.save()
    let id = root.objectID
    context.reset()
    log.onPrepare = { if reads { _ = try $0.string("name") } }
    let new = try context.insert("Node", ["name": "new"])
    try context.delete(new)
    #expect(log.objects == [new])
    let fault = try context.object(with: id)
    try context.delete(fault)
    #expect(log.objects == [new, fault] && fault.isFault == !reads)
    try context.processPendingChanges()
    #expect(log.objects.count == 4)
    #expect(log.objects.suffix(2).map(\.isFault) == [!reads, !reads])
  }

  @Test("REL-260: it does not run when an insertion is undone, nor on rollback and reset")
  func notThen() throws {
    try context.setUndoManager(GraphUndoManager())
    let new = try context.insert("Person", ["name": "new"])
    try context.undo()
    #expect(new.managedObjectContext == nil && log.objects.isEmpty)
    try context.redo()
    try people[0].setValue("x", forKey: "name")
    context.rollback()
    try context.insert("Person", ["name": "other"])
    context.reset()
    #expect(log.objects.isEmpty)
  }

  @Test("REL-260: nor where the records were deleted elsewhere")
  func deletedElsewhere() throws {
    let other = try stack.otherProcess()
    for object in try other.all("City") + other.all("Person") { try other.delete(object) }
    try other.save()
    try context.refresh(people[0], mergeChanges: false)
    context.forgetCachedRows()
    #expect(try people[0].string("name") == nil && people[0].isDeleted)
    try context.save()
    #expect(log.objects.isEmpty)
  }

  @Test("REL-261: after the undo of a deletion the next one runs it again")
  func again() throws {
    try context.setUndoManager(GraphUndoManager())
    try context.delete(rome)
    try context.processPendingChanges()
    #expect(log.objects == [rome, people[0], people[1]])
    try context.undo()
    #expect(!rome.isDeleted && !people[0].isDeleted && log.objects.count == 3)
    try context.delete(rome)
    try context.processPendingChanges()
    #expect(log.objects == [rome, people[0], people[1], rome, people[0], people[1]])
  }
}
