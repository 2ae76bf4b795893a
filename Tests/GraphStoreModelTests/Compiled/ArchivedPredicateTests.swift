import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Archived predicates")
struct ArchivedPredicateTests {
  private typealias Make = ArchivedPredicate

  /// The text of an archived predicate; what is wrong with it in angle brackets.
  private func text(_ predicate: Archived) throws -> String {
    let archive = try KeyedArchive(TestArchive.bytes(of: .list([predicate])))
    guard case .list(let nodes) = try archive.root else { return "" }
    do {
      let result = try ArchivedPredicateReader(archive: archive).predicate(at: nodes[0])
      return result?.predicateFormat ?? "none"
    } catch {
      return "<\(error.message)>"
    }
  }

  /// The text of an archived expression.
  private func text(expression: Archived) throws -> String {
    let text = try text(Make.comparison(expression, 4, Make.constant(0)))
    return text.hasSuffix(" == 0") ? String(text.dropLast(5)) : text
  }

  @Test(
    "MDL-333: every operator is read",
    arguments: [
      (0, "<"), (1, "<="), (2, ">"), (3, ">="), (4, "=="), (5, "!="), (6, "MATCHES"), (7, "LIKE"),
      (8, "BEGINSWITH"), (9, "ENDSWITH"), (10, "IN"), (99, "CONTAINS"), (100, "BETWEEN"),
    ])
  func operators(_ type: Int, _ sign: String) throws {
    #expect(try text(Make.comparison(Make.key("name"), type, Make.constant("x"))) == "name \(sign) \"x\"")
  }

  @Test("MDL-333: options stand under either of two keys, and modifiers beside them")
  func options() throws {
    let any = Make.comparison(
      Make.key("a.b"), 99, Make.constant("x"), modifier: 2, options: ["NSOptions": 3])
    #expect(try text(any) == "ANY a.b CONTAINS[cd] \"x\"")
    let all = Make.comparison(Make.key("a.b"), 6, Make.constant("x"), modifier: 1, options: ["NSFlags": 1])
    #expect(try text(all) == "ALL a.b MATCHES[c] \"x\"")
  }

  @Test("MDL-333: compounds, negations and constant predicates are read")
  func compounds() throws {
    let one = Make.comparison(Make.key("a"), 4, Make.constant(1))
    let two = Make.comparison(Make.key("b"), 4, Make.constant(2))
    #expect(try text(Make.compound(1, [one, two])) == "a == 1 AND b == 2")
    #expect(try text(Make.compound(2, [one, Make.compound(0, [two])])) == "a == 1 OR NOT b == 2")
    #expect(try text(.object(["NSTruePredicate"], [:])) == "TRUEPREDICATE")
    #expect(try text(.object(["NSFalsePredicate"], [:])) == "FALSEPREDICATE")
  }

  @Test("MDL-333: constants, variables, key paths and the object itself are read")
  func leaves() throws {
    #expect(try text(expression: Make.constant(.null)) == "nil")
    #expect(try text(expression: Make.constant(true)) == "YES")
    #expect(try text(expression: Make.constant(1.5)) == "1.5")
    #expect(try text(expression: Make.constant(["a", 2])) == "{\"a\", 2}")
    #expect(
      try text(expression: Make.constant(.object(["NSDate"], ["NS.time": 0.0]))) == "CAST(0.0, \"NSDate\")")
    #expect(try text(expression: Make.variable("MIN")) == "$MIN")
    #expect(try text(expression: Make.evaluatedObject) == "SELF")
    #expect(try text(expression: Make.key("department.name")) == "department.name")
    #expect(try text(expression: Make.key("employees.@count")) == "employees.@count")
    #expect(try text(expression: Make.key("name", of: Make.variable("x"))) == "$x.name")
    #expect(try text(expression: Make.key("in")) == "#in")
  }

  @Test("MDL-333: functions, casts, indexes and calls of an application's functions are read")
  func functions() throws {
    #expect(try text(expression: Make.function("now", [])) == "now()")
    #expect(try text(expression: Make.function("lowercase:", [Make.key("a")])) == "lowercase:(a)")
    #expect(try text(expression: Make.function("add:to:", [Make.key("a"), Make.constant(1)])) == "a + 1")
    let cast = Make.function("castObject:toType:", [Make.key("a"), Make.constant("NSDate")])
    #expect(try text(expression: cast) == "CAST(a, \"NSDate\")")
    let last = Make.expression("NSSymbolicExpression", 11, ["NSSymbol": "LAST"])
    #expect(try text(expression: Make.function("objectFrom:withIndex:", [Make.key("a"), last])) == "a[LAST]")
    let first = Make.function("objectFrom:withIndex:", [Make.key("a"), Make.constant(0)])
    #expect(try text(expression: first) == "a[0]")
    let call = Make.expression(
      "NSFunctionExpression", 4,
      ["NSSelectorName": "nearTo:", "NSOperand": Make.key("place"), "NSArguments": [Make.constant(3)]])
    #expect(try text(expression: call) == "FUNCTION(place, \"nearTo:\", 3)")
  }

  @Test("MDL-333: subqueries, lists, sets, conditions and fetches are read")
  func composites() throws {
    let condition = Make.comparison(Make.key("age", of: Make.variable("x")), 2, Make.constant(3))
    let subquery = Make.expression(
      "NSSubqueryExpression", 13,
      ["NSExpression": Make.key("pets"), "NSVariable": Make.variable("x"), "NSSubpredicate": condition])
    #expect(try text(expression: subquery) == "SUBQUERY(pets, $x, $x.age > 3)")
    #expect(
      try text(expression: Make.key("@count", of: subquery)) == "SUBQUERY(pets, $x, $x.age > 3).@count")
    let list = Make.expression(
      "NSAggregateExpression", 14, ["NSCollection": [Make.key("a"), Make.constant(2)]])
    #expect(try text(expression: list) == "{a, 2}")
    let union = Make.expression(
      "NSSetExpression", 5, ["NSLeftExpression": Make.key("a"), "NSRightExpression": Make.key("b")])
    #expect(try text(expression: union).contains("a UNION b"))
    let choice = Make.expression(
      "NSTernaryExpression", 20,
      [
        "NSPredicate": Make.comparison(Make.key("a"), 4, Make.constant(1)),
        "NSTrueExpression": Make.constant("x"), "NSFalseExpression": Make.constant("y"),
      ])
    #expect(try text(expression: choice) == "TERNARY(a == 1, \"x\", \"y\")")
    let fetch = Make.expression(
      "NSFetchRequestExpression", 50,
      ["NSFRExpression": Make.variable("r"), "NSMOCExpression": Make.variable("c"), "NSCountOnlyFlag": true])
    #expect(try text(expression: fetch) == "FETCH($r, $c, YES)")
  }

  @Test("MDL-334: what is not known is named")
  func unknown() throws {
    #expect(try text(.object(["NSBlockPredicate"], [:])).contains("NSBlockPredicate"))
    #expect(try text(Make.comparison(Make.key("a"), 11, Make.constant(1))).contains("type 11"))
    #expect(try text(expression: Make.expression("NSBlockExpression", 19)).contains("NSBlockExpression"))
    #expect(
      try text(expression: Make.function("distanceToLocation:fromLocation:", [])).contains("distanceTo"))
    #expect(try text(expression: Make.key("a b")).contains("a b"))
    #expect(try text(Make.compound(0, [])).hasPrefix("<"))
  }

  @Test("MDL-384: predicates that nest deeply are refused")
  func deep() throws {
    var predicate = Make.comparison(Make.key("a"), 4, Make.constant(1))
    for _ in 0..<100 { predicate = Make.compound(0, [predicate]) }
    #expect(try text(predicate).hasSuffix("a == 1"))
    for _ in 0..<100 { predicate = Make.compound(0, [predicate]) }
    #expect(try text(predicate).contains("nest"))
  }
}
