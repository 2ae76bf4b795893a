import GraphStore
import Testing

private final class TypedDepartment: ManagedObject {
  static let title = AttributeKey<TypedDepartment, String>("name")
}

private final class TypedEmployee: ManagedObject {
  static let department = ToOneKey<TypedEmployee, TypedDepartment>("department")
  static let manager = ToOneKey<TypedEmployee, TypedEmployee>("manager")
  static let desk = ToOneKey<TypedEmployee, TypedDepartment>("desk")
  static let unknown = ToOneKey<TypedEmployee, TypedEmployee>("boss")
  static let reports = ToOneKey<TypedEmployee, TypedEmployee>("reports")
}

struct ToOneKeyTests {
  private let stack: TestStack
  private let department: TypedDepartment
  private let employee: TypedEmployee

  init() throws {
    var model = TestModels.company()
    for index in model.entities.indices {
      switch model.entities[index].name {
      case "Department": model.entities[index].className = "TypedDepartment"
      case "Employee", "Manager": model.entities[index].className = "TypedEmployee"
      default: break
      }
    }
    stack = try TestStack(
      model, classes: ["TypedDepartment": TypedDepartment.self, "TypedEmployee": TypedEmployee.self])
    department = try stack.context.insert(TypedDepartment.self, entityNamed: "Department")
    employee = try stack.context.insert(TypedEmployee.self, entityNamed: "Employee")
  }

  @Test("OBJ-032: a typed to-one runs the code of key access: the inverse follows, and nil takes it out")
  func setting() throws {
    employee[TypedEmployee.department] = department
    #expect(employee[TypedEmployee.department] === department)
    #expect(try employee.object(forKey: "department") === department)
    #expect(try department.objects(forKey: "employees") == [employee])
    employee[TypedEmployee.department] = nil
    #expect(employee[TypedEmployee.department] == nil)
    #expect(try department.objects(forKey: "employees").isEmpty)
  }

  @Test("A key serves sub-entities of the entity it was used with before")
  func subentities() throws {
    let manager = try stack.context.insert(TypedEmployee.self, entityNamed: "Manager")
    for object in [employee, manager, employee] {
      object[TypedEmployee.department] = department
      #expect(object[TypedEmployee.department] === department)
    }
  }

  @Test("FLT-012: following a to-one of a fetched object runs no statement")
  func statements() throws {
    employee[TypedEmployee.department] = department
    department[TypedDepartment.title] = "R&D"
    try stack.context.save()
    let context = stack.newContext()
    let fetched = try context.fetch(TypedEmployee.self, FetchRequest(entityName: "Employee"))
    #expect(stack.statements { _ = fetched[0][TypedEmployee.department] } == 0)
    #expect(fetched[0][TypedEmployee.department]?[TypedDepartment.title] == "R&D")
  }

  @Test("OBJ-025: a destination of another class reads as nil and fails the next save")
  func otherClass() throws {
    try employee.setValue(try stack.context.insert("Desk", [:]), forKey: "desk")
    #expect(employee[TypedEmployee.desk] == nil)
    #expect(
      stack.context.takeDeferredErrors().map { ($0 as? GraphStoreError)?.code } == [.resultTypeMismatch])
  }

  @Test("OBJ-173: an unknown name and a to-many are kept as errors that the next save throws")
  func wrongNames() throws {
    #expect(employee[TypedEmployee.unknown] == nil)
    employee[TypedEmployee.reports] = nil
    let codes = stack.context.takeDeferredErrors().map { ($0 as? GraphStoreError)?.code }
    #expect(codes == [.unknownKey, .wrongPropertyKind])
  }
}
