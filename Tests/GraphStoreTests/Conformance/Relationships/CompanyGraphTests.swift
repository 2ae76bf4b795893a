import GraphStore
import Testing

/// REL-377: departments cascade to employees, who are protected by those that report to them.
@Suite("A company with protected managers", .everyStore)
struct CompanyGraphTests {
  private let stack: TestStack
  private let departments: [ManagedObject]
  private var context: ManagedObjectContext { stack.context }

  /// In Tools, Ada manages Bob, who manages Cas; Dan works elsewhere. All are members of one project.
  init() throws {
    stack = try TestStack(GraphModels.company)
    let context = stack.context
    departments = try ["Tools", "Sales"].map { try context.insert("Department", ["name": $0]) }
    let people = try ["Ada", "Bob", "Cas", "Dan"].map { try context.insert("Employee", ["name": $0]) }
    for person in people[..<3] { try person.setValue(departments[0], forKey: "department") }
    try people[3].setValue(departments[1], forKey: "department")
    try people[1].setValue(people[0], forKey: "manager")
    try people[2].setValue(people[1], forKey: "manager")
    try context.insert("Project", ["name": "P", "members": people.reversed() as [ManagedObject]])
    try context.save()
  }

  private func stored(_ entity: String) throws -> [String] {
    try stack.otherProcess().all(entity, sort: ["name"]).compactMap { try $0.string("name") }
  }

  @Test("REL-377: a department goes with managers of its own people, and the project's order closes up")
  func own() throws {
    #expect(try stack.otherProcess().all("Project")[0].names("members") == ["Dan", "Cas", "Bob", "Ada"])
    try context.delete(departments[0])
    try context.save()
    #expect(try stored("Department") == ["Sales"] && stored("Employee") == ["Dan"])
    #expect(try stack.otherProcess().all("Project")[0].names("members") == ["Dan"])
  }

  @Test("REL-377, REL-195: one report in another department forbids it", arguments: [true, false])
  func outside(_ isUnsaved: Bool) throws {
    let dan = try context.all("Employee", "name == 'Dan'")[0]
    let ada = try context.all("Employee", "name == 'Ada'")[0]
    try dan.setValue(ada, forKey: "manager")
    if !isUnsaved {
      try context.save()
      context.reset()
    }
    try context.delete(context.object(with: departments[0].objectID))
    // An unsaved change that leads to her is refused as well.
    let error = try #require(failure { try context.save() })
    let denials = (error.errors.isEmpty ? [error] : error.errors).filter { $0.number == 1600 }
    #expect(denials.map(\.objectID) == [ada.objectID] && denials.map(\.property) == ["reports"])
    #expect(denials.map(\.relatedObjects) == [[dan.objectID]])
    #expect(try stored("Employee") == ["Ada", "Bob", "Cas", "Dan"])
    try context.object(with: dan.objectID).setValue(nil, forKey: "manager")
    try context.save()
    #expect(try stored("Employee") == ["Dan"])
  }
}
