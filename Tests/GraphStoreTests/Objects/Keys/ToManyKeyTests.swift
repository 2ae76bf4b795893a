import GraphStore
import Testing

private final class KeyedDepartment: ManagedObject {
  static let employees = ToManyKey<KeyedDepartment, Set<KeyedEmployee>>("employees")
  static let ordered = ToManyKey<KeyedDepartment, OrderedSet<KeyedEmployee>>("employees")
}

private final class KeyedEmployee: ManagedObject {
  static let name = AttributeKey<KeyedEmployee, String>("name")
  static let department = ToOneKey<KeyedEmployee, KeyedDepartment>("department")
  static let friends = ToManyKey<KeyedEmployee, Set<KeyedEmployee>>("friends")
  static let reports = ToManyKey<KeyedEmployee, Set<KeyedDepartment>>("reports")
  static let unknown = ToManyKey<KeyedEmployee, Set<KeyedEmployee>>("boss")
  static let manager = ToManyKey<KeyedEmployee, Set<KeyedEmployee>>("manager")
}

@Suite("Typed keys of to-many relationships")
struct ToManyKeyTests {
  private let stack: TestStack
  private let department: KeyedDepartment
  private let employees: [KeyedEmployee]

  init() throws { try self.init(isOrdered: false) }

  private init(isOrdered: Bool) throws {
    var model = TestModels.company(isOrdered: isOrdered)
    for index in model.entities.indices {
      switch model.entities[index].name {
      case "Department": model.entities[index].className = "KeyedDepartment"
      case "Employee", "Manager": model.entities[index].className = "KeyedEmployee"
      default: break
      }
    }
    stack = try TestStack(
      model, classes: ["KeyedDepartment": KeyedDepartment.self, "KeyedEmployee": KeyedEmployee.self])
    department = try stack.context.insert(KeyedDepartment.self)
    var employees: [KeyedEmployee] = []
    for name in ["a", "b", "c", "d"] {
      employees.append(try stack.context.insert(KeyedEmployee.self))
      employees.last?[KeyedEmployee.name] = name
    }
    self.employees = employees
  }

  private static func ordered() throws -> ToManyKeyTests { try ToManyKeyTests(isOrdered: true) }

  private var names: [String] {
    department[KeyedDepartment.ordered].compactMap { $0[KeyedEmployee.name] }
  }

  private var codes: [GraphStoreError.Code?] {
    stack.context.takeDeferredErrors().map { ($0 as? GraphStoreError)?.code }
  }

  @Test("MDL-213: an unordered to-many reads as a set, never nil, and its inverse follows what is set")
  func sets() throws {
    #expect(department[KeyedDepartment.employees].isEmpty)
    department[KeyedDepartment.employees] = [employees[0], employees[1]]
    #expect(employees[0][KeyedEmployee.department] === department)
    #expect(try department.objects(forKey: "employees") == [employees[0], employees[1]])
    department.add([employees[2]], to: KeyedDepartment.employees)
    department.remove([employees[0], employees[1]], from: KeyedDepartment.employees)
    #expect(department[KeyedDepartment.employees] == [employees[2]])
    #expect(employees[0][KeyedEmployee.department] == nil)
    employees[0].add(employees[1...], to: KeyedEmployee.friends)
    #expect(employees[3][KeyedEmployee.friends] == [employees[0]])
    #expect(codes.isEmpty)
  }

  @Test("OBJ-030, REL-111: members of an ordered to-many are inserted, removed and replaced at their places")
  func ordered() throws {
    let test = try Self.ordered()
    let (department, employees) = (test.department, test.employees)
    let key = KeyedDepartment.ordered
    department.add(employees[..<2], to: key)
    department.insert([employees[3], employees[0], employees[2]], into: key, at: 1)
    #expect(test.names == ["a", "d", "c", "b"])
    department.remove(at: 1, from: key)
    #expect(test.names == ["a", "c", "b"])
    #expect(employees[3][KeyedEmployee.department] == nil)
    department.replace(at: 0, in: key, with: employees[3])
    #expect(test.names == ["d", "c", "b"])
    department.replace(at: 0, in: key, with: employees[1])
    #expect(test.names == ["b", "c"])
    department[key] = [employees[2], employees[1], employees[0]]
    try test.stack.context.save()
    let context = test.stack.newContext()
    let found = try context.fetch(KeyedDepartment.fetchRequest())
    #expect(found.first?[key].compactMap { $0[KeyedEmployee.name] } == ["c", "b", "a"])
    #expect(test.codes.isEmpty)
  }

  @Test("REL-113: an index beyond the end is kept as an error and changes nothing")
  func outOfRange() throws {
    let test = try Self.ordered()
    let key = KeyedDepartment.ordered
    test.department.add(test.employees[..<2], to: key)
    test.department.insert([test.employees[2]], into: key, at: 3)
    test.department.insert([test.employees[2]], into: key, at: -1)
    test.department.remove(at: 2, from: key)
    test.department.replace(at: 2, in: key, with: test.employees[2])
    #expect(test.names == ["a", "b"])
    #expect(test.codes == Array(repeating: .indexOutOfRange, count: 4))
    test.department.remove(at: -1, from: key)
    #expect(throws: GraphStoreError.self) { try test.stack.context.save() }
  }

  @Test("REL-101, REL-106: adding to a relationship that was not read runs no statement for its members")
  func blind() throws {
    department.add(employees[..<3], to: KeyedDepartment.employees)
    try stack.context.save()
    let context = stack.newContext()
    let fetched = try context.fetch(KeyedDepartment.fetchRequest())
    let new = try context.insert(KeyedEmployee.self)
    #expect(stack.statements { fetched[0].add([new], to: KeyedDepartment.employees) } == 0)
    #expect(stack.statements { _ = fetched[0][KeyedDepartment.employees] } == 1)
    #expect(fetched[0][KeyedDepartment.employees].count == 4)
  }

  @Test("OBJ-173: names and kinds that do not fit read as empty and fail the next save")
  func misfits() throws {
    let employee = employees[0]
    #expect(employee[KeyedEmployee.unknown].isEmpty)
    #expect(employee[KeyedEmployee.manager].isEmpty)
    #expect(department[KeyedDepartment.ordered].isEmpty)
    #expect(codes == [.unknownKey, .wrongPropertyKind, .wrongPropertyKind])
    try employee.addObjects([employees[1]], forKey: "reports")
    #expect(employee[KeyedEmployee.reports].isEmpty)
    #expect(codes == [.resultTypeMismatch])
  }

  @Test("A key serves the entities of a family one after the other")
  func families() throws {
    let manager = try stack.context.insert(KeyedEmployee.self, entityNamed: "Manager")
    manager[KeyedEmployee.name] = "m"
    for employee in [employees[0], manager, employees[1], manager] {
      department.add([employee], to: KeyedDepartment.employees)
      employee.add([employees[2]], to: KeyedEmployee.friends)
      #expect(employee[KeyedEmployee.friends] == [employees[2]])
      #expect(employee[KeyedEmployee.name]?.count == 1)
    }
    #expect(department[KeyedDepartment.employees].count == 3)
  }
}
