import Foundation
import GraphStore
import Testing

struct TypedEvaluationTests {
  private let stack: TestStack
  private let thing: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.types)
    thing = try stack.context.insert(
      "Thing",
      [
        "small": Int16(12), "money": Decimal(string: "0.1") ?? 0, "ratio": 0.1, "single": Float(25.67891),
        "text": "5", "flag": true, "moment": Date(timeIntervalSinceReferenceDate: 0),
        "tag": UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF") ?? UUID(), "passing": "by",
      ])
  }

  @Test(
    "PRD-069–073, PRD-280: constants take the type of the key they meet, as in a fetch",
    arguments: [
      "small == '12'", "text == 5", "text IN {4, 5}", "single == 25.67891", "moment == '2001-01-01'",
      "moment < '2001-01-01T00:00:01Z'", "moment BETWEEN {-1, 1}",
      "tag == '6f9619ff-8b86-d011-b42d-00c04fc964ff'",
      "flag == 'yes'", "money == 0.1", "money == '0.1'", "ratio == 0.1", "passing == 'by'",
      "{'11', '12'} CONTAINS small", "SELF.text.length == 1", "entity.name == 'Thing'", "entity == 'Thing'",
    ])
  func conversions(text: String) throws {
    let predicate = try QueryPredicate(parsing: text)
    #expect(try predicate.evaluate(with: thing))
    #expect(try [thing].filtered(by: predicate) == [thing])
    #expect(try Set([thing]).filtered(by: predicate) == [thing])
  }

  @Test("PRD-075: variables take the type of the key too")
  func variables() throws {
    let predicate = try QueryPredicate(parsing: "moment < $limit AND small == $number")
    #expect(
      try predicate.evaluate(
        with: thing, variables: ["limit": .string("2002-01-01"), "number": .string("12")]))
  }

  @Test(
    "PRD-068, PRD-127, PRD-154, PRD-163, PRD-076: what does not fit the entity throws with its place",
    arguments: [
      ("small == 'x'", "type-mismatch", 9), ("text == 5 AND smal > 1", "unknown-key", 14),
      ("text > 5", "type-mismatch", 7), ("small == $n", "unbound-variable", 9),
      ("text == small", "type-mismatch", 0), ("moment * 2 == nil", "type-mismatch", 0),
      ("FUNCTION(small, 'no:') == 1", "unknown-function", 0),
      ("text MATCHES '('", "bad-regular-expression", 13),
    ])
  func refusals(text: String, code: String, offset: Int) throws {
    let predicate = try QueryPredicate(parsing: text)
    #expect {
      try predicate.evaluate(with: thing)
    } throws: {
      ($0 as? QueryPredicateError)?.code.rawValue == code && ($0 as? QueryPredicateError)?.offset == offset
    }
    #expect {
      try [thing].filtered(by: predicate)
    } throws: {
      ($0 as? QueryPredicateError)?.code.rawValue == code && ($0 as? QueryPredicateError)?.offset == offset
    }
  }

  @Test("PRD-127: a key that is not checked beforehand has its place in the error as well")
  func uncheckedKey() throws {
    let evaluator = try PredicateEvaluator(QueryPredicate(parsing: "text == '5' AND smal > 1"))
    #expect {
      try evaluator.evaluate(thing)
    } throws: {
      let error = $0 as? QueryPredicateError
      return error?.code == .unknownKey && error?.offset == 16 && error?.suggestions == ["small"]
    }
  }

  @Test("PRD-006, PRD-082, PRD-192: evaluation is two-valued, and takes closures and transient attributes")
  func logic() throws {
    let empty = try stack.context.insert("Thing", [:])
    let predicate = try QueryPredicate(parsing: "NOT small > 5")
    #expect(try [thing, empty].filtered(by: predicate) == [empty])
    #expect(try [thing, empty].filtered(by: predicate, options: .init(logic: .threeValued)).isEmpty)
    let block = QueryPredicate.block(PredicateBlock { _, _ in true })
    #expect(
      try [thing, empty].filtered(by: .and([block, QueryPredicate(parsing: "passing == 'by'")])) == [thing])
    #expect(try [thing].filtered(by: QueryPredicate(parsing: "small == '12'"), variables: [:]).count == 1)
    let none: [ManagedObject] = []
    #expect(try none.filtered(by: predicate).isEmpty)
  }
}

struct TypedEvaluationOfGraphTests {
  private let stack: TestStack
  private let labs: ManagedObject
  private let ada: ManagedObject
  private let max: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company(isOrdered: true))
    labs = try stack.context.insert("Department", ["name": "Labs"])
    ada = try stack.context.insert("Employee", ["name": "Ada", "salary": 10, "department": labs])
    max = try stack.context.insert("Manager", ["name": "Max", "budget": Decimal(20), "department": labs])
    try stack.context.save()
  }

  @Test("PRD-123, PRD-125: a to-many path is not compared as one value")
  func toMany() throws {
    for text in ["employees.name == 'Ada'", "employees == nil"] {
      #expect {
        try QueryPredicate(parsing: text).evaluate(with: labs)
      } throws: {
        ($0 as? QueryPredicateError)?.code == .toManyPath
      }
    }
    #expect(try QueryPredicate(parsing: "ANY employees.name == 'Ada'").evaluate(with: labs))
  }

  @Test("PRD-074: a relationship compares with the short form of an identifier")
  func identifiers() throws {
    let text = "department == '\(labs.objectID.shortForm)'"
    #expect(try [ada, max].filtered(by: QueryPredicate(parsing: text)) == [ada, max])
  }

  @Test(
    "PRD-287: of objects of several entities the nearest common one counts, with the keys of sub-entities")
  func subentities() throws {
    let predicate = try QueryPredicate(parsing: "budget > '15'")
    #expect(try [ada, max].filtered(by: predicate) == [max])
    #expect(try predicate.evaluate(with: max))
    #expect(try !predicate.evaluate(with: ada))
    #expect(throws: QueryPredicateError.self) { try [labs].filtered(by: predicate) }
    #expect(try [ada, labs, max].filtered(by: QueryPredicate(parsing: "name BEGINSWITH 'L'")) == [labs])
  }

  @Test("PRD-126, PRD-286: the name of an entity is read without a check too")
  func entityNames() throws {
    let evaluator = try PredicateEvaluator(QueryPredicate(parsing: "entity.name == 'Manager'"))
    #expect(try [ada, max].filter { try evaluator.evaluate($0) } == [max])
    let any = try PredicateEvaluator(QueryPredicate(parsing: "ANY employees.entity.name == 'Manager'"))
    #expect(try any.evaluate(labs))
  }

  @Test("PRD-099, PRD-151: objects are found in long lists of objects")
  func longLists() throws {
    let others = try (0..<20).map { try stack.context.insert("Employee", ["name": "E\($0)"]) }
    let predicate = try QueryPredicate("SELF IN %@", others + [ada])
    #expect(try [ada, max, others[3]].filtered(by: predicate) == [ada, others[3]])
    let operand = QueryOperand.collection((others + [ada]).map { .source($0) }, isOrdered: true)
    let evaluator = try PredicateEvaluator(
      QueryPredicate(parsing: "SELF IN $list"), variables: ["list": operand])
    #expect(try [ada, max].filter { try evaluator.evaluate($0) } == [ada])
  }

  @Test("PRD-180: a context's functions are those that its requests can call")
  func functions() throws {
    let request = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate(parsing: "FUNCTION(name, 'last') == 'a'"))
    #expect(throws: QueryPredicateError.self) { try stack.context.fetch(request) }
    stack.context.functions.register("last") { target, _ in
      guard case .value(.string(let text)) = target else { return .null }
      return .value(.string(String(text.suffix(1))))
    }
    #expect(try stack.context.fetch(request) == [ada])
  }
}
