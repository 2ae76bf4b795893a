import GraphStore
import Testing

/// One step of a change, and what the other ends show after it.
@Suite("Inverses, step by step", .everyStore)
struct InverseStepsTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company(isOrdered: true)) }

  private func insert(_ entity: String, _ names: String) throws -> [ManagedObject] {
    try names.map { try context.insert(entity, ["name": String($0)]) }
  }

  /// Compares memory, and then what another process reads.
  private func expect(_ entity: String, _ key: String, _ expected: [String: [String]]) throws {
    func picture(_ context: ManagedObjectContext) throws -> [String: [String]] {
      let all = try context.all(entity).map { object in
        let isToMany = object.entity.relationship(named: key)?.isToMany == true
        return (
          try object.string("name") ?? "",
          try isToMany ? object.names(key) : [object.nameOf(key)].compactMap { $0 }
        )
      }
      return Dictionary(uniqueKeysWithValues: all)
    }
    #expect(try picture(context) == expected)
    try context.save()
    #expect(try picture(stack.otherProcess()) == expected)
  }

  @Test("REL-052, REL-054: who leaves by either end has no owner, and the owner not this member")
  func leaving() throws {
    let department = try insert("Department", "D")[0]
    let people = try insert("Employee", "abc")
    try department.setValue(people, forKey: "employees")
    try context.save()
    try people[0].setValue(nil, forKey: "department")
    #expect(context.updatedObjects == [people[0], department])
    try expect("Department", "employees", ["D": ["b", "c"]])
    try department.removeObjects([people[2]], forKey: "employees")
    #expect(Set(context.updatedObjects) == [people[2], department])
    try expect("Employee", "department", ["a": [], "b": ["D"], "c": []])
  }

  @Test("REL-057: setting one side of a one-to-one to nil empties the other", arguments: [true, false])
  func parting(_ isFromOwner: Bool) throws {
    let (desk, owner) = (try insert("Desk", "d")[0], try insert("Employee", "a")[0])
    try owner.setValue(desk, forKey: "desk")
    try context.save()
    try isFromOwner ? owner.setValue(nil, forKey: "desk") : desk.setValue(nil, forKey: "owner")
    #expect(Set(context.updatedObjects) == [desk, owner])
    try expect("Desk", "owner", ["d": []])
    try expect("Employee", "desk", ["a": []])
  }

  @Test("REL-056, REL-420: of four partners in two pairs two are left alone")
  func exchanging() throws {
    let (desks, owners) = (try insert("Desk", "dD"), try insert("Employee", "aA"))
    for (owner, desk) in zip(owners, desks) { try owner.setValue(desk, forKey: "desk") }
    try context.save()
    try owners[0].setValue(desks[1], forKey: "desk")
    #expect(Set(context.updatedObjects) == Set(desks + owners))
    try expect("Desk", "owner", ["d": [], "D": ["a"]])
    try expect("Employee", "desk", ["a": ["D"], "A": []])
  }

  @Test("REL-064, REL-112: who joins an ordered to-many by its other end comes last")
  func joiningOrdered() throws {
    let departments = try insert("Department", "DE")
    let people = try insert("Employee", "abcd")
    try departments[0].setValue([people[2], people[0]], forKey: "employees")
    try people[3].setValue(departments[0], forKey: "department")
    try people[1].setValue(departments[0], forKey: "department")
    try expect("Department", "employees", ["D": ["c", "a", "d", "b"], "E": []])
    try departments[1].setValue([people[1], people[2]], forKey: "employees")
    try people[3].setValue(departments[1], forKey: "department")
    try expect("Department", "employees", ["D": ["a"], "E": ["b", "c", "d"]])
    try departments[1].removeObjects([people[1]], forKey: "employees")
    try expect("Department", "employees", ["D": ["a"], "E": ["c", "d"]])
    let projects = try insert("Project", "PQ")
    try projects[0].setValue([people[2], people[0]], forKey: "members")
    try people[3].addObjects([projects[0]], forKey: "projects")
    try people[1].addObjects([projects[0], projects[1]], forKey: "projects")
    try people[0].removeObjects([projects[0]], forKey: "projects")
    try expect("Project", "members", ["P": ["c", "d", "b"], "Q": ["b"]])
  }

  @Test("REL-061, REL-062, REL-063, REL-421: self-inverse relationships enter each side once, oneself too")
  func selfInverse() throws {
    let people = try insert("Employee", "abc")
    try people[0].addObjects([people[1], people[0]], forKey: "friends")
    try people[1].addObjects([people[0]], forKey: "friends")
    try expect("Employee", "friends", ["a": ["a", "b"], "b": ["a"], "c": []])
    try people[0].removeObjects([people[0]], forKey: "friends")
    try people[1].removeObjects([people[0]], forKey: "friends")
    try expect("Employee", "friends", ["a": [], "b": [], "c": []])
    try people[0].setValue(people[1], forKey: "spouse")
    try expect("Employee", "spouse", ["a": ["b"], "b": ["a"], "c": []])
    try people[2].setValue(people[0], forKey: "spouse")
    try expect("Employee", "spouse", ["a": ["c"], "b": [], "c": ["a"]])
    try people[2].setValue(people[2], forKey: "spouse")
    try expect("Employee", "spouse", ["a": [], "b": [], "c": ["c"]])
    try people[2].setValue(nil, forKey: "spouse")
    try expect("Employee", "spouse", ["a": [], "b": [], "c": []])
  }

  @Test("REL-065: a one-way relationship changes and flags its source alone", arguments: [true, false])
  func oneWay(_ isToMany: Bool) throws {
    let shape = RelationshipShape(
      name: "one-way", isToMany: isToMany, isBackToMany: isToMany, hasInverse: false)
    let stack = try TestStack(shape.model(.nullify))
    let source = try stack.context.insert("Source", ["name": "s"])
    let destinations = try ["d", "e"].map { try stack.context.insert("Destination", ["name": $0]) }
    try stack.context.save()
    for destination in destinations { try shape.link(source, destination) }
    #expect(stack.context.updatedObjects == [source] && source.changedKeys == ["link"])
    #expect(!destinations.contains { $0.hasChanges })
    try stack.context.save()
    try shape.unlink(source, destinations[1])
    #expect(stack.context.updatedObjects == [source] && !destinations.contains(where: \.hasChanges))
    #expect(try shape.links(source) == (isToMany ? [destinations[0]] : []))
  }
}
