import GraphStoreModel
import GraphStorePredicates
import Testing

/// Everything checking says of what does not fit the entity, word for word.
@Suite struct CheckerErrorTableTests {
  private let model: ManagedObjectModel
  private let entity: EntityDescription

  init() throws {
    model = try ManagedObjectModel(
      ModelDefinition(
        name: "Errors",
        entities: [
          EntityDefinition(
            "Person",
            attributes: [
              AttributeDefinition("name", .string), AttributeDefinition("age", .int32),
              AttributeDefinition("active", .boolean), AttributeDefinition("born", .date),
              AttributeDefinition("token", .uuid), AttributeDefinition("home", .uri),
              AttributeDefinition("photo", .binary), AttributeDefinition("mood", .string, isTransient: true),
            ],
            relationships: [
              RelationshipDefinition("boss", to: "Person", inverse: "team"),
              RelationshipDefinition("team", to: "Person", inverse: "boss", isToMany: true),
            ]),
          EntityDefinition("Pilot", parent: "Person", attributes: [AttributeDefinition("hours", .int32)]),
          EntityDefinition("Cook", parent: "Person", attributes: [AttributeDefinition("hours", .string)]),
        ]))
    entity = try model.entity(named: "Person")
  }

  private func error(_ text: String) throws -> QueryPredicateError? {
    let predicate = try QueryPredicate(parsing: text)
    var checker = PredicateTypeChecker(entity: entity, source: text)
    checker.allowsVariables = text.hasPrefix("FETCH")
    return #expect(throws: QueryPredicateError.self) { try checker.check(predicate) }
  }

  @Test(
    "PRD-068, PRD-076, PRD-108, PRD-209, PRD-211: types that do not fit",
    arguments: [
      Refused(
        "age == 'x'", "type-mismatch", 7, 3,
        "age is an integer and does not compare with \"x\".", hint: "The text is not wholly a number.",
        subject: "\"x\""),
      Refused(
        "active == 'maybe'", "type-mismatch", 10, 7,
        "active is a Boolean and does not compare with \"maybe\".", hint: "Write YES or NO.",
        subject: "\"maybe\""),
      Refused(
        "born == 'soon'", "type-mismatch", 8, 6,
        "born is a date and does not compare with \"soon\".",
        hint: "Write a date as 2024-05-31 or 2024-05-31T12:30:00Z.", subject: "\"soon\""),
      Refused(
        "token == 'x'", "type-mismatch", 9, 3,
        "token is a UUID and does not compare with \"x\".", hint: "The text is no UUID.", subject: "\"x\""),
      Refused(
        "home == 'a b'", "type-mismatch", 8, 5,
        "home is a URI and does not compare with \"a b\".", hint: "The text is no URI.", subject: "\"a b\""),
      Refused(
        "photo == 'x'", "type-mismatch", 9, 3,
        "photo is data and does not compare with \"x\".",
        hint: "Write bytes as CAST(\"<base64>\", \"NSData\").", subject: "\"x\""),
      Refused(
        "boss == 'nobody'", "type-mismatch", 8, 8,
        "boss is an object of Person and does not compare with \"nobody\".",
        hint: "No object has that identifier; write one such as \"Employee/p1\".", subject: "\"nobody\""),
      Refused(
        "boss == 3", "type-mismatch", 8, 1,
        "boss is an object of Person and does not compare with 3.",
        hint: "Write an object's identifier, such as \"Employee/p1\".", subject: "3"),
      Refused(
        "boss.entity == 3", "type-mismatch", 15, 1,
        "boss.entity is an entity and does not compare with 3.", hint: "Write the entity's name as a string.",
        subject: "3"),
      Refused(
        "name < 5", "type-mismatch", 7, 1,
        "name is a string and does not compare with 5.",
        hint: "A number has no place in the order of texts; write it in quotes.", subject: "5"),
      Refused(
        "name == born", "type-mismatch", 0, 4,
        "name is a string and does not compare with a date.", hint: "CAST one of the sides.", subject: "name"),
      Refused(
        "name == age", "type-mismatch", 0, 4,
        "name is a string and does not compare with an integer.", hint: "CAST one of the sides.",
        subject: "name"),
      Refused(
        "boss < SELF", "type-mismatch", 5, 1,
        "boss is an object of Person and has no order.", hint: "Use == or !=.", subject: "boss"),
      Refused(
        "boss.entity < 'a'", "type-mismatch", 12, 1,
        "boss.entity is an entity and has no order.", hint: "Use == or !=.", subject: "boss.entity"),
      Refused(
        "age IN name", "type-mismatch", 0, 3,
        "age is an integer and is no part of a string.", subject: "age"),
      Refused(
        "age IN 5", "type-mismatch", 7, 1,
        "IN needs a collection and was given an integer.", hint: "Write {a, b}.", subject: "5"),
      Refused(
        "name IN {age}", "type-mismatch", 9, 3,
        "name is a string and does not compare with an integer.", hint: "CAST one of the sides.",
        subject: "name"),
      Refused(
        "age IN team", "type-mismatch", 0, 3,
        "age is an integer and is no member of a collection (each member an object of Person).",
        subject: "age"),
      Refused(
        "age IN team.name", "type-mismatch", 0, 3,
        "age is an integer and is no member of a collection (each member a string).", subject: "age"),
      Refused(
        "age CONTAINS '1'", "type-mismatch", 0, 3,
        "age is an integer, and CONTAINS needs a string.", hint: "Write CAST(age, \"NSString\").",
        subject: "age"),
      Refused(
        "photo LIKE 'a'", "type-mismatch", 0, 5,
        "photo is data, and LIKE needs a string.", hint: "Write CAST(photo, \"NSString\").", subject: "photo"),
      Refused(
        "photo CONTAINS 'a'", "type-mismatch", 15, 3,
        "photo is data and does not compare with \"a\".",
        hint: "Write bytes as CAST(\"<base64>\", \"NSData\").", subject: "\"a\""),
      Refused(
        "name CONTAINS age", "type-mismatch", 14, 3,
        "name is a string and does not compare with an integer.", subject: "name"),
      Refused(
        "team CONTAINS name", "type-mismatch", 14, 4,
        "team is a collection (each member an object of Person) and does not contain a string.",
        subject: "team"),
      Refused(
        "team.name CONTAINS age", "type-mismatch", 19, 3,
        "team.name is a collection (each member a string) and does not contain an integer.",
        subject: "team.name"),
      Refused(
        "name + 1 == 2", "type-mismatch", 0, 8,
        "add:to: needs numbers and was given a string.", subject: "name + 1"),
      Refused(
        "uppercase:(age) == 'A'", "type-mismatch", 0, 15,
        "uppercase: needs strings and was given an integer.",
        hint: "Write CAST(…, \"NSString\") to make one.", subject: "uppercase:(age)"),
      Refused(
        "born * 2 == born", "type-mismatch", 0, 8,
        "multiply:by: needs numbers and was given a date.", subject: "born * 2"),
      Refused(
        "2 - born == 1", "type-mismatch", 0, 8,
        "from:subtract: needs numbers and was given a date.", subject: "2 - born"),
      Refused(
        "team.@sum.name == 1", "type-mismatch", 5, 4,
        "@sum needs numbers, and the key's value is a string.", subject: "team.@sum.name"),
      Refused(
        "team.@max.boss == nil", "type-mismatch", 5, 4,
        "@max needs values with an order, and the key's is an object of Person.", subject: "team.@max.boss"),
    ])
  func types(_ refused: Refused) throws {
    let error = try error(refused.text)
    refused.expect(error)
    #expect(error?.column == refused.offset.map { $0 + 1 })
  }

  @Test(
    "PRD-066, PRD-140, PRD-141, PRD-143, PRD-190, PRD-209, PRD-211: keys, paths and forms",
    arguments: [
      Refused(
        "nme == 'a'", "unknown-key", 0, 3,
        "The entity Person has no key nme.", near: ["name"], subject: "nme"),
      Refused(
        "boss.nme == 'a'", "unknown-key", 5, 3,
        "The entity Person has no key nme.", near: ["name"], subject: "boss.nme"),
      Refused(
        "age.x == 1", "unknown-key", 4, 1,
        "An integer has no key x.", subject: "age.x"),
      Refused(
        "team.count == 1", "unknown-key", 5, 5,
        "The entity Person has no key count.", hint: "Write .@count.", subject: "team.count"),
      Refused(
        "hours == 3", "unknown-key", 0, 5,
        "The key hours has different types in the sub-entities Pilot, Cook of Person.",
        hint: "Name the sub-entity as the entity to fetch.", subject: "hours"),
      Refused(
        "age == $x", "unbound-variable", 7, 2,
        "The variable $x has no value.", hint: "Give it one before the predicate is used.", subject: "$x"),
      Refused(
        "team.name == 'a'", "to-many-path", 0, 9,
        "team.name leads to several values and cannot be compared as one.",
        hint: "Write ANY or ALL before it, or compare its .@count.", subject: "team.name"),
      Refused(
        "team == nil", "to-many-path", 0, 4,
        "team leads to several values and cannot be compared as one.",
        hint: "Write team.@count == 0.", subject: "team"),
      Refused(
        "nil != team", "to-many-path", 7, 4,
        "team leads to several values and cannot be compared as one.",
        hint: "Write team.@count != 0.", subject: "team"),
      Refused(
        "team.age + 1 == 2", "to-many-path", 0, 8,
        "team.age leads to several values and cannot be compared as one.",
        hint: "Write ANY or ALL before it, or compare its .@count.", subject: "team.age"),
      Refused(
        "ANY name == 'a'", "to-many-path", 4, 4,
        "ANY needs a collection, and what follows it is a string.", hint: "Leave ANY out.", subject: "name"),
      Refused(
        "ALL boss == nil", "to-many-path", 4, 4,
        "ALL needs a collection, and what follows it is an object of Person.", hint: "Leave ALL out.",
        subject: "boss"),
      Refused(
        "SUBQUERY(name, $x, $x == 1).@count > 0", "to-many-path", 9, 4,
        "SUBQUERY needs a collection, and what it is given is a string.",
        hint: "Name a to-many relationship.", subject: "name"),
      Refused(
        "SUBQUERY(team, $x, $x.age > 1) == nil", "to-many-path", 0, 30,
        "SUBQUERY(team, $x, $x.age > 1) leads to several values and cannot be compared as one.",
        hint: "Write SUBQUERY(team, $x, $x.age > 1).@count == 0.", subject: "SUBQUERY(team, $x, $x.age > 1)"
      ),
      Refused(
        "ANY team.age == team.age", "to-many-path", 16, 8,
        "team.age leads to several values and cannot be compared as one.",
        hint: "Write ANY or ALL before it, or compare its .@count.", subject: "team.age"),
      Refused(
        "name.@count > 1", "to-many-path", 5, 6,
        "@count needs a collection, and what stands before it is a string.",
        hint: "Put a to-many relationship before it.", subject: "name.@count"),
      Refused(
        "team.@sum == 1", "invalid-key-path", 5, 4,
        "@sum needs a key after it.", hint: "Write @sum.self for the members themselves.",
        subject: "team.@sum"),
      Refused(
        "team.@first.age == 1", "unknown-function", 5, 6,
        "There is no collection operator @first.", subject: "team.@first.age"),
      Refused(
        "team.@su.age == 1", "unknown-function", 5, 3,
        "There is no collection operator @su.", near: ["@sum"], subject: "team.@su.age"),
      Refused(
        "team[0] == nil", "unordered-collection", 0, 7,
        "The collection has no order, so it has no member at a position.",
        hint: "Use ANY or SUBQUERY to choose members.", subject: "team[0]"),
      Refused(
        "team[FIRST] == nil", "unordered-collection", 0, 11,
        "The collection has no order, so it has no member at a position.",
        hint: "Use ANY or SUBQUERY to choose members.", subject: "team[FIRST]"),
      Refused(
        "sum:(age) > 1", "aggregate-over-scalar", 0, 9,
        "sum: needs a collection, and the key's value is an integer.",
        hint: "Sort by the key with a limit of 1, or aggregate the fetch's results.", subject: "sum:(age)"),
      Refused(
        "max:(name) == 'a'", "aggregate-over-scalar", 0, 10,
        "max: needs a collection, and the key's value is a string.",
        hint: "Sort by the key with a limit of 1, or aggregate the fetch's results.", subject: "max:(name)"),
      Refused(
        "mood == 'a'", "transient-in-fetch", 0, 4,
        "The property Person.mood is not stored, so a fetch cannot use it.",
        hint: "Filter the result with it.", subject: "mood"),
      Refused(
        "name MATCHES '('", "bad-regular-expression", 13, 3,
        "The regular expression \"(\" does not compile: a ( is not closed, at its character 1.",
        hint: "Look for brackets that are not closed and for a lone backslash.", subject: "\"(\""),
      Refused(
        "FUNCTION(name, 'lowercaseStrin') == 'a'", "unknown-function", 0, 32,
        "No function lowercaseStrin is registered.", near: ["lowercaseString"],
        subject: "FUNCTION(name, \"lowercaseStrin\")"),
      Refused(
        "FUNCTION(name, 'uppercaseString', 1) == 'A'", "argument-count", 0, 36,
        "uppercaseString takes no arguments besides its target and is given 1.",
        subject: "FUNCTION(name, \"uppercaseString\", 1)"),
      Refused(
        "normalize:with:(name, 'No') == 'a'", "unsupported-function", 22, 4,
        "\"No\" is no transform of text.", hint: "Write one such as \"Any-Latin; Latin-ASCII; Lower\".",
        subject: "\"No\""),
      Refused(
        "name UTI-EQUALS 'x'", "unsupported-function", 5, 10,
        "UTI-EQUALS has no meaning here.", subject: "UTI-EQUALS"),
      Refused(
        "FETCH($r, $c, NO) == 1", "unsupported-in-fetch", 0, 17,
        "FETCH cannot be part of a fetch.",
        hint: "Run the inner request first and give its result as a variable.", subject: "FETCH($r, $c, NO)"),
    ])
  func forms(_ refused: Refused) throws {
    let error = try error(refused.text)
    refused.expect(error)
    #expect(error?.column == refused.offset.map { $0 + 1 })
  }

  @Test("PRD-193, PRD-211: trees made in code")
  func trees() throws {
    func error(_ predicate: QueryPredicate) -> QueryPredicateError? {
      #expect(throws: QueryPredicateError.self) { try PredicateTypeChecker(entity: entity).check(predicate) }
    }
    Refused(
      "", "unsupported-in-fetch", nil, 0, "A closure cannot be part of a fetch.",
      hint: "Filter the result with it.", subject: "BLOCKPREDICATE"
    ).expect(error(.block(PredicateBlock { _, _ in true })))
    Refused(
      "", "unsupported-in-fetch", nil, 0, "A closure cannot be part of a fetch.",
      hint: "Filter the result with it.", subject: "BLOCK"
    ).expect(error(.compare(QueryExpression(.block(ExpressionBlock { _, _ in .null })), .equal, .null)))
    Refused(
      "", "type-mismatch", nil, 0, "BETWEEN needs a list of two values and was given 1.",
      hint: "Write BETWEEN {lower, upper}.", subject: "{1}"
    ).expect(error(.compare(.key("age"), .between, .constant(Value.list([.int(1)])))))
    Refused("", "argument-count", nil, 0, "add:to: cannot take 1 argument.", subject: "add:to:")
      .expect(error(.compare(.function(.add, .key("age")), .equal, .null)))
    var deep = QueryPredicate.constant(true)
    for _ in 0..<501 { deep = .not(deep) }
    Refused(
      "", "predicate-too-deep", nil, 0, "The predicate nests deeper than 500 levels; split it or use IN."
    )
    .expect(error(deep))
  }

  @Test(
    "PRD-211, PRD-225, PRD-226: sort keys",
    arguments: [
      Refused(
        "team", "unsupported-sort", 0, 4,
        "team leads to several values, which have no place in an order.",
        hint: "Sort by an aggregate such as team.@count.", subject: "team"),
      Refused(
        "team.name", "unsupported-sort", 0, 9,
        "team.name leads to several values, which have no place in an order.",
        hint: "Sort by an aggregate such as team.name.@count.", subject: "team.name"),
      Refused(
        "boss", "unsupported-sort", 0, 4,
        "boss is an object, and objects have no order.",
        hint: "Sort by one of its attributes, or by objectID.", subject: "boss"),
      Refused(
        "mood", "transient-in-fetch", 0, 4,
        "The property Person.mood is not stored, so a fetch cannot sort by it.", hint: "Sort the result.",
        subject: "mood"),
      Refused(
        "hours", "unknown-key", 0, 5,
        "The entity Person has no key hours; its sub-entities Pilot, Cook have it.",
        hint: "Name the sub-entity as the entity to fetch.", subject: "hours"),
      Refused(
        "nme", "unknown-key", 0, 3,
        "The entity Person has no key nme.", near: ["name"], subject: "nme"),
      Refused(
        "boss.@count", "to-many-path", 5, 6,
        "@count needs a collection, and what stands before it is an object of Person.",
        hint: "Put a to-many relationship before it.", subject: "boss.@count"),
    ])
  func sorts(_ refused: Refused) throws {
    let descriptors = try QuerySortDescriptor.list(parsing: refused.text)
    let error = #expect(throws: QueryPredicateError.self) {
      try PredicateTypeChecker(entity: entity, source: refused.text).check(descriptors)
    }
    refused.expect(error)
  }
}
