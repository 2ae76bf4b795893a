import GraphStore
import Testing

/// Deletions that a merge policy withdraws, with objects that were never saved among what goes with them; and
/// records that are written again.
@Suite(.everyStore)
struct WithdrawnDeletionTests {
  /// Tools with Ada, and the other writer's change of its name.
  private func writers(
    _ policy: PolicyCase, _ writer: OtherWriter
  ) throws -> (TwoWriters, tools: ManagedObject) {
    let writers = try TwoWriters(TestModels.company(employees: .cascade), writer, policy.policy) { context in
      let tools = try context.insert("Department", ["name": "Tools"])
      try context.insert("Employee", ["name": "Ada", "department": tools])
    }
    let tools = try writers.mine.only("Department")
    for employee in try writers.mine.all("Employee") { _ = try employee.string("name") }
    try writers.theirs.only("Department").setValue("Gears", forKey: "name")
    try writers.theirs.save()
    return (writers, tools)
  }

  @Test(
    "CTX-207: new objects that went with a deletion come back with it, and are saved",
    arguments: [PolicyCase.store, .rollback], OtherWriter.allCases)
  func newObjects(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, tools) = try writers(policy, writer)
    let project = try writers.mine.insert("Project", ["name": "P"])
    try writers.mine.save()
    let bob = try writers.mine.insert("Employee", ["name": "Bob", "department": tools])
    let desk = try writers.mine.insert("Desk", ["name": "D", "owner": bob])
    try project.addObjects([bob], forKey: "members")
    try writers.mine.processPendingChanges()
    try writers.mine.delete(tools)
    try writers.mine.processPendingChanges()
    #expect(bob.managedObjectContext == nil && desk.managedObjectContext == nil)
    #expect(try project.objects(forKey: "members").isEmpty)
    var inserted: Set<ManagedObject> = []
    let token = writers.mine.observe(.objectsDidChange) { inserted.formUnion($0.inserted) }
    try writers.mine.save()
    token.cancel()
    #expect(inserted == [bob, desk] && !writers.mine.hasChanges)
    #expect(bob.managedObjectContext === writers.mine && !bob.objectID.isTemporaryID)
    let stored = try writers.stored()
    #expect(try stored.only("Department").string("name") == "Gears")
    #expect(try stored.all("Employee", sort: ["name"]).map { try $0.string("name") } == ["Ada", "Bob"])
    #expect(try stored.only("Desk").object(forKey: "owner")?.string("name") == "Bob")
    #expect(try stored.only("Project").names("members") == ["Bob"])
    // By rollback the department has what the store has, and nothing that was added here (CTX-203).
    let members = try stored.only("Department").names("employees").sorted()
    #expect(members == (policy == .store ? ["Ada", "Bob"] : ["Ada"]))
    #expect(try tools.names("employees").sorted() == members && bob.string("name") == "Bob")
  }

  @Test("CTX-207: what the program deleted itself stays away", arguments: OtherWriter.allCases)
  func deletedItself(_ writer: OtherWriter) throws {
    let (writers, tools) = try writers(.store, writer)
    let bob = try writers.mine.insert("Employee", ["name": "Bob", "department": tools])
    try writers.mine.delete(bob)
    try writers.mine.delete(tools)
    try writers.mine.save()
    #expect(bob.managedObjectContext == nil)
    #expect(try writers.stored().all("Employee").map { try $0.string("name") } == ["Ada"])
  }

  @Test(
    "CTX-212, CTX-070: did-save tells a record that was written back as updated",
    arguments: [PolicyCase.object, .overwrite], OtherWriter.allCases)
  func writtenBack(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, tools) = try writers(policy, writer)
    try writers.theirs.delete(writers.theirs.only("Department"))
    try writers.theirs.save()
    let sales = try writers.mine.insert("Department", ["name": "Sales"])
    try tools.setValue("Wheels", forKey: "name")
    var groups: [Set<ManagedObject>] = []
    let token = writers.mine.observe(.didSave) { groups = [$0.inserted, $0.updated, $0.deleted] }
    try writers.mine.save()
    #expect(groups.count == 3 && groups[0] == [sales])
    #expect(groups[1].contains(tools) && !groups[2].contains(tools))
    #expect(try writers.stored().all("Department", "name == 'Wheels'").count == 1)
    // Later saves of it are as any other.
    try tools.setValue("Rims", forKey: "name")
    try writers.mine.save()
    #expect(groups == [[], [tools], []])
    token.cancel()
  }
}
