import CGraphStoreTestSupport
import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

/// Several coordinators on one store, each as another process has it.
@Suite("Several coordinators on one store")
struct SeveralProcessesTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(TestModels.company(), factory: .sqlite) }

  private func open(_ options: StoreOptions = StoreOptions()) throws -> ManagedObjectContext {
    ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator.open(storeAt: stack.path, options: options))
  }

  @Test(
    "CTX-420, CTX-427, STO-210: each has a row cache of its own, and reads from the file what the other wrote"
  )
  func ownCaches() throws {
    let theirs = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let other = try open()
    let mine = try #require(try other.all("Employee").first)
    #expect(try mine.string("name") == "Ada")
    try theirs.setValue("Augusta", forKey: "name")
    try stack.context.save()
    #expect(try mine.string("name") == "Ada")
    #expect(try other.all("Employee", "name == 'Augusta'").count == 1)
    try other.refresh(mine, mergeChanges: false)
    let fresh = try open()
    #expect(try fresh.all("Employee").first?.string("name") == "Augusta")
    for context in [other, fresh] { context.coordinator.close() }
  }

  @Test(
    "CTX-421, CTX-422, CTX-432: a writer keeps nobody from reading; another waits, and gives up at its time-out"
  )
  func locks() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let other = try open(StoreOptions(timeout: .milliseconds(50)))
    defer { other.coordinator.close() }
    try stack.coordinator.transaction(with: stack.context) { _ in
      try stack.context.insert("Employee", ["name": "Bob"])
      try stack.context.save()
      #expect(try other.all("Employee").count == 1)
      try other.insert("Employee", ["name": "Cy"])
      #expect { try other.save() } throws: {
        let error = $0 as? GraphStoreError
        return error?.code == .storeTimeout && error?.number == 134090
      }
      #expect(other.insertedObjects.count == 1)
    }
    try other.save()
    #expect(try stack.newContext().all("Employee").count == 3)
  }

  @Test("CTX-423: no two records ever get one key, whoever reserves keys")
  func keys() throws {
    let contexts = try (0..<3).map { _ in try open() }
    var keys: [Int64] = []
    for round in 0..<10 {
      for context in contexts {
        let object = try context.insert("Employee", ["name": "\(round)"])
        if round % 2 == 0 { try context.obtainPermanentIDs(for: [object]) } else { try context.save() }
        keys.append(object.objectID.key)
      }
    }
    #expect(Set(keys).count == keys.count && keys.allSatisfy { $0 > 0 })
    for context in contexts { context.coordinator.close() }
  }

  @Test("CTX-431: metadata that were set on the file meanwhile are merged with those that wait for a save")
  func metadata() throws {
    let store = stack.coordinator.persistentStores[0]
    var metadata = try stack.coordinator.metadata(for: store)
    metadata["mine"] = .int(1)
    try stack.coordinator.setMetadata(metadata, for: store)
    let other = try PersistentStoreCoordinator.open(storeAt: stack.path)
    try other.setMetadata(["theirs": .int(2)], for: other.persistentStores[0])
    try ManagedObjectContext(coordinator: other).save()
    try stack.context.save()
    let found = try stack.coordinator.metadata(for: store)
    #expect(found["mine"] == .int(1) && found["theirs"] == .int(2))
    other.close()
  }

  @Test(
    "CTX-428, STO-170: a store that another process has migrated is not written any more, nor read for long")
  func migrated() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let object = try #require(try stack.context.all("Employee").first)
    // The file of the next version takes the place of the first, as a migration puts it there.
    let next = stack.folder.appending(path: "next.db").path
    var definition = TestModels.company()
    definition.entities[0].attributes.append(AttributeDefinition("city", .string))
    let identifier = try #require(stack.coordinator.storeIdentifier.flatMap { UUID(uuidString: $0) })
    try SQLiteStore.create(
      next, StoreOptions(), model: ManagedObjectModel(definition), identifier: identifier
    ).close()
    try #require(rename(next, stack.path) == 0)
    try object.setValue("Bob", forKey: "name")
    #expect { try stack.context.save() } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .incompatibleModel
        && error?.message.contains("migrated by another process") == true
    }
    #expect(object.hasChanges)
    (stack.coordinator.firstStore as? SQLiteStore)?.lastFileCheck.store(0, ordering: .relaxed)
    #expect { try stack.newContext().all("Employee") } throws: {
      GraphStoreError.code(.incompatibleModel) ~= $0
    }
  }

  @Test(
    "STO-212: in a process that was forked every use of a store throws store-forked; in the other it goes on")
  func forked() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let store = try #require(stack.coordinator.firstStore)
    let context = unsafe Unmanaged.passUnretained(store as AnyObject).toOpaque()
    let code = unsafe gs_run_forked(
      { context in
        guard let context = unsafe context,
          let store = unsafe Unmanaged<AnyObject>.fromOpaque(context).takeUnretainedValue() as? SQLiteStore
        else { return 2 }
        func isRefused(_ body: () throws -> Void) -> Bool {
          do { try body() } catch { return GraphStoreError.code(.storeForked) ~= error }
          return false
        }
        let reads = isRefused { _ = try store.beginReading(.oneRecord) }
        return reads && isRefused { _ = try store.beginWriting(isShared: false) } ? 0 : 1
      }, context)
    #expect(code == 0)
    #expect(try stack.newContext().all("Employee").count == 1)
  }
}
