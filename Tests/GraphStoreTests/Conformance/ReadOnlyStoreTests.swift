import Foundation
import GraphStore
import Testing

/// A store that is opened for reading.
@Suite(.everyStore, .needs(.files))
struct ReadOnlyStoreTests {
  private struct FileState: Equatable {
    var bytes: Data
    var modified: Date?
  }

  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    try stack.context.insert("Employee", ["name": "Ada", "department": department])
    try stack.context.save()
  }

  /// Everything in the store's folder.
  private func files() throws -> [String: FileState] {
    let manager = FileManager.default
    var states: [String: FileState] = [:]
    for name in try manager.contentsOfDirectory(atPath: stack.folder.path) {
      let path = stack.folder.appending(path: name).path
      states[name] = FileState(
        bytes: try Data(contentsOf: URL(fileURLWithPath: path)),
        modified: try manager.attributesOfItem(atPath: path)[.modificationDate] as? Date)
    }
    return states
  }

  private func openForReading() throws -> (PersistentStoreCoordinator, ManagedObjectContext) {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: stack.path, options: StoreOptions(isReadOnly: true))
    return (coordinator, ManagedObjectContext(coordinator: coordinator))
  }

  @Test("STO-166: reading a store leaves its file as it is, and a log beside it empty")
  func alone() throws {
    stack.coordinator.close()
    let before = try files()
    #expect(Set(before.keys) == ["store.db"])
    let (coordinator, context) = try openForReading()
    #expect(coordinator.isReadOnly)
    let ada = try context.all("Employee")[0]
    #expect(try ada.object(forKey: "department")?.string("name") == "R&D")
    #expect(try context.count(for: FetchRequest(entityName: "Department")) == 1)
    #expect(try !coordinator.metadata().isEmpty)
    #expect(try files()["store.db"] == before["store.db"])
    try ada.setValue("Eve", forKey: "name")
    #expect(throws: GraphStoreError.self) { try context.save() }
    coordinator.close()
    #expect(try files()["store.db"] == before["store.db"])
    let log = try? Data(contentsOf: stack.folder.appending(path: "store.db-wal"))
    #expect(log?.isEmpty != false)
  }

  @Test("STO-208: a reader that was there before the writer sees what the writer commits")
  func beforeWriter() throws {
    stack.coordinator.close()
    let (coordinator, context) = try openForReading()
    defer { coordinator.close() }
    #expect(try context.all("Employee").count == 1)
    let writer = try stack.otherProcess()
    for number in 0..<500 { try writer.insert("Employee", ["name": "E\(number)"]) }
    try writer.save()
    #expect(try context.all("Employee").count == 501)
  }

  @Test("STO-168, CTX-127: a save into it is refused with read-only-store, and the change stays pending")
  func refused() throws {
    stack.coordinator.close()
    let (coordinator, context) = try openForReading()
    defer { coordinator.close() }
    func expectRefusal() {
      #expect {
        try context.save()
      } throws: {
        ($0 as? GraphStoreError)?.code == .readOnlyStore && ($0 as? GraphStoreError)?.number == 134030
      }
    }
    let ada = try context.all("Employee")[0]
    try ada.setValue("Eve", forKey: "name")
    expectRefusal()
    #expect(ada.isUpdated)
    #expect(try ada.string("name") == "Eve")
    context.rollback()
    #expect(try ada.string("name") == "Ada")
    try context.delete(ada)
    expectRefusal()
    context.rollback()
    let new = try context.insert("Employee", ["name": "New"])
    expectRefusal()
    #expect(new.objectID.isTemporaryID && new.isInserted)
    #expect(throws: GraphStoreError.self) {
      try coordinator.setMetadata(["note": .string("x")], for: coordinator.persistentStores[0])
    }
  }

  @Test("STO-169: a transient change to an object of a read-only store makes no save fail")
  func transientChange() throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(
      ModelDefinition(
        name: "M",
        entities: [
          EntityDefinition(
            "Note",
            attributes: [
              AttributeDefinition("text", .string), AttributeDefinition("draft", .string, isTransient: true),
            ])
        ]))
    let writing = try PersistentStoreCoordinator.create(storeAt: folder.file("s"), model: model)
    let context = ManagedObjectContext(coordinator: writing)
    try context.insert("Note", ["text": "a"])
    try context.save()
    writing.close()
    let reading = try PersistentStoreCoordinator.open(
      storeAt: folder.file("s"), options: StoreOptions(isReadOnly: true), model: model)
    defer { reading.close() }
    let other = ManagedObjectContext(coordinator: reading)
    let note = try other.all("Note")[0]
    try note.setValue("b", forKey: "draft")
    #expect(note.hasChanges)
    try other.save()
    #expect(try note.string("draft") == "b")
    try note.setValue("c", forKey: "text")
    #expect(throws: GraphStoreError.self) { try other.save() }
  }

  @Test("STO-208, STO-206: a reader beside a writer sees what is committed, and only that")
  func besideWriter() throws {
    let (coordinator, context) = try openForReading()
    defer { coordinator.close() }
    #expect(try context.all("Employee").count == 1)
    let new = try stack.context.insert("Employee", ["name": "Bob"])
    #expect(try context.all("Employee").count == 1)
    try stack.context.save()
    #expect(try context.all("Employee", sort: ["name"]).map { try $0.string("name") } == ["Ada", "Bob"])
    try stack.context.delete(new)
    try stack.context.save()
    #expect(try context.all("Employee").count == 1)
  }

  @Test("STO-167: a missing file is not made")
  func missing() throws {
    let path = stack.folder.appending(path: "no.db").path
    #expect {
      try PersistentStoreCoordinator.open(storeAt: path, options: StoreOptions(isReadOnly: true))
    } throws: {
      ($0 as? GraphStoreError)?.code == .storeNotFound && ($0 as? GraphStoreError)?.number == 260
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
