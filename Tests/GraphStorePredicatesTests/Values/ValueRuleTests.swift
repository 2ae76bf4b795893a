import Foundation
import GraphStorePredicates
import Testing

@Suite struct ValueRuleTests {
  private func holds(_ text: String, _ members: [String: Value] = [:]) throws -> Bool {
    try QueryPredicate(parsing: text).evaluate(with: .dictionary(members))
  }

  private static func samples() throws -> [Value] {
    try [
      .bool(true), .int(2), .double(3.5), .decimal(Decimal(4)), .string("text"), .date(Date()),
      .uuid(UUID()), .uri(#require(URL(string: "http://a"))), .data(Data([1])),
      .object(ObjectReference(UnresolvedObjectIdentifier(uriText: "x-coredata://a/E/p1"))),
      .list([.int(1)]), .dictionary(["a": .int(1)]),
    ]
  }

  /// Whether one is a string and the other a URI, which compare as texts (PRD-079).
  private static func convert(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.string, .uri), (.uri, .string): true
    default: false
    }
  }

  @Test("PRD-068: values of kinds that do not compare are unequal, unordered, and nothing is thrown")
  func kinds() throws {
    let samples = try Self.samples()
    for (first, left) in samples.enumerated() {
      for (second, right) in samples.enumerated()
      where first != second && !(left.isNumber && right.isNumber) && !Self.convert(left, right) {
        let members = ["a": left, "b": right]
        for text in ["a == b", "a < b", "a <= b", "a > b", "a >= b"] {
          #expect(try !holds(text, members), "\(left) \(text) \(right)")
        }
        #expect(try holds("a != b", members), "\(left) \(right)")
        for text in ["a BEGINSWITH b", "a ENDSWITH b", "a LIKE b", "a MATCHES b"] {
          #expect(try !holds(text, members), "\(left) \(text) \(right)")
        }
      }
    }
  }

  @Test("PRD-065, PRD-079: UUIDs by bytes, URIs by text, data by bytes; strings are read as what they meet")
  func identities() throws {
    let low = try #require(UUID(uuidString: "0A000000-0000-0000-0000-000000000000"))
    let high = try #require(UUID(uuidString: "F0000000-0000-0000-0000-000000000000"))
    let members: [String: Value] = [
      "low": .uuid(low), "high": .uuid(high), "short": .data(Data([1])), "long": .data(Data([1, 0])),
      "big": .data(Data([255])), "a": .uri(try #require(URL(string: "http://a"))),
      "b": .uri(try #require(URL(string: "http://b"))),
    ]
    for text in [
      "low < high", "short < long", "long < big", "a < b", "low == '0a000000-0000-0000-0000-000000000000'",
      "'0A000000-0000-0000-0000-000000000000' == low", "a == 'http://a'", "low BETWEEN {low, high}",
      "NOT low == 'no uuid'", "NOT low == 'http://a'",
    ] {
      #expect(try holds(text, members), "\(text)")
    }
  }

  @Test(
    "PRD-062: a constant of more digits than a double has means the double nearest to it")
  func longFractions() throws {
    let members: [String: Value] = [
      "d": .double(0.1), "e": .decimal(Decimal(string: "0.10000000000000001") ?? 0), "i": .int(1 << 53),
    ]
    for text in [
      "d == 0.10000000000000001", "d <= 0.10000000000000001", "NOT d < 0.10000000000000001",
      "0.10000000000000001 == d", "d IN {2, 0.10000000000000001}", "d IN {2, 3, 4, 5, 0.10000000000000001}",
      "d BETWEEN {0.10000000000000001, 0.10000000000000001}", "d + 0 == 0.10000000000000001",
      "e == 0.10000000000000001", "e != 0.1", "e > 0.1", "i != 9007199254740993.0",
      "i * 1.0 == 9007199254740993.0",
      "d != 1 / 3 + 0.10000000000000002",
    ] {
      #expect(try holds(text, members), "\(text)")
    }
  }

  @Test("PRD-060, PRD-061, PRD-063: numbers by exact value, NaN equal to nothing")
  func numbers() throws {
    let members: [String: Value] = [
      "big": .int(9_007_199_254_740_993), "double": .double(9_007_199_254_740_992),
      "one": .decimal(1), "yes": .bool(true), "no": .bool(false), "nan": .double(.nan),
      "inf": .double(.infinity),
    ]
    for text in [
      "big != double", "big > double", "one == 1", "one == 1.0", "one == yes", "no < yes", "yes == 1",
      "NOT nan == nan", "nan != nan", "NOT nan < 1", "NOT nan >= 1", "inf > big", "-inf < no", "no == 0.0",
    ] {
      #expect(try holds(text, members), "\(text)")
    }
  }

  @Test("PRD-064: dates compare as their doubles")
  func dates() throws {
    let sum = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
    let members: [String: Value] = [
      "sum": .date(sum), "exact": .date(Date(timeIntervalSinceReferenceDate: 0.3)),
      "far": .date(Date(timeIntervalSinceReferenceDate: 700_000_000.000_000_1)),
      "same": .date(Date(timeIntervalSinceReferenceDate: 700_000_000.000_000_1)),
    ]
    for text in [
      "sum != exact", "exact < sum", "NOT sum <= exact", "far == same", "far != CAST(700000000, 'NSDate')",
      "sum == CAST(0.30000000000000004, 'NSDate')", "far IN {same}", "NOT sum IN {exact}",
    ] {
      #expect(try holds(text, members), "\(text)")
    }
  }

  @Test("PRD-066: identifiers are equal when they name the same record, and have no order")
  func identifiers() throws {
    func reference(_ key: Int) -> Value {
      .object(ObjectReference(UnresolvedObjectIdentifier(uriText: "x-coredata://a/E/p\(key)")))
    }
    let members = ["a": reference(1), "same": reference(1), "b": reference(2)]
    for text in [
      "a == same", "a != b", "a IN {b, same}", "NOT a IN {b}",
      "a == CAST('x-coredata://a/E/p1', 'NSManagedObjectID')",
    ] {
      #expect(try holds(text, members), "\(text)")
    }
    for text in ["a < b", "a <= same", "b > a", "a >= same", "a BETWEEN {a, b}"] {
      #expect(try !holds(text, members), "\(text)")
    }
  }

  @Test("PRD-067: lists are equal member by member in order, a set and a list without order")
  func lists() throws {
    let members: [String: Value] = ["list": .list([.int(1), .int(2)]), "empty": .list([])]
    for text in [
      "list == {1, 2}", "list == {1.0, 2}", "list != {2, 1}", "list != {1, 2, 2}", "list != {1}",
      "empty == {}",
      "list != empty", "list != 1", "{list} == {{1, 2}}",
    ] {
      #expect(try holds(text, members), "\(text)")
    }
    let set = QueryOperand.collection([.value(.int(2)), .value(.int(1))], isOrdered: false)
    for (text, expected) in [
      ("$s == list", true), ("list == $s", true), ("$s == {2, 1}", true), ("$s == {1, 2, 2}", false),
      ("$s == {1, 1}", false), ("$s != {1}", true), ("$s == {1, 3}", false),
    ] {
      let evaluator = try PredicateEvaluator(QueryPredicate(parsing: text), variables: ["s": set])
      #expect(try evaluator.evaluate(.value(.dictionary(members))) == expected, "\(text)")
    }
  }

  @Test("PRD-097: BETWEEN includes both bounds of every ordered type")
  func between() throws {
    for text in [
      "'b' BETWEEN {'a', 'b'}", "'a' BETWEEN {'a', 'b'}", "NOT 'c' BETWEEN {'a', 'b'}",
      "CAST(5, 'NSDate') BETWEEN {CAST(5, 'NSDate'), CAST(6, 'NSDate')}",
      "NOT CAST(5.5, 'NSDate') BETWEEN {CAST(6, 'NSDate'), CAST(5, 'NSDate')}", "3 BETWEEN {3, 3}",
      "NOT 3 BETWEEN {4, 2}", "NO BETWEEN {NO, YES}",
    ] {
      #expect(try holds(text), "\(text)")
    }
  }

  @Test("PRD-177: only the chosen branch of TERNARY is evaluated")
  func ternary() throws {
    let members: [String: Value] = ["a": .int(1), "many": .list([.int(1)])]
    #expect(try holds("TERNARY(a == 1, 2, many.@sum.x) == 2", members))
    let error = try #require(throws: QueryPredicateError.self) {
      try holds("TERNARY(a == 2, 2, many.@sum.x) == 2", members)
    }
    #expect(error.code == .unknownKey)
  }

  @Test("PRD-178: positions and keys in brackets")
  func indexes() throws {
    let members: [String: Value] = [
      "list": .list([.int(5), .int(6)]), "map": .dictionary(["k": .int(7)]), "i": .int(1), "empty": .list([]),
    ]
    for text in [
      "list[0] == 5", "list[i] == 6", "list[FIRST] == 5", "list[LAST] == 6", "list[SIZE] == 2",
      "list[2] == nil", "list[-1] == nil", "map['k'] == 7", "map['x'] == nil", "empty[FIRST] == nil",
      "empty[SIZE] == 0",
    ] {
      #expect(try holds(text, members), "\(text)")
    }
  }

  @Test(
    "PRD-176: casts convert, and what cannot be converted is nil",
    arguments: [
      ("CAST(a, 'NSNumber') == 12.5", Value.string("12.5")), ("CAST(a, 'NSNumber') == nil", .string("x")),
      ("CAST(a, 'Int') == -3", .double(-3.9)), ("CAST(a, 'Int') == nil", .double(1e300)),
      ("CAST(a, 'Bool') == YES", .string("Yes")), ("CAST(a, 'Bool') == nil", .int(2)),
      ("CAST(a, 'NSString') == '3'", .double(3)), ("CAST(a, 'NSString') == '1'", .bool(true)),
      ("CAST(a, 'NSString') == '2001-01-01T00:00:00Z'", .date(Date(timeIntervalSinceReferenceDate: 0))),
      ("CAST(a, 'NSDate') == CAST(5, 'NSDate')", .int(5)), ("CAST(a, 'NSUUID') == nil", .string("x")),
      ("CAST(a, 'NSDecimalNumber') == 0.1", .double(0.1)), ("CAST(a, 'NSData') == nil", .string("?")),
      ("CAST(a, 'Double') == nil", .null), ("CAST(a, 'NSNumber') == nil", .string("5.")),
      ("CAST(a, 'NSNumber') == nil", .string(" 5")),
    ])
  func casts(text: String, value: Value) throws {
    #expect(try holds(text, ["a": value]))
  }

  @Test("PRD-169: now() is one moment for a whole evaluation")
  func now() throws {
    #expect(try holds("now() == now()"))
    let moment = Date(timeIntervalSinceReferenceDate: 60)
    let evaluator = try ExpressionEvaluator(
      QueryExpression(parsing: "now() - 60"), options: EvaluationOptions(now: moment))
    #expect(try evaluator.value(for: .null) == .date(Date(timeIntervalSinceReferenceDate: 0)))
  }
}
