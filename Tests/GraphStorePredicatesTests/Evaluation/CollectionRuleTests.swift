import Foundation
import GraphStorePredicates
import Testing

@Suite struct CollectionRuleTests {
  private static let shop: Value = .dictionary([
    "limit": .int(5), "bounds": .list([.int(8), .int(9)]), "one": .int(3), "names": .list([.string("b")]),
    "items": .list([
      .dictionary(["name": .string("a"), "price": .int(4), "sold": .bool(true), "parts": parts(1, 2)]),
      .dictionary(["name": .string("b"), "price": .int(9), "sold": .bool(false), "parts": parts(2)]),
      .dictionary(["name": .string("c"), "parts": parts()]),
    ]),
    "empty": .list([]),
  ])

  private static func parts(_ weights: Int64...) -> Value {
    .list(weights.map { .dictionary(["weight": .int($0)]) })
  }

  private func value(_ text: String) throws -> Value {
    try ExpressionEvaluator(QueryExpression(parsing: text)).value(for: .value(Self.shop))
  }

  private func expect(_ expected: Ternary, _ texts: String...) throws {
    for text in texts { #expect(try truth(text, Self.shop) == expected, "\(text)") }
  }

  @Test("PRD-124, PRD-285: a key of a list gives the values of its members in one flat list, nil included")
  func flatLists() throws {
    #expect(try value("items.price") == .list([.int(4), .int(9), .null]))
    #expect(try value("items.parts.weight") == .list([.int(1), .int(2), .int(2)]))
    #expect(try value("items.parts.weight.@max.self") == .int(2))
    #expect(try value("items.price.@max.self") == .int(9))
    #expect(try value("items.price.@count") == .int(3))
    #expect(try value("empty.price") == .list([]))
    try expect(
      .yes, "ANY items.price > 5", "ANY items.price == nil", "nil IN items.price", "items.parts.@count == 3")
    try expect(.no, "ANY items.price > 9", "ANY empty.price == nil")
  }

  @Test("PRD-285: a key applied to a set gives the values of its members")
  func sets() throws {
    let set = QueryOperand.collection(
      [.value(object(["n": 1])), .value(object(["n": 7])), .value(.dictionary([:]))], isOrdered: false)
    let evaluator = try PredicateEvaluator(
      QueryPredicate(parsing: "ANY $s.n > 5 AND ANY $s.n == nil AND $s.n.@max.self == 7 AND $s.n[SIZE] == 3"),
      variables: ["s": set])
    #expect(try evaluator.evaluate(.null))
  }

  @Test("PRD-136: NONE is NOT ANY")
  func none() throws {
    #expect(
      try QueryPredicate(parsing: "NONE items.price > 5")
        == QueryPredicate(parsing: "NOT ANY items.price > 5"))
    try expect(.yes, "NONE items.price > 9", "NONE empty.price > 0", "NONE missing.price > 0")
    try expect(.no, "NONE items.price > 5", "NONE items.price == nil")
  }

  @Test("PRD-137: two quantifiers may be satisfied by different members, one sub-query only by one")
  func differentMembers() throws {
    try expect(.yes, "ANY items.price > 5 AND ANY items.sold == YES")
    try expect(.no, "SUBQUERY(items, $i, $i.price > 5 AND $i.sold == YES).@count > 0")
    try expect(.yes, "SUBQUERY(items, $i, $i.price > 5 AND $i.sold == NO).@count > 0")
  }

  @Test("PRD-138: what follows a quantified comparison is not quantified")
  func scope() throws {
    try expect(.yes, "ANY items.price > 5 AND one == 3", "one == 3 AND ANY items.price > 5")
    try expect(.no, "ANY items.price > 5 AND one == 4")
  }

  @Test("PRD-139: any number of quantifiers, lists and sub-queries stand together")
  func many() throws {
    try expect(
      .yes,
      """
      ANY items.price > 5 AND ALL items.name != 'x' AND NONE items.name == 'x' AND 4 IN items.price
      AND ANY items.parts.weight == 1 AND SUBQUERY(items, $i, $i.price < 5).@count == 1
      AND SUBQUERY(items, $i, ANY $i.parts.weight == 2).@count == 2 AND one IN {1, 3}
      """)
  }

  @Test("PRD-140: a quantifier before a single value takes it for a collection of one, before nil of none")
  func singleValues() throws {
    try expect(.yes, "ANY one > 2", "ALL one > 2", "NONE one > 3", "ALL missing > 2", "NONE missing > 2")
    try expect(.no, "ANY one > 3", "ALL one > 3", "NONE one > 2", "ANY missing == nil")
  }

  @Test("PRD-141: the right side of a quantified comparison may belong to the owner")
  func rightSides() throws {
    try expect(
      .yes, "ANY items.price > limit", "ALL items.name >= 'a'", "ANY items.name IN names",
      "ANY items.price BETWEEN bounds", "ANY items.price > limit + one",
      "ALL items.price IN {limit - 1, 9, nil}")
    try expect(
      .no, "ANY items.price > limit * 2", "ALL items.name IN names",
      "ANY items.price BETWEEN {limit, limit + 1}")
  }

  @Test("PRD-143: SUBQUERY yields the members for which its predicate is true, and none of nil")
  func subqueries() throws {
    #expect(try value("SUBQUERY(items, $i, $i.price > 3).name") == .list([.string("a"), .string("b")]))
    #expect(try value("SUBQUERY(items, $i, $i.price > 99)") == .list([]))
    #expect(try value("SUBQUERY(missing, $i, TRUEPREDICATE)") == .list([]))
    for logic in [PredicateLogic.twoValued, .threeValued] {
      #expect(try truth("SUBQUERY(missing, $i, TRUEPREDICATE).@count == 0", Self.shop, logic) == .yes)
      #expect(try truth("SUBQUERY(items, $i, $i.price > 5).@count == 1", Self.shop, logic) == .yes)
    }
    #expect(try truth("SUBQUERY(items, $i, NOT $i.price > 5).@count == 1", Self.shop, .threeValued) == .yes)
    #expect(try truth("SUBQUERY(items, $i, NOT $i.price > 5).@count == 2", Self.shop, .twoValued) == .yes)
  }

  @Test("PRD-144: a sub-query's result is used as any collection is")
  func uses() throws {
    try expect(
      .yes, "SUBQUERY(items, $i, $i.price > 3).@count == 2",
      "SUBQUERY(items, $i, $i.price > 3).@sum.price == 13",
      "SUBQUERY(items, $i, $i.price > 3).parts.weight.@max.self == 2",
      "SUBQUERY(items, $i, $i.price > 3)[LAST].name == 'b'", "SUBQUERY(items, $i, $i.price > 3)[SIZE] == 2",
      "'b' IN SUBQUERY(items, $i, $i.price > 3).name", "SUBQUERY(items, $i, $i.price > 3).name CONTAINS 'a'",
      "ANY SUBQUERY(items, $i, $i.price > 3).name == 'b'",
      "ALL SUBQUERY(items, $i, $i.price > 3).name <= 'b'",
      "max:(SUBQUERY(items, $i, $i.sold != nil).price) == 9", "items[0] IN SUBQUERY(items, $i, $i.price > 3)",
      "SUBQUERY(items, $i, $i.price > 3) CONTAINS items[1]")
    try expect(
      .no, "'c' IN SUBQUERY(items, $i, $i.price > 3).name",
      "SUBQUERY(items, $i, $i.price > 3) CONTAINS items[2]",
      "ANY SUBQUERY(items, $i, $i.price > 3).name == 'c'")
  }

  @Test(
    "PRD-146: inside, plain keys and SELF belong to the object under test, and inner variables hide outer ones"
  )
  func names() throws {
    try expect(
      .yes, "SUBQUERY(items, $i, limit == 5).@count == 3", "SUBQUERY(items, $i, SELF.limit == 5).@count == 3",
      "SUBQUERY(items, $i, $i.price > limit).@count == 1", "SUBQUERY(items, $i, price == nil).@count == 3",
      "SUBQUERY(items, $i, SUBQUERY($i.parts, $p, $p.weight == 2 AND $i.price == 9 AND limit == 5).@count == 1).@count == 1",
      "SUBQUERY(items, $i, SUBQUERY($i.parts, $i, $i.weight == 1).@count == 1).name == {'a'}")
    #expect(
      try truth(
        "SUBQUERY(items, $i, $i.price > $min).@count == 1", Self.shop,
        variables: ["min": .int(5), "i": .int(0)])
        == .yes)
  }

  @Test("PRD-147: sub-queries nest as deep as trees do")
  func nesting() throws {
    func nested(_ depth: Int) -> String {
      var text = "$x0 == 7 AND $x\(depth - 1) == 7"
      for level in (0..<depth).reversed() { text = "SUBQUERY(l, $x\(level), \(text)).@count == 1" }
      return text
    }
    let list = Value.dictionary(["l": .list([.int(7)])])
    #expect(try truth(nested(60), list) == .yes)
    #expect(parseError(nested(120)) == nil)
    #expect(parseError(nested(400))?.code == .tooDeep)
  }

}
