import GraphStore
import Testing

@Suite(.everyKindOfStore)
struct RollbackTests {
  @Test("CTX-132, REL-281: members resolved while a deletion was pending come back with it")
  func resolvedMeanwhile() throws {
    let shape = RelationshipShape(name: "one-way", isToMany: true, isBackToMany: true, hasInverse: false)
    let stack = try TestStack(shape.model(.nullify))
    let context = stack.context
    let source = try context.insert("Source", ["name": "s"])
    let destination = try context.insert("Destination", ["name": "d"])
    try shape.link(source, destination)
    try context.save()
    context.reset()
    let stored = try context.all("Source")[0]
    try context.delete(context.all("Destination")[0])
    try context.processPendingChanges()
    #expect(try shape.links(stored).isEmpty)
    context.rollback()
    #expect(try stored.names("link") == ["d"])
  }

  @Test("CTX-132, REL-281: members left by No Action come back too")
  func noAction() throws {
    let stack = try TestStack(TestModels.company(employees: .noAction))
    let context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": department])
    try context.save()
    try context.delete(department)
    try context.processPendingChanges()
    #expect(try ada.object(forKey: "department") === department)
    context.rollback()
    #expect(try department.names("employees") == ["Ada"])
    #expect(!context.hasChanges)
  }

  @Test("CTX-132: order, both ends of links, values and counts are as last saved; no statement runs")
  func everything() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    let context = stack.context
    let first = try context.insert("Department", ["name": "first"])
    let second = try context.insert("Department", ["name": "second"])
    let people = try ["A", "B", "C"].map {
      try context.insert("Employee", ["name": $0, "department": first])
    }
    try people[0].setValue(people[1], forKey: "spouse")
    try context.save()
    let changes: [() throws -> Void] = [
      { try first.setValue([people[2], people[0], people[1]], forKey: "employees") },
      { try people[1].setValue(second, forKey: "department") },
      { try people[2].setValue(people[0], forKey: "spouse") },
      { try context.delete(people[0]) },
      { try context.delete(first) },
      { try people[0].setValue("Z", forKey: "name") },
      { try second.setValue([people[0], context.insert("Employee", ["name": "new"])], forKey: "employees") },
    ]
    for (index, change) in changes.enumerated() {
      try change()
      try context.processPendingChanges()
      #expect(stack.statements { context.rollback() } == 0)
      #expect(try first.names("employees") == ["A", "B", "C"], "change \(index)")
      #expect(try second.names("employees") == [], "change \(index)")
      #expect(try people[0].object(forKey: "spouse") === people[1], "change \(index)")
      #expect(try people[1].object(forKey: "spouse") === people[0], "change \(index)")
      #expect(try people[2].object(forKey: "spouse") == nil, "change \(index)")
      #expect(!context.hasChanges && context.registeredCount == 5, "change \(index)")
      #expect(try stack.statements { try context.save() } == 0)
    }
  }

  @Test("CTX-136, OBJ-053: a discarded insertion has no context and no links hold it")
  func insertion() throws {
    let stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    try stack.context.save()
    weak var discarded: ManagedObject?
    func change() throws {
      let first = try stack.context.insert("Employee", ["name": "A", "department": department])
      let second = try stack.context.insert("Employee", ["name": "B", "manager": first])
      discarded = second
      stack.context.rollback()
      #expect(first.managedObjectContext == nil && !first.isInserted)
    }
    try change()
    #expect(try department.names("employees") == [])
    #expect(discarded == nil)
  }
}
