import GraphStore
import Testing

struct InverseTests {
  private let stack: TestStack
  private let ada: ManagedObject
  private let bob: ManagedObject
  private let cy: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    ada = try stack.context.insert("Employee", ["name": "Ada"])
    bob = try stack.context.insert("Employee", ["name": "Bob"])
    cy = try stack.context.insert("Employee", ["name": "Cy"])
  }

  @Test("REL-051, REL-420: pointing a to-one elsewhere changes three relationships")
  func moving() throws {
    let old = try stack.context.insert("Department", ["name": "old"])
    let new = try stack.context.insert("Department", ["name": "new"])
    try ada.setValue(old, forKey: "department")
    try stack.context.save()
    try ada.setValue(new, forKey: "department")
    #expect(try old.names("employees") == [] && new.names("employees") == ["Ada"])
    try stack.context.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Department", sort: ["name"]).map { try $0.names("employees") } == [["Ada"], []])
  }

  @Test("REL-440, REL-100: moving an object runs no reading statement and writes one row")
  func movingCosts() throws {
    let old = try stack.context.insert("Department", ["name": "old"])
    let new = try stack.context.insert("Department", ["name": "new"])
    try ada.setValue(old, forKey: "department")
    try stack.context.save()
    stack.context.reset()
    let context = stack.context
    let employee = try #require(try context.all("Employee", "name == 'Ada'").first)
    let department = try #require(try context.all("Department", "name == 'new'").first)
    #expect(try stack.statements { try employee.setValue(department, forKey: "department") } == 0)
    _ = (old, new)
  }

  @Test("REL-053, REL-055: setting a whole to-many moves members and frees those that leave")
  func wholeSet() throws {
    let first = try stack.context.insert("Department", ["name": "first"])
    let second = try stack.context.insert("Department", ["name": "second"])
    try first.setValue([ada, bob], forKey: "employees")
    try second.setValue([bob, cy], forKey: "employees")
    #expect(try first.names("employees") == ["Ada"])
    #expect(try bob.object(forKey: "department") === second)
    try second.setValue(Set([cy]), forKey: "employees")
    #expect(try bob.object(forKey: "department") == nil)
  }

  @Test("REL-056, REL-063: one-to-one clears the former partners of both")
  func spouses() throws {
    let dan = try stack.context.insert("Employee", ["name": "Dan"])
    try ada.setValue(bob, forKey: "spouse")
    try cy.setValue(dan, forKey: "spouse")
    try stack.context.save()
    try ada.setValue(cy, forKey: "spouse")
    #expect(try ada.object(forKey: "spouse") === cy && cy.object(forKey: "spouse") === ada)
    #expect(try bob.object(forKey: "spouse") == nil && dan.object(forKey: "spouse") == nil)
    try ada.setValue(ada, forKey: "spouse")
    #expect(try ada.object(forKey: "spouse") === ada && cy.object(forKey: "spouse") == nil)
    try stack.context.save()
    let other = try stack.otherProcess().all("Employee", "spouse != nil")
    #expect(try other.map { try $0.string("name") } == ["Ada"])
  }

  @Test("REL-058, REL-104: many-to-many from either side, across a save")
  func manyToMany() throws {
    let project = try stack.context.insert("Project", ["name": "P"])
    try project.addObjects([bob, ada], forKey: "members")
    try cy.addObjects([project], forKey: "projects")
    #expect(try ada.names("projects") == ["P"])
    try stack.context.save()
    stack.context.reset()
    let stored = try stack.context.all("Project")[0]
    #expect(try stored.names("members") == ["Bob", "Ada", "Cy"])
    let first = try #require(try stored.objects(forKey: "members").first)
    try first.removeObjects([stored], forKey: "projects")
    #expect(try stored.names("members") == ["Ada", "Cy"])
    try stack.context.save()
    #expect(try stack.otherProcess().all("Project")[0].names("members") == ["Ada", "Cy"])
  }

  @Test("REL-061, REL-062: a self-inverse to-many links both ways, once, and to oneself")
  func friends() throws {
    try ada.addObjects([bob, ada], forKey: "friends")
    #expect(try bob.names("friends") == ["Ada"])
    #expect(try Set(ada.names("friends")) == ["Ada", "Bob"])
    try stack.context.save()
    let other = try stack.otherProcess()
    let loaded = try other.all("Employee", sort: ["name"])
    #expect(try loaded[0].names("friends") == ["Ada", "Bob"] && loaded[1].names("friends") == ["Ada"])
    try loaded[1].removeObjects([loaded[0]], forKey: "friends")
    try other.save()
    let last = try stack.otherProcess().all("Employee", sort: ["name"])
    #expect(try last[0].names("friends") == ["Ada"] && last[1].names("friends") == [])
  }

  @Test("REL-060: two directions of one entity are kept apart")
  func reflexive() throws {
    try ada.addObjects([bob], forKey: "reports")
    #expect(try bob.object(forKey: "manager") === ada)
    #expect(try bob.objects(forKey: "reports") == [] && ada.object(forKey: "manager") == nil)
  }

  @Test("REL-026: a destination of the wrong entity is refused and nothing changes")
  func wrongDestination() throws {
    let desk = try stack.context.insert("Desk", [:])
    #expect { try ada.setValue(desk, forKey: "manager") } throws: {
      ($0 as? GraphStoreError)?.code == .wrongDestination
    }
    #expect { try ada.setValue(bob, forKey: "reports") } throws: {
      ($0 as? GraphStoreError)?.code == .wrongCardinality
    }
    #expect(try ada.object(forKey: "manager") == nil)
  }

  @Test("REL-155: objects of two contexts cannot be related")
  func otherContext() throws {
    let stranger = try stack.newContext().insert("Employee", [:])
    #expect { try ada.setValue(stranger, forKey: "manager") } throws: {
      ($0 as? GraphStoreError)?.code == .contextMismatch
    }
  }

  @Test("REL-006, FLT-038: resolving a to-many costs one statement, its count none after")
  func resolving() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    try department.addObjects([ada, bob, cy], forKey: "employees")
    try stack.context.save()
    stack.context.reset()
    let stored = try stack.context.all("Department")[0]
    #expect(try stored.hasFault(forRelationshipNamed: "employees"))
    #expect(try stack.statements { try check(try stored.objects(forKey: "employees").count == 3) } == 1)
    #expect(try stack.statements { try check(try stored.objects(forKey: "employees").count == 3) } == 0)
  }

  @Test("REL-101: an unresolved to-many takes part in unsaved changes of the other ends")
  func unresolvedChanges() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    try department.addObjects([ada, bob], forKey: "employees")
    try stack.context.save()
    stack.context.reset()
    let loaded = try stack.context.all("Employee", sort: ["name"])
    let stored = try #require(try loaded[0].object(forKey: "department"))
    try loaded[0].setValue(nil, forKey: "department")
    try loaded[2].setValue(stored, forKey: "department")
    #expect(try stored.hasFault(forRelationshipNamed: "employees"))
    #expect(try stored.names("employees") == ["Bob", "Cy"])
  }

  @Test("REL-108, REL-446: linking many objects to one owner runs no reading statement")
  func linkingMany() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    try stack.context.save()
    stack.context.reset()
    let owner = try stack.context.all("Department")[0]
    let count = try stack.statements {
      for _ in 0..<2_000 {
        try stack.context.insert(entityNamed: "Employee").setValue(owner, forKey: "department")
      }
    }
    #expect(count == 0)
    try stack.context.save()
    #expect(try owner.objects(forKey: "employees").count == 2_000)
    _ = department
  }

  @Test(
    "Inverses agree after random changes, in memory and in a new context", arguments: TestSeed.sequence(20))
  func randomChanges(_ seed: TestSeed) throws {
    var random = seed.generator
    let stack = try TestStack(TestModels.company(isOrdered: seed.number % 2 == 0))
    var employees = try (0..<12).map { try stack.context.insert("Employee", ["name": "E\($0)"]) }
    let departments = try (0..<3).map { try stack.context.insert("Department", ["name": "D\($0)"]) }
    let projects = try (0..<3).map { try stack.context.insert("Project", ["name": "P\($0)"]) }
    for step in 0..<200 {
      let employee = employees.randomElement(using: &random)!
      let other = employees.randomElement(using: &random)!
      switch Int.random(in: 0..<9, using: &random) {
      case 0: try employee.setValue(departments.randomElement(using: &random), forKey: "department")
      case 1: try employee.setValue(nil, forKey: "department")
      case 2:
        try departments.randomElement(using: &random)!.addObjects([employee, other], forKey: "employees")
      case 3: try employee.setValue(other, forKey: "spouse")
      case 4: try employee.addObjects([projects.randomElement(using: &random)!], forKey: "projects")
      case 5: try projects.randomElement(using: &random)!.removeObjects([employee], forKey: "members")
      case 6: try employee.addObjects([other], forKey: "friends")
      case 7: try employee.removeObjects([other], forKey: "friends")
      default:
        if step % 3 == 0 { try stack.context.save() }
        if step % 7 == 0, employees.count > 4 {
          try stack.context.delete(employee)
          try stack.context.processPendingChanges()
          employees.removeAll { $0 === employee }
        }
      }
    }
    try Self.checkInverses(stack.context, "in memory, \(seed)")
    try stack.context.save()
    let expected = try Self.links(stack.context)
    let fresh = try stack.otherProcess()
    try Self.checkInverses(fresh, "in the store, \(seed)")
    #expect(try Self.links(fresh) == expected, "\(seed)")
  }

  private static func links(_ context: ManagedObjectContext) throws -> [String] {
    try context.all("Employee", sort: ["name"]).map { employee in
      let department = try employee.object(forKey: "department")?.string("name") ?? "-"
      let spouse = try employee.object(forKey: "spouse")?.string("name") ?? "-"
      return try
        "\(employee.string("name")!) \(department) \(spouse) \(employee.names("projects").sorted()) \(employee.names("friends").sorted())"
    } + context.all("Project", sort: ["name"]).map { try "\($0.names("members"))" }
      + context.all("Department", sort: ["name"]).map { department in
        let names = try department.names("employees")
        return "\(department.entity.relationship(named: "employees")!.isOrdered ? names : names.sorted())"
      }
  }

  private static func checkInverses(_ context: ManagedObjectContext, _ place: String) throws {
    for name in ["Employee", "Department", "Project"] {
      for object in try context.all(name) {
        for relationship in object.entity.relationships {
          guard let inverse = relationship.inverse else { continue }
          let members =
            relationship.isToMany
            ? try object.objects(forKey: relationship.name)
            : try object.object(forKey: relationship.name).map { [$0] } ?? []
          for member in members {
            let back =
              inverse.isToMany
              ? try member.objects(forKey: inverse.name).contains(object)
              : try member.object(forKey: inverse.name) === object
            #expect(back, "\(relationship) \(object.objectID) → \(member.objectID) \(place)")
          }
        }
      }
    }
  }
}
