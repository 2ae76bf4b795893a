import GraphStore
import Testing

@Suite("The order of life-cycle hooks and messages", .everyStore, .serialized)
struct HookOrderTests {
  @Test(
    "OBJ-060, OBJ-064, OBJ-068, OBJ-069, OBJ-070, OBJ-071, OBJ-073, OBJ-078, OBJ-081, OBJ-082, CTX-078, CTX-151, CTX-152: the hooks and messages of each path, in their order, whether overrides call super or not",
    arguments: HookPath.all, [false, true])
  func order(_ path: HookPath, _ callsSuper: Bool) throws {
    HookWitness.callsSuper = callsSuper
    defer { HookWitness.callsSuper = false }
    let stage = try HookStage()
    try path.run(stage)
    #expect(HookWitness.calls == path.expected)
    withExtendedLifetime(stage) {}
  }

  @Test(
    "OBJ-061, OBJ-062: defaults are there in awakeFromInsert, and what it sets is initial state, and saved")
  func insertion() throws {
    let stack = try TestStack(Self.model, classes: ["Initial": Initial.self])
    let object = try stack.context.insert(Initial.self)
    #expect(object.seen == "true true true default")
    #expect(try object.changedValues().isEmpty && object.changedKeys.isEmpty && object.isInserted)
    try object.setValue(Int64(2), forKey: "number")
    #expect(object.changedKeys == ["number"])
    try object.setPrimitiveValue("untracked", forKey: "text")
    #expect(object.changedKeys == ["number"])
    try object.setValue("typed", forKey: "text")
    try object.setValue(Int64(1), forKey: "number")
    #expect(object.changedKeys.isEmpty)
    try object.setPrimitiveValue("primitive 2", forKey: "other")
    try stack.context.save()
    let stored = try stack.otherProcess().all("Initial")[0]
    #expect(
      try stored.string("text") == "typed" && stored.string("other") == "primitive 2"
        && stored.value(forKey: "number") as? Int64 == 1)
  }

  @Test("OBJ-074: a mandatory value that only willSave fills fails the first save with 1570")
  func mandatory() throws {
    var model = Self.model
    model.entities[0].attributes[0].isOptional = false
    model.entities[0].attributes[0].defaultValue = nil
    let stack = try TestStack(model, classes: ["Initial": LateValue.self])
    try stack.context.insert("Initial", [:])
    let error = failure { try stack.context.save() }
    #expect(error?.number == 1570 && error?.property == "text")
    #expect(try stack.otherProcess().all("Initial").isEmpty)
  }

  @Test("OBJ-076: in willSave an equal value is a further pass, a primitive write none, and it is saved")
  func passes() throws {
    let stack = try TestStack(Self.model, classes: ["Initial": Passing.self])
    let object = try stack.context.insert(Passing.self)
    try stack.context.save()
    #expect(object.passes == 1)
    #expect(try stack.otherProcess().all("Initial").map { try $0.string("other") } == ["1"])
    object.setsEqualValue = true
    try object.setValue(Int64(3), forKey: "number")
    try stack.context.save()
    #expect(object.passes == 3)
    #expect(try stack.otherProcess().all("Initial").map { try $0.string("other") } == ["3"])
  }

  @Test("OBJ-078: what didSave changes is a new change, and a save that fails calls none")
  func afterSave() throws {
    let stack = try TestStack(Self.model, classes: ["Initial": Following.self])
    let object = try stack.context.insert(Following.self)
    try stack.context.save()
    #expect(object.isUpdated && object.changedKeys == ["number"] && object.saves == 1)
    #expect(try stack.otherProcess().all("Initial")[0].value(forKey: "number") as? Int64 == nil)
    try object.setValue(String(repeating: "x", count: 30), forKey: "text")
    #expect(failure { try stack.context.save() }?.number == 1660)
    #expect(object.saves == 1)
    try object.setValue("x", forKey: "text")
    try stack.context.save()
    #expect(object.saves == 2)
    #expect(try stack.otherProcess().all("Initial")[0].value(forKey: "number") as? Int64 == 1)
  }

  @Test("OBJ-083: objects are set up from a store without accessor, validator and observer")
  func storage() throws {
    let stack = try TestStack(Self.model, classes: ["Initial": Guarded.self])
    try stack.context.insert("Initial", ["text": "a"])
    try stack.context.save()
    let context = stack.newContext()
    var told = 0
    let token = context.observe(.objectsDidChange) { _ in told += 1 }
    Guarded.calls = 0
    var request = FetchRequest(entityName: "Initial")
    request.returnsObjectsAsFaults = false
    let object = try context.fetch(request)[0]
    try context.processPendingChanges()
    #expect(Guarded.calls == 0 && told == 0 && object[AttributeKey<ManagedObject, String>("text")] == "a")
    _ = try object.value(forKey: "text")
    #expect(Guarded.calls == 1)
    token.cancel()
  }

  private static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Initial", className: "Initial",
      attributes: [
        AttributeDefinition("text", .string, defaultValue: .string("default"), maxLength: 20),
        AttributeDefinition("other", .string), AttributeDefinition("number", .int64),
      ])
  ])
}

/// Sets values by both kinds of accessors when it is inserted.
private final class Initial: ManagedObject {
  private(set) var seen = ""

  override func awakeFromInsert() {
    let text = self[AttributeKey<Initial, String>("text")] ?? "nil"
    seen = "\(managedObjectContext != nil) \(isInserted) \(objectID.isTemporaryID) \(text)"
    self[AttributeKey<Initial, String>("text")] = "typed"
    self[AttributeKey<Initial, Int64>("number")] = 1
    try? setPrimitiveValue("primitive", forKey: "other")
  }
}

/// Sets its text when it is saved.
private final class LateValue: ManagedObject {
  override func willSave() { self[AttributeKey<LateValue, String>("text")] = "late" }
}

/// Counts the passes of its saves, and keeps the number by a primitive write.
private final class Passing: ManagedObject {
  var passes = 0
  var setsEqualValue = false

  override func willSave() {
    passes += 1
    try? setPrimitiveValue("\(passes)", forKey: "other")
    guard setsEqualValue else { return }
    setsEqualValue = false
    self[AttributeKey<Passing, Int64>("number")] = self[AttributeKey<Passing, Int64>("number")]
  }
}

/// Counts its saves in an attribute, each after it is done, once.
private final class Following: ManagedObject {
  private(set) var saves = 0

  override func didSave() {
    saves += 1
    if saves == 1 { self[AttributeKey<Following, Int64>("number")] = 1 }
  }
}

/// Counts the calls of what its class puts around its values.
private final class Guarded: ManagedObject {
  nonisolated(unsafe) static var calls = 0

  var text: String? {
    get {
      Self.calls += 1
      return self[AttributeKey<Guarded, String>("text")]
    }
    set {
      Self.calls += 1
      self[AttributeKey<Guarded, String>("text")] = newValue
    }
  }

  override class var keyedAccessors: [KeyedAccessor] { [KeyedAccessor("text", \Guarded.text)] }

  override func validateProperty(_ key: String, value: inout ProposedValue) throws { Self.calls += 1 }
}
