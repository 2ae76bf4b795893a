import Foundation
import GraphStore
import Testing

/// Records its hooks, and caches a full name in a transient attribute.
private final class Singer: ManagedObject {
  nonisolated(unsafe) static var calls: [String] = []
  nonisolated(unsafe) static var onAwake: (Singer) -> Void = { _ in }
  static let first = AttributeKey<Singer, String>("first")
  static let last = AttributeKey<Singer, String>("last")
  static let full = AttributeKey<Singer, String>("full")

  override func awakeFromInsert() {
    Self.calls.append("awakeFromInsert")
    Self.onAwake(self)
  }

  override func awakeFromFetch() {
    Self.calls.append("awakeFromFetch \(self[Self.first] ?? "nil")")
    Self.onAwake(self)
  }

  override func awake(fromSnapshotEvents events: SnapshotEvents) {
    Self.calls.append("snapshot \(events.rawValue) \(self[Self.first] ?? "nil")")
  }

  override func willTurnIntoFault() { Self.calls.append("will \(self[Self.first] ?? "nil")") }
  override func didTurnIntoFault() { Self.calls.append("did") }
}

@Suite("Hooks and the events of a context", .everyStore, .serialized)
struct EventHookTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Singer", className: "Singer",
          attributes: [
            AttributeDefinition("first", .string), AttributeDefinition("last", .string),
            AttributeDefinition("full", .string, isTransient: true),
          ],
          relationships: [
            RelationshipDefinition("idol", to: "Singer", inverse: "fans"),
            RelationshipDefinition("fans", to: "Singer", inverse: "idol", isToMany: true),
          ])
      ]), classes: ["Singer": Singer.self])
    Singer.calls = []
    Singer.onAwake = { _ in }
  }

  private func saved(_ first: String = "Sarit", _ last: String = "Smith") throws -> Singer {
    let singer = try context.insert(Singer.self)
    singer[Singer.first] = first
    singer[Singer.last] = last
    try context.save()
    Singer.calls = []
    return singer
  }

  @Test(
    "OBJ-071, OBJ-072, OBJ-522, FLT-106, FLT-107, DGN-231: a merging refresh runs its hooks in order, and keeps local and transient values"
  )
  func mergingRefresh() throws {
    let singer = try saved()
    let other = stack.newContext()
    let same = try #require(try other.existingObject(with: singer.objectID) as? Singer)
    same[Singer.first] = "Fiona"
    try other.save()
    singer[Singer.last] = "Jones"
    singer[Singer.full] = "Sarit Jones"
    Singer.calls = []
    Singer.onAwake = { $0[Singer.full] = "computed" }
    try context.refresh(singer, mergeChanges: true)
    #expect(Singer.calls == ["will Sarit", "did", "awakeFromFetch Fiona", "snapshot 16 Fiona"])
    #expect(
      singer[Singer.first] == "Fiona" && singer[Singer.last] == "Jones"
        && singer[Singer.full] == "Sarit Jones")
    #expect(singer.changedKeys == ["last"] && !singer.isFault)
    try context.save()
    #expect(try stack.otherProcess().all("Singer").map { try $0.string("last") } == ["Jones"])
  }

  @Test(
    "FLT-112, FLT-163: refreshing all makes faults of unchanged objects without a statement, and loses no change"
  )
  func refreshAll() throws {
    let (clean, changed, doomed) = (try saved("a"), try saved("b"), try saved("c"))
    let new = try context.insert(Singer.self)
    try context.delete(doomed)
    changed[Singer.last] = "y"
    #expect(try stack.statements { try context.refreshAllObjects() } == 0)
    #expect(clean.isFault && !changed.isFault && changed[Singer.last] == "y")
    #expect(new.isInserted && doomed.isDeleted)
  }

  @Test(
    "OBJ-068, OBJ-408, CTX-134, CTX-154: undo, redo and rollback tell why values were reset, and set off no other hook"
  )
  func snapshots() throws {
    try context.setUndoManager(GraphUndoManager())
    let singer = try saved()
    singer[Singer.first] = "Fiona"
    singer[Singer.full] = "F"
    try context.undo()
    try context.redo()
    try context.delete(singer)
    try context.undo()
    #expect(Singer.calls == ["snapshot 4 Sarit", "snapshot 4 Fiona", "snapshot 2 Fiona"])
    #expect(singer[Singer.full] == "F")
    Singer.calls = []
    context.rollback()
    #expect(Singer.calls == ["snapshot 8 Sarit"] && singer[Singer.full] == nil)
    let new = try context.insert(Singer.self)
    new[Singer.first] = "new"
    try context.undo()
    try context.redo()
    #expect(Singer.calls.filter { $0 == "awakeFromInsert" }.count == 1)
    #expect(Singer.calls.suffix(2) == ["snapshot 1 new", "snapshot 2 new"])
  }

  @Test(
    "DGN-258, OBJ-064 to OBJ-067, CTX-060: in awakeFromFetch setters change values alone, relationships are refused, nothing is processed"
  )
  func awaking() throws {
    let singer = try saved()
    try context.refresh(singer, mergeChanges: false)
    var told = 0
    let token = context.observe(.objectsDidChange) { _ in told += 1 }
    nonisolated(unsafe) var refusal: GraphStoreError?
    Singer.onAwake = { object in
      object[Singer.full] = "cached"
      do { try object.setValue(object, forKey: "idol") } catch { refusal = error as? GraphStoreError }
      try? object.managedObjectContext?.processPendingChanges()
    }
    try context.processPendingChanges()
    told = 0
    #expect(singer[Singer.first] == "Sarit" && singer[Singer.full] == "cached")
    #expect(refusal?.code == .changeProcessingDisabled && told == 0)
    #expect(!singer.hasChanges && !context.hasChanges)
    token.cancel()
  }

  @Test("OBJ-060 to OBJ-063: awakeFromInsert runs once, in a context, and may insert and relate")
  func inserting() throws {
    nonisolated(unsafe) var seen: [Bool] = []
    Singer.onAwake = { object in
      Singer.onAwake = { _ in }
      seen = [object.managedObjectContext != nil, object.isInserted, object.objectID.isTemporaryID]
      object[Singer.first] = "initial"
      try? object.setValue(object.managedObjectContext?.insert(Singer.self), forKey: "idol")
    }
    let singer = try context.insert(Singer.self)
    #expect(seen == [true, true, true] && singer.changedKeys.isEmpty)
    try context.save()
    #expect(try stack.otherProcess().all("Singer").count == 2)
  }
}

@Suite("Flags and sets of a context", .everyStore)
struct ContextFlagTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company()) }

  @Test(
    "CTX-027, CTX-028, CTX-029, CTX-030, CTX-039, CTX-044, CTX-045: flags and sets agree, at both ends of a relationship"
  )
  func flags() throws {
    let (ada, bob) = (
      try context.insert("Employee", ["name": "Ada"]), try context.insert("Employee", ["name": "Bob"])
    )
    #expect(ada.isInserted && ada.hasChanges && context.insertedObjects == [ada, bob])
    try context.save()
    #expect(!ada.isInserted && !context.hasChanges)
    try ada.setValue("Ada", forKey: "name")
    #expect(ada.isUpdated && !ada.hasPersistentChangedValues && context.hasChanges)
    try ada.setValue(bob, forKey: "manager")
    #expect(bob.isUpdated && context.updatedObjects == [ada, bob])
    try context.delete(ada)
    #expect(
      ada.isDeleted && ada.isUpdated && context.updatedObjects == [bob] && context.deletedObjects == [ada])
    try context.delete(ada)
    try context.save()
    #expect(!ada.isDeleted && ada.managedObjectContext == nil)
  }

  @Test(
    "CTX-042, CTX-454, REL-268, REL-269: an object inserted and deleted is nowhere, and told of only if it was told of before"
  )
  func fleeting() throws {
    var told: [ObjectsDidChange] = []
    var saves = 0
    let tokens = [
      context.observe(.objectsDidChange) { told.append($0) }, context.observe(.didSave) { _ in saves += 1 },
    ]
    defer { for token in tokens { token.cancel() } }
    let first = try context.insert("Employee", ["name": "x"])
    try context.delete(first)
    try context.processPendingChanges()
    #expect(told.isEmpty && first.managedObjectContext == nil)
    let second = try context.insert("Employee", ["name": "y"])
    try context.processPendingChanges()
    try context.delete(second)
    try context.processPendingChanges()
    #expect(told.map(\.inserted) == [[second], []] && told.map(\.deleted) == [[], [second]])
    #expect(try stack.statements { try context.save() } == 0 && saves == 0)
  }

  @Test("CTX-139: a reset keeps settings, name and userInfo")
  func settings() throws {
    context.name = "work"
    context.userInfo["a"] = 1
    context.propagatesDeletesAtEndOfEvent = false
    context.reset()
    #expect(
      context.name == "work" && context.userInfo["a"] as? Int == 1 && !context.propagatesDeletesAtEndOfEvent)
  }

  @Test(
    "CTX-160, OBJ-401, OBJ-420: names of groups; a manager goes with its context unless somebody holds it")
  func managers() throws {
    weak var manager: GraphUndoManager?
    func use() throws {
      let other = ManagedObjectContext(confinedToThread: stack.coordinator)
      let made = GraphUndoManager()
      manager = made
      try other.setUndoManager(made)
      try other.insert("Employee", ["name": "a"])
      made.setActionName("hire")
      #expect(made.undoActionName == "hire" && made.redoActionName == nil)
      try other.undo()
      #expect(made.undoActionName == nil && made.redoActionName == "hire")
    }
    try use()
    #expect(manager == nil)
  }

  @Test(
    "OBJ-098, CTX-419: an ordered to-many tells its former members in their order; observers may ask for every object"
  )
  func formerOrder() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    let context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    let people = try ["c", "a", "b"].map {
      try context.insert("Employee", ["name": $0, "department": department])
    }
    try context.save()
    var former: [ManagedObject]?
    let token = context.observe(.objectsDidChange) { change in
      for object in change.updated where object === department {
        former = (try? object.changedValuesForCurrentEvent())?["employees"] as? [ManagedObject]
      }
    }
    try context.insert("Employee", ["name": "d", "department": department])
    try context.processPendingChanges()
    #expect(former == people)
    try people[0].setValue(nil, forKey: "department")
    try context.processPendingChanges()
    #expect(former?.prefix(3) == people[...])
    token.cancel()
  }

  @Test("A transaction that is taken back resets the contexts that have saved in it")
  func takenBack() throws {
    struct Stop: Error {}
    let ada = try context.insert("Employee", ["name": "Ada"])
    #expect(throws: Stop.self) {
      try stack.coordinator.transaction(with: context) { _ in
        try context.save()
        throw Stop()
      }
    }
    #expect(ada.managedObjectContext == nil)
    #expect(try context.all("Employee").isEmpty)
  }
}
