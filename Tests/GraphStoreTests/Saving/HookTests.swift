import GraphStore
import Testing

/// Records the calls that a save makes.
private final class Recorder: ManagedObject {
  nonisolated(unsafe) static var calls: [String] = []
  static let stamp = AttributeKey<Recorder, Int64>("stamp")

  override func awakeFromInsert() { Self.calls.append("awakeFromInsert") }
  override func awakeFromFetch() { Self.calls.append("awakeFromFetch") }
  override func prepareForDeletion() { Self.calls.append("prepareForDeletion") }
  override func didSave() { Self.calls.append("didSave") }
  override func validateForDelete() throws { Self.calls.append("validateForDelete") }

  override func willSave() {
    Self.calls.append("willSave")
    if self[Self.stamp] != 1 { self[Self.stamp] = 1 }
  }

  override func validateForInsert() throws {
    Self.calls.append("validateForInsert")
    try super.validateForInsert()
  }

  override func validateForUpdate() throws {
    Self.calls.append("validateForUpdate")
    try super.validateForUpdate()
  }
}

/// Never stops changing.
private final class Restless: ManagedObject {
  private static let stamp = AttributeKey<Restless, Int64>("stamp")

  override func willSave() { self[Self.stamp] = (self[Self.stamp] ?? 0) + 1 }
}

/// Wraps its stamp into 0...9, and refuses a name of one letter.
private final class Wrapping: ManagedObject {
  private static let stamp = AttributeKey<Wrapping, Int64>("stamp")

  struct TooShort: Error {}

  override func awakeFromFetch() { self[Self.stamp] = 7 }

  override func validateProperty(_ key: String, value: inout ProposedValue) throws {
    if key == "stamp", let stamp = value.value as? Int64, stamp > 9 { value.value = stamp % 10 }
    if key == "name", (value.value as? String)?.count == 1 { throw TooShort() }
  }
}

@Suite(.serialized)
struct HookTests {
  private func stack(_ type: ManagedObject.Type) throws -> TestStack {
    try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", className: "Thing",
          attributes: [AttributeDefinition("name", .string), AttributeDefinition("stamp", .int64)])
      ]), classes: ["Thing": type])
  }

  @Test("OBJ-082, OBJ-075: hooks run in order, and what willSave changes belongs to the save")
  func order() throws {
    let stack = try stack(Recorder.self)
    Recorder.calls = []
    let thing = try stack.context.insert(Recorder.self, entityNamed: "Thing")
    try stack.context.save()
    #expect(
      Recorder.calls == [
        "awakeFromInsert", "validateForInsert", "willSave", "validateForInsert", "willSave", "didSave",
      ])
    Recorder.calls = []
    try stack.context.refresh(thing, mergeChanges: false)
    #expect(try thing.value(forKey: "stamp") as? Int64 == 1)
    try thing.setValue("x", forKey: "name")
    try stack.context.save()
    try stack.context.delete(thing)
    try stack.context.save()
    #expect(
      Recorder.calls == [
        "awakeFromFetch", "validateForUpdate", "willSave", "didSave", "prepareForDeletion",
        "validateForDelete",
        "willSave", "didSave",
      ])
  }

  @Test("OBJ-077, CTX-094, OBJ-523: hooks that never settle end in an error, and nothing is written")
  func restless() throws {
    let stack = try stack(Restless.self)
    try stack.context.insert(entityNamed: "Thing")
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .changesDoNotSettle }
    #expect(try stack.otherProcess().all("Thing").isEmpty)
  }

  @Test("OBJ-047: a typed insertion of another class is refused")
  func classMismatch() throws {
    let stack = try stack(Recorder.self)
    #expect {
      try stack.context.insert(Restless.self, entityNamed: "Thing")
    } throws: { ($0 as? GraphStoreError)?.code == .classMismatch }
  }

  @Test("OBJ-346, OBJ-353, OBJ-356: a class's own rules refuse values and replace them")
  func classRules() throws {
    let stack = try stack(Wrapping.self)
    let thing = try stack.context.insert("Thing", ["stamp": 23, "name": "x"])
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.number == 1550 && error?.property == "name" && error?.underlying is Wrapping.TooShort
    }
    try thing.setValue("xy", forKey: "name")
    try stack.context.save()
    #expect(try thing.value(forKey: "stamp") as? Int64 == 3)
    #expect(try stack.otherProcess().all("Thing")[0].value(forKey: "stamp") as? Int64 == 3)
  }

  @Test(
    "OBJ-065, OBJ-066, OBJ-522: what awakeFromFetch sets is no change, and is written with one made for another reason"
  )
  func awakeFromFetch() throws {
    let stack = try stack(Wrapping.self)
    try stack.context.insert("Thing", ["stamp": 1, "name": "one"])
    try stack.context.save()
    stack.context.reset()
    let thing = try stack.context.all("Thing")[0]
    #expect(try thing.value(forKey: "stamp") as? Int64 == 7)
    #expect(!thing.hasChanges && !thing.hasPersistentChangedValues && !stack.context.hasChanges)
    #expect(try stack.statements { try stack.context.save() } == 0)
    try thing.setValue("two", forKey: "name")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Thing", "stamp == 7").count == 1)
  }
}
