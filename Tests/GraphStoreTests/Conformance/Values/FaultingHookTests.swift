import GraphStore
import Synchronization
import Testing

/// Counts how it becomes a fault, and has a cache beside its values.
private final class Cached: ManagedObject {
  nonisolated(unsafe) static var calls: [String] = []
  static let name = AttributeKey<Cached, String>("name")
  var cache: String? = "cache"
  var writes = false

  override func willTurnIntoFault() {
    Self.calls.append("will \(self[Self.name] ?? "nil") \(faultingState)")
    if writes { self[Self.name] = "late" }
  }

  override func didTurnIntoFault() {
    Self.calls.append("did \(cache ?? "nil")")
    cache = nil
    if writes { self[Self.name] = "too late" }
  }
}

@Suite("Hooks of becoming a fault", .everyStore, .serialized)
struct FaultingHookTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition("Thing", className: "Thing", attributes: [AttributeDefinition("name", .string)])
      ]), classes: ["Thing": Cached.self])
    Cached.calls = []
  }

  private func saved() throws -> Cached {
    let thing = try context.insert(Cached.self, entityNamed: "Thing")
    thing[Cached.name] = "a"
    try context.save()
    return thing
  }

  @Test("FLT-120, FLT-122, OBJ-102: a refresh runs each hook once, the values readable in the first")
  func refresh() throws {
    let thing = try saved()
    try context.refresh(thing, mergeChanges: false)
    #expect(Cached.calls == ["will a 2", "did cache"] && thing.cache == nil && thing.isFault)
    try context.refresh(thing, mergeChanges: false)
    #expect(Cached.calls.count == 2)
  }

  @Test("FLT-120: nothing that a hook sets counts as a change")
  func writing() throws {
    let thing = try saved()
    thing.writes = true
    try context.refresh(thing, mergeChanges: false)
    #expect(thing.isFault && !thing.hasChanges && !context.hasChanges)
    #expect(thing[Cached.name] == "a")
  }

  @Test("FLT-121: a realised object that is let go of gets didTurnIntoFault alone, a fault nothing")
  func release() throws {
    do { _ = try saved() }
    #expect(Cached.calls == ["did cache"])
    Cached.calls = []
    do {
      let fault = try context.all("Thing")[0]
      #expect(fault.isFault)
    }
    #expect(Cached.calls == [])
  }

  @Test("FLT-117, FLT-120: the save of its deletion and the end of its context are such moments too")
  func leaving() throws {
    let first = try saved()
    try context.delete(first)
    try context.save()
    #expect(Cached.calls == ["will a 2", "did cache"])
    Cached.calls = []
    let second = try saved()
    context.reset()
    #expect(Cached.calls == ["will a 2", "did cache"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("FLT-117: a context that goes takes the values of its objects along")
  func contextGoes() throws {
    var other: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
    let thing = try other?.insert(Cached.self, entityNamed: "Thing")
    other = nil
    #expect(Cached.calls == ["did cache"] && thing?.managedObjectContext == nil)
  }

  @Test("FLT-120, FLT-121: what the last hook of an object sets goes nowhere")
  func writingAtRelease() throws {
    do {
      let thing = try saved()
      thing.writes = true
    }
    #expect(Cached.calls == ["did cache"] && !context.hasChanges)
    context.reset()
    #expect(try context.all("Thing")[0].string("name") == "a")
  }

  @Test("FLT-120: a relationship that a hook sets is no change of the other end either")
  func relationships() throws {
    var model = TestModels.company()
    model.entities[1].className = "Employee"
    let stack = try TestStack(model, classes: ["Employee": Leaving.self])
    let tools = try stack.context.insert("Department", ["name": "Tools"])
    let ada = try stack.context.insert("Employee", ["name": "Ada", "department": tools])
    #expect(ada is Leaving)
    try stack.context.save()
    try stack.context.refresh(ada, mergeChanges: false)
    #expect(!stack.context.hasChanges)
    #expect(try tools.objects(forKey: "employees") == [ada])
    _ = try ada.string("name")
    stack.context.reset()
    #expect(!stack.context.hasChanges && stack.context.registeredCount == 0)
  }
}

/// Leaves its department before it becomes a fault.
private final class Leaving: ManagedObject {
  override func willTurnIntoFault() { try? setValue(nil, forKey: "department") }
}
