import Testing

@testable import GraphStore

/// Look-ups and conveniences, called on a class or an object instead of a context.
@Suite("Conveniences of classes and objects", .everyStore)
struct ClassFormTests {
  private final class Employee: ManagedObject {}

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    var model = TestModels.company()
    for place in model.entities.indices where ["Employee", "Manager"].contains(model.entities[place].name) {
      model.entities[place].className = "Employee"
    }
    stack = try TestStack(model, classes: ["Employee": Employee.self])
    for (name, salary) in [("Ada", 10), ("Bob", 20)] {
      try stack.context.insert("Employee", ["name": name, "salary": salary])
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func named(_ name: String) throws -> QueryPredicate { try QueryPredicate("name == %@", name) }

  @Test("OBJ-480, PAT-033, PAT-034, PAT-039 to PAT-043: a class's look-ups run what those of a context run")
  func lookups() throws {
    let first = try stack.statements {
      try check(try Employee.fetch(in: context) { $0.predicate = try named("Bob") }.count == 1)
      try check(try Employee.count(in: context) == 2)
    }
    let second = try stack.statements {
      try check(try context.fetch(of: Employee.self) { $0.predicate = try named("Bob") }.count == 1)
      try check(try context.count(of: Employee.self) == 2)
    }
    #expect(first == second)
    #expect(try Employee.materializedObject(in: context, matching: named("Ada")) == nil)
    let ada = try #require(try Employee.findOrFetch(in: context, matching: named("Ada")))
    #expect(!ada.isFault)
    var hit: Employee?
    #expect(try stack.statements { hit = try Employee.findOrFetch(in: context, matching: named("Ada")) } == 0)
    #expect(hit === ada)
    #expect(try Employee.materializedObject(in: context, matching: named("Ada")) === ada)
    var configured = 0
    for _ in 0..<2 {
      try Employee.findOrCreate(in: context, matching: named("Cy")) {
        configured += 1
        try $0.setValue("Cy", forKey: "name")
      }
    }
    #expect(configured == 1)
  }

  @Test("OBJ-480, PAT-045: the one object of a class is kept under a key; two are refused")
  func single() throws {
    let bob = try Employee.fetchSingleObject(in: context, cacheKey: "bob") { $0.predicate = try named("Bob") }
    #expect(try bob?.string("name") == "Bob")
    #expect(context.userInfo["bob"] as? Employee === bob)
    let error = #expect(throws: GraphStoreError.self) {
      try Employee.fetchSingleObject(in: context, cacheKey: "all") { _ in }
    }
    #expect(error?.code == .notUnique)
  }

  @Test(
    "OBJ-480, PAT-053, PAT-054: single changed and committed values, a refresh, and the number of changes")
  func objects() throws {
    let ada = try #require(try Employee.findOrFetch(in: context, matching: named("Ada")))
    #expect(try ada.changedValue(forKey: "salary") == nil)
    try ada.setValue(11, forKey: "salary")
    #expect(try ada.changedValue(forKey: "salary") as? Int64 == 11)
    #expect(try ada.changedValue(forKey: "name") == nil)
    #expect(try ada.committedValue(forKey: "salary") as? Int64 == 10)
    #expect(throws: GraphStoreError.self) { try ada.changedValue(forKey: "salry") }
    #expect(throws: GraphStoreError.self) { try ada.committedValue(forKey: "salry") }
    let other = stack.newContext()
    try other.all("Employee", "name == 'Ada'")[0].setValue("Eve", forKey: "name")
    try other.save()
    try ada.refresh()
    #expect(try ada.string("name") == "Eve" && ada.value(forKey: "salary") as? Int64 == 11)
    try ada.refresh(mergeChanges: false)
    #expect(try ada.value(forKey: "salary") as? Int64 == 10)
    let bob = try context.all("Employee", "name == 'Bob'")[0]
    let new = try context.insert("Employee", [:])
    try ada.setValue(12, forKey: "salary")
    try context.delete(bob)
    #expect(context.changedObjectsCount == 3)
    try context.delete(new)
    try context.save()
    try bob.refresh()
    #expect(context.changedObjectsCount == 0)
  }
}
