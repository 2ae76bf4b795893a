import Foundation
import Testing

@testable import GraphStore

private final class Person: ManagedObject {
  static let name = AttributeKey<Person, String>("name")
  static let department = ToOneKey<Person, ManagedObject>("department")

  var greeting: String {
    let place = self[Self.department]?[AttributeKey<ManagedObject, String>("name")]
    return "Hello \(self[Self.name] ?? "?") of \(place ?? "?")"
  }

  override class var keyedAccessors: [KeyedAccessor] {
    super.keyedAccessors + [KeyedAccessor("greeting", \Person.greeting)]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    let inherited = super.keyPathsForValuesAffectingValue(forKey: key)
    switch key {
    case "greeting": return inherited.union(["name", "department.name"])
    case "salary": return inherited.union(["reports.salary"])
    default: return inherited
    }
  }
}

@Suite("Observers of keys", .everyStore)
struct KeyObservationTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    var model = TestModels.company(isOrdered: true)
    model.entities[1].className = "Person"
    stack = try TestStack(model, classes: ["Person": Person.self])
  }

  private final class Reports {
    var changes: [KeyChange] = []
  }

  private func observe(
    _ object: ManagedObject, _ keyPath: String, options: KeyObservation.Options = []
  ) throws -> (Reports, KeyObservation) {
    let reports = Reports()
    return (reports, try object.observe(keyPath, options: options) { reports.changes.append($0) })
  }

  @Test(
    "OBJ-230, OBJ-238: every tracked change is reported in the call that makes it, old and new; tokens are independent"
  )
  func values() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    let (first, token) = try observe(ada, "name", options: [.initial, .prior])
    var second: (Reports, KeyObservation)? = try observe(ada, "name")
    #expect(first.changes.count == 1 && first.changes[0].newValue as? String == "Ada")
    try ada.setValue("Eve", forKey: "name")
    #expect(first.changes.count == 3 && first.changes[1].isPrior && first.changes[1].newValue == nil)
    #expect(first.changes[2].oldValue as? String == "Ada" && first.changes[2].newValue as? String == "Eve")
    #expect(second?.0.changes.count == 1)
    second = nil
    ada[AttributeKey<ManagedObject, String>("name")] = "Zoe"
    #expect(first.changes.last?.newValue as? String == "Zoe")
    try ada.setValue(Int64(1), forKey: "salary")
    #expect(first.changes.count == 5)
    token.cancel()
    try ada.setValue("x", forKey: "name")
    #expect(first.changes.count == 5)
    #expect(!ada.state.contains(.observed))
  }

  @Test("OBJ-231, OBJ-232: both ends of a relationship are reported, with who joined and left, and where")
  func relationships() throws {
    let department = try context.insert("Department", ["name": "R&D"])
    let people = try ["a", "b", "c"].map {
      try context.insert("Employee", ["name": $0, "department": department])
    }
    let (members, token) = try observe(department, "employees")
    let (destination, other) = try observe(people[1], "department")
    try people[1].setValue(nil, forKey: "department")
    #expect(members.changes.count == 1 && members.changes[0].removed == [people[1]])
    #expect(members.changes[0].removedIndexes == [1] && members.changes[0].inserted.isEmpty)
    #expect(
      destination.changes.count == 1 && destination.changes[0].oldValue as? ManagedObject === department)
    try department.addObjects([people[1]], forKey: "employees")
    #expect(members.changes[1].insertedIndexes == [2] && destination.changes.count == 2)
    token.cancel()
    other.cancel()
  }

  @Test("OBJ-233: primitive writes are not reported; those between brackets are")
  func primitives() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    let (reports, token) = try observe(ada, "name")
    try ada.setPrimitiveValue("x", forKey: "name")
    #expect(reports.changes.isEmpty)
    ada.willChangeValue(forKey: "name")
    try ada.setPrimitiveValue("y", forKey: "name")
    ada.didChangeValue(forKey: "name")
    #expect(reports.changes.map { $0.newValue as? String } == ["y"])
    token.cancel()
  }

  @Test("OBJ-234: becoming a fault and being realised are reported as faulting")
  func faulting() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    let (reports, token) = try observe(ada, "name")
    try context.refresh(ada, mergeChanges: false)
    #expect(reports.changes.count == 1 && reports.changes[0].isFaulting && ada.isFault)
    _ = try ada.string("name")
    #expect(reports.changes.count == 2 && reports.changes[1].isFaulting)
    #expect(reports.changes[1].newValue as? String == "Ada")
    token.cancel()
  }

  @Test("OBJ-235, OBJ-236: keys that depend on others follow them, across to-ones, wherever they point")
  func dependent() throws {
    let (first, second) = (
      try context.insert("Department", ["name": "R&D"]), try context.insert("Department", ["name": "Sales"])
    )
    let ada = try context.insert("Employee", ["name": "Ada", "department": first])
    let (reports, token) = try observe(ada, "greeting")
    try ada.setValue("Eve", forKey: "name")
    #expect(reports.changes.last?.newValue as? String == "Hello Eve of R&D")
    try first.setValue("Lab", forKey: "name")
    #expect(reports.changes.last?.newValue as? String == "Hello Eve of Lab")
    try ada.setValue(second, forKey: "department")
    #expect(reports.changes.last?.newValue as? String == "Hello Eve of Sales")
    let count = reports.changes.count
    try first.setValue("gone", forKey: "name")
    #expect(reports.changes.count == count)
    try second.setValue("Shop", forKey: "name")
    #expect(reports.changes.last?.newValue as? String == "Hello Eve of Shop")
    token.cancel()
  }

  @Test(
    "DGN-257, OBJ-237: a dependence through a to-many is refused, with class and key; so are unknown keys"
  )
  func refusals() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    func error(_ path: String) -> GraphStoreError? {
      #expect(throws: GraphStoreError.self) { _ = try ada.observe(path) { _ in } }
    }
    let dependent = error("salary")
    #expect(dependent?.code == .toManyInDependentKey && dependent?.message.contains("Person.salary") == true)
    #expect(error("nam")?.code == .unknownKey && error("nam")?.suggestions.contains("name") == true)
    #expect(error("reports.name")?.code == .wrongPropertyKind)
  }

  @Test("OBJ-239: an observation keeps the object not alive")
  func holding() throws {
    weak var object: ManagedObject?
    func observed() throws -> KeyObservation {
      let ada = try context.insert("Employee", ["name": "Ada"])
      try context.save()
      object = ada
      return try ada.observe("name") { _ in }
    }
    let token = try observed()
    #expect(object == nil)
    token.cancel()
  }

  @Test("OBJ-408, CTX-154: undo and rollback report what they have reset")
  func undo() throws {
    try context.setUndoManager(GraphUndoManager())
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    let (reports, token) = try observe(ada, "name")
    try ada.setValue("Eve", forKey: "name")
    try context.undo()
    #expect(reports.changes.map { $0.newValue as? String } == ["Eve", "Ada"])
    try ada.setValue("Zoe", forKey: "name")
    context.rollback()
    #expect(reports.changes.last?.newValue as? String == "Ada")
    token.cancel()
  }
}
