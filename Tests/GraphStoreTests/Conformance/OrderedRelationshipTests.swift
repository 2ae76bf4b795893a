import GraphStore
import Testing

@Suite(.everyKindOfStore)
struct OrderedRelationshipTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(TestModels.company(isOrdered: true)) }

  private func people(_ names: String) throws -> [ManagedObject] {
    try names.map { try stack.context.insert("Employee", ["name": String($0)]) }
  }

  private func stored(_ entity: String, _ key: String) throws -> String {
    try stack.otherProcess().all(entity)[0].names(key).joined()
  }

  @Test("REL-111: adding what is there already keeps its place, resolved or not", arguments: [false, true])
  func again(_ isResolved: Bool) throws {
    let project = try stack.context.insert("Project", ["name": "P"])
    try project.setValue(try people("ABC"), forKey: "members")
    try stack.context.save()
    let id = project.objectID
    stack.context.reset()
    let again = try stack.context.object(with: id)
    if isResolved { _ = try again.objects(forKey: "members") }
    let first = try stack.context.all("Employee", "name == 'A'")
    try again.addObjects(first, forKey: "members")
    #expect(isResolved ? !again.isUpdated : true)
    try stack.context.save()
    #expect(try stored("Project", "members") == "ABC")
    #expect(try again.names("members").joined() == "ABC")
  }

  @Test("REL-111, REL-101: adding before resolving, then resolving, keeps the place")
  func resolvedAfterwards() throws {
    let project = try stack.context.insert("Project", ["name": "P"])
    try project.setValue(try people("ABC"), forKey: "members")
    try stack.context.save()
    let id = project.objectID
    stack.context.reset()
    let again = try stack.context.object(with: id)
    try again.addObjects(try stack.context.all("Employee", "name == 'A'"), forKey: "members")
    #expect(try again.names("members").joined() == "ABC")
  }

  @Test("REL-112: what leaves and joins again comes last, resolved or not", arguments: [false, true])
  func rejoin(_ isResolved: Bool) throws {
    let project = try stack.context.insert("Project", ["name": "P"])
    let department = try stack.context.insert("Department", ["name": "D"])
    let all = try people("ABC")
    try project.setValue(all, forKey: "members")
    try department.setValue(all, forKey: "employees")
    try stack.context.save()
    let ids = [project.objectID, department.objectID]
    stack.context.reset()
    let objects = try ids.map { try stack.context.object(with: $0) }
    if isResolved { _ = try (objects[0].names("members"), objects[1].names("employees")) }
    let first = try stack.context.all("Employee", "name == 'A'")
    for (object, key) in zip(objects, ["members", "employees"]) {
      try object.removeObjects(first, forKey: key)
      try object.addObjects(first, forKey: key)
    }
    try stack.context.save()
    #expect(try stored("Project", "members") == "BCA")
    #expect(try stored("Department", "employees") == "BCA")
    #expect(try objects[0].names("members").joined() == "BCA")
  }

  @Test("REL-117: removing and deleting members closes gaps; moving between owners appends")
  func gaps() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    let all = try people("ABCDE")
    try department.setValue(all, forKey: "employees")
    try stack.context.save()
    try stack.context.delete(all[1])
    try all[3].setValue(nil, forKey: "department")
    try stack.context.save()
    #expect(try stored("Department", "employees") == "ACE")
    try all[3].setValue(department, forKey: "department")
    try stack.context.save()
    #expect(try stored("Department", "employees") == "ACED")
  }

  @Test("REL-114: a change of order alone is saved, flags the owner, and no member")
  func orderAlone() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    let all = try people("ABC")
    try department.setValue(all, forKey: "employees")
    try stack.context.save()
    try department.setValue(Array(all.reversed()), forKey: "employees")
    #expect(stack.context.updatedObjects == [department])
    try stack.context.save()
    #expect(try stored("Department", "employees") == "CBA")
  }

  @Test("REL-120: appending one member writes one order value", arguments: [false, true])
  func appending(_ isResolved: Bool) throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    try department.setValue(try people("ABCDEFGH"), forKey: "employees")
    try stack.context.save()
    if !isResolved { try stack.context.refresh(department, mergeChanges: false) }
    let counts = try (0..<2).map { _ in
      try stack.context.insert("Employee", ["name": "x", "department": department])
      return try stack.statements { try stack.context.save() }
    }
    #expect(counts[0] <= 9 && counts[0] == counts[1])
    #expect(try stored("Department", "employees") == "ABCDEFGHxx")
  }

  @Test(
    "PRD-225, PRD-230, STO-261: who has left an ordered relationship has no place in it, in no type of store")
  func placeOfFormerMember() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    let all = try people("ABC")
    try department.setValue(all, forKey: "employees")
    try stack.context.save()
    try all[2].setValue(nil, forKey: "department")
    try stack.context.save()
    let names = try stack.newContext().all("Employee", sort: ["department"]).map { try $0.string("name") }
    #expect(names == ["C", "A", "B"])
    try all[2].setValue(department, forKey: "department")
    try stack.context.save()
    #expect(try stored("Department", "employees") == "ABC")
  }

  @Test("REL-022: an ordered to-many refuses a plain set")
  func plainSet() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    let all = try people("AB")
    #expect {
      try department.setValue(Set(all), forKey: "employees")
    } throws: {
      ($0 as? GraphStoreError)?.code == .valueType
    }
    #expect(try department.names("employees") == [])
  }
}
