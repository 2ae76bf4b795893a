import Foundation
import Synchronization
import Testing

@testable import GraphStore

/// The steps of a save in their order.
@Suite("The pipeline of a save", .everyStore)
struct SavePipelineTests {
  /// An object whose hooks write down what is called, and do what a test wants.
  class Traced: ManagedObject {
    nonisolated(unsafe) static var log: [String] = []
    nonisolated(unsafe) static var onWillSave: ((Traced) -> Void)?
    nonisolated(unsafe) static var onDidSave: ((Traced) -> Void)?
    nonisolated(unsafe) static var onValidation: ((Traced) throws -> Void)?

    static func forget() {
      log = []
      (onWillSave, onDidSave, onValidation) = (nil, nil, nil)
    }

    private func note(_ what: String) {
      Self.log.append("\(what) \(objectID.isTemporaryID ? "temporary" : "permanent")")
    }

    override func validateForInsert() throws {
      note("validateForInsert")
      try Self.onValidation?(self)
      try super.validateForInsert()
    }
    override func validateForUpdate() throws {
      note("validateForUpdate")
      try Self.onValidation?(self)
      try super.validateForUpdate()
    }
    override func validateForDelete() throws {
      note("validateForDelete")
      try super.validateForDelete()
    }
    override func willSave() {
      note("willSave")
      Self.onWillSave?(self)
    }
    override func didSave() {
      note("didSave")
      Self.onDidSave?(self)
    }
  }

  private final class Item: Traced {}

  private static let model = ModelDefinition(
    name: "Traced",
    entities: [
      EntityDefinition(
        "Item", className: "Item",
        attributes: [
          AttributeDefinition("name", .string, isOptional: false), AttributeDefinition("count", .int64),
          AttributeDefinition("note", .string, isTransient: true),
        ],
        relationships: [
          RelationshipDefinition("parts", to: "Part", inverse: "item", isToMany: true, deleteRule: .cascade)
        ]),
      EntityDefinition(
        "Part", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("item", to: "Item", inverse: "parts")]),
    ])

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(Self.model, classes: ["Item": Item.self])
  }

  private func item(_ name: String? = "one") throws -> ManagedObject {
    try context.insert("Item", name.map { ["name": $0] } ?? [:])
  }

  private func stored() throws -> [String] {
    try stack.otherProcess().all("Item", sort: ["name"]).compactMap { try $0.string("name") }
  }

  @Test(
    "CTX-086, CTX-090, CTX-091, CTX-109, CTX-110: validation comes before willSave, didSave after the identifiers are permanent"
  )
  func order() throws {
    try TracedTurn.run {
      let object = try item()
      try context.save()
      #expect(Traced.log == ["validateForInsert temporary", "willSave temporary", "didSave permanent"])
      Traced.log = []
      try object.setValue(Int64(1), forKey: "count")
      try context.save()
      #expect(Traced.log == ["validateForUpdate permanent", "willSave permanent", "didSave permanent"])
      Traced.log = []
      try context.delete(object)
      try context.save()
      #expect(Traced.log == ["validateForDelete permanent", "willSave permanent", "didSave permanent"])
    }
  }

  @Test("CTX-091, CTX-445, OBJ-074: a mandatory value that only willSave fills makes the first save fail")
  func lateValue() throws {
    try TracedTurn.run {
      let object = try item(nil)
      Traced.onWillSave = { try? $0.setValue("filled", forKey: "name") }
      let error = #expect(throws: GraphStoreError.self) { try context.save() }
      #expect(error?.number == 1570 && object.isInserted)
      #expect(try object.string("name") == nil)
      #expect(!Traced.log.contains { $0.hasPrefix("willSave") })
    }
  }

  @Test(
    "CTX-092, CTX-093, OBJ-076: a round that changes something brings another one; an equal value does, a primitive write does not"
  )
  func rounds() throws {
    try TracedTurn.run {
      let object = try item()
      func willSaves(_ change: @escaping (Traced) throws -> Void) throws -> Int {
        Traced.log = []
        var isFirst = true
        Traced.onWillSave = { object in
          defer { isFirst = false }
          if isFirst { try? change(object) }
        }
        try object.setValue(Int64.random(in: 0..<1000), forKey: "count")
        try context.save()
        return Traced.log.count { $0.hasPrefix("willSave") }
      }
      #expect(try willSaves { _ in } == 1)
      #expect(try willSaves { try $0.setValue($0.value(forKey: "name"), forKey: "name") } == 2)
      #expect(try willSaves { try $0.setPrimitiveValue("primitive", forKey: "name") } == 1)
      #expect(try willSaves { _ = try $0.managedObjectContext?.insert("Part", ["name": "made"]) } == 2)
      #expect(try stack.otherProcess().all("Part").count == 1)
      #expect(try stored() == ["primitive"])
    }
  }

  @Test(
    "CTX-087, CTX-089, CTX-078: one save posts did-change, will-save once, what its observers change, and did-save"
  )
  func notifications() throws {
    try TracedTurn.run {
      let object = try item()
      var told: [String] = []
      let observations: [ContextObservation] = [
        context.observe(.objectsDidChange) { _ in told.append("changed") },
        context.observe(.willSave) { _ in
          told.append("will save")
          try? object.setValue(Int64(5), forKey: "count")
        },
        context.observe(.didSave) { _ in told.append("saved") },
        context.observe(.didSaveObjectIDs) { _ in told.append("identifiers") },
      ]
      try context.save()
      observations.forEach { $0.cancel() }
      #expect(told == ["changed", "will save", "changed", "saved", "identifiers"])
      #expect(try stack.otherProcess().all("Item")[0].value(forKey: "count") as? Int64 == 5)
    }
  }

  @Test("CTX-110, CTX-108: what didSave changes is pending for the next save")
  func changesOfDidSave() throws {
    try TracedTurn.run {
      let object = try item()
      Traced.onDidSave = { try? $0.setValue("later", forKey: "name") }
      try context.save()
      Traced.onDidSave = nil
      #expect(context.hasChanges && object.isUpdated)
      #expect(try stored() == ["one"])
      try context.save()
      #expect(try stored() == ["later"])
    }
  }

  @Test(
    "DGN-244, CTX-112: save() inside of a save is refused, from hooks and observers, and the outer one goes on; after did-save it is allowed"
  )
  func recursive() throws {
    try TracedTurn.run {
      let object = try item()
      var refused: [GraphStoreError.Code?] = []
      func attempt() {
        do {
          try context.save()
          refused.append(nil)
        } catch { refused.append((error as? GraphStoreError)?.code) }
      }
      Traced.onWillSave = { _ in attempt() }
      Traced.onValidation = { _ in attempt() }
      Traced.onDidSave = { _ in attempt() }
      let before = context.observe(.willSave) { _ in attempt() }
      let after = context.observe(.didSave) { _ in attempt() }
      try context.save()
      before.cancel()
      after.cancel()
      #expect(refused == [.recursiveSave, .recursiveSave, .recursiveSave, .recursiveSave, nil])
      #expect(!object.hasChanges)
    }
  }

  @Test(
    "CTX-119, CTX-120, CTX-122, CTX-446: a save that fails posts no did-save, and keeps what hooks have changed"
  )
  func failed() throws {
    try TracedTurn.run {
      let object = try item()
      let bad = try item("bad")
      Traced.onWillSave = { object in
        guard (try? object.value(forKey: "count")) as? Int64 != 7 else { return }
        try? object.setValue(Int64(7), forKey: "count")
        try? bad.setValue(nil, forKey: "name")
      }
      var isSaved = false
      let observation = context.observe(.didSave) { _ in isSaved = true }
      #expect(throws: GraphStoreError.self) { try context.save() }
      observation.cancel()
      #expect(!isSaved && !Traced.log.contains { $0.hasPrefix("didSave") })
      #expect(object.isInserted && object.objectID.isTemporaryID)
      #expect(try object.value(forKey: "count") as? Int64 == 7)
      #expect(try stored().isEmpty)
    }
  }

  @Test(
    "CTX-105: an updated object without a persistent change has its hooks and is told of, and no row is written"
  )
  func unchanged() throws {
    try TracedTurn.run {
      let object = try item()
      try context.save()
      Traced.log = []
      try object.setValue("one", forKey: "name")
      try object.setValue("seen", forKey: "note")
      var updated: [ManagedObject] = []
      let observation = context.observe(.didSave) { updated += $0.updated }
      let version = try #require(object.currentRow).version
      try context.save()
      observation.cancel()
      #expect(updated == [object])
      #expect(Traced.log == ["validateForUpdate permanent", "willSave permanent", "didSave permanent"])
      #expect(object.currentRow?.version == version && !context.hasChanges)
      #expect(try stack.otherProcess().all("Item")[0].currentRow?.version ?? version == version)
    }
  }

  @Test(
    "CTX-108, CTX-448, CTX-176: a save that follows finds no conflict with the one before, cascades included")
  func afterwards() throws {
    try TracedTurn.run {
      let object = try item()
      let part = try context.insert("Part", ["name": "p", "item": object])
      try context.save()
      #expect(try stack.statements { try context.save() } == 0)
      for count in 1...3 {
        try object.setValue(Int64(count), forKey: "count")
        try part.setValue("p\(count)", forKey: "name")
        try context.save()
      }
      try context.delete(object)
      try context.save()
      #expect(try stack.otherProcess().all("Part").isEmpty)
      #expect(object.managedObjectContext == nil && part.managedObjectContext == nil)
    }
  }

  @Test("CTX-116: a save leaves what can be undone and redone")
  func undo() throws {
    try TracedTurn.run {
      let manager = GraphUndoManager()
      try context.setUndoManager(manager)
      let object = try item()
      try context.save()
      for name in ["two", "three"] {
        try object.setValue(name, forKey: "name")
        try context.processPendingChanges()
      }
      try context.undo()
      #expect(manager.canUndo && manager.canRedo)
      try context.save()
      #expect(manager.canUndo && manager.canRedo)
      try context.redo()
      #expect(try object.string("name") == "three")
    }
  }

  @Test("CTX-121, CTX-097: keys of a save that failed are never used twice")
  func keys() throws {
    try TracedTurn.run {
      let refused = try item()
      Traced.onValidation = { _ in throw GraphStoreError(.validation, "no", remedy: "") }
      #expect(throws: GraphStoreError.self) { try context.save() }
      Traced.onValidation = nil
      try context.save()
      let first = refused.objectID
      try context.delete(refused)
      try context.save()
      let second = try item("two")
      try context.save()
      #expect(second.objectID != first && second.key > first.key)
    }
  }

  @Test("CTX-164, CTX-165, CTX-167: a fetch renews no snapshot; save and refresh do")
  func snapshots() throws {
    try TracedTurn.run {
      let object = try item()
      try context.save()
      let other = stack.newContext()
      try other.all("Item")[0].setValue(Int64(9), forKey: "count")
      try other.save()
      #expect(try context.all("Item") == [object])
      #expect(try object.committedValues(forKeys: ["count"])["count"] as? Int64 == nil)
      try object.setValue(Int64(5), forKey: "count")
      let error = #expect(throws: GraphStoreError.self) { try context.save() }
      #expect(error?.code == .mergeConflict)
      try context.refresh(object, mergeChanges: true)
      #expect(try object.committedValues(forKeys: ["count"])["count"] as? Int64 == 9)
      try context.save()
      #expect(try object.committedValues(forKeys: ["count"])["count"] as? Int64 == 5)
    }
  }

  @Test(
    "CTX-168, CTX-172, CTX-184: contexts of one thread conflict like others, at the save alone; new objects never do"
  )
  func oneThread() throws {
    try TracedTurn.run {
      let object = try item()
      try context.save()
      let other = stack.newContext()
      let twin = try other.all("Item")[0]
      try object.setValue(Int64(1), forKey: "count")
      try twin.setValue(Int64(2), forKey: "count")
      try context.insert("Part", ["name": "new", "item": object])
      try other.insert("Part", ["name": "new", "item": twin])
      try other.save()
      let error = #expect(throws: GraphStoreError.self) { try context.save() }
      #expect(error?.conflicts.map(\.sourceObject) == [object])
    }
  }

  @Test("CTX-117, CTX-466: finishPendingWork waits for blocks and their saves")
  func pendingWork() throws {
    let done = Atomic<Int>(0)
    let contexts = (0..<3).map { _ in
      ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    }
    for context in contexts {
      context.enqueue {
        usleep(20_000)
        guard (try? context.insert("Part", ["name": "queued"])) != nil, (try? context.save()) != nil else {
          return
        }
        done.add(1, ordering: .relaxed)
      }
    }
    stack.coordinator.finishPendingWork()
    #expect(done.load(ordering: .relaxed) == 3)
    #expect(try stack.otherProcess().all("Part").count == 3)
  }

  @Test(
    "CTX-194, CTX-195, CTX-224, CTX-013, CTX-214: the policy belongs to the saving context; the five are shared instances"
  )
  func policies() throws {
    try TracedTurn.run {
      #expect(context.mergePolicy === MergePolicy.error)
      #expect(MergePolicy.overwrite === MergePolicy.overwrite && MergePolicy.overwrite.type == .overwrite)
      let object = try item()
      try context.save()
      let importing = stack.newContext()
      importing.mergePolicy = .mergeByPropertyObjectTrump
      context.mergePolicy = .mergeByPropertyStoreTrump
      let twin = try importing.all("Item")[0]
      _ = try twin.string("name")
      for (mine, theirs) in [(1, 2), (3, 4)] {
        try object.setValue(Int64(mine), forKey: "count")
        try twin.setValue(Int64(theirs), forKey: "count")
        try (mine == 1 ? context : importing).save()
        try (mine == 1 ? importing : context).save()
        #expect(try stack.otherProcess().all("Item")[0].value(forKey: "count") as? Int64 == Int64(theirs))
      }
    }
  }
}

/// The hooks of the traced class are those of one test at a time.
private enum TracedTurn {
  private static let lock = NSRecursiveLock()

  static func run(_ body: () throws -> Void) rethrows {
    lock.lock()
    defer {
      SavePipelineTests.Traced.forget()
      lock.unlock()
    }
    SavePipelineTests.Traced.forget()
    try body()
  }
}
