import Foundation
import GraphStorePredicates
import Testing

@Suite struct MembershipTests {
  @Test("PRD-098: IN finds members of every collection, and parts of texts and data")
  func collections() throws {
    let set = QueryOperand.collection([.value(.int(5)), .value(.int(6))], isOrdered: false)
    let value = Value.dictionary([
      "n": .int(5), "list": .list([.int(4), .int(5)]), "text": .string("xaby"),
      "data": .data(Data([1, 2, 3])),
      "items": .list([object(["n": 5]), object(["n": 8])]), "part": .data(Data([2, 3])),
      "word": .string("ab"),
    ])
    for (text, expected) in [
      ("n IN {4, 5.0}", true), ("n IN {n + 1, n}", true), ("n IN list", true), ("n IN $set", true),
      ("9 IN $set", false),
      ("n IN items.n", true), ("7 IN items.n", false), ("n IN SUBQUERY(items, $i, $i.n < 6).n", true),
      ("8 IN SUBQUERY(items, $i, $i.n < 6).n", false), ("n IN {}", false), ("'ab' IN text", true),
      ("word IN text", true),
      ("'ba' IN text", false), ("text IN 'ab'", false), ("text IN {'ab'}", false), ("'AB' IN[c] text", true),
      ("part IN data", true), ("data IN part", false), ("n IN text", false), ("word IN data", false),
      ("n IN 5", false),
    ] {
      let evaluator = try PredicateEvaluator(QueryPredicate(parsing: text), variables: ["set": set])
      #expect(try evaluator.evaluate(.value(value)) == expected, "\(text)")
    }
  }

  @Test("PRD-062: the doubles of a list or set that is constant are the decimals they are written as")
  func decimals() throws {
    let tenth = QueryOperand.value(.double(0.1))
    let value = Value.dictionary(["price": .decimal(Decimal(sign: .plus, exponent: -1, significand: 1))])
    for variable in [
      QueryOperand.collection([tenth], isOrdered: false), .collection([tenth], isOrdered: true),
      .value(.list([.double(0.1)])),
    ] {
      for text in ["price IN $prices", "$prices CONTAINS price"] {
        let evaluator = try PredicateEvaluator(
          QueryPredicate(parsing: text), variables: ["prices": variable])
        #expect(try evaluator.evaluate(.value(value)), "\(text) \(variable)")
      }
    }
  }

  @Test(
    "PRD-061, PRD-087: NaN is nothing's member in two-valued logic and counts as nil in three-valued",
    arguments: [
      Case("nan IN {1, nil}", .no, .yes), Case("nan IN {1, 2}", .no, .unknown), Case("nan IN {}", .no),
      Case("nil IN {nan, 1}", .no, .yes), Case("one IN {nan, 1}", .yes),
      Case("nan IN {1, 2, 3, 4, 5, nil}", .no, .yes), Case("one IN {nan, 2}", .no),
    ])
  func notANumber(_ expected: Case) throws {
    let text = expected.text.replacingOccurrences(of: "nan", with: "$nan")
    for (logic, truthValue) in [(PredicateLogic.twoValued, expected.two), (.threeValued, expected.three)] {
      let found = try truth(
        text, object(["one": 1]), logic, variables: ["nan": .double(.nan)])
      #expect(found == truthValue, "\(logic)")
    }
  }

  @Test("PRD-062: only literals among the members of a list stand for the decimals that name them")
  func computedMembers() throws {
    let price = Value.dictionary(["price": .decimal(Decimal(string: "0.1") ?? 0), "score": .double(0.1)])
    #expect(try truth("price == 0.1", price) == .yes)
    #expect(try truth("price == score", price) == .no)
    #expect(try truth("price IN {0.1}", price) == .yes)
    #expect(try truth("price IN {score}", price) == .no)
    #expect(try truth("price IN {score, 0.1}", price) == .yes)
    #expect(try truth("price IN {score, 7}", price) == .no)
    #expect(try truth("price BETWEEN {0.1, 0.1}", price) == .yes)
    #expect(try truth("price BETWEEN {score, score}", price) == .no)
    #expect(try truth("price BETWEEN {0.1, score}", price) == .yes)
    #expect(try truth("{score, 7} CONTAINS price", price) == .no)
    #expect(try truth("{score, 0.1} CONTAINS price", price) == .yes)
  }

  /// Values of every kind that IN compares, some of them equal across kinds.
  private static let values: [Value] = [
    .int(1), .int(-3), .int(9_007_199_254_740_993), .bool(true), .bool(false), .double(1), .double(0.5),
    .double(-0.0), .double(0.1), .double(9_007_199_254_740_992), .double(1e30), .double(.infinity),
    .decimal(1), .decimal(Decimal(string: "0.1") ?? 0), .decimal(Decimal(string: "0.5") ?? 0),
    .decimal(Decimal(string: "1e30") ?? 0), .string("a"), .string("A"), .string("é"), .string("e\u{301}"),
    .string("6F9619FF-8B86-D011-B42D-00C04FC964FF"), .string("6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    .uuid(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF") ?? UUID()),
    .string("https://example.org/a"), .uri(URL(string: "https://example.org/a") ?? URL(fileURLWithPath: "/")),
    .date(Date(timeIntervalSinceReferenceDate: 1)), .data(Data([1, 2])), .data(Data()),
  ]

  @Test(
    "PRD-099: a long list finds what comparing with its members one by one finds, whatever their kinds",
    arguments: TestSeed.sequence(1, from: 99))
  func hashedLists(seed: TestSeed) throws {
    var random = seed.generator
    for _ in 0..<300 {
      let list = (0..<Int.random(in: 5...9, using: &random)).map { _ in
        Self.values.randomElement(using: &random) ?? .null
      }
      let options: QueryComparison.Options = Bool.random(using: &random) ? [] : [.caseInsensitive]
      for value in Self.values {
        let whole = QueryComparison(
          left: .key("self"), comparator: .in, options: options,
          right: QueryExpression(.constant(.list(list))))
        let found = try QueryPredicate.comparison(whole).evaluate(with: value)
        let wanted = try list.contains { member in
          let part = QueryComparison(
            left: .key("self"), comparator: .equal, options: options,
            right: QueryExpression(.constant(member)))
          return try QueryPredicate.comparison(part).evaluate(with: value)
        }
        #expect(found == wanted, "\(seed): \(value) IN \(list)")
      }
    }
  }
}
