import Foundation
import GraphStore
import Testing

@Suite("Key paths and collection operators on objects", .everyStore)
struct KeyPathTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let tools: ManagedObject
  private let staff: [ManagedObject]

  init() throws {
    stack = try TestStack(TestModels.company())
    let context = stack.context
    tools = try context.insert("Department", ["name": "Tools"])
    let department = tools
    staff = try [("Ada", 10), ("Bob", 20), ("Cas", 20)].map { name, salary in
      try context.insert("Employee", ["name": name, "salary": salary, "department": department])
    }
    try context.insert("Employee", ["name": "Dan", "manager": staff[0]])
    try staff[0].setValue([staff[1], staff[2]] as Set<ManagedObject>, forKey: "friends")
    let project = try context.insert("Project", ["name": "Loom"])
    try project.setValue([staff[2], staff[0]], forKey: "members")
  }

  @Test("OBJ-203: to-one steps, and nil on the way")
  func toOnes() throws {
    let dan = try context.all("Employee", "name == 'Dan'")[0]
    #expect(try dan.value(forKeyPath: "manager.department.name") as? String == "Tools")
    #expect(try dan.value(forKeyPath: "manager.salary") as? Int64 == 10)
    #expect(try staff[0].value(forKeyPath: "manager.manager.name") == nil)
  }

  @Test("OBJ-204: setting goes to the last object, to every member of a collection, or nowhere")
  func setting() throws {
    let dan = try context.all("Employee", "name == 'Dan'")[0]
    try dan.setValue("Works", forKeyPath: "manager.department.name")
    #expect(try tools.string("name") == "Works")
    try tools.setValue(5, forKeyPath: "employees.salary")
    #expect(try staff.map { try $0.value(forKey: "salary") as? Int64 } == [5, 5, 5])
    try staff[0].setValue("x", forKeyPath: "manager.name")
    try staff[0].setValue("Eda", forKeyPath: "name")
    #expect(try staff[0].string("name") == "Eda")
    #expect { try tools.setValue(1, forKeyPath: "employees.@count") } throws: {
      ($0 as? QueryPredicateError)?.code == .invalidKeyPath
    }
  }

  @Test("OBJ-205: an unordered to-many gathers a set without nil, an ordered one an array with it")
  func gathering() throws {
    #expect(try tools.value(forKeyPath: "employees.salary") as? Set<Int64> == [10, 20])
    try staff[2].setValue(nil, forKey: "salary")
    #expect(try tools.value(forKeyPath: "employees.salary") as? Set<Int64> == [10, 20])
    let project = try context.all("Project")[0]
    #expect(try project.value(forKeyPath: "members.salary") as? [Int64?] == [nil, 10])
    #expect(try tools.value(forKeyPath: "employees.manager") as? Set<ManagedObject> == [])
    #expect(try staff[1].value(forKeyPath: "friends.department") as? Set<ManagedObject> == [tools])
  }

  @Test("OBJ-206, OBJ-215: two to-many steps give a set of sets, which an operator flattens")
  func nested() throws {
    let sets = try #require(try tools.value(forKeyPath: "employees.friends") as? Set<AnyHashable>)
    let expected: Set<Set<ManagedObject>> = [[staff[1], staff[2]], [staff[0]]]
    #expect(Set(sets.compactMap { $0 as? Set<ManagedObject> }) == expected)
    let flat = try tools.value(forKeyPath: "employees.@distinctUnionOfSets.friends")
    #expect(flat as? Set<ManagedObject> == Set(staff))
    let all = try #require(try tools.value(forKeyPath: "employees.@unionOfSets.friends") as? [Any])
    #expect(all.count == 4)
  }

  @Test(
    "OBJ-210, OBJ-211, OBJ-212, OBJ-213, OBJ-531: counts, sums, means and extremes skip nil, and keep types")
  func operators() throws {
    let dan = try context.all("Employee", "name == 'Dan'")[0]
    #expect(try tools.value(forKeyPath: "employees.@count") as? Int == 3)
    #expect(try dan.value(forKeyPath: "manager.department.employees.@sum.salary") as? Int64 == 50)
    try staff[2].setValue(nil, forKey: "salary")
    #expect(try tools.value(forKeyPath: "employees.@count") as? Int == 3)
    #expect(try tools.value(forKeyPath: "employees.@avg.salary") as? Double == 15)
    #expect(try tools.value(forKeyPath: "employees.@max.salary") as? Int64 == 20)
    #expect(try tools.value(forKeyPath: "employees.@min.name") as? String == "Ada")
    #expect(try dan.value(forKeyPath: "reports.@sum.salary") as? Int64 == 0)
    #expect(try dan.value(forKeyPath: "reports.@avg.salary") == nil)
    #expect(try dan.value(forKeyPath: "reports.@max.salary") == nil)
    #expect(try tools.value(forKeyPath: "employees.@sum.friends.salary") as? Int64 == 40)
    let manager = try context.insert("Manager", ["budget": Decimal(string: "0.1") ?? 0, "department": tools])
    #expect(
      try manager.value(forKeyPath: "friends.@count") as? Int == 0
        && manager.value(forKeyPath: "budget") as? Decimal == Decimal(string: "0.1"))
  }

  @Test("OBJ-213: a sum beyond 64 bits is an error")
  func overflow() throws {
    try staff[0].setValue(Int64.max, forKey: "salary")
    #expect { try tools.value(forKeyPath: "employees.@sum.salary") } throws: {
      ($0 as? QueryPredicateError)?.code == .arithmeticOverflow
    }
  }

  @Test("OBJ-215: unions of objects are arrays, with repetitions or without")
  func unions() throws {
    let salaries = try tools.value(forKeyPath: "employees.@unionOfObjects.salary") as? [Int64]
    #expect(salaries?.sorted() == [10, 20, 20])
    let distinct = try tools.value(forKeyPath: "employees.@distinctUnionOfObjects.salary") as? [Int64]
    #expect(distinct?.sorted() == [10, 20])
    try staff[0].setValue(nil, forKey: "salary")
    #expect(try (tools.value(forKeyPath: "employees.@unionOfObjects.salary") as? [Int64])?.count == 2)
  }

  @Test(
    "OBJ-214, OBJ-217: what is no key path is told with its position",
    arguments: [
      ("", "invalid-key-path", 0), (".name", "invalid-key-path", 0), ("name.", "invalid-key-path", 5),
      ("manager..name", "invalid-key-path", 8), ("manager. name", "invalid-key-path", 8),
      ("employees.@sum", "invalid-key-path", 10), ("employees.@count.name", "invalid-key-path", 10),
      ("employees.@totl.name", "unknown-function", 10),
    ])
  func malformed(_ path: String, _ code: String, _ offset: Int) throws {
    #expect { try tools.value(forKeyPath: path) } throws: {
      let error = $0 as? QueryPredicateError
      return error?.code.rawValue == code && error?.offset == offset
    }
  }

  @Test("OBJ-214: sums over what is no number, and keys of what has none")
  func wrongTypes() throws {
    #expect { try tools.value(forKeyPath: "employees.@sum.name") } throws: {
      ($0 as? GraphStoreError)?.code == .valueType
    }
    #expect { try tools.value(forKeyPath: "name.length") } throws: {
      ($0 as? QueryPredicateError)?.code == .unknownKey
    }
    #expect { try tools.value(forKeyPath: "employees.nme") } throws: {
      ($0 as? GraphStoreError)?.code == .unknownKey
    }
  }

  @Test("OBJ-207, OBJ-208, FLT-031: a key over a collection costs one statement, identifiers none")
  func statements() throws {
    guard stack.has(.statements) else { return }
    try context.save()
    let other = stack.newContext()
    let department = try other.all("Department")[0]
    _ = try department.objects(forKey: "employees")
    for employee in other.registeredObjects where employee.entity.name == "Employee" {
      try other.refresh(employee, mergeChanges: false)
    }
    #expect(try stack.statements { _ = try department.value(forKeyPath: "employees.objectID") } == 0)
    #expect(try stack.statements { _ = try department.value(forKeyPath: "employees.name") } <= 1)
    #expect(try stack.statements { _ = try department.value(forKeyPath: "employees.friends.objectID") } == 1)
    let employee = try other.all("Employee", "name == 'Ada'")[0]
    try other.refresh(department, mergeChanges: false)
    _ = try employee.value(forKey: "name")
    #expect(try stack.statements { _ = try employee.value(forKeyPath: "department.objectID") } == 0)
    #expect(department.isFault)
  }

  @Test("OBJ-216: whole dictionaries, nil included, are set together or not at all")
  func dictionaries() throws {
    let values = try staff[0].dictionaryWithValues(forKeys: ["name", "manager", "salary"])
    #expect(values.count == 3 && values["manager"] as? ManagedObject? == .some(nil))
    try staff[1].setValues(forKeys: ["name": "Rob", "salary": nil, "manager": staff[0]])
    #expect(try staff[1].string("name") == "Rob" && staff[1].value(forKey: "salary") == nil)
    #expect(throws: GraphStoreError.self) {
      try staff[1].setValues(forKeys: ["manager": nil, "name": "Bea", "salary": "twelve"])
    }
    #expect(
      try staff[1].string("name") == "Rob" && staff[1].value(forKey: "manager") as? ManagedObject === staff[0]
    )
    #expect(throws: GraphStoreError.self) { try staff[1].setValues(forKeys: ["name": "Bea", "nme": 1]) }
    #expect(try staff[1].string("name") == "Rob")
  }

  @Test("OBJ-170, OBJ-171, OBJ-173: the form by key that cannot throw keeps its errors for the save")
  func subscripts() throws {
    staff[0]["name"] = "Eda"
    #expect(staff[0]["name"] as? String == "Eda" && staff[0]["department"] as? ManagedObject === tools)
    try context.save()
    staff[0]["name"] = 12
    #expect(staff[0]["name"] as? String == "Eda")
    #expect { try context.save() } throws: { ($0 as? GraphStoreError)?.code == .valueType }
  }

  @Test("OBJ-156, OBJ-201: reserved keys are read and not set, and keys are case-sensitive")
  func reserved() throws {
    #expect(try staff[0].value(forKey: "self") as? ManagedObject === staff[0])
    #expect(try staff[0].value(forKey: "entity") as? EntityDescription === staff[0].entity)
    for key in ["self", "objectID", "entity"] {
      #expect { try staff[0].setValue(staff[1], forKey: key) } throws: {
        ($0 as? GraphStoreError)?.code == .readOnlyProperty
      }
    }
    #expect { try staff[0].value(forKey: "Name") } throws: { ($0 as? GraphStoreError)?.code == .unknownKey }
  }
}
