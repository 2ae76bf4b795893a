import Foundation
import Testing

@testable import GraphStore

@Suite("Merging changes from elsewhere", .everyStore)
struct RemoteMergingTests {
  private let pair: SavingAndMerging
  private var stack: TestStack { pair.stack }
  private var here: ManagedObjectContext { pair.here }
  private var there: ManagedObjectContext { pair.there }

  init() throws { pair = try SavingAndMerging() }

  private typealias Keys = ManagedObjectContext.NotificationKey

  @Test(
    "CTX-278, CTX-279, CTX-456: rows are renewed by a statement an entity tree, whatever was cached, and contexts merge"
  )
  func renewal() throws {
    let objects = try ["a", "b", "c"].map { try there.insert("Employee", ["name": $0]) }
    let department = try pair.saved("Department", ["name": "d"])
    let (mine, fault) = (try pair.mine(objects[0]), try here.object(with: objects[1].objectID))
    let mineDepartment = try pair.mine(department)
    let other = try stack.otherProcess()
    for object in try other.all("Employee") { try object.setValue("x", forKey: "name") }
    try other.all("Department")[0].setValue("y", forKey: "name")
    let new = try other.insert("Employee", ["name": "new"])
    try other.save()
    let told = ToldByContext(here)
    let changes: [Keys: [ManagedObjectID]] = [
      .updatedObjects: objects.map(\.objectID), .refreshedObjectIDs: [department.objectID],
      .insertedObjects: [new.objectID],
    ]
    let count = try stack.statements {
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [here, there])
    }
    if stack.has(.statements) { #expect(count == 2) }
    let reading = try stack.statements {
      try check(mine.string("name") == "x" && fault.string("name") == "x")
      try check(mineDepartment.string("name") == "y")
      try check(objects.allSatisfy { try $0.string("name") == "x" })
    }
    #expect(reading == 0)
    #expect(told.changes.first?.inserted.map(\.objectID) == [new.objectID])
    #expect(told.merges.first?.refreshed == Set([mine, fault, mineDepartment].map(\.objectID)))
    try pair.checkInvariants()
  }

  @Test("CTX-278, CTX-282: URIs are taken as well; unknown stores and records that do not exist are left out")
  func uris() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    let other = try stack.otherProcess()
    try other.all("Employee")[0].setValue("b", forKey: "name")
    try other.save()
    let uri = theirs.objectID.uriRepresentation
    let missing = try #require(URL(string: uri.absoluteString.replacingOccurrences(of: "/p1", with: "/p99")))
    let foreign = try #require(URL(string: "x-coredata://\(UUID().uuidString)/Employee/p1"))
    let told = ToldByContext(here)
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        .updatedObjects: [uri, foreign, missing], .insertedObjects: [missing, foreign],
      ],
      into: [here])
    #expect(try mine.string("name") == "b")
    #expect(told.changes.allSatisfy { $0.inserted.isEmpty } && here.registeredCount == 1)
    try pair.checkInvariants()
  }

  @Test("CTX-282: another key is an error, and nothing is merged")
  func otherKeys() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    for key in [Keys.invalidatedObjects, .invalidatedAllObjects] {
      do {
        try ManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [key: [theirs.objectID], .deletedObjects: [theirs.objectID]], into: [here])
        Issue.record("\(key) is merged")
      } catch let error as GraphStoreError {
        #expect(error.code == .invalidRequest)
      }
    }
    #expect(!mine.isDeleted)
  }

  @Test(
    "CTX-278, CTX-282, CTX-271: a save of another coordinator, or of a listed context, is taken as a whole")
  func saves() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    let other = try stack.otherProcess()
    try other.all("Employee")[0].setValue("b", forKey: "name")
    let changes = try other.saveTakingChanges()
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [here, there, other])
    #expect(try mine.string("name") == "b" && theirs.string("name") == "b")
    #expect(try !other.all("Employee")[0].isFault)
    try pair.checkInvariants()
  }

  @Test("CTX-279: deleted records leave the row cache, and objects of all listed contexts become deleted")
  func deletions() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    let other = try stack.otherProcess()
    try other.delete(try other.all("Employee")[0])
    try other.save()
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [.deletedObjectIDs: [theirs.objectID]], into: [here, there])
    #expect(mine.isDeleted && theirs.isDeleted)
    #expect(throws: GraphStoreError.self) { try here.existingObject(with: theirs.objectID) }
    try pair.checkInvariants()
  }

  @Test(
    "CTX-281: it is called from any queue, and each context merges on its own; also without a thread that waits"
  )
  func queues() async throws {
    let contexts = (0..<3).map { _ in
      ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    }
    let theirs = try pair.saved("Employee", ["name": "a"])
    let id = theirs.objectID
    for context in contexts {
      try await context.perform {
        context.retainsRegisteredObjects = true
        _ = try context.existingObject(with: id).string("name")
      }
    }
    for (name, isAwaited) in [("b", false), ("c", true)] {
      let other = try stack.otherProcess()
      try other.all("Employee")[0].setValue(name, forKey: "name")
      try other.save()
      let changes: [Keys: [ManagedObjectID]] = [.updatedObjects: [id]]
      if isAwaited {
        try await ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: contexts)
      } else {
        try Self.merge(changes, into: contexts)
      }
      for context in contexts {
        let read = try await context.perform { try context.existingObject(with: id).string("name") }
        #expect(read == name)
      }
    }
  }

  private static func merge(
    _ changes: [Keys: [ManagedObjectID]], into contexts: [ManagedObjectContext]
  ) throws {
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: contexts)
  }

  @Test(
    "CTX-283, FET-211: what was written past the contexts is brought to them, where a refresh is not enough")
  func pastContexts() throws {
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    let other = try stack.otherProcess()
    try other.all("Employee")[0].setValue("b", forKey: "name")
    try other.save()
    try here.refresh(mine, mergeChanges: true)
    #expect(try mine.string("name") == "a")
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [.updatedObjects: [mine.objectID]], into: [here])
    #expect(try mine.string("name") == "b")
  }
}
