import Foundation
import GraphStore
import Testing

/// Counts the instances made, and has what it finds when it is made and wakes up.
private final class Made: ManagedObject {
  static let name = AttributeKey<Made, String>("name")
  let serial: Int
  var events: [String] = []

  required init(_ origin: Origin) {
    serial = Int.random(in: 1...Int.max)
    super.init(origin)
    events.append("init \(objectID.isTemporaryID)")
  }

  override func awakeFromInsert() {
    let isKnown = managedObjectContext?.insertedObjects.contains(self) == true
    events.append("awake \(objectID.isTemporaryID) \(isInserted) \(isKnown) \(self[Self.name] ?? "nil")")
  }
}

@Suite("Initialisers, and the order of creation", .everyStore)
struct InitialiserTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", className: "Made",
          attributes: [AttributeDefinition("name", .string, defaultValue: .string("default"))]),
        EntityDefinition("Whole", isAbstract: true, className: "Made"),
      ]), classes: ["Made": Made.self])
  }

  @Test(
    "OBJ-041: instance, temporary identifier, defaults, registration, then awakeFromInsert, then the return")
  func order() throws {
    let thing = try #require(stack.coordinator.managedObjectModel.entitiesByName["Thing"])
    for made in [
      try context.insert(Made.self, entityNamed: "Thing"), try Made(entity: thing, insertInto: context),
    ] {
      #expect(made.events == ["init true", "awake true true true default"])
    }
  }

  @Test("OBJ-041: what the checks refuse makes and registers nothing")
  func checks() throws {
    #expect(code { _ = try context.insert(entityNamed: "Whole") } == .abstractEntity)
    #expect(code { _ = try context.insert(entityNamed: "Nothing") } == .unknownEntity)
    #expect(context.registeredCount == 0 && !context.hasChanges)
  }

  @Test("OBJ-054: an initialiser runs for each instance, fetched faults too, and changes nothing")
  func eachInstance() throws {
    let serial = try context.insert(Made.self, entityNamed: "Thing").serial
    try context.save()
    let other = stack.newContext()
    let fault = try #require(try other.all("Thing")[0] as? Made)
    #expect(fault.isFault && fault.events == ["init false"] && fault.serial != serial)
    _ = try fault.string("name")
    #expect(fault.events.count == 1 && !other.hasChanges && !fault.hasChanges)
  }
}
