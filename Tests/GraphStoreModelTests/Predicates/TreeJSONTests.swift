import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@Suite struct TreeJSONTests {
  @Test(
    "PRD-007: every kind of node has a form in JSON that reads back to an equal tree with its places",
    arguments: [
      "TRUEPREDICATE", "FALSEPREDICATE", "a == 1", "ANY a.b !=[cd] 'x'", "ALL a.b <[l] $v", "a ==[n] 'x'",
      "a == 1 AND (b == 2 OR NOT c == 3)", "SELF == nil", "SELF.$k.@count > 3", "x.a.b == YES",
      "$x.name.length >= 1.5", "a BETWEEN {1, x + 1}", "a IN {1, 2.5, 'x', nil, {YES}}",
      "-a * 2 ** b | ~c == modulus:by:(a, 2)", "FUNCTION(a, 'f:', 1, b) == YES", "CAST(a, 'NSDate') > now()",
      "SUBQUERY(a, $s, $s.b == $t).@sum.c == 0", "TERNARY(a == 1, 2, x) == 3",
      "a[FIRST] == a[LAST]", "a[SIZE] == a[$i]", "a UNION b == c MINUS {1}",
      "FETCH($r, $c, YES)[SIZE] == 1", "a UTI-CONFORMS-TO 'x'", "a == CAST(1.5, 'NSDate')",
      "a == CAST('2024-02-29T12:00:00.000001Z', 'NSDate')", "a == 12345678901234567890.125",
      "a == CAST('12.5', 'NSDecimalNumber')", "a == CAST('AQI=', 'NSData')", "a == CAST('nan', 'Double')",
      "a == CAST('-inf', 'Double')", "a == 1e300", "a == -9223372036854775808",
      "a == CAST('x-coredata://S/E/p1', 'NSManagedObjectID')", "a == CAST('http://x/?q=a b', 'NSString')",
      "a == CAST('http://example.com/a', 'NSURL')",
      "a == CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')", "a == \"é \\\\ \\\" \\n \\u{7}\"",
    ])
  func roundTrip(text: String) throws {
    let predicate = try QueryPredicate(parsing: text)
    let json = try predicate.treeJSON()
    let read = try QueryPredicate(treeJSON: json)
    #expect(read == predicate)
    #expect(read.predicateFormat == predicate.predicateFormat)
    #expect(try read.treeJSON() == json)
    let placed = try predicate.treeJSON(places: true)
    #expect(try QueryPredicate(treeJSON: placed).treeJSON(places: true) == placed, "the places are kept")
    let printed = try QueryPredicate(parsing: predicate.predicateFormat)
    #expect(try printed.treeJSON() == json, "equal trees have equal text")
    #expect((try? JSONSerialization.jsonObject(with: Data(json.utf8))) != nil)
  }

  @Test("PRD-007: the form is fixed")
  func form() throws {
    #expect(
      try QueryPredicate(parsing: "ANY a.b ==[c] 'x'").treeJSON(places: true) == """
        {
          "type": "comparison",
          "operator": "==",
          "modifier": "ANY",
          "options": "c",
          "left": { "type": "keyPath", "steps": [{ "key": "a" }, { "key": "b" }], "range": [4, 3] },
          "right": { "type": "constant", "value": "x", "range": [14, 3] },
          "range": [8, 2]
        }
        """)
    #expect(
      try QueryPredicate(parsing: "ANY a.b == 3").treeJSON() == """
        {
          "type": "comparison",
          "operator": "==",
          "modifier": "ANY",
          "left": { "type": "keyPath", "steps": [{ "key": "a" }, { "key": "b" }] },
          "right": { "type": "constant", "value": 3 }
        }
        """)
    #expect(try QueryExpression(parsing: "$x").treeJSON().contains("\"variable\""))
  }

  @Test("PRD-007: a dictionary and an infinite date are constants too")
  func constants() throws {
    let values: [Value] = [
      .dictionary(["a": .list([.decimal(1)]), "b": .null]),
      .date(Date(timeIntervalSinceReferenceDate: .infinity)),
    ]
    for value in values {
      let expression = QueryExpression(.constant(value))
      #expect(try QueryExpression(treeJSON: expression.treeJSON()) == expression)
    }
  }

  @Test("PRD-029: 500 levels read back, one more is refused")
  func depth() throws {
    let deep = String(repeating: "(", count: 160) + "a" + String(repeating: " + 1)", count: 160) + " == 1"
    let predicate = try QueryPredicate(parsing: deep)
    #expect(try QueryPredicate(treeJSON: predicate.treeJSON()) == predicate)
    var tooDeep = QueryPredicate.constant(true)
    for _ in 0..<600 { tooDeep = .not(tooDeep) }
    let refused = tooDeep
    #expect(throws: QueryPredicateError.self) { try refused.treeJSON() }
  }

  @Test("PRD-192: a closure has no form in JSON")
  func closure() throws {
    let block = QueryPredicate.block(PredicateBlock { _, _ in true })
    let error = try #require(throws: QueryPredicateError.self) { try block.treeJSON() }
    #expect(error.code == .unsupportedSyntax)
  }

  @Test(
    "PRD-205: what is no tree is an error at its place",
    arguments: [
      ("", 0), ("[]", 0), ("{\"type\": \"maybe\"}", 0), ("{\"type\": \"not\"}", 0),
      ("{\"type\": \"constant\", \"value\": 3}", 30), ("{\"type\": \"and\", \"members\": [{}]}", 28),
      ("{\"type\": \"and\", \"members\": [}", 28),
    ])
  func errors(json: String, offset: Int) throws {
    let error = try #require(throws: QueryPredicateError.self) { try QueryPredicate(treeJSON: json) }
    #expect(error.code == .syntax)
    #expect(error.offset == offset)
  }

  @Test(
    "PRD-205: a bad constant is an error at its place",
    arguments: [
      ("{\"$uuid\": \"x\"}", 39), ("{\"$what\": \"x\"}", 30), ("{}", 29), ("{\"$date\": 3}", 39),
      ("1e400", 29),
    ])
  func constantErrors(json: String, offset: Int) throws {
    let text = "{\"type\": \"constant\", \"value\":" + json + "}"
    let error = try #require(throws: QueryPredicateError.self) { try QueryExpression(treeJSON: text) }
    #expect(error.offset == offset)
  }
}
