import GraphStore
import Testing

@Suite(.everyStore)
struct LinkCostTests {
  private func filled(_ count: Int) throws -> (TestStack, ManagedObjectID, [ManagedObjectID]) {
    let stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "D"])
    let people = try (0..<count).map { try stack.context.insert("Employee", ["name": "\($0)"]) }
    try stack.context.save()
    let result = (stack, department.objectID, people.map(\.objectID))
    stack.context.reset()
    return result
  }

  @Test(
    "REL-103: adding faults to a to-many realises them with one statement and resolves nothing",
    .needs(.statements), arguments: [1, 40])
  func adding(_ count: Int) throws {
    let (stack, id, ids) = try filled(count)
    let department = try stack.context.object(with: id)
    let people = try ids.map { try stack.context.object(with: $0) }
    #expect(try stack.statements { try department.addObjects(people, forKey: "employees") } == 1)
    #expect(try department.hasFault(forRelationshipNamed: "employees"))
    #expect(department.isFault && department.isUpdated)
    try stack.context.save()
    stack.context.reset()
    let again = try stack.context.object(with: id)
    let faults = try ids.map { try stack.context.object(with: $0) }
    #expect(try stack.statements { try again.removeObjects(faults, forKey: "employees") } == 1)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Department")[0].objects(forKey: "employees").isEmpty)
  }

  @Test(
    "REL-104, REL-319: linking many-to-many runs no reading statement; links that are there, or gone, do no harm"
  )
  func manyToMany() throws {
    let (stack, _, ids) = try filled(5)
    let project = try stack.context.insert("Project", ["name": "P"])
    try project.addObjects(try ids.map { try stack.context.object(with: $0) }, forKey: "members")
    try stack.context.save()
    let id = project.objectID
    stack.context.reset()
    let again = try stack.context.object(with: id)
    let people = try ids.map { try stack.context.object(with: $0) }
    #expect(
      try stack.statements {
        try again.addObjects(Array(people.prefix(3)), forKey: "members")
        try again.removeObjects([people[4]], forKey: "members")
      } == 0)
    let other = try stack.otherProcess()
    try other.all("Project")[0].removeObjects(
      [try other.all("Employee", "name == '4'")[0]], forKey: "members")
    try other.save()
    try stack.context.save()
    #expect(try stack.otherProcess().all("Project")[0].names("members") == ["0", "1", "2", "3"])
  }
}
