import Testing

@testable import GraphStore

/// The source of a context, which notes what a save gives it and refuses it.
private final class NotingSource: ObjectSource, @unchecked Sendable {
  struct Refusal: Error {}

  let root: PersistentStoreCoordinator
  private(set) var given: [PendingSave] = []

  init(_ root: PersistentStoreCoordinator) { self.root = root }

  var context: ManagedObjectContext? { nil }
  var saveRelay: SaveRelay { root.saveRelay }
  var writesStores: Bool { false }
  var knowsTemporaryKeys: Bool { true }
  var commitNumber: Int { root.commitNumber }

  func occupied<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  func unsavedRecord(_ layout: EntityLayout, key: Int64, storeIndex: Int32) -> UnsavedRecord { .none }

  func makeSession(on mount: Mount, _ use: ReadUse) -> any ReadSession {
    root.makeSession(on: mount, use)
  }

  func beginReading(on mount: Mount, _ use: ReadUse) throws -> any ReadSession {
    try root.beginReading(on: mount, use)
  }

  func storeIndex(ofTemporary key: Int64, _ layout: EntityLayout) -> Int32? { nil }

  func reserveKeys(
    for objects: [ManagedObject], on mount: Mount, of context: ManagedObjectContext
  ) throws -> PermanentKeyMap {
    throw Refusal()
  }

  func save(_ changes: PendingSave, of context: ManagedObjectContext) throws -> SaveOutcome {
    given.append(changes)
    throw Refusal()
  }
}

@Suite("What a save gives the stores, and what it leaves", .everyStore)
struct SaveRuleTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    var model = TestModels.company(employees: .deny)
    model.entities[1].attributes.append(AttributeDefinition("badge", .int64, isTransient: true))
    model.entities[4].attributes[0].isOptional = false
    model.entities[4].uniquenessConstraints = [["name"]]
    stack = try TestStack(model)
  }

  private func employees(_ count: Int) throws -> [ManagedObject] {
    let made = try (0..<count).map { try context.insert("Employee", ["name": "E\($0)", "salary": $0]) }
    try context.save()
    return made
  }

  @Test("CTX-095, CTX-468: the four sets of changes go to the parent; what it refuses stays pending")
  func sets() throws {
    _ = try employees(4)
    let source = NotingSource(stack.coordinator)
    let context = ManagedObjectContext(source, .thread(.current), isGuarded: false)
    let all = try context.all("Employee", sort: ["name"])
    try all[0].setValue("x", forKey: "name")
    try context.delete(all[1])
    try context.detectConflicts(for: all[2])
    let new = try context.insert("Employee", ["name": "new"])
    #expect(throws: NotingSource.Refusal.self) { try context.save() }
    let given = try #require(source.given.first)
    #expect(given.inserted == [new] && given.updated == [all[0]])
    #expect(given.deleted == [all[1]] && given.locked == [all[2]] && source.given.count == 1)
    #expect(new.isInserted && all[0].isUpdated && all[1].isDeleted && context.hasChanges)
  }

  @Test(
    "CTX-104, CTX-114, CTX-180, CTX-467: a statement for each entity, kind and set of columns, an insertion with all of them"
  )
  func statements() throws {
    guard stack.has(.statements) else { return }
    var made: [ManagedObject] = []
    let insertion = try stack.recordedStatements { made = try employees(30) }
    let inserts = Set(insertion.filter { $0.hasPrefix("INSERT INTO ZEMPLOYEE") })
    #expect(!inserts.isEmpty)
    for column in ["ZNAME", "ZSALARY", "ZDEPARTMENT", "ZMANAGER", "ZSPOUSE", "ZDESK"] {
      #expect(inserts.allSatisfy { $0.contains(column) }, "\(column)")
    }
    for (number, object) in made.enumerated() {
      if number % 3 != 0 { try object.setValue("new \(number)", forKey: "name") }
      if number % 3 != 1 { try object.setValue(Int64(number + 100), forKey: "salary") }
    }
    let update = try stack.recordedStatements { try context.save() }
    let updates = update.filter { $0.hasPrefix("UPDATE ZEMPLOYEE") }
    #expect(Set(updates).count == 3 && updates.allSatisfy { !$0.contains("ZDEPARTMENT") })
    #expect(update.count { $0.hasPrefix("BEGIN") } == 1 && update.count { $0.hasPrefix("COMMIT") } == 1)
    #expect(updates.allSatisfy { $0.contains("Z_PK") && $0.contains("Z_OPT") })
    #expect(!update.contains { $0.hasPrefix("SELECT") }, "rows that match cost nothing besides")
    for object in made { try context.delete(object) }
    let deletion = try stack.recordedStatements { try context.save() }
    #expect(Set(deletion.filter { $0.hasPrefix("DELETE FROM ZEMPLOYEE") }).count <= 1)
    #expect(deletion.count < 30, "\(deletion)")
  }

  @Test("CTX-107: after the commit the row cache has what was saved, and nothing of what was deleted")
  func rowCache() throws {
    let made = try employees(2)
    try made[0].setValue("changed", forKey: "name")
    try context.save()
    let other = stack.newContext()
    let fault = try other.object(with: made[0].objectID)
    #expect(try stack.statements { try check(fault.string("name") == "changed") } == 0)
    let gone = made[1].objectID
    try context.delete(made[1])
    try context.save()
    #expect(code { _ = try other.existingObject(with: gone) } == .objectNotFound)
    let late = try other.object(with: gone)
    #expect(try late.string("name") == nil && late.isDeleted)
  }

  @Test("CTX-081, CTX-085: a payload and the changes made of it hold their objects, and so the cached rows")
  func payloads() throws {
    nonisolated(unsafe) var payload: ContextDidSave?
    let token = context.observe(.didSave) { payload = $0 }
    var id: ManagedObjectID?
    do { id = try employees(1)[0].objectID }
    token.cancel()
    let saved = try #require(id)
    #expect(context.registeredObject(for: saved) != nil)
    var changes: SavedChanges? = payload.map { SavedChanges($0) }
    payload = nil
    #expect(context.registeredObject(for: saved) != nil && changes?.inserted == [saved])
    let other = stack.newContext()
    #expect(try stack.statements { _ = try other.object(with: saved).string("name") } == 0)
    changes = nil
    #expect(context.registeredObject(for: saved) == nil)
  }

  @Test("CTX-137: after a rollback a value may be older than the store's; a refresh makes it new")
  func rollback() throws {
    let made = try employees(1)[0]
    let other = stack.newContext()
    try other.all("Employee")[0].setValue("theirs", forKey: "name")
    try other.save()
    try made.setValue(Int64(9), forKey: "salary")
    context.rollback()
    #expect(try made.string("name") == "E0" && made.value(forKey: "salary") as? Int64 == 0)
    try context.refresh(made, mergeChanges: false)
    #expect(try made.string("name") == "theirs" && !context.hasChanges)
  }

  @Test(
    "CTX-141, CTX-254: identifiers collected before a reset find what is left, and not what was deleted meanwhile"
  )
  func reset() throws {
    let ids = try employees(3).map(\.objectID)
    let other = stack.newContext()
    try other.delete(other.existingObject(with: ids[1]))
    try other.save()
    context.reset()
    let request = FetchRequest(entityName: "Employee", predicate: try QueryPredicate("SELF IN %@", ids))
    #expect(try Set(context.fetch(request).map(\.objectID)) == [ids[0], ids[2]])
  }

  @Test(
    "CTX-163: a snapshot has attributes, to-ones and the version, and neither members nor transient values"
  )
  func snapshots() throws {
    let made = try employees(2)
    try made[0].setValue(made[1], forKey: "manager")
    try made[0].setValue(Int64(5), forKey: "badge")
    try context.save()
    let other = stack.newContext()
    let theirs = try other.existingObject(with: made[0].objectID)
    try theirs.setValue("theirs", forKey: "name")
    try theirs.addObjects([other.existingObject(with: made[1].objectID)], forKey: "friends")
    try other.save()
    try made[0].setValue("mine", forKey: "name")
    let conflict = try #require(failure { try context.save() }?.conflicts.first)
    for snapshot in [conflict.objectSnapshot, conflict.cachedSnapshot] {
      #expect(snapshot?.keys.sorted() == ["department", "desk", "manager", "name", "salary", "spouse"])
    }
    #expect(conflict.objectSnapshot?["manager"] == .object(ObjectReference(made[1].objectID)))
    #expect(conflict.objectSnapshot?["department"] == .null)
    #expect(conflict.oldVersionNumber == 2 && conflict.newVersionNumber == 3)
  }

  @Test(
    "CTX-166: the snapshot is the cached row itself, shared by contexts, as long as an object is realised")
  func sharing() throws {
    let id = try employees(1)[0].objectID
    context.reset()
    let contexts = [stack.newContext(), stack.newContext()]
    var objects = try contexts.map { try $0.existingObject(with: id) }
    for object in objects { _ = try object.string("name") }
    #expect(objects[0].committedRow?.block === objects[1].committedRow?.block)
    #expect(objects[0].committedRow?.index == objects[1].committedRow?.index)
    let block = try #require(objects[0].committedRow?.block)
    try objects[0].setValue("x", forKey: "name")
    #expect(objects[0].committedRow?.block === block && objects[0].currentRow?.block !== block)
    contexts[0].rollback()
    objects = []
    if stack.has(.statements) { #expect(stack.cachedRows == 0) }
  }

  @Test("CTX-131, CTX-124: errors of a save name entity, object, property and value, and say what to do")
  func errors() throws {
    let department = try context.insert("Department", ["name": "R&D"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": department])
    try context.insert("Desk", ["name": "A"])
    try context.save()
    func error(
      _ code: GraphStoreError.Code, _ property: String?, _ change: () throws -> Void
    ) throws -> GraphStoreError? {
      try change()
      let error = failure { try context.save() }
      context.rollback()
      #expect(error?.code == code && error?.property == property && error?.objectID != nil)
      #expect(error?.entity != nil && error?.message.isEmpty == false && error?.remedy.isEmpty == false)
      return error
    }
    let desk = try error(.validation, "name") { try context.insert("Desk", [:]) }
    #expect(desk?.entity == "Desk" && desk?.number == 1570)
    let department2 = try error(.deleteDenied, "employees") { try context.delete(department) }
    #expect(department2?.objectID == department.objectID && department2?.relatedObjects == [ada.objectID])
    _ = try error(.constraintConflict, "name") { try context.insert("Desk", ["name": "A"]) }
    let other = stack.newContext()
    try other.existingObject(with: ada.objectID).setValue("theirs", forKey: "name")
    try other.save()
    let conflict = try error(.mergeConflict, nil) { try ada.setValue("mine", forKey: "name") }
    #expect(conflict?.objectID == ada.objectID && conflict?.details.first?.contains("mine") == true)
    let several = failure {
      for _ in 0..<2 { try context.insert("Desk", [:]) }
      try context.save()
    }
    #expect(several?.number == 1560 && several?.errors.map(\.number) == [1570, 1570])
    #expect(several?.errors.allSatisfy { $0.errors.isEmpty && $0.entity == "Desk" } == true)
  }

  @Test("CTX-192: conflicts and their errors go to any thread")
  func sendable() async throws {
    func needsSendable(_ value: some Sendable) {}
    let made = try employees(1)[0]
    let other = stack.newContext()
    try other.all("Employee")[0].setValue("theirs", forKey: "name")
    try other.save()
    try made.setValue("mine", forKey: "name")
    let error = try #require(failure { try context.save() })
    let conflict = try #require(error.conflicts.first)
    needsSendable(conflict)
    try context.refresh(made, mergeChanges: false)
    for _ in 0..<2 { try context.insert("Desk", ["name": "A"]) }
    let constraint = try #require(failure { try context.save() }?.constraintConflicts.first)
    let id = made.objectID
    let isSame = await Task.detached {
      error.conflicts.count == 1 && conflict.sourceObjectID == id
        && conflict.differences.map(\.property) == ["name"]
        && conflict.objectSnapshot?["name"] == .string("E0") && conflict.newVersionNumber == 2
    }.value
    #expect(isSame)
    let names = await Task.detached { constraint.conflictingSnapshots.map { $0["name"] } }.value
    #expect(names == [.string("A"), .string("A")])
  }
}
