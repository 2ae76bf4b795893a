import GraphStoreTestSupport

@testable import GraphStore

/// Random changes of a graph with derived attributes, links of every kind and a cascade.
struct RandomCompany {
  let context: ManagedObjectContext
  private var generator: SeededGenerator

  init(_ context: ManagedObjectContext, _ generator: SeededGenerator) {
    self.context = context
    self.generator = generator
  }

  mutating func any(_ entity: String) throws -> ManagedObject? {
    try context.all(entity, sort: ["objectID"]).randomElement(using: &generator)
  }

  mutating func roll(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  mutating func change() throws {
    for _ in 0...roll(6) { try changeOnce() }
  }

  private mutating func changeOnce() throws {
    let name = ["Zoë", "ﬁ", "Ada", "İ", ""][roll(5)] as String
    switch roll(18) {
    case 0: try context.insert("Company", ["name": name])
    case 1, 2:
      let department = try context.insert("Department", ["name": name])
      try department.setValue(try any("Company"), forKey: "company")
    case 3, 4, 5:
      let person = try context.insert(
        roll(3) == 0 ? "Manager" : "Employee", ["name": name, "salary": roll(100)])
      try person.setValue(try any("Department"), forKey: "department")
      if roll(2) == 0, let project = try any("Project") {
        try person.addObjects([project], forKey: "projects")
      }
    case 6:
      let people = try context.all("Employee").filter { _ in Bool.random(using: &generator) }
      try context.insert("Project", ["name": name, "staff": Set(people)])
    case 7: try any("Employee")?.setValue(roll(3) == 0 ? nil : roll(1000), forKey: "salary")
    case 8: try any("Employee")?.setValue(try any("Department"), forKey: "department")
    case 9: try any(["Company", "Department", "Employee", "Site"][roll(4)])?.setValue(name, forKey: "name")
    case 10:
      if let found = try any(["Company", "Department", "Employee", "Project"][roll(4)]) {
        try context.delete(found)
      }
    case 11: try context.insert("Site", ["name": name])
    case 12: try any("Employee")?.setValue(try any("Site"), forKey: "site")
    case 13:
      let tool = try context.insert("Tool", ["cost": roll(50)])
      if let site = try any("Site") { try site.addObjects([tool], forKey: "tools") }
    case 14: try any("Tool")?.setValue(roll(50), forKey: "cost")
    case 15:
      if let left = try any("Site"), let right = try any("Site") {
        try left.addObjects([right], forKey: "near")
      }
    case 16:
      // A new reference to what is deleted in the same save is refused.
      if let found = try any(["Site", "Tool"][roll(2)]) {
        for person in try context.all("Employee") where try person.object(forKey: "site") === found {
          try person.setValue(nil, forKey: "site")
        }
        for site in try context.all("Site") {
          try site.removeObjects([found].filter { $0.entity.name == "Tool" }, forKey: "tools")
        }
        try context.delete(found)
      }
    default:
      let people = try context.all("Employee").filter { _ in Bool.random(using: &generator) }
      try any("Department")?.setValue(Set(people), forKey: "employees")
    }
  }
}
