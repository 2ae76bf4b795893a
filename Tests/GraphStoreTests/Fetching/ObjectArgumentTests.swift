import Foundation
import GraphStore
import Testing

struct ObjectArgumentTests {
  private let stack: TestStack
  private let departments: [ManagedObject]

  init() throws {
    let stack = try TestStack(TestModels.company())
    self.stack = stack
    departments = try ["Labs", "Sales", "Empty"].map { try stack.context.insert("Department", ["name": $0]) }
    for (name, department) in [("Ada", 0), ("Bob", 1), ("Cy", 0)] {
      try stack.context.insert("Employee", ["name": name, "department": departments[department]])
    }
    try stack.context.insert("Employee", ["name": "Di"])
    try stack.context.save()
  }

  private func names(_ predicate: QueryPredicate) throws -> [String] {
    try stack.context.fetch(
      FetchRequest(
        entityName: "Employee", predicate: predicate, sortDescriptors: [QuerySortDescriptor(key: "name")])
    ).compactMap { try $0.string("name") }
  }

  @Test("PRD-050, PRD-057, PRD-151: an object, or its identifier, is an argument")
  func single() throws {
    #expect(try names(QueryPredicate("department == %@", departments[0])) == ["Ada", "Cy"])
    #expect(try names(QueryPredicate("department == %@", departments[0].objectID)) == ["Ada", "Cy"])
    let predicate = try QueryPredicate("department == %@", departments[0])
    #expect(try QueryPredicate(parsing: predicate.predicateFormat) == predicate)
  }

  @Test("PRD-050: arrays and sets of objects are arguments")
  func several() throws {
    #expect(
      try names(QueryPredicate("department IN %@", [departments[0], departments[2]])) == ["Ada", "Cy"])
    #expect(try names(QueryPredicate("department IN %@", Set(departments))) == ["Ada", "Bob", "Cy"])
    let employees = try stack.context.all("Employee", "name IN {'Bob', 'Di'}")
    #expect(try names(QueryPredicate("SELF IN %@", employees)) == ["Bob", "Di"])
  }

  @Test("PRD-057: a set is a list without duplicates in the order of the printed members")
  func setOrder() throws {
    let mixed: Set<AnyHashable> = [departments[0], departments[0].objectID, departments[1]]
    let predicate = try QueryPredicate("department IN %@", mixed)
    let texts = departments.prefix(2).map { Value.object(ObjectReference($0.objectID)).literal }.sorted()
    #expect(predicate.predicateFormat == "department IN {\(texts.joined(separator: ", "))}")
  }

  @Test("PRD-058: no object is the missing value")
  func missing() throws {
    let none: ManagedObject? = nil
    #expect(try names(QueryPredicate("department == %@", none)) == ["Di"])
  }

  @Test("PRD-153: an unsaved object is found by the argument it is")
  func temporary() throws {
    let new = try stack.context.insert("Department", ["name": "New"])
    try stack.context.insert("Employee", ["name": "Eve", "department": new])
    #expect(try names(QueryPredicate("department == %@", new)) == ["Eve"])
  }

  @Test("PRD-286: an entity description is its name")
  func entity() throws {
    let entity = departments[0].entity
    let predicate = try QueryPredicate("department.entity == %@", entity)
    #expect(predicate.predicateFormat == "department.entity == \"Department\"")
    #expect(try names(predicate) == ["Ada", "Bob", "Cy"])
    #expect(try names(QueryPredicate("department.entity IN %@", [entity])) == ["Ada", "Bob", "Cy"])
  }

  @Test("PRD-010, PRD-154: an object is the value of a variable and a constant")
  func variables() throws {
    let template = try QueryPredicate(parsing: "department == $d")
    #expect(try names(template.substituting(["d": departments[1]])) == ["Bob"])
    #expect(try names(.compare(.key("department"), .equal, .constant(departments[1]))) == ["Bob"])
  }
}
