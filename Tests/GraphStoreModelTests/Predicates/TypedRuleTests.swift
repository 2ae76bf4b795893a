import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

/// What meets an entity and passes.
@Suite struct TypedRuleTests {
  private let model: ManagedObjectModel
  private let entity: EntityDescription

  init() throws {
    model = try ManagedObjectModel(
      ModelDefinition(
        name: "Typed",
        entities: [
          EntityDefinition(
            "Person",
            attributes: [
              AttributeDefinition("name", .string), AttributeDefinition("age", .int32),
              AttributeDefinition("photo", .binary), AttributeDefinition("mood", .string, isTransient: true),
            ],
            relationships: [
              RelationshipDefinition("boss", to: "Person", inverse: "team"),
              RelationshipDefinition("team", to: "Person", inverse: "boss", isToMany: true),
              RelationshipDefinition("pets", to: "Pet", inverse: "owner", isToMany: true, isOrdered: true),
            ]),
          EntityDefinition(
            "Pet", attributes: [AttributeDefinition("name", .string)],
            relationships: [RelationshipDefinition("owner", to: "Person", inverse: "pets")]),
        ]))
    entity = try model.entity(named: "Person")
  }

  private func checked(
    _ text: String, _ purpose: PredicateTypeChecker.Purpose = .fetch
  ) throws -> QueryPredicate {
    try PredicateTypeChecker(entity: entity, purpose: purpose).check(QueryPredicate(parsing: text))
  }

  @Test(
    "PRD-124, PRD-139, PRD-141, PRD-144, PRD-147: collections of every kind pass",
    arguments: [
      "ANY team.pets.name == 'a'", "team.pets.owner.team.@count > 3", "ANY team.age > age",
      "ANY team.name IN pets.name",
      "ANY team.age BETWEEN {age, 30}", "SUBQUERY(team, $t, $t.age > 3).pets.@count == 1",
      "ANY SUBQUERY(team, $t, $t.age > 3).name == 'a'", "name IN SUBQUERY(team, $t, $t.age > 3).name",
      "SUBQUERY(team, $t, $t.age > 3) CONTAINS boss", "SUBQUERY(pets, $p, $p.name == 'a')[FIRST].name == 'a'",
      "SUBQUERY(team, $t, SUBQUERY($t.pets, $p, $p.name == name).@count > 0).@sum.age > 3",
      "ANY team.age > 1 AND ALL team.age < 9 AND NONE pets.name == 'x' AND SUBQUERY(team, $t, $t.age == 1).@count == 0",
      "pets[0].name == 'a'", "max:(team.age) > 3", "sum:(1, age) > 3", "boss == nil", "boss.boss != nil",
    ])
  func collections(text: String) throws {
    #expect(throws: Never.self) { try checked(text) }
  }

  @Test("PRD-146: keys inside of a sub-query are those of the entity fetched, not of the member")
  func scope() throws {
    #expect(throws: Never.self) { try checked("SUBQUERY(pets, $p, age > 3).@count > 0") }
    #expect(throws: Never.self) { try checked("SUBQUERY(pets, $p, SELF.age > 3).@count > 0") }
    let outer = try #require(throws: QueryPredicateError.self) {
      try checked("SUBQUERY(pets, $p, $p.age > 3).@count > 0")
    }
    #expect(outer.code == .unknownKey)
    let hidden = try #require(throws: QueryPredicateError.self) {
      try checked("SUBQUERY(team, $x, SUBQUERY($x.pets, $x, $x.age > 3).@count > 0).@count > 0")
    }
    #expect(hidden.code == .unknownKey)
    #expect(throws: Never.self) {
      try checked("SUBQUERY(team, $x, SUBQUERY($x.pets, $y, $x.age > 3).@count > 0).@count > 0")
    }
  }

  @Test("PRD-190: outside of a fetch an aggregate takes a single value")
  func aggregates() throws {
    #expect(throws: Never.self) { try checked("sum:(age) == 3", .evaluation) }
    #expect(throws: Never.self) { try checked("max:(age, 3) == 3") }
    let error = try #require(throws: QueryPredicateError.self) { try checked("sum:(boss.age) == 3") }
    #expect(error.code == .aggregateOverScalar)
  }

  @Test("PRD-193: closures are refused in a fetch, and pass in memory")
  func closures() throws {
    let block = QueryPredicate.block(PredicateBlock { _, _ in true })
    let inside = QueryPredicate.compare(
      QueryExpression(.subquery(collection: .key("team"), variable: "t", predicate: block)), .notEqual,
      .key("team"))
    for predicate in [block, .not(.or([.constant(true), block])), inside] {
      let problems = PredicateTypeChecker(entity: entity).problems(in: predicate)
      #expect(problems.contains { $0.code == .unsupportedInFetch && $0.hint == "Filter the result with it." })
      let inMemory = PredicateTypeChecker(entity: entity, purpose: .evaluation).problems(in: predicate)
      #expect(!inMemory.contains { $0.code == .unsupportedInFetch })
    }
  }

  @Test("PRD-174: noindex: has the type of its operand, and constants convert through it")
  func noIndex() throws {
    #expect(try checked("noindex:(age) == '3'").predicateFormat == "noindex:(age) == 3")
    #expect(throws: QueryPredicateError.self) { try checked("noindex:(age) == 'x'") }
    #expect(throws: QueryPredicateError.self) { try checked("noindex:(name) == age") }
  }
}
