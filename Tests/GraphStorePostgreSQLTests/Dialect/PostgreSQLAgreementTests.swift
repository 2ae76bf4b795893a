#if PostgreSQL
import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("A PostgreSQL server and memory agree", .enabled(if: TestServer.isThere))
struct PostgreSQLAgreementTests {
  private static let locale = Locale(identifier: "tr_TR")

  @Test(
    "PRD-230, PRD-255: random predicates find the same objects on the server and in memory",
    arguments: TestSeed.sequence(6, from: 230))
  func agreement(seed: TestSeed) throws {
    var random = seed.generator
    let server = try PostgreSQLGraph(&random)
    var predicates = PlannerPredicates(SeededGenerator(seed: random.next()), server.graph)
    var (checked, onServer, telling) = (0, 0, 0)
    for _ in 0..<700 {
      guard let predicate = try? server.graph.fixture.checked(predicates.next(), of: "Person"),
        let answer = try compare(predicate, server)
      else { continue }
      checked += 1
      if answer.isOnServer { onServer += 1 }
      if answer.count > 0, answer.count < server.graph.people.count { telling += 1 }
    }
    #expect(checked >= 600, "only \(checked) of 700 predicates fit the entity")
    #expect(onServer * 3 > checked, "only \(onServer) of \(checked) went down whole")
    #expect(telling * 4 > checked, "only \(telling) of \(checked) tell objects apart")
  }

  @Test(
    "PRD-159, PRD-187, PRD-230: integers beyond 64 bits are the same numbers on the server and in memory",
    arguments: TestSeed.sequence(2, from: 159))
  func overflow(seed: TestSeed) throws {
    var random = seed.generator
    let server = try PostgreSQLGraph(&random)
    var predicates = PlannerPredicates(SeededGenerator(seed: random.next()), server.graph)
    var onServer = 0
    for _ in 0..<300 {
      let text = predicates.overflowing()
      let predicate = try server.graph.fixture.checked(QueryPredicate(parsing: text), of: "Person")
      if try #require(try compare(predicate, server), "\(text)").isOnServer { onServer += 1 }
    }
    #expect(onServer > 60, "only \(onServer) of 300 went down")
  }

  @Test(
    "PRD-230: what the server says exactly goes down whole",
    arguments: [
      "name == 'a'", "name != nick", "name < 'b'", "name CONTAINS 'a'", "name CONTAINS nick",
      "name BEGINSWITH 'a'",
      "name BEGINSWITH nick", "nick ENDSWITH name", "name ENDSWITH 'b'", "name LIKE 'a?*'",
      "name LIKE '*%\\\\*'",
      "name IN {'a', 'ab', nil}", "name.length > 1", "age + 1 > 20", "age * big > 5", "big / age < 3",
      "modulus:by:(big, age) == 1", "-age < 0", "abs:(score) > 0.3", "floor:(score) == 0", "sqrt:(age) > 2",
      "price > 12.5", "price == age", "price IN {0.1, 3, 12.5}", "age < 20.5", "big > 1e300",
      "score < 9007199254740993",
      "score IN {0.1, 9007199254740993}", "active == YES", "active == age", "active IN {YES}",
      "born > CAST(0, 'NSDate')",
      "token == '5C0F7B1A-0000-4000-8000-00000000000F'", "token IN {'5C0F7B1A-0000-4000-8000-00000000000F'}",
      "home == 'x:y'", "manager == nil", "manager.name == 'a'", "ANY reports.name == 'a'",
      "ALL friends.age > 1",
      "reports.@count > 1", "tags.@max.weight > 3", "reports.@sum.age > 20", "reports.@sum.big > 20",
      "reports.@avg.age > 5", "year:(born) >= 2001", "month:(born) == 1 AND hour:(born) == 0",
      "weekday:(born) < 4",
      "truncated:(born, 'month') == CAST(0, 'NSDate')", "isoWeek:(born) == 1", "born - born == 0",
      "born + 86400 > CAST(5, 'NSDate')", "score * 2 > 1", "score / age > 0.1", "(age + 0.5) * ratio < 20",
      "reports.@sum.price > 20", "friends.@avg.price < 3", "friends.@sum.score > 1",
      "department.members.@avg.big < 0", "reports.@avg.ratio > 0.1", "friends.@min.price < 3",
      "SUBQUERY(friends, $x, $x.age > age).@count > 0",
      "entity == 'Boss'", "coalesce:(nick, name) == 'a'", "TERNARY(age > 20, name, nick) == 'a'",
      "noindex:(name) == 'a'",
      "photo == nil OR (age & 1) == 1", "NOT (age IN {1, 2} OR nick == nil)", "watched.@count == 0",
    ])
  func exact(text: String) throws {
    var random = SeededGenerator(seed: 62)
    let server = try PostgreSQLGraph(&random)
    let predicate = try server.graph.fixture.checked(QueryPredicate(parsing: text), of: "Person")
    #expect(try compare(predicate, server)?.isOnServer == true)
  }

  @Test(
    "PRD-229, PRD-298: the order of the server is that of memory",
    arguments: [
      "name", "-name", "nick:nulls-last", "-age:nulls-first", "big", "-score", "ratio", "price",
      "-price:nulls-last",
      "active", "born", "token", "home", "photo", "manager.name", "reports.@count", "length:(name)",
      "objectID",
    ])
  func order(text: String) throws {
    var random = SeededGenerator(seed: 229)
    let server = try PostgreSQLGraph(&random)
    let descriptors = try QuerySortDescriptor.list(parsing: text)
    let plan = try server.plan(nil, sort: descriptors)
    #expect(plan.isSortedByStore)
    let keys = try server.keys(plan)
    #expect(keys.sorted() == server.graph.people.map(\.key).sorted())
    let people = keys.map { server.graph.people[Int($0) - 1] }
    let evaluator = try SortEvaluator(
      descriptors, options: EvaluationOptions(logic: .threeValued, locale: Self.locale))
    for (first, second) in zip(people, people.dropFirst()) {
      let values = try [first, second].map { try evaluator.values(of: .source($0)) }
      switch evaluator.order(values[0], values[1]) {
      case .orderedAscending: continue
      case .orderedSame:
        #expect(descriptors[0].ascending ? first.key < second.key : first.key > second.key)
      case .orderedDescending: Issue.record("\(first.key) before \(second.key) by \(text)")
      }
    }
  }

  @Test(
    "PRD-300: of a comparison that memory makes the server leaves out texts of ASCII that do not match",
    arguments: [
      "name CONTAINS[cd] 'B'", "name ==[c] 'AB'", "name BEGINSWITH[cd] 's'", "name LIKE[c] '?B*'",
      "name IN[c] {'AB', 'a'}", "ANY reports.name ==[c] 'AB'", "name ENDSWITH[d] 'b' OR age > 20",
      "name <[c] 'b'", "'A' ==[c] name",
    ])
  func narrowing(text: String) throws {
    var random = SeededGenerator(seed: 300)
    let server = try PostgreSQLGraph(&random)
    let predicate = try server.graph.fixture.checked(QueryPredicate(parsing: text), of: "Person")
    let answer = try #require(try compare(predicate, server))
    #expect(!answer.isOnServer)
    #expect(try server.keys(server.plan(predicate)).count < server.graph.people.count)
  }

  @Test("PRD-300: doubles are added, multiplied and divided as IEEE 754 says, up to its ends")
  func doubles() throws {
    let server = try TestServer()
    let dialect = PostgreSQLDialect(schema: server.schema)
    for statement in PostgreSQLFunction.statements(dialect) { try server.run(statement) }
    let ends: [Double] = [
      1.7e308, -1.7e308, 1e308, 8e307, -9e307, 1e292, 9e291, 1e-300, -1e-300, .leastNonzeroMagnitude, 1e-150,
      1e151, 1.5,
      .greatestFiniteMagnitude, .leastNormalMagnitude,
    ]
    let numbers = PlannerValues.doubles + ends
    var sql: [String] = []
    var expected: [Double?] = []
    for (left, right) in numbers.flatMap({ left in numbers.map { (left, $0) } }) {
      for (function, result) in [
        (PostgreSQLFunction.add, left + right), (.multiply, left * right),
        (.divide, right == 0 ? .nan : left / right),
      ] {
        sql.append("\(dialect.tableName(function.rawValue))('\(left)', '\(right)')")
        expected.append(result.isNaN ? nil : result)
      }
    }
    let found = try server.run("SELECT unnest(ARRAY[\(sql.joined(separator: ", "))])").map { row in
      row[0].flatMap(Double.init)
    }
    for (index, value) in expected.enumerated() { #expect(found[index] == value, "\(sql[index])") }
  }

  @Test(
    "PRD-291, PRD-292: parts and beginnings of dates are those of memory", arguments: TestSeed.sequence(2))
  func dates(seed: TestSeed) throws {
    var random = seed.generator
    let server = try TestServer()
    let dialect = PostgreSQLDialect(schema: server.schema)
    for statement in PostgreSQLFunction.statements(dialect) { try server.run(statement) }
    let parts: [(QueryFunction, String)] = [
      (.year, "year"), (.month, "month"), (.day, "day"), (.hour, "hour"), (.minute, "minute"),
      (.second, "second"),
      (.weekday, "isodow"), (.isoWeek, "week"),
    ]
    let units = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"]
    let truncate = try #require(EngineFunctions.bodyOfSeveral(.truncatedDate))
    var dates: [Double] = [
      0, -0.5, -1e-20, 86_399.999, -86_400, 3.155e18, -3.155e18, 3.2e18, .infinity, 1e17,
    ]
    for bound in [1e6, 1e9, 1e11, 1e15, 3e18] {
      dates += (0..<20).map { _ in Double.random(in: -bound...bound, using: &random) }
    }
    for date in dates {
      let names = [(PostgreSQLFunction.datePart, parts.map(\.1)), (.dateStart, units)].flatMap {
        function, units in
        units.map { "\(dialect.tableName(function.rawValue))('\(date)', '\($0)')" }
      }
      let found = try server.run("SELECT \(names.joined(separator: ", "))")[0].map { $0.flatMap(Double.init) }
      let value = Value.date(Date(timeIntervalSinceReferenceDate: date))
      let expected =
        parts.map { EngineFunctions.partOfDate($0.0)?(date).map(Double.init) }
        + units.map { unit in
          guard case .date(let start) = truncate([value, .string(unit)]) else { return nil }
          return start.timeIntervalSinceReferenceDate
        }
      #expect(found == expected, "\(date)")
    }
  }

  @Test("PRD-236, PRD-237: long lists, long chains and deep predicates are taken by the server")
  func largePredicates() throws {
    var random = SeededGenerator(seed: 236)
    let server = try PostgreSQLGraph(&random)
    func list(_ count: Int, _ member: (Int) -> Value) throws -> QueryPredicate {
      try QueryPredicate(parsing: "nick IN $list OR big IN $numbers").substituting([
        "list": .list((0..<count).map(member)), "numbers": .list((0..<count).map { .int(Int64($0)) }),
      ])
    }
    let chain = (0..<2_000).map { "name BEGINSWITH 'x\($0)'" }.joined(separator: " OR ")
    let nested = (0..<100).reduce("age > 1") { "NOT (\($0) OR name == 'a\($1)')" }
    for predicate in [
      try list(20_000) { .string("a\"\\\($0)") }, try QueryPredicate(parsing: chain),
      try QueryPredicate(parsing: nested),
    ] {
      let checked = try server.graph.fixture.checked(predicate, of: "Person")
      #expect(try compare(checked, server)?.isOnServer == true)
    }
  }

  @Test(
    "PRD-188: sums and means of decimals are rounded as in memory", arguments: TestSeed.sequence(3, from: 188)
  )
  func decimals(seed: TestSeed) throws {
    var random = seed.generator
    let server = try TestServer()
    let dialect = PostgreSQLDialect(schema: server.schema)
    for statement in PostgreSQLFunction.statements(dialect) { try server.run(statement) }
    let (sum, mean) = (PostgreSQLFunction.decimal, PostgreSQLFunction.decimalMean)
    let ends = [
      "99999999999999999999999999999999999999", "0.5", "-0.5", "1e-40", "1e30", "1e100", "0.0000005",
    ]
    for _ in 0..<150 {
      let texts = (0..<Int.random(in: 1...7, using: &random)).map { _ in
        random.pick(PlannerValues.decimals + ends)
      }
      let values = texts.map { Value.decimal(PlannerValues.decimal($0)) }
      let rows = texts.map { "(\($0)::numeric)" }.joined(separator: ", ")
      let found = try server.run(
        "SELECT \(dialect.tableName(sum.rawValue))(SUM(x), 1), "
          + "\(dialect.tableName(mean.rawValue))(SUM(x), COUNT(x)) FROM (VALUES \(rows)) AS t(x)")
      let expected = [QueryFunction.sum, .average].map { EngineFunctions.value(of: $0, over: values) }
      let decimals = found[0].map { $0.map { Value.decimal(PlannerValues.decimal($0)) } ?? .null }
      #expect(decimals == expected, "\(rows)")
    }
  }

  /// How many objects match, and whether the whole predicate went down; nil where memory finds an error.
  /// Records an issue where the sides differ.
  private func compare(
    _ predicate: QueryPredicate, _ server: PostgreSQLGraph
  ) throws -> (count: Int, isOnServer: Bool)? {
    let options = EvaluationOptions(logic: .threeValued, locale: Self.locale)
    let people = server.graph.people
    let evaluator = try PredicateEvaluator(predicate, options: options)
    guard let expected = try? people.filter({ try evaluator.evaluate($0) }).map(\.key) else { return nil }
    let plan = try server.plan(predicate)
    var found = try server.keys(plan).sorted()
    if let residual = plan.residual {
      let rest = try PredicateEvaluator(residual, options: options)
      found = try found.filter { try rest.evaluate(people[Int($0) - 1]) }
    }
    #expect(found == expected, "\(predicate.predicateFormat)\n\(plan.sql)\n\(plan.bindings)")
    return (expected.count, plan.residual == nil)
  }
}
#endif
