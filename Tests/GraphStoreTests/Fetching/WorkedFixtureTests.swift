import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Worked fixtures")
struct WorkedFixtureTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(
      ModelDefinition(
        name: "Towns",
        entities: [
          EntityDefinition(
            "City",
            attributes: [AttributeDefinition("name", .string), AttributeDefinition("population", .int64)],
            relationships: [
              RelationshipDefinition("residents", to: "Person", inverse: "home", isToMany: true),
              RelationshipDefinition("visitors", to: "Person", inverse: "visited", isToMany: true),
            ]),
          EntityDefinition(
            "Person",
            attributes: [
              AttributeDefinition("name", .string), AttributeDefinition("age", .int16),
              AttributeDefinition("carsOwnedCount", .int16),
            ],
            relationships: [
              RelationshipDefinition("home", to: "City", inverse: "residents"),
              RelationshipDefinition("visited", to: "City", inverse: "visitors", isToMany: true),
            ]),
        ]))
    let context = stack.context
    let cities = try [("Berlin", 3_562_166), ("San Francisco", 852_469), ("Beijing", 21_516_000)].map {
      try context.insert("City", ["name": $0, "population": $1])
    }
    for (name, age, cars, home) in [
      ("Ana", 32, 1, 0), ("Ben", 23, 2, 0), ("Cem", 20, 0, 0), ("Dan", 28, 0, 1), ("Eva", 35, 2, 1),
      ("Fay", 22, 0, 2), ("Gil", 36, 2, 2),
    ] {
      let person = try context.insert(
        "Person", ["name": name, "age": age, "carsOwnedCount": cars, "home": cities[home]])
      try cities[home == 1 ? 0 : 1].addObjects([person], forKey: "visitors")
    }
    try context.save()
    context.reset()
  }

  private func names(_ entity: String, _ predicate: String) throws -> [String] {
    let request = FetchRequest(
      entityName: entity, predicate: try QueryPredicate(parsing: predicate),
      sortDescriptors: try QuerySortDescriptor.list(parsing: "name"))
    let found = try stack.context.fetch(request).compactMap { try $0.string("name") }
    let all = try stack.context.all(entity, sort: ["name"])
    #expect(
      try all.filter { try QueryPredicate(parsing: predicate).evaluate(with: $0) }
        .compactMap { try $0.string("name") } == found, "in memory: \(predicate)")
    return found
  }

  @Test(
    "PRD-279: people by age, and cities by those who live there, who visit them and how many they are",
    arguments: [
      ("Person", "age == 32", ["Ana"]),
      ("Person", "age BETWEEN {23, 28}", ["Ben", "Dan"]),
      ("City", "ANY residents.age < 21", ["Berlin"]),
      ("City", "ALL residents.age < 36", ["Berlin", "San Francisco"]),
      ("City", "SUBQUERY(residents, $x, $x.age < 25 AND $x.carsOwnedCount == 2).@count > 0", ["Berlin"]),
      ("City", "ANY residents.age < 25 AND ANY residents.carsOwnedCount == 2", ["Beijing", "Berlin"]),
      ("City", "SUBQUERY(residents, $x, $x.age >= 36).@count == 0", ["Berlin", "San Francisco"]),
      ("City", "visitors.@count >= 3", ["San Francisco"]),
      ("City", "population > 1000000", ["Beijing", "Berlin"]),
    ])
  func fixtures(_ entity: String, _ predicate: String, _ expected: [String]) throws {
    #expect(try names(entity, predicate) == expected)
  }
}
