import Foundation
import GraphStore

final class Department: ManagedObject {
  static let nameKey = AttributeKey<Department, String>("name")
  static let budgetKey = AttributeKey<Department, Decimal>("budget")
  static let employeesKey = ToManyKey<Department, Set<Employee>>("employees")

  var name: String {
    get { self[default: Self.nameKey] }
    set { self[Self.nameKey] = newValue }
  }

  var budget: Decimal {
    get { self[default: Self.budgetKey] }
    set { self[Self.budgetKey] = newValue }
  }

  var employees: Set<Employee> {
    get { self[Self.employeesKey] }
    set { self[Self.employeesKey] = newValue }
  }

  func addToEmployees(_ employees: some Sequence<Employee>) { add(employees, to: Self.employeesKey) }
}
