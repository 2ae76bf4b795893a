import Foundation
import GraphStore

/// Fills a store with a few people and asks it about them.
@main
enum Program {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "staff-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "staff.db").path
    let context = ManagedObjectContext(
      coordinator: try StaffModel.createStore(at: path), concurrencyType: .mainQueue)
    let department = try fill(context)
    try context.save()

    for employee in try context.fetch(StaffModel.wellPaid(min: 80000)) {
      print(employee.title, employee.salary, employee.email ?? "-", separator: ", ")
    }
    print(try context.fetch(StaffModel.colleagues(department: department, start: "a")).map(\.name))
    for project in try context.fetch(Project.fetchRequest()) {
      print(project.title, project.members.map(\.name))
    }
    print(department.name, department.employees.count)
  }

  private static func fill(_ context: ManagedObjectContext) throws -> Department {
    let engineering = try context.insert(Department.self)
    engineering.name = "Engineering"
    let grace = try hire("Grace Hopper", 98000, badge: 1, context)
    let ada = try hire("Ada Lovelace", 82000, badge: 2, context)
    let alan = try hire("Alan Turing", 79500, badge: 3, context)
    grace.isManager = true
    grace.reports = [ada, alan]
    engineering.addToEmployees([grace, ada, alan])
    let compiler = try context.insert(Project.self)
    compiler.title = "Compiler"
    compiler.members = [grace, alan]
    compiler.insertIntoMembers(ada, at: 1)
    return engineering
  }

  private static func hire(
    _ name: String, _ salary: Decimal, badge: Int32, _ context: ManagedObjectContext
  ) throws -> Employee {
    let employee = try context.insert(Employee.self)
    employee.name = name
    employee.salary = salary
    employee.badge = badge
    return employee
  }
}
