import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Advice on predicates that are right")
struct PredicateAdviceTests {
  private let model: ManagedObjectModel

  init() throws {
    model = try ManagedObjectModel(
      ModelDefinition(
        name: "Advice",
        entities: [
          EntityDefinition(
            "Person",
            attributes: [
              AttributeDefinition("name", .string, isOptional: false), AttributeDefinition("nick", .string),
              AttributeDefinition("age", .int32),
            ],
            relationships: [
              RelationshipDefinition("boss", to: "Person", inverse: "team"),
              RelationshipDefinition("team", to: "Person", inverse: "boss", isToMany: true),
            ])
        ]))
  }

  private func warnings(_ text: String, portable: Bool = false) throws -> [QueryPredicateError] {
    let checker = PredicateTypeChecker(entity: try model.entity(named: "Person"), source: text)
    return checker.warnings(in: try QueryPredicate(parsing: text), portable: portable)
  }

  @Test(
    "PRD-095: != and NOT on a key that may be missing",
    arguments: [
      ("nick != 'x'", 0, 11), ("name == 'a' AND 'x' != nick", 16, 11), ("NOT nick == 'x'", 4, 11),
      ("NOT (name == 'a' OR age > 3)", 20, 7), ("age NOT IN {1, 2}", 0, 17), ("boss.name != 'x'", 0, 16),
      ("boss != SELF", 0, 12), ("NONE team.name == 'a' AND nick != 'x'", 26, 11),
      ("SUBQUERY(team, $t, $t.nick != 'x').@count > 0", 19, 14), ("NOT nick BEGINSWITH 'x'", 4, 19),
      ("TERNARY(nick != 'x', 1, 2) == 1", 8, 11), ("age == TERNARY(NOT nick == 'x', 1, 2)", 19, 11),
      ("TERNARY(name == 'a', TERNARY(nick != 'x', 1, 2), 3) == 1", 29, 11),
    ])
  func missing(text: String, offset: Int, length: Int) throws {
    let warnings = try warnings(text)
    #expect(warnings.count == 1, "\(warnings)")
    let warning = try #require(warnings.first)
    #expect(warning.code == .missingValue)
    #expect(warning.offset == offset)
    #expect(warning.length == length)
    #expect(warning.hint?.contains("== nil") == true && warning.hint?.contains("!= nil") == true)
  }

  @Test(
    "PRD-095: no warning where nothing can be missing, or nil is spoken of",
    arguments: [
      "name != 'x'", "nick == 'x'", "nick != nil", "NOT nick == nil", "nick != 'x' OR nick == nil",
      "nick != nil AND nick != 'x'", "NOT nick != 'x'", "ANY team.nick != 'x'", "NOT ANY team.nick == 'x'",
      "team.@count != 0", "NOT (NOT nick == 'x')", "nick != 'x' AND nick != nil", "objectID != SELF",
      "SUBQUERY(team, $t, $t.nick != 'x' AND $t.nick != nil).@count > 0",
      "count:(SUBQUERY(team, $t, $t.nick != 'x' OR $t.nick == nil)) > 0",
      "TERNARY(nick != 'x' AND nick != nil, 1, 2) == 1",
    ])
  func silent(_ text: String) throws {
    #expect(try warnings(text) == [])
  }

  @Test("PRD-029, PRD-095: a tree of too many levels is refused, one of as many as may be is not")
  func depth() throws {
    let checker = PredicateTypeChecker(entity: try model.entity(named: "Person"))
    var predicate = try QueryPredicate(parsing: "nick != 'x'")
    for _ in 0..<496 { predicate = .not(predicate) }
    #expect(checker.warnings(in: predicate, portable: true).map(\.code) == [.missingValue])
    for _ in 0..<200 { predicate = .not(predicate) }
    #expect(checker.warnings(in: predicate, portable: true).map(\.code) == [.tooDeep])
  }

  @Test("PRD-095: the words name both readings")
  func words() throws {
    let warning = try #require(try warnings("NOT nick == 'x'").first)
    #expect(
      warning.message
        == "NOT nick == \"x\" leaves out objects without nick in a fetch, and has them when it is evaluated in memory."
    )
    #expect(
      warning.hint
        == "Write NOT (nick == \"x\") OR nick == nil to have them in both, NOT (nick == \"x\") AND nick != nil in neither."
    )
  }

  @Test(
    "PRD-257, PRD-296: what the original SQLite store refuses",
    arguments: [
      ("ANY team.team.name == 'x'", 1, 4), ("ANY team.age > 1 AND ANY team.age < 9", 1, 25),
      ("ANY team.name CONTAINS 'x'", 1, 4), ("team.@sum.team.age > 1", 1, 0),
      ("ANY team.age > 1 AND SUBQUERY(team, $t, ANY $t.team.age > 1).@count > 0", 1, 44),
      ("ANY team.age > 1", 0, 0), ("SUBQUERY(team, $t, $t.team.age > 1).@count > 0", 0, 0),
      ("name CONTAINS 'x'", 0, 0), ("age > 1 AND length:(trimmed:(name)) > 3", 1, 20),
      ("median:(team.age) > 3", 1, 0), ("percentile:(team.age, 0.9) > 3", 1, 0),
    ])
  func portable(text: String, count: Int, offset: Int) throws {
    let warnings = try warnings(text, portable: true)
    #expect(warnings.map(\.code) == Array(repeating: .notPortable, count: count), "\(warnings)")
    if count > 0 { #expect(warnings.first?.offset == offset) }
    #expect(try self.warnings(text) == [])
  }
}
