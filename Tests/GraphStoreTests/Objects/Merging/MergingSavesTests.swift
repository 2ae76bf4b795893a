import Foundation
import Testing

@testable import GraphStore

@Suite("Merging a save", .everyStore)
struct MergingSavesTests {
  private let pair: SavingAndMerging
  private var stack: TestStack { pair.stack }
  private var here: ManagedObjectContext { pair.here }
  private var there: ManagedObjectContext { pair.there }

  init() throws { pair = try SavingAndMerging() }

  @Test(
    "CTX-258, CTX-455: each form of a did-save is merged, by identifiers alone, and another notification is refused"
  )
  func forms() throws {
    let center = NotificationCenter()
    there.notificationCenter = center
    nonisolated(unsafe) var told: [Notification] = []
    let names = [
      ManagedObjectContext.didSaveObjectsNotification, ManagedObjectContext.didSaveObjectIDsNotification,
      ManagedObjectContext.willSaveObjectsNotification,
    ]
    let tokens = names.map { center.addObserver(forName: $0, object: nil, queue: nil) { told.append($0) } }
    defer { for token in tokens { center.removeObserver(token) } }
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    let forms: [(String, (Notification, Notification) throws -> Void)] = [
      ("b", { saved, _ in try here.mergeChanges(fromContextDidSave: saved) }),
      ("c", { _, ids in try here.mergeChanges(fromContextDidSave: ids) }),
      ("d", { saved, _ in try here.mergeChanges(fromContextDidSave: #require(ContextDidSave(saved))) }),
      ("e", { _, ids in try here.mergeChanges(fromContextDidSave: #require(ContextDidSaveObjectIDs(ids))) }),
      (
        "f",
        { saved, _ in
          try here.mergeChanges(fromContextDidSave: SavedChanges(#require(ContextDidSave(saved))))
        }
      ),
    ]
    for (name, merge) in forms {
      _ = try mine.string("name")
      try theirs.setValue(name, forKey: "name")
      told = []
      try there.save()
      #expect(told.count == 3 && !mine.isFault)
      try merge(told[1], told[2])
      #expect(mine.isFault)
      #expect(try mine.string("name") == name)
    }
    #expect(!theirs.hasChanges && !theirs.isFault)
    #expect(throws: GraphStoreError.self) { try here.mergeChanges(fromContextDidSave: told[0]) }
    do { try here.mergeChanges(fromContextDidSave: told[0]) } catch let error as GraphStoreError {
      #expect(error.code == .invalidRequest)
    }
    try pair.checkInvariants()
  }

  @Test(
    "CTX-259, CTX-266, OBJ-060: an inserted record becomes a fault that observers are told of, and is freed unless somebody takes hold of it"
  )
  func insertions() throws {
    var held: ManagedObject?
    weak var seen: ManagedObject?
    var facts: [Bool] = []
    let token = here.observe(.objectsDidChange) { change in
      facts.append(change.inserted.count == 1 && change.updated.isEmpty && change.refreshed.isEmpty)
      let object = change.inserted.first
      facts.append(object?.isFault == true && object?.isInserted == false && object?.hasChanges == false)
      facts.append(object.map { here.registeredObjects.contains($0) } == true)
      seen = object
      if (try? object?.string("name")) == "kept" { held = object }
    }
    _ = try there.insert("Employee", ["name": "freed"])
    try pair.saveAndMerge()
    #expect(facts == [true, true, true] && seen == nil && here.registeredCount == 0)
    facts = []
    _ = try there.insert("Employee", ["name": "kept"])
    try pair.saveAndMerge()
    #expect(facts == [true, true, true] && seen != nil && here.registeredCount == 1)
    #expect(held.map { here.registeredObjects.contains($0) } == true)
    token.cancel()
    try there.insert("Employee", ["name": "unseen"])
    try pair.saveAndMerge()
    #expect(here.registeredCount == 1 && !here.hasChanges)
    here.retainsRegisteredObjects = true
    try there.insert("Employee", ["name": "retained"])
    try pair.saveAndMerge()
    #expect(here.registeredCount == 2)
    try pair.checkInvariants()
  }

  @Test("OBJ-060: merging an insertion is not inserting: awakeFromInsert does not run again")
  func awakening() throws {
    final class Thing: ManagedObject {
      nonisolated(unsafe) static var insertions = 0
      override func awakeFromInsert() { Self.insertions += 1 }
    }
    Thing.insertions = 0
    let model = ModelDefinition(
      name: "Things",
      entities: [
        EntityDefinition(
          "Thing", className: "Thing", attributes: [AttributeDefinition("name", .string)])
      ])
    let stack = try TestStack(model, classes: ["Thing": Thing.self])
    let here = stack.newContext()
    var found: [ManagedObject] = []
    let token = here.observe(.objectsDidChange) { found += $0.inserted }
    defer { token.cancel() }
    try stack.context.insert("Thing", ["name": "a"])
    try here.mergeChanges(fromContextDidSave: try stack.context.saveTakingChanges())
    #expect(try found.map { try $0.string("name") } == ["a"])
    #expect(Thing.insertions == 1)
  }

  @Test("CTX-260, CTX-478: clean objects become faults, and records that are not registered stay unmade")
  func updates() throws {
    let objects = try (0..<300).map { try there.insert("Employee", ["name": "\($0)"]) }
    try there.save()
    let mine = try objects[..<10].map { try pair.mine($0) }
    for object in objects { try object.setValue("new", forKey: "name") }
    let changes = try there.saveTakingChanges()
    #expect(try stack.statements { try here.mergeChanges(fromContextDidSave: changes) } == 0)
    #expect(mine.allSatisfy { $0.isFault && !$0.hasChanges } && here.registeredCount == 10)
    let count = try stack.statements { try check(mine.allSatisfy { try $0.string("name") == "new" }) }
    #expect(count == 0 && !here.hasChanges)
    try pair.checkInvariants()
  }

  @Test(
    "CTX-261, CTX-265, CTX-455: pending changes win property by property, and stay pending on the new snapshot"
  )
  func pendingChanges() throws {
    let theirs = try pair.saved("Employee", ["name": "Ada", "salary": 1])
    let mine = try pair.mine(theirs)
    try mine.setValue("Eve", forKey: "name")
    try theirs.setValue(2, forKey: "salary")
    try theirs.setValue("Zoe", forKey: "name")
    try pair.saveAndMerge()
    #expect(mine.isUpdated && !mine.isFault)
    #expect(try mine.string("name") == "Eve" && mine.value(forKey: "salary") as? Int64 == 2)
    #expect(try mine.committedValues(forKeys: ["name"])["name"] as? String == "Zoe")
    #expect(mine.changedKeys == ["name"])
    try here.save()
    there.reset()
    let after = try #require(try there.all("Employee").first)
    #expect(try after.string("name") == "Eve" && after.value(forKey: "salary") as? Int64 == 2)
  }

  @Test("CTX-266, CTX-073, CTX-083: objects-did-change, then did-merge, of what concerned this context alone")
  func messages() throws {
    let department = try pair.saved("Department", ["name": "d"])
    let (changed, deleted, unknown) = (
      try pair.saved("Employee", ["name": "c"]), try pair.saved("Employee", ["name": "d"]),
      try pair.saved("Employee", ["name": "u"])
    )
    let (mine, gone) = (try pair.mine(changed), try pair.mine(deleted))
    let pointing = try here.insert("Employee", ["name": "p", "manager": gone])
    try here.processPendingChanges()
    let told = ToldByContext(here)
    let new = try there.insert("Employee", ["name": "n"])
    try changed.setValue("C", forKey: "name")
    try unknown.setValue("U", forKey: "name")
    try there.delete(deleted)
    try pair.saveAndMerge()
    #expect(told.order == ["change", "merge"])
    let change = try #require(told.changes.first)
    #expect(change.inserted.map(\.objectID) == [new.objectID] && change.refreshed == [mine])
    #expect(change.deleted == [gone] && change.updated == [pointing])
    let merge = try #require(told.merges.first)
    #expect(merge.context === here && merge.inserted == [new.objectID])
    #expect(merge.refreshed == [changed.objectID] && merge.updated == [pointing.objectID])
    #expect(merge.deleted == [gone.objectID])
    told.forget()
    try department.setValue("e", forKey: "name")
    try pair.saveAndMerge()
    #expect(told.order.isEmpty)
    try pair.checkInvariants()
  }

  @Test("CTX-073, CTX-062, CTX-063, CTX-082: did-merge is a notification, made where it is observed alone")
  func notification() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    let center = NotificationCenter()
    here.notificationCenter = nil
    try theirs.setValue("b", forKey: "name")
    let changes = try there.saveTakingChanges()
    #expect(ContextMerge(here, isForeign: false).report == nil)
    here.notificationCenter = center
    nonisolated(unsafe) var told: [Notification] = []
    let token = center.addObserver(
      forName: ManagedObjectContext.didMergeChangesObjectIDsNotification, object: here, queue: nil
    ) { told.append($0) }
    try here.mergeChanges(fromContextDidSave: changes)
    #expect(told.count == 1)
    let userInfo = told.first?.userInfo ?? [:]
    #expect(
      userInfo["refreshed_objectIDs"] as? Set<ManagedObjectID> == [mine.objectID] && userInfo.count == 1)
    #expect(told.first.flatMap { ContextDidMerge($0) }?.refreshed == [mine.objectID])
    #expect(told.first.flatMap { ContextDidSaveObjectIDs($0) } == nil)
    center.removeObserver(token)
  }

  @Test("CTX-269: while a save waits for its merge the rows of its objects stay cached")
  func waiting() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try here.object(with: theirs.objectID)
    there.reset()
    var changes: SavedChanges?
    func save() throws {
      let object = try #require(try there.all("Employee").first)
      try object.setValue("b", forKey: "name")
      changes = try there.saveTakingChanges()
    }
    try save()
    there.reset()
    let count = try stack.statements {
      try here.mergeChanges(fromContextDidSave: try #require(changes))
      try check(mine.string("name") == "b")
    }
    #expect(count == 0)
    changes = nil
    #expect(try mine.string("name") == "b")
    try pair.checkInvariants()
  }

  @Test("CTX-271: a context's own save, and a save that was merged before, change nothing")
  func again() throws {
    let theirs = try pair.saved("Employee", ["name": "a", "salary": 1])
    let mine = try pair.mine(theirs)
    try mine.setValue(5, forKey: "salary")
    try theirs.setValue("b", forKey: "name")
    let other = try there.insert("Employee", ["name": "n"])
    let deleted = try pair.saved("Employee", ["name": "x"])
    let gone = try pair.mine(deleted)
    try there.delete(deleted)
    try theirs.setValue("c", forKey: "name")
    let changes = try there.saveTakingChanges()
    let token = there.observe(.objectsDidChange) { _ in Issue.record("its own save is merged") }
    try there.mergeChanges(fromContextDidSave: changes)
    #expect(!theirs.isFault && !other.isFault && !there.hasChanges)
    token.cancel()
    for _ in 0..<3 {
      try here.mergeChanges(fromContextDidSave: changes)
      #expect(try mine.string("name") == "c" && mine.value(forKey: "salary") as? Int64 == 5)
      #expect(mine.changedKeys == ["salary"] && here.updatedObjects == [mine])
      #expect(gone.isDeleted && here.deletedObjects.isEmpty)
      try pair.checkInvariants()
    }
    let clean = try pair.mine(other)
    let told = ToldByContext(here)
    try here.mergeChanges(fromContextDidSave: changes)
    #expect(!clean.isFault && told.changes.allSatisfy { $0.refreshed.isEmpty })
  }

  @Test("CTX-267: within one merge updates come first, then insertions, then deletions")
  func order() throws {
    let (changed, deleted) = (
      try pair.saved("Employee", ["name": "c"]), try pair.saved("Employee", ["name": "d"])
    )
    let (mine, gone) = (try pair.mine(changed), try pair.mine(deleted))
    // Refreshed before the deletion is merged, the link is no change of this context.
    try changed.setValue(deleted, forKey: "manager")
    try there.save()
    try here.refreshAllObjects()
    #expect(try mine.object(forKey: "manager") === gone && gone.names("reports") == ["c"])
    try there.delete(deleted)
    try pair.saveAndMerge()
    #expect(!mine.hasChanges && !here.hasChanges && gone.isDeleted)
    #expect(try mine.object(forKey: "manager") == nil)
  }

  @Test("CTX-273, CTX-048: a merge leaves an unchanged context unchanged, whatever was saved")
  func unchanged() throws {
    let department = try pair.saved("Department", ["name": "d"])
    let (ada, bob) = (
      try pair.saved("Employee", ["name": "a", "department": department]),
      try pair.saved("Employee", ["name": "b", "department": department])
    )
    let mine = try [department, ada, bob].map { try pair.mine($0) }
    #expect(try mine[0].names("employees").count == 2)
    try there.delete(ada)
    try bob.setValue(nil, forKey: "department")
    try there.insert("Employee", ["department": department, "name": "c"])
    try pair.saveAndMerge()
    #expect(!here.hasChanges && mine.allSatisfy { !$0.isUpdated })
    #expect(try mine[0].names("employees") == ["c"])
    #expect(try mine[2].object(forKey: "department") == nil)
    try pair.checkInvariants()
  }

  @Test(
    "CTX-268: from another coordinator rows are read anew, one statement an entity tree, and names converted")
  func otherCoordinator() throws {
    let department = try pair.saved("Department", ["name": "d"])
    let employees = try (0..<5).map {
      try there.insert("Employee", ["name": "\($0)", "department": department])
    }
    try there.save()
    let mine = try employees.map { try pair.mine($0) }
    let mineDepartment = try pair.mine(department)
    let other = try stack.otherProcess()
    for object in try other.all("Employee") { try object.setValue("x", forKey: "name") }
    try other.all("Department")[0].setValue("y", forKey: "name")
    let theirs = try other.saveTakingChanges()
    let count = try stack.statements { try here.mergeChanges(fromContextDidSave: theirs) }
    if stack.has(.statements) { #expect(count == 2) }
    let after = try stack.statements {
      try check(mine.allSatisfy { try $0.string("name") == "x" })
      try check(mineDepartment.string("name") == "y")
    }
    #expect(after == 0)
    let told = ToldByContext(here)
    try other.delete(#require(other.all("Employee", "name == 'x'").first { $0.objectID == mine[0].objectID }))
    let new = try other.insert("Employee", ["name": "new"])
    try here.mergeChanges(fromContextDidSave: try other.saveTakingChanges())
    #expect(mine[0].isDeleted && told.changes.first?.deleted == [mine[0]])
    let inserted = try #require(told.changes.first?.inserted.first)
    #expect(inserted.objectID == new.objectID)
    #expect(try inserted.string("name") == "new" && inserted.managedObjectContext === here)
    try pair.checkInvariants()
  }

  @Test("CTX-261: a to-one that both have pointed elsewhere stays as it is here, and both ends agree")
  func keptLinks() throws {
    let departments = try ["0", "1", "2"].map { try there.insert("Department", ["name": $0]) }
    let employee = try pair.saved("Employee", ["name": "e", "department": departments[0]])
    let (mine, others) = (try pair.mine(employee), try departments.map { try pair.mine($0) })
    try mine.setValue(others[1], forKey: "department")
    try employee.setValue(departments[2], forKey: "department")
    try pair.saveAndMerge()
    #expect(try mine.object(forKey: "department") === others[1])
    #expect(try others.map { try $0.names("employees") } == [[], ["e"], []])
    try here.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Department", sort: ["name"]).map { try $0.names("employees") } == [[], ["e"], []])
    try pair.checkInvariants()
  }

  @Test(
    "CTX-261: a link that others have stored as well, or that was set and set back, is none of this context's own",
    arguments: [true, false])
  func sharedLinks(_ isSetBack: Bool) throws {
    let departments = try ["0", "1", "2"].map { try there.insert("Department", ["name": $0]) }
    let employee = try pair.saved("Employee", ["name": "e", "department": departments[0]])
    let (mine, others) = (try pair.mine(employee), try departments.map { try pair.mine($0) })
    try mine.setValue(others[1], forKey: "department")
    if isSetBack {
      try mine.setValue(others[0], forKey: "department")
    } else {
      try employee.setValue(departments[1], forKey: "department")
      try pair.saveAndMerge()
    }
    try employee.setValue(departments[2], forKey: "department")
    try pair.saveAndMerge()
    #expect(try mine.object(forKey: "department") === others[2])
    #expect(try others.map { try $0.names("employees") } == [[], [], ["e"]])
    try pair.checkInvariants()
  }

  @Test("CTX-261: a pending deletion wins, of a fault as well, and needs no conflict to be settled")
  func pendingDeletions() throws {
    let theirs = try ["a", "b", "c"].map { try there.insert("Employee", ["name": $0]) }
    try there.save()
    let mine = [try pair.mine(theirs[0]), try here.object(with: theirs[1].objectID)]
    var request = FetchRequest<ManagedObject>(
      entityName: "Employee", predicate: try QueryPredicate(parsing: "name == 'c'"))
    request.returnsObjectsAsFaults = true
    let fetched = try here.fetch(request)
    for object in mine + fetched { try here.delete(object) }
    for object in theirs { try object.setValue("new", forKey: "name") }
    try pair.saveAndMerge()
    #expect(here.deletedObjects.count == 3 && (mine + fetched).allSatisfy(\.isDeleted))
    try here.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty)
    try pair.checkInvariants()
  }

  @Test("CTX-261: a partner that both have changed stays this context's, and all ends agree")
  func keptPartners() throws {
    let all = try ["a", "b", "c", "d"].map { try there.insert("Employee", ["name": $0]) }
    try there.save()
    let mine = try all.map { try pair.mine($0) }
    try mine[0].setValue(mine[1], forKey: "spouse")
    try all[0].setValue(all[2], forKey: "spouse")
    try all[1].setValue(all[3], forKey: "spouse")
    try pair.saveAndMerge()
    let partners = try mine.map { try $0.object(forKey: "spouse")?.string("name") }
    #expect(partners == ["b", "a", nil, nil])
    try here.save()
    let other = try stack.otherProcess()
    #expect(
      try other.all("Employee", sort: ["name"]).map { try $0.object(forKey: "spouse")?.string("name") }
        == ["b", "a", nil, nil])
    try pair.checkInvariants()
  }

  @Test(
    "CTX-418, FET-188, PAT-061: lists and observers of objects learn of merges by objects-did-change alone")
  func consumers() throws {
    let ada = try pair.saved("Employee", ["name": "b"])
    let mine = try pair.mine(ada)
    let list = try SortedObjects(here, entityName: "Employee", sortKey: "name")
    #expect(try list.objects().map { try $0.string("name") } == ["b"])
    var seen: [ObjectObserver.Change] = []
    let observer = ObjectObserver(object: mine) { seen.append($0) }
    try ada.setValue("c", forKey: "name")
    try pair.saveAndMerge()
    #expect(seen == [.update])
    #expect(try list.objects().map { try $0.string("name") } == ["c"])
    try there.insert("Employee", ["name": "a"])
    try pair.saveAndMerge()
    #expect(try list.objects().map { try $0.string("name") } == ["a", "c"])
    try there.delete(ada)
    try pair.saveAndMerge()
    #expect(seen == [.update, .delete])
    #expect(try list.objects().map { try $0.string("name") } == ["a"])
    withExtendedLifetime(observer) {}
  }

  @Test("CTX-275: after a large save refreshing everything once does what merging would")
  func refreshing() throws {
    let objects = try (0..<20).map { try there.insert("Employee", ["name": "\($0)"]) }
    try there.save()
    let mine = try objects.map { try pair.mine($0) }
    try mine[0].setValue("mine", forKey: "name")
    for object in objects { try object.setValue("new", forKey: "name") }
    try there.save()
    #expect(try stack.statements { try here.refreshAllObjects() } == 0)
    #expect(try mine.map { try $0.string("name") } == ["mine"] + Array(repeating: "new", count: 19))
  }

  @Test("A merge while the context saves is refused")
  func busy() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    try theirs.setValue("b", forKey: "name")
    let changes = try there.saveTakingChanges()
    var codes: [GraphStoreError.Code?] = []
    let token = here.observe(.willSave) { _ in
      do { try here.mergeChanges(fromContextDidSave: changes) } catch {
        codes.append((error as? GraphStoreError)?.code)
      }
    }
    try here.insert("Employee", ["name": "n"])
    try here.save()
    #expect(codes == [.contextBusy])
    token.cancel()
  }
}
