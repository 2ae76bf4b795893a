import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

/// What checking makes of functions, lists, sub-queries and constants.
@Suite struct PredicateConversionTests {
  let entity: EntityDescription

  init() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        name: "Conversion",
        entities: [
          EntityDefinition(
            "Person",
            attributes: [
              AttributeDefinition("name", .string), AttributeDefinition("age", .int32),
              AttributeDefinition("price", .decimal), AttributeDefinition("born", .date),
              AttributeDefinition("home", .uri), AttributeDefinition("active", .boolean),
              AttributeDefinition("token", .uuid), AttributeDefinition("sizeK", .string),
              AttributeDefinition("ratio", .float),
            ],
            relationships: [
              RelationshipDefinition("boss", to: "Person", inverse: "team"),
              RelationshipDefinition("team", to: "Person", inverse: "boss", isToMany: true),
            ])
        ]))
    entity = try model.entity(named: "Person")
  }

  private func checked(_ text: String) throws -> QueryPredicate {
    var checker = PredicateTypeChecker(entity: entity, source: text)
    checker.now = Date(timeIntervalSinceReferenceDate: 7_200)
    return try checker.check(QueryPredicate(parsing: text))
  }

  private func error(_ text: String) throws -> QueryPredicateError {
    try #require(throws: QueryPredicateError.self) { try checked(text) }
  }

  @Test(
    "PRD-169, PRD-176, PRD-260: what is constant is folded and then takes the key's type",
    arguments: [
      ("born > now() - 3600", "born > CAST(3600.0, \"NSDate\")"), ("age == 2 * 3", "age == 6"),
      ("name BEGINSWITH[n] normalize:('Béziers')", "name BEGINSWITH[n] \"beziers\""),
      (
        "price == CAST('0.1', 'NSDecimalNumber') * 2", "price == CAST(\"0.1\", \"NSDecimalNumber\") * 2"
      ),
      ("age == 3 AND 1 == 1", "age == 3"), ("price == 1 + 0.1", "price == 1 + 0.1"),
    ])
  func folding(text: String, expected: String) throws {
    #expect(try checked(text).predicateFormat == expected)
  }

  @Test(
    "PRD-296: functions of dates and texts are typed, units and time zones that there are not are refused",
    arguments: [
      ("year:(name) == 1", QueryPredicateError.Code.typeMismatch, "date"),
      ("difference:(born, 'soon', 'year') == 1", .typeMismatch, "ISO 8601"),
      ("truncated:(born, 'moth') == now()", .argumentType, "month"),
      ("adding:(born, 'x', 'day') == now()", .typeMismatch, "numbers"),
      ("hour:(born, 'Europe/Berln') == 1", .argumentType, "time zone"),
      ("concatenated:(name, age) == 'x'", .typeMismatch, "strings"),
      ("coalesce:(name, age) == 'x'", .typeMismatch, "one type"),
      ("round:(name) == 1", .typeMismatch, "numbers"),
      ("substring:(name, born) == 'x'", .typeMismatch, "numbers"),
      ("year:(team.born) == 1", .toManyPath, "several values"),
      ("year:(born) == 'x'", .typeMismatch, "integer"),
      ("percentile:(team.age, 90) > 1", .argumentType, "from 0 to 1"),
      ("percentile:(team.age, ratio) > 1", .argumentType, "from 0 to 1"),
      ("percentile:(age, 0.5) > 1", .aggregateOverScalar, "percentile:"),
    ])
  func calendar(text: String, code: QueryPredicateError.Code, part: String) throws {
    let error = try error(text)
    #expect(error.code == code && (error.message + (error.hint ?? "")).contains(part), "\(error)")
  }

  @Test(
    "PRD-296: what they yield has its type",
    arguments: [
      "year:(born) == 2026", "truncated:(born, 'month') == '2026-03-01'", "adding:(born, age, 'day') > now()",
      "difference:(born, now(), 'year', 'UTC') >= 18", "difference:(born, '2026-05-14', 'year') >= 18",
      "lastPart:(name, ' ') BEGINSWITH 'L'",
      "round:(price, 2) == 1.25", "coalesce:(age, ratio, 0) > 1", "coalesce:(name, sizeK) == 'x'",
      "substring:(name, 0, age) != nil", "percentile:(team.age, 0.9) > 30.5",
      "median:(team.born) < now()", "percentile:(team.born, 1) < '2026-05-14'",
    ])
  func fitting(text: String) throws { _ = try checked(text) }

  @Test("PRD-281: folding hides no error that can be known beforehand")
  func hiddenErrors() throws {
    #expect(try error("1 == 2 AND nme == 'a'").code == .unknownKey)
    #expect(try error("TERNARY(1 == 1, 'a', nme) == name").code == .unknownKey)
    #expect(try error("name == uppercase:(5)").code == .typeMismatch)
  }

  @Test(
    "PRD-075, PRD-100: a list that contains a key is the key in the list",
    arguments: [
      ("{'1', '2'} CONTAINS age", "age IN {1, 2}"), ("{age, 1} CONTAINS 1", "1 IN {age, 1}"),
      ("{'a'} CONTAINS[c] name", "name IN[c] {\"a\"}"), ("age == noindex:('12')", "age == noindex:(12)"),
    ])
  func lists(text: String, expected: String) throws {
    #expect(try checked(text).predicateFormat == expected)
  }

  @Test(
    "DGN-160, PRD-123: several values where one is wanted",
    arguments: [
      ("team.age + 1 == 3", 0, 8), ("uppercase:(team.name) == 'A'", 11, 9),
      ("CAST(team.age, 'NSString') == 'x'", 5, 8), ("age == TERNARY(age == 1, team.age, 1)", 25, 8),
      ("SUBQUERY(team, $x, $x.age == 1) == nil", 0, 31), ("SUBQUERY(team, $x, $x.age == 1) == 3", 0, 31),
      ("boss == SUBQUERY(team, $x, $x.age == 1)", 8, 31), ("team UNION team == nil", 0, 15),
      ("team.name BEGINSWITH 'a'", 0, 9), ("length:(team.name) == 1", 8, 9),
    ])
  func several(text: String, offset: Int, length: Int) throws {
    let error = try error(text)
    #expect(error.code == .toManyPath)
    #expect(error.offset == offset)
    #expect(error.length == length)
    #expect(error.hint?.contains(text.hasSuffix("== nil") ? ".@count == 0" : "ANY") == true)
    #expect(error.subject != nil)
  }

  @Test(
    "PRD-180, PRD-182, PRD-209: names of functions are found out beforehand",
    arguments: [
      ("FUNCTION(name, 'uppercaseStrin') == 'A'", "unknown-function", 0, 32),
      ("FUNCTION(name, 'uppercaseString', 1) == 'A'", "argument-count", 0, 36),
      ("name == normalize:with:(name, 'No Such')", "unsupported-function", 30, 9),
    ])
  func functions(text: String, code: String, offset: Int, length: Int) throws {
    let error = try error(text)
    #expect(error.code.rawValue == code)
    #expect(error.offset == offset)
    #expect(error.length == length)
    #expect(error.subject != nil)
  }

  @Test("PRD-180: a registered function is known by its name, and near names are told")
  func registered() throws {
    var checker = PredicateTypeChecker(entity: entity)
    let predicate = try QueryPredicate(parsing: "FUNCTION(age, 'twice') == 4")
    #expect(throws: QueryPredicateError.self) { try checker.check(predicate) }
    checker.functions.register("twice") { target, _ in target }
    #expect(throws: Never.self) { try checker.check(predicate) }
    let near = try #require(throws: QueryPredicateError.self) {
      try checker.check(QueryPredicate(parsing: "FUNCTION(age, 'twise') == 4"))
    }
    #expect(near.suggestions == ["twice"])
  }

  @Test(
    "PRD-069 to PRD-074: what is no value of the key's type is refused at its place",
    arguments: [
      ("age == '5.'", 7), ("age == '1e400'", 7), ("age == 'x'", 7), ("age == CAST(5, 'NSDate')", 7),
      ("name == CAST(5, 'NSDate')", 8), ("name < 5", 7), ("token == 'x'", 9),
      ("home == 'a b c'", 8), ("boss == 'nobody'", 8), ("born == 'soon'", 8),
    ])
  func refused(text: String, offset: Int) throws {
    let error = try error(text)
    #expect(error.code == .typeMismatch)
    #expect(error.offset == offset)
  }

  @Test(
    "PRD-069, PRD-070, PRD-071, PRD-073: constants take the key's type",
    arguments: [
      ("age == '.5'", "age == 0.5"), ("age == '-12'", "age == -12"), ("age < 30.5", "age < 30.5"),
      ("age == 99999999999", "age == 99999999999"), ("name == 1e15", "name == \"1000000000000000\""),
      ("name == 3.0", "name == \"3\""),
      (
        "name == CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')",
        "name == \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
      ),
      ("active == 'Yes'", "active == YES"), ("active == '0'", "active == NO"), ("active == 2", "active == 2"),
      (
        "token == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'",
        "token == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")"
      ),
      ("home == 'http://a/b'", "home == CAST(\"http://a/b\", \"NSURL\")"),
      (
        "boss == 'x-coredata://S/Person/p1'",
        "boss == CAST(\"x-coredata://S/Person/p1\", \"NSManagedObjectID\")"
      ),
    ])
  func converted(text: String, expected: String) throws {
    #expect(try checked(text).predicateFormat == expected)
  }

  @Test("PRD-163: a key of unknown type minus a date is a number of seconds")
  func untypedDates() throws {
    var checker = PredicateTypeChecker(entity: entity)
    checker.allowsVariables = true
    #expect(throws: Never.self) { try checker.check(QueryPredicate(parsing: "$x - born > 3")) }
    #expect(throws: QueryPredicateError.self) { try checker.check(QueryPredicate(parsing: "3 - born > 3")) }
  }

  @Test("PRD-021: keys are the same scalar by scalar only")
  func scalars() throws {
    #expect(throws: Never.self) { try checked("sizeK == 'a'") }
    #expect(try error("size\u{212A} == 'a'").code == .unknownKey)
  }

  @Test("PRD-029, PRD-212: a tree of more than 500 levels is refused, one of 500 is not")
  func depth() throws {
    var predicate = try QueryPredicate(parsing: "age == 1")
    for _ in 0..<497 { predicate = .not(predicate) }
    let checker = PredicateTypeChecker(entity: entity)
    let deep = predicate
    #expect(throws: Never.self) { try checker.check(deep) }
    for _ in 0..<10 { predicate = .not(predicate) }
    #expect(checker.problems(in: predicate).map(\.code) == [.tooDeep])
  }

  @Test("PRD-212: a predicate is checked against an entity without evaluating it")
  func checkAgainst() throws {
    let text = "age == $x AND nme == 'a' AND team.name == 'b' AND FUNCTION(age, 'f') == 1"
    let problems = try QueryPredicate(parsing: text).check(against: entity, source: text)
    #expect(problems.map(\.code) == [.unknownKey, .toManyPath, .unknownFunction])
    #expect(problems.map(\.column) == [15, 30, 51])
    #expect(try QueryPredicate(parsing: "age == $x").check(against: entity).isEmpty)
  }

  @Test("PRD-224: SELF sorts by the identifier")
  func sorting() throws {
    let sort = try PredicateTypeChecker(entity: entity).check([QuerySortDescriptor(parsing: "-SELF")])
    #expect(sort.map(\.description) == ["-objectID"])
  }

  @Test("PRD-106: a bad pattern is told with its reason")
  func patterns() throws {
    #expect(try error("name MATCHES 'a(b'").message.contains("a ( is not closed, at its character 2"))
    #expect(try error("name MATCHES '*a'").message.contains("nothing to repeat"))
    #expect(try error("name MATCHES '[a'").message.contains("a [ is not closed"))
  }
}
