import Foundation
import GraphStore
import Testing

/// Sets a modelled value before it belongs to anything.
private final class Eager: ManagedObject {
  static let name = AttributeKey<Eager, String>("name")

  required init(_ origin: Origin) {
    super.init(origin)
    self[Self.name] = "eager"
  }
}

/// Does something to its context when it is realised.
private final class Awaking: ManagedObject {
  nonisolated(unsafe) static var action: (ManagedObjectContext) -> Void = { _ in }

  override func awakeFromFetch() { managedObjectContext.map(Self.action) }
}

@Suite("What initialisers and hooks may not do", .everyStore, .serialized)
struct HookSafetyTests {
  private static func model(_ name: String) -> ModelDefinition {
    ModelDefinition(entities: [
      EntityDefinition(
        "Thing", className: name, attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("one", to: "Thing", inverse: "many"),
          RelationshipDefinition("many", to: "Thing", inverse: "one", isToMany: true, deleteRule: .cascade),
        ])
    ])
  }

  @Test("OBJ-054: an initialiser that sets a value changes no fetched object; the error is told")
  func initialiser() throws {
    let stack = try TestStack(Self.model("Eager"), classes: ["Eager": Eager.self])
    let made = try stack.context.insert(Eager.self)
    let errors = stack.context.takeDeferredErrors()
    #expect((errors.first as? GraphStoreError)?.code == .changeProcessingDisabled)
    made[Eager.name] = "kept"
    try stack.context.save()
    let other = stack.newContext()
    let fault = try other.all("Thing")[0]
    #expect(!fault.hasChanges && !other.hasChanges)
    #expect(try fault.string("name") == "kept")
    _ = other.takeDeferredErrors()
  }

  private func stack() throws -> TestStack {
    Awaking.action = { _ in }
    let stack = try TestStack(Self.model("Awaking"), classes: ["Awaking": Awaking.self])
    let first = try stack.context.insert("Thing", ["name": "a"])
    try stack.context.insert("Thing", ["name": "b", "one": first])
    try stack.context.save()
    stack.context.reset()
    return stack
  }

  @Test("OBJ-011, OBJ-533: a reset in awakeFromFetch makes the setter that fired throw")
  func reset() throws {
    let stack = try stack()
    Awaking.action = { $0.reset() }
    let fault = try stack.context.all("Thing")[0]
    let error = #expect(throws: GraphStoreError.self) { try fault.setValue("x", forKey: "name") }
    #expect(error?.code == .objectInvalidated)
    #expect(!stack.context.hasChanges)
    Awaking.action = { _ in }
  }

  @Test("CTX-060, CTX-143, OBJ-533: a rollback in awakeFromFetch while deletions are propagated is refused")
  func rollback() throws {
    let stack = try stack()
    let first = try stack.context.all("Thing", "name == 'a'")[0]
    try stack.context.delete(first)
    Awaking.action = { $0.rollback() }
    let error = #expect(throws: GraphStoreError.self) { try stack.context.processPendingChanges() }
    #expect(error?.code == .contextBusy && first.isDeleted)
    Awaking.action = { _ in }
    try stack.context.save()
    #expect(try stack.otherProcess().all("Thing").isEmpty)
  }

  @Test("OBJ-006, FLT-027: a description shows values, identifiers and members, and fires nothing")
  func description() throws {
    let stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    let ada = try stack.context.insert("Employee", ["name": "Ada", "department": department])
    try stack.context.save()
    let (id, place) = (ada.objectID.shortForm, department.objectID.shortForm)
    #expect(
      ada.description.hasPrefix("<ManagedObject \(id) name: \"Ada\", salary: nil, department: \(place)"))
    #expect(department.description.contains("employees: [\(id)]"))
    try stack.context.refresh(ada, mergeChanges: false)
    #expect(ada.description == "<ManagedObject \(id) <fault>>" && ada.isFault)
    #expect(department.description.contains("employees: [\(id)]") || department.isFault)
    stack.context.reset()
    #expect(ada.description == "<ManagedObject \(id) (without a context) <fault>>")
  }

  @Test("OBJ-094, OBJ-096: data with external storage that are set back to what they were are no change")
  func externalDataSetBack() throws {
    let stack = try TestStack(AttributeCase.model)
    for size in [10, 110_000] {
      let data = Data(repeating: 1, count: size)
      let thing = try stack.context.insert("Thing", ["external": data])
      try stack.context.save()
      try thing.setValue(Data([1, 2, 3]), forKey: "external")
      try thing.setValue(data, forKey: "external")
      #expect(try thing.changedValues().isEmpty && !thing.hasPersistentChangedValues, "\(size) bytes")
      #expect(try stack.statements { try stack.context.save() } <= 1, "\(size) bytes")
    }
  }
}
