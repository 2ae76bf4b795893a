import GraphStore

/// A few people who are related in every way that a model knows.
enum Staff {
  /// Ada leads Bob and Cyd in Tools; Ada has desk and home, Bob and Cyd are friends, Dan is a director.
  static func insert(in context: ManagedObjectContext) throws {
    func make(_ entity: String, _ name: String) throws -> ManagedObject {
      try context.insert(entity, ["name": .string(name)])
    }
    let tools = try make("Department", "Tools")
    try tools.setValue([try make("Room", "R1"), try make("Room", "R2")], forKey: "rooms")
    let employees = try ["Ada", "Bob", "Cyd"].map { try make("Employee", $0) }
    let director = try make("Director", "Dan")
    for employee in employees { try employee.setValue(tools, forKey: "department") }
    try employees[0].setValue([employees[1], employees[2]], forKey: "reports")
    try employees[0].setValue(try make("Desk", "D1"), forKey: "desk")
    try employees[0].setValue(try make("Address", "Here"), forKey: "home")
    try employees[0].setValue(director, forKey: "spouse")
    try employees[1].setValue([employees[2], director], forKey: "friends")
    let compiler = try make("Project", "Compiler")
    let editor = try make("Project", "Editor")
    try compiler.setValue([employees[2], employees[0], employees[1]], forKey: "members")
    try editor.setValue([employees[1]], forKey: "members")
    try compiler.setValue(
      try ["parse", "check", "emit", "link"].map { try make("Step", $0) }, forKey: "steps")
  }
}
