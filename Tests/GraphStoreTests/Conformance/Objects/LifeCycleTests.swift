import Foundation
import Testing

@testable import GraphStore

/// Writes down which of its hooks, accessors and validators run.
private final class Watched: ManagedObject {
  nonisolated(unsafe) static var log: [String] = []
  nonisolated(unsafe) static var onInsert: (Watched) -> Void = { _ in }
  nonisolated(unsafe) static var onDidSave: (Watched) -> Void = { _ in }
  static let name = AttributeKey<Watched, String>("name")

  static func forget() { (log, onInsert, onDidSave) = ([], { _ in }, { _ in }) }

  var title: String? {
    get {
      Self.log.append("get")
      return self[Self.name]
    }
    set {
      Self.log.append("set")
      self[Self.name] = newValue
    }
  }

  override class var keyedAccessors: [KeyedAccessor] { [KeyedAccessor("name", \Watched.title)] }

  override func awakeFromInsert() {
    super.awakeFromInsert()
    Self.onInsert(self)
  }

  override func validateProperty(_ key: String, value: inout ProposedValue) throws {
    Self.log.append("validate \(key)")
  }

  override func willSave() { Self.log.append("willSave \(self[Self.name] ?? "nil")") }

  override func didSave() {
    Self.log.append("didSave")
    Self.onDidSave(self)
  }

  override func willTurnIntoFault() { Self.log.append("will \(self[Self.name] ?? "nil")") }
  override func didTurnIntoFault() { Self.log.append("did") }
}

@Suite("Hooks in the life of an object", .everyStore, .serialized)
struct LifeCycleTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", className: "Thing",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("note", .string),
            AttributeDefinition("size", .int64, defaultValue: .number("3")),
          ]),
        EntityDefinition("Plain", attributes: [AttributeDefinition("name", .string, isOptional: false)]),
      ]), classes: ["Thing": Watched.self])
    Watched.forget()
  }

  private func saved(_ name: String = "a") throws -> Watched {
    let thing = try context.insert(Watched.self)
    thing[Watched.name] = name
    try context.save()
    Watched.log = []
    return thing
  }

  @Test(
    "OBJ-061, OBJ-062: awakeFromInsert finds context, flag, temporary identifier and defaults, and changes nothing by what it sets"
  )
  func inserting() throws {
    nonisolated(unsafe) var seen: [Bool] = []
    Watched.onInsert = { [context] object in
      seen = [
        object.managedObjectContext === context, object.isInserted, object.objectID.isTemporaryID,
        (try? object.value(forKey: "size")) as? Int64 == 3,
      ]
      object[Watched.name] = "by setter"
      try? object.setPrimitiveValue("by primitive", forKey: "note")
    }
    let thing = try context.insert(Watched.self)
    #expect(seen == [true, true, true, true])
    #expect(try thing.changedValues().isEmpty && thing.changedKeys.isEmpty)
    try context.save()
    let stored = try stack.otherProcess().all("Thing")[0]
    #expect(try stored.string("name") == "by setter" && stored.string("note") == "by primitive")
  }

  @Test("CTX-473: awakeFromInsert runs once over insertion, save, refetch, undo and redo")
  func insertingOnce() throws {
    nonisolated(unsafe) var insertions = 0
    Watched.onInsert = { _ in insertions += 1 }
    try context.setUndoManager(GraphUndoManager())
    let thing = try context.insert(Watched.self)
    thing[Watched.name] = "a"
    try context.save()
    try context.refresh(thing, mergeChanges: false)
    #expect(try context.all("Thing") == [thing] && thing[Watched.name] == "a")
    try context.undo()
    try context.save()
    #expect(try context.all("Thing").isEmpty)
    try context.redo()
    try context.save()
    #expect(try stack.otherProcess().all("Thing").map { try $0.string("name") } == ["a"])
    #expect(insertions == 1)
  }

  @Test("OBJ-069, OBJ-070: whatever makes a realised object a fault runs both hooks once; a fault has none")
  func faulting() throws {
    let causes: [(String, (Watched) throws -> Void)] = [
      ("a refresh", { [context] in try context.refresh($0, mergeChanges: false) }),
      (
        "a refresh that drops a change",
        { [context] thing in
          try thing.setValue(Int64(9), forKey: "size")
          try context.refresh(thing, mergeChanges: false)
        }
      ),
      (
        "its saved deletion",
        { [context] thing in
          try context.delete(thing)
          try context.save()
        }
      ),
      ("a reset", { [context] _ in context.reset() }),
      (
        "the removal of its store",
        { [context, stack] _ in
          try stack.coordinator.remove(stack.coordinator.persistentStores[0])
          _ = context.registeredCount
          try context.processPendingChanges()
        }
      ),
    ]
    for (name, cause) in causes {
      let thing = try saved()
      try cause(thing)
      #expect(Watched.log.filter { $0.hasPrefix("will ") || $0 == "did" } == ["will a", "did"], "\(name)")
      Watched.log = []
      if thing.managedObjectContext != nil { try context.refresh(thing, mergeChanges: false) }
      #expect(Watched.log.isEmpty, "\(name)")
    }
  }

  @Test("OBJ-070: the release by the last holder runs the second hook alone")
  func release() throws {
    do { _ = try saved() }
    #expect(Watched.log == ["did"])
  }

  @Test(
    "OBJ-073, OBJ-523: willSave follows validation, in each pass, on what the save has; not on what came and went"
  )
  func willSave() throws {
    let thing = try context.insert(Watched.self)
    thing[Watched.name] = "new"
    let fleeting = try context.insert(Watched.self)
    fleeting[Watched.name] = "fleeting"
    try context.delete(fleeting)
    try context.save()
    let own = Watched.log.filter { $0.hasPrefix("willSave") || $0 == "validate name" || $0 == "didSave" }
    #expect(own == ["validate name", "willSave new", "didSave"])
    Watched.log = []
    try context.delete(thing)
    try context.save()
    #expect(Watched.log.prefix(1) == ["willSave new"] && Watched.log.last == "didSave")
  }

  @Test("OBJ-078: didSave runs once the store has the data, before did-save is posted; not after a failure")
  func didSave() throws {
    nonisolated(unsafe) var stored: [Int] = []
    Watched.onDidSave = { [stack] _ in
      stored.append((try? stack.otherProcess().all("Thing", "name == 'a'").count) ?? -1)
    }
    let token = context.observe(.didSave) { _ in Watched.log.append("posted") }
    let thing = try context.insert(Watched.self)
    thing[Watched.name] = "a"
    try context.insert(entityNamed: "Plain")
    #expect(code { try context.save() } == .validation)
    #expect(!Watched.log.contains("didSave") && stored.isEmpty)
    try context.delete(context.insertedObjects[1])
    try context.save()
    #expect(stored == [1] && Watched.log.suffix(2) == ["didSave", "posted"] && !context.hasChanges)
    try context.delete(thing)
    try context.save()
    #expect(stored == [1, 0])
    token.cancel()
  }

  @Test("OBJ-081: the base versions of hooks do nothing, those of validations check")
  func baseVersions() throws {
    let plain = try context.insert("Plain", ["name": "p"])
    try context.save()
    for hook in [
      plain.awakeFromInsert, plain.awakeFromFetch, plain.prepareForDeletion, plain.willSave, plain.didSave,
      plain.willTurnIntoFault, plain.didTurnIntoFault,
    ] { hook() }
    plain.awake(fromSnapshotEvents: .refresh)
    var value = ProposedValue("x", object: plain)
    try plain.validateProperty("name", value: &value)
    #expect(try !context.hasChanges && !plain.isFault && plain.string("name") == "p")
    try plain.validateForUpdate()
    try plain.setValue(nil, forKey: "name")
    #expect(failure { try plain.validateForUpdate() }?.number == 1570)
    #expect(failure { try plain.validateForInsert() }?.number == 1570)
  }

  @Test("OBJ-083: an object gets its values from the store without accessors and validators")
  func settingUp() throws {
    _ = try saved()
    context.reset()
    Watched.log = []
    let thing = try #require(try context.all("Thing")[0] as? Watched)
    #expect(thing[AttributeKey<Watched, Int64>("size")] == 3 && !thing.isFault)
    try context.refresh(thing, mergeChanges: true)
    #expect(thing[Watched.name] == "a")
    #expect(!Watched.log.contains { ["get", "set"].contains($0) || $0.hasPrefix("validate") })
    #expect(try thing.value(forKey: "name") as? String == "a" && Watched.log.contains("get"))
  }

  @Test("OBJ-314, OBJ-410: a deletion can be undone, and not be reversed by setting values")
  func reversing() throws {
    try context.setUndoManager(GraphUndoManager())
    let thing = try saved()
    try context.delete(thing)
    try thing.setValue("b", forKey: "name")
    try context.processPendingChanges()
    #expect(thing.isDeleted && context.deletedObjects == [thing])
    try context.undo()
    #expect(try !thing.isDeleted && thing.value(forKey: "name") as? String == "a")
    try context.save()
    #expect(try stack.otherProcess().all("Thing").count == 1)
  }
}
