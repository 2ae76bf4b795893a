import Foundation
import GraphStoreCodegen
import GraphStoreModel
import Testing

/// Queries of generated classes before the compiler: what fits compiles, and what does not is an error.
@Suite("Checked queries before the compiler", .enabled(if: SwiftCompiler.isThere))
struct QueryCompilationTests {
  /// What the compiler says of statements, each in a function on a line of its own, from line 1.
  private func complaints(_ statements: [String]) throws -> String {
    let path = Repository.root.appendingPathComponent("Models/company.json").path
    let code = try CodeGenerator(ManagedObjectModel(contentsOf: path)).singleFile(named: "Company.swift")
    let functions = statements.enumerated().map { number, statement in
      "func query\(number)(_ employee: Employee, _ context: ManagedObjectContext) throws { \(statement) }"
    }
    let text =
      functions.joined(separator: "\n")
      + "\nimport Foundation\nimport GraphStore\ntypealias Keys = Employee.Keys\n"
    return try SwiftCompiler.complaints(
      about: code.files.map { .init(name: $0.name, text: $0.text) } + [.init(name: "App.swift", text: text)])
  }

  @Test("OBJ-549, FET-288: keys, conditions, orders and predicates of a class compile without warnings")
  func allowed() throws {
    let found = try complaints([
      "employee[Keys.name] = employee[default: Keys.name] + (employee[Keys.department]?.name ?? \"\")",
      "print((employee as Person)[Person.Keys.name] ?? \"\")",
      "_ = FetchRequest(where: Keys.salary > 50_000 && Keys.department.name == \"Sales\")",
      "_ = FetchRequest(sortedBy: Keys.department.name.ascending, Keys.salary.descending, fetchLimit: 5)",
      "_ = Keys.manager != nil && (Keys.manager.salary > Keys.salary || Keys.projects.any.title.like(\"x*\"))",
      "_ = try FetchRequest(where: #Predicate<Employee> { $0.salary > 50_000 && $0.department?.name == \"x\" })",
      "let found: [Employee] = try context.fetch(FetchRequest(where: Keys.salary > 5)); print(found)",
      "let found: [Employee] = try context.fetch(FetchRequest(entityName: \"Employee\")); print(found)",
      "let found: [ManagedObject] = try context.fetch(FetchRequest(entityName: \"Employee\")); print(found)",
    ])
    #expect(found == "", "\(found)")
  }

  @Test(
    "OBJ-549, FET-288: another class, another type and what the language cannot say are errors of the compiler"
  )
  func refused() throws {
    let statements = [
      "_ = employee[Department.Keys.name]",
      "employee[Keys.name] = 5",
      "employee[Keys.department] = employee",
      "employee.add([employee], to: Keys.projects)",
      "_ = Keys.salary > \"a\"",
      "_ = Keys.name > 5",
      "_ = Keys.salary.contains(\"a\")",
      "_ = Keys.salary > 5 && Department.Keys.name == \"x\"",
      "_ = Keys.name == Department.Keys.name",
      "_ = Keys.salary == Keys.name",
      "_ = Keys.department.title == \"x\"",
      "_ = Keys.department == employee",
      "_ = Keys.projects.title == \"x\"",
      "_ = Keys.salary < Keys.reports.any.salary",
      "_ = Keys.projects.any.title.ascending",
      "_ = Keys.salary.ascending(.localized)",
      "_ = FetchRequest<Department>(where: Keys.salary > 5)",
      "_ = FetchRequest(where: Keys.salary > 5, sortedBy: Department.Keys.name.ascending)",
      "let found: [Department] = try context.fetch(FetchRequest(where: Keys.salary > 5)); print(found)",
    ]
    let found = try complaints(statements)
    for (number, statement) in statements.enumerated() {
      #expect(found.contains("App.swift:\(number + 1):"), "\(statement) compiles")
    }
  }
}
