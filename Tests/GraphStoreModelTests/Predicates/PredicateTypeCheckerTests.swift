import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Predicates against an entity")
struct PredicateTypeCheckerTests {
  let model: ManagedObjectModel

  init() throws {
    model = try ManagedObjectModel(
      ModelDefinition(
        name: "Check",
        entities: [
          EntityDefinition(
            "Person",
            attributes: [
              AttributeDefinition("name", .string), AttributeDefinition("age", .int32),
              AttributeDefinition("ratio", .float), AttributeDefinition("price", .decimal),
              AttributeDefinition("active", .boolean), AttributeDefinition("born", .date),
              AttributeDefinition("token", .uuid), AttributeDefinition("photo", .binary),
              AttributeDefinition("mood", .string, isTransient: true),
            ],
            relationships: [
              RelationshipDefinition("boss", to: "Person", inverse: "team"),
              RelationshipDefinition("team", to: "Person", inverse: "boss", isToMany: true),
            ]),
          EntityDefinition("Pilot", parent: "Person", attributes: [AttributeDefinition("hours", .int32)]),
          EntityDefinition("Cook", parent: "Person", attributes: [AttributeDefinition("hours", .string)]),
          EntityDefinition("Smith", parent: "Person", attributes: [AttributeDefinition("forge", .string)]),
        ]))
  }

  private func checker(_ source: String? = nil) throws -> PredicateTypeChecker {
    PredicateTypeChecker(entity: try model.entity(named: "Person"), source: source) { text in
      text.hasPrefix("Person/p") ? ObjectReference(UnresolvedObjectIdentifier(uriText: text)) : nil
    }
  }

  private func checked(_ text: String) throws -> QueryPredicate {
    try checker(text).check(QueryPredicate(parsing: text))
  }

  @Test(
    "PRD-127, PRD-123, PRD-128, PRD-076: problems have a code and a place",
    arguments: [
      ("nme == 'a'", "unknown-key", 0, 3), ("age > 1 AND boss.nme == 'a'", "unknown-key", 17, 3),
      ("team.name == 'a'", "to-many-path", 0, 9), ("team == nil", "to-many-path", 0, 4),
      ("mood == 'a'", "transient-in-fetch", 0, 4), ("name == age", "type-mismatch", 0, 4),
      ("age == 'abc'", "type-mismatch", 7, 5), ("age == $x", "unbound-variable", 7, 2),
      ("ANY name == 'a'", "to-many-path", 4, 4), ("team.@sum == 3", "invalid-key-path", 5, 4),
      ("team.@first.age == 3", "unknown-function", 5, 6), ("age CONTAINS '1'", "type-mismatch", 0, 3),
      ("boss < 'Person/p1'", "type-mismatch", 5, 1), ("team[0] == nil", "unordered-collection", 0, 7),
      ("name MATCHES '('", "bad-regular-expression", 13, 3), ("hours == 3", "unknown-key", 0, 5),
      ("name < 5", "type-mismatch", 7, 1), ("name + 1 == 3", "type-mismatch", 0, 8),
    ])
  func problems(text: String, code: String, offset: Int, length: Int) throws {
    let error = try #require(throws: QueryPredicateError.self) { try checked(text) }
    #expect(error.code.rawValue == code)
    #expect(error.offset == offset)
    #expect(error.length == length)
    #expect(error.column == offset + 1)
  }

  @Test("PRD-127, PRD-210: an unknown key names the near ones")
  func suggestions() throws {
    let error = try #require(throws: QueryPredicateError.self) { try checked("nmae == 'a'") }
    #expect(error.code == .unknownKey)
    let near = try #require(throws: QueryPredicateError.self) { try checked("pricee == 1") }
    #expect(near.suggestions == ["price"])
  }

  @Test("PRD-212: all problems come in the order of the text")
  func everyProblem() throws {
    let text = "nme == 'a' AND age == 'x' AND team.name == 'b'"
    let found = try checker(text).problems(in: QueryPredicate(parsing: text))
    #expect(found.map(\.code.rawValue) == ["unknown-key", "type-mismatch", "to-many-path"])
  }

  @Test(
    "PRD-069 to PRD-075: constants take the type of the key they meet",
    arguments: [
      ("age == '12'", "age == 12"), ("active == 'yes'", "active == YES"), ("active == 1", "active == YES"),
      ("name == 5", "name == \"5\""), ("age IN {'1', 2}", "age IN {1, 2}"),
      ("name BEGINSWITH 1.5", "name BEGINSWITH \"1.5\""),
      ("boss.entity.name == 'Cook'", "boss.entity == \"Cook\""),
      ("SELF.self.name == 'a'", "name == \"a\""),
    ])
  func conversions(text: String, expected: String) throws {
    #expect(try checked(text).predicateFormat == QueryPredicate(parsing: expected).predicateFormat)
  }

  @Test("PRD-072: texts and numbers become dates")
  func dates() throws {
    for text in ["born == '2001-01-01T01:00:00Z'", "born == 3600", "born == '2001-01-01T02:00:00+01:00'"] {
      guard case .comparison(let comparison) = try checked(text) else {
        Issue.record("\(text) is no comparison")
        continue
      }
      #expect(
        comparison.right.constantValue == .date(Date(timeIntervalSinceReferenceDate: 3_600)), "\(text)")
    }
  }

  @Test("PRD-062, PRD-280: decimals keep their digits and floats lose theirs")
  func numbers() throws {
    guard case .comparison(let price) = try checked("price == 0.1"),
      case .comparison(let ratio) = try checked("ratio == 0.1")
    else { return }
    #expect(price.right.constantValue == .decimal(Decimal(1) / Decimal(10)))
    #expect(ratio.right.constantValue == .double(Double(Float(0.1))))
  }

  @Test("PRD-074: a text names an object")
  func objects() throws {
    guard case .comparison(let comparison) = try checked("boss == 'Person/p1'"),
      case .object(let reference)? = comparison.right.constantValue
    else {
      Issue.record("the text was not resolved")
      return
    }
    #expect(reference.uriText == "Person/p1")
    #expect(throws: QueryPredicateError.self) { try checked("boss == 'nobody'") }
  }

  @Test("PRD-287: a key of a sub-entity is known where all that have it agree")
  func subentities() throws {
    #expect(throws: Never.self) { try checked("forge == 'a'") }
    let error = try #require(throws: QueryPredicateError.self) { try checked("hours == 3") }
    #expect(error.message.contains("Pilot") && error.message.contains("Cook"))
  }

  @Test("PRD-224, PRD-225, FET-244: what has an order can be sorted by")
  func sorting() throws {
    func check(_ keys: String...) throws {
      let steps = keys.map { key in
        key.hasPrefix("@")
          ? QueryKeyPath.Step.collectionOperator(String(key.dropFirst())) : QueryKeyPath.Step.key(key)
      }
      _ = try checker().check([QuerySortDescriptor(keyPath: QueryKeyPath(steps: steps))])
    }
    #expect(throws: Never.self) { try check("boss", "name") }
    #expect(throws: Never.self) { try check("team", "@count") }
    #expect(throws: Never.self) { try check("objectID") }
    for keys in [["team"], ["team", "name"], ["boss"]] {
      let error = try #require(throws: QueryPredicateError.self) {
        _ = try checker().check([
          QuerySortDescriptor(keyPath: QueryKeyPath(steps: keys.map(QueryKeyPath.Step.key)))
        ])
      }
      #expect(error.code == .unsupportedSort)
    }
    #expect(throws: QueryPredicateError.self) { try check("forge") }
    #expect(throws: QueryPredicateError.self) { try check("mood") }
  }

  @Test("A key path written with dots resolves for fields")
  func fields() throws {
    let count = try checker().resolve(keyPath: "team.@count")
    #expect(count.collectionOperator == .count)
    #expect(try checker().resolve(keyPath: "boss.name").type == .string)
    let error = try #require(throws: QueryPredicateError.self) { try checker().resolve(keyPath: "boss.nam") }
    #expect(error.offset == 5)
    #expect(error.suggestions == ["name"])
  }
}
