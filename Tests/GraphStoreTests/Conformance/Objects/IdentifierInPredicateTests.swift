import GraphStore
import Testing

@Suite("Identifiers in predicates", .everyStore)
struct IdentifierInPredicateTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let people: [ManagedObject]
  private let tools: ManagedObject
  private let project: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    let context = stack.context
    tools = try context.insert("Department", ["name": "Tools"])
    project = try context.insert("Project", ["name": "P"])
    people = try ["Ada", "Bob", "Cas"].map { try context.insert("Employee", ["name": $0]) }
    try people[0].setValue(tools, forKey: "department")
    try people[1].setValue(people[0], forKey: "manager")
    try people[2].setValue([project] as Set, forKey: "projects")
    try context.save()
  }

  private func names(_ predicate: QueryPredicate, _ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(FetchRequest(entityName: "Employee", predicate: predicate))
      .compactMap { try $0.string("name") }.sorted()
  }

  @Test("OBJ-127: an identifier stands for its object on every side, in lists, paths and collections")
  func everywhere() throws {
    let ids = people.map(\.objectID)
    let cases: [(QueryPredicate, [String])] = [
      (try QueryPredicate("SELF == %@", ids[0]), ["Ada"]),
      (try QueryPredicate("%@ == SELF", ids[0]), ["Ada"]),
      (try QueryPredicate("SELF != %@", ids[0]), ["Bob", "Cas"]),
      (try QueryPredicate("SELF IN %@", [ids[0], ids[2]]), ["Ada", "Cas"]),
      (try QueryPredicate("NOT SELF IN %@", [ids[0]]), ["Bob", "Cas"]),
      (try QueryPredicate("department == %@", tools.objectID), ["Ada"]),
      (try QueryPredicate("department IN %@", [tools.objectID]), ["Ada"]),
      (try QueryPredicate("manager.department == %@", tools.objectID), ["Bob"]),
      (try QueryPredicate("ANY projects == %@", project.objectID), ["Cas"]),
      (try QueryPredicate("%@ IN projects", project.objectID), ["Cas"]),
      (try QueryPredicate("ANY reports == %@", ids[1]), ["Ada"]),
      (try QueryPredicate("projects CONTAINS %@", project.objectID), ["Cas"]),
      (try QueryPredicate("SUBQUERY(projects, $p, $p == %@).@count == 1", project.objectID), ["Cas"]),
      (try QueryPredicate("objectID == %@", ids[1]), ["Bob"]),
    ]
    let other = stack.newContext()
    for (predicate, expected) in cases {
      #expect(try names(predicate, context) == expected, "\(predicate.predicateFormat)")
      #expect(try names(predicate, other) == expected, "\(predicate.predicateFormat), elsewhere")
      #expect(
        try people.filter { try predicate.evaluate(with: $0) }.compactMap { try $0.string("name") }.sorted()
          == expected, "\(predicate.predicateFormat), in memory")
    }
  }

  @Test("OBJ-127: the temporary identifier of a new object finds what is related to it")
  func temporary() throws {
    let new = try context.insert("Department", ["name": "New"])
    try people[2].setValue(new, forKey: "department")
    #expect(try names(QueryPredicate("department == %@", new.objectID), context) == ["Cas"])
    #expect(
      try names(QueryPredicate("department IN %@", [new.objectID, tools.objectID]), context) == [
        "Ada", "Cas",
      ])
  }
}
