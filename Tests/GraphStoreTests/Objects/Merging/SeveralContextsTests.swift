import Foundation
import Testing

@testable import GraphStore

@Suite("Several contexts, and deletions across them", .everyStore)
struct SeveralContextsTests {
  private let pair: SavingAndMerging
  private var stack: TestStack { pair.stack }
  private var here: ManagedObjectContext { pair.here }
  private var there: ManagedObjectContext { pair.there }

  init() throws { pair = try SavingAndMerging() }

  private func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
    do { try body() } catch { return (error as? GraphStoreError)?.code }
    return nil
  }

  @Test(
    "CTX-247: contexts of a coordinator share its row cache, and have unsaved changes and settings of their own"
  )
  func sharing() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    here.mergePolicy = .overwrite
    try here.setUndoManager(GraphUndoManager())
    let mine = try here.object(with: theirs.objectID)
    #expect(try stack.statements { try check(mine.string("name") == "a") } == 0)
    try mine.setValue("mine", forKey: "name")
    #expect(try theirs.string("name") == "a" && !there.hasChanges && there.undoManager == nil)
    #expect(there.mergePolicy.type == .error)
  }

  @Test("CTX-247: editing in one context waits for nothing that another does")
  func editing() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let other = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    try stack.coordinator.transaction(with: there) { _ in
      try theirs.setValue("b", forKey: "name")
      try there.save()
      let id = theirs.objectID
      try other.performAndWait {
        let mine = try other.existingObject(with: id)
        try mine.setValue("c", forKey: "name")
        try check(mine.string("name") == "c" && other.hasChanges)
      }
    }
  }

  @Test(
    "CTX-248: a container's contexts are siblings, and a background task has a fresh one for as long as its block"
  )
  func container() async throws {
    let container = PersistentContainer(name: "x", model: try ManagedObjectModel(TestModels.company()))
    let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
    #expect(container.viewContext.concurrencyType == .mainQueue && first.concurrencyType == .privateQueue)
    #expect(first !== second && first.coordinator === container.persistentStoreCoordinator)
    #expect(container.viewContext.coordinator === container.persistentStoreCoordinator)
    nonisolated(unsafe) weak var used: ManagedObjectContext?
    let type = try await container.performBackgroundTask { context in
      used = context
      return context.concurrencyType
    }
    #expect(type == .privateQueue && used == nil)
  }

  @Test("CTX-249: an object is passed by its identifier, and is another reference to the same record there")
  func passing() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try here.object(with: theirs.objectID)
    #expect(mine !== theirs && mine.objectID == theirs.objectID && mine.managedObjectContext === here)
  }

  @Test("CTX-250: an unsaved object cannot be passed")
  func unsaved() throws {
    let new = try there.insert("Employee", ["name": "a"])
    #expect(code { _ = try here.object(with: new.objectID) } == .temporaryIDUnknown)
    #expect(code { _ = try here.existingObject(with: new.objectID) } == .temporaryIDUnknown)
  }

  @Test("CTX-251: passing objects to read their identifiers keeps their rows cached meanwhile")
  func holding() throws {
    var passed: [ManagedObject]? = [try pair.saved("Employee", ["name": "a"])]
    let ids = try #require(passed).map(\.objectID)
    there.reset()
    passed = try there.all("Employee")
    let mine = try here.object(with: ids[0])
    #expect(try stack.statements { try check(mine.string("name") == "a") } == 0)
    withExtendedLifetime(passed) {}
  }

  @Test("CTX-252: the second of two contexts that changed a record meets the first one's save")
  func second() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    try mine.setValue("mine", forKey: "name")
    try theirs.setValue("theirs", forKey: "name")
    try there.save()
    #expect(code { try here.save() } == .mergeConflict)
  }

  // MARK: Deletions

  @Test("CTX-253, CTX-361, PAT-108: deleting here what another has deleted is harmless")
  func deletedTwice() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    try there.delete(theirs)
    try there.save()
    try here.delete(mine)
    try here.save()
    #expect(try !here.hasChanges && here.all("Employee").isEmpty)
  }

  @Test("CTX-254, PAT-109: identifiers, a reset and a fetch with IN find what is left")
  func refetching() throws {
    let theirs = try ["a", "b", "c"].map { try there.insert("Employee", ["name": $0]) }
    try there.save()
    let ids = try theirs.map { try pair.mine($0).objectID }
    try there.delete(theirs[1])
    try there.save()
    here.reset()
    let left = try here.fetch(
      FetchRequest(
        entityName: "Employee",
        predicate: try QueryPredicate(parsing: "SELF IN $ids").substituting([
          "ids": .list(ids.map { .object(ObjectReference($0)) })
        ]),
        sortDescriptors: [try QuerySortDescriptor(parsing: "name")]))
    #expect(try left.map { try $0.string("name") } == ["a", "c"])
  }

  @Test(
    "CTX-255, CTX-361, PAT-110: a changed object is given up by deleting it, or written back by overwriting")
  func changedHere() throws {
    let theirs = try ["a", "b"].map { try there.insert("Employee", ["name": $0]) }
    try there.save()
    let mine = try theirs.map { try pair.mine($0) }
    for object in mine { try object.setValue("mine", forKey: "name") }
    for object in theirs { try there.delete(object) }
    try there.save()
    #expect(code { try here.save() } == .mergeConflict)
    try here.delete(mine[0])
    here.mergePolicy = .overwrite
    try here.save()
    let left = try stack.otherProcess().all("Employee")
    #expect(left.map(\.objectID) == [mine[1].objectID])
    #expect(try left[0].string("name") == "mine")
  }

  @Test(
    "PAT-111: an object that does not stand alone is brought back with partners that were read before and changed"
  )
  func broughtBack() throws {
    let department = try there.insert("Department", ["name": "d"])
    let employee = try pair.saved("Employee", ["name": "e", "department": department])
    let (mine, partner) = (try pair.mine(department), try pair.mine(employee))
    #expect(try mine.names("employees") == ["e"])
    try mine.setValue("D", forKey: "name")
    try there.delete(department)
    try there.save()
    try here.refresh(partner, mergeChanges: true)
    here.mergePolicy = .overwrite
    try partner.setValue(mine, forKey: "department")
    try here.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Department")[0].names("employees") == ["e"])
  }

  @Test(
    "PAT-112, CTX-364: a deletion repeated for the sake of undo lies on the undo stack of the second context")
  func undone() throws {
    try here.setUndoManager(GraphUndoManager())
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    try there.delete(theirs)
    try there.save()
    try here.delete(mine)
    try here.save()
    try here.undo()
    try here.save()
    #expect(try stack.otherProcess().all("Employee").count == 1)
  }

  @Test("CTX-355, CTX-356, CTX-358: before the merge a fault reads as deleted, and realised values stay")
  func window() throws {
    let theirs = try ["a", "b"].map { try there.insert("Employee", ["name": $0]) }
    try there.save()
    let (realised, fault) = (try pair.mine(theirs[0]), try here.object(with: theirs[1].objectID))
    for object in theirs { try there.delete(object) }
    let changes = try there.saveTakingChanges()
    #expect(try realised.string("name") == "a" && !realised.isDeleted)
    #expect(try fault.string("name") == nil && fault.isDeleted)
    try here.mergeChanges(fromContextDidSave: changes)
    #expect(try realised.string("name") == "a" && realised.isDeleted)
    #expect(!here.hasChanges && here.deletedObjects.isEmpty)
    try here.save()
    try pair.checkInvariants()
  }

  @Test("CTX-359: contexts of one queue that merge inside the notification leave no window")
  func noWindow() throws {
    let token = there.observe(.didSave) { try? here.mergeChanges(fromContextDidSave: $0) }
    defer { token.cancel() }
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try here.object(with: theirs.objectID)
    try there.delete(theirs)
    try there.save()
    #expect(mine.isDeleted)
    #expect(try mine.string("name") == nil)
    #expect(!here.hasChanges)
  }

  @Test(
    "CTX-362, REL-320, REL-305: a new link to a record that is gone is not stored, and costs one statement a tree"
  )
  func danglingLinks() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    let new = try here.insert("Employee", ["name": "n", "manager": mine])
    try there.delete(theirs)
    try there.save()
    var found: GraphStoreError.Code?
    let count = stack.statements { found = code { try here.save() } }
    #expect(found == .objectNotFound && new.isInserted && count < 10)
    #expect(try stack.otherProcess().all("Employee").isEmpty)
  }
}
