import Foundation
import GraphStore

final class Employee: Person {
  static let salaryKey = AttributeKey<Employee, Decimal>("salary")
  static let badgeKey = AttributeKey<Employee, Int32>("badge")
  static let isManagerKey = AttributeKey<Employee, Bool>("isManager")
  static let departmentKey = ToOneKey<Employee, Department>("department")
  static let managerKey = ToOneKey<Employee, Employee>("manager")
  static let reportsKey = ToManyKey<Employee, Set<Employee>>("reports")
  static let projectsKey = ToManyKey<Employee, Set<Project>>("projects")

  override func awakeFromInsert() { email = "unknown@example.org" }

  var title: String { isManager ? "\(name), manager" : name }

  var salary: Decimal {
    get { self[default: Self.salaryKey] }
    set { self[Self.salaryKey] = newValue }
  }

  var badge: Int32? {
    get { self[Self.badgeKey] }
    set { self[Self.badgeKey] = newValue }
  }

  var isManager: Bool {
    get { self[default: Self.isManagerKey] }
    set { self[Self.isManagerKey] = newValue }
  }

  var department: Department? {
    get { self[Self.departmentKey] }
    set { self[Self.departmentKey] = newValue }
  }

  var manager: Employee? {
    get { self[Self.managerKey] }
    set { self[Self.managerKey] = newValue }
  }

  var reports: Set<Employee> {
    get { self[Self.reportsKey] }
    set { self[Self.reportsKey] = newValue }
  }

  var projects: Set<Project> {
    get { self[Self.projectsKey] }
    set { self[Self.projectsKey] = newValue }
  }
}
