import Foundation
import GraphStorePredicates
import Testing

private final class Counter: @unchecked Sendable {
  var count = 0
}

@Suite struct EvaluationRuleTests {
  private func value(_ text: String, _ object: Value = .dictionary([:])) throws -> Value {
    try ExpressionEvaluator(QueryExpression(parsing: text)).value(for: .value(object))
  }

  @Test("PRD-126: a step self, also written SELF, is the value before it")
  func selfSteps() throws {
    let box = Value.dictionary(["a": .dictionary(["b": .int(2)]), "l": .list([.int(3), .int(4)])])
    for text in ["a.self.b == 2", "a.#self.b == 2", "a.SELF.b == 2", "l.@max.self == 4", "SELF.a.b == 2"] {
      #expect(try truth(text, box) == .yes, "\(text)")
    }
  }

  @Test("PRD-126: entity and name stay ordinary keys of a dictionary")
  func entityOfDictionary() throws {
    let box = Value.dictionary(["entity": .dictionary(["name": .string("X")])])
    #expect(try truth("entity.name == 'X'", box) == .yes)
  }

  @Test("PRD-129, PRD-131: @count is a number, and nothing follows it; unions keep or drop what repeats")
  func collectionOperators() throws {
    let box = Value.dictionary([
      "items": .list([
        .dictionary(["n": .int(1), "l": .list([.int(1), .int(2)])]),
        .dictionary(["n": .int(1), "l": .list([.int(2)])]), .dictionary(["n": .int(2), "l": .list([])]),
      ])
    ])
    #expect(try truth("items.@count == 3", box) == .yes)
    #expect(throws: QueryPredicateError.self) { try truth("items.@count.n == 3", box) }
    #expect(try value("items.@unionOfObjects.n", box) == .list([.int(1), .int(1), .int(2)]))
    #expect(try value("items.@distinctUnionOfObjects.n", box) == .list([.int(1), .int(2)]))
    let nested = Value.dictionary(["l": .list([.list([.int(1), .int(2)]), .list([.int(2)])])])
    #expect(try value("l.@unionOfArrays.self", nested) == .list([.int(1), .int(2), .int(2)]))
    #expect(try value("l.@distinctUnionOfSets.self", nested) == .list([.int(1), .int(2)]))
  }

  @Test("PRD-170: random numbers stay in their range and are drawn anew for each object")
  func random() throws {
    var seen: Set<Value> = []
    let evaluator = try ExpressionEvaluator(QueryExpression(parsing: "random()"))
    for _ in 0..<50 {
      let number = try evaluator.value(for: .null)
      guard case .int(let drawn) = number else {
        Issue.record("\(number) is no integer")
        return
      }
      #expect((0...2_147_483_647).contains(drawn))
      seen.insert(number)
    }
    #expect(seen.count > 1)
    for text in ["random:(3)", "randomn:(3)", "random:({0, 1, 2})"] {
      let evaluator = try ExpressionEvaluator(QueryExpression(parsing: text))
      let drawn = try Set((0..<200).map { _ in try evaluator.value(for: .null) })
      #expect(drawn == [.int(0), .int(1), .int(2)], "\(text)")
    }
    #expect(try value("random:(0)") == .null)
    #expect(try value("random:({})") == .null)
  }

  @Test("PRD-164: bits are those of whole parts; a negative count shifts the other way")
  func bits() throws {
    let cases: [(String, Int64)] = [
      ("7.9 & 3", 3), ("-7.9 | 0", -7), ("1 << -1", 0), ("4 >> -1", 8), ("1 << 64", 0), ("-1 >> 70", -1),
      ("~5", -6), ("6 ^ 3", 5),
    ]
    for (text, wanted) in cases { #expect(try value(text) == .int(wanted), "\(text)") }
  }

  @Test("PRD-165, PRD-163: arithmetic that has no meaning is nil without types")
  func meaningless() throws {
    let box = Value.dictionary(["d": .date(Date(timeIntervalSinceReferenceDate: 5)), "s": .string("x")])
    for text in ["d * 2", "2 - d", "d + d", "s + 1", "s - s", "-s"] {
      #expect(try value(text, box) == .null, "\(text)")
    }
  }

  @Test("PRD-173: texts are normalised by the standard transform or another")
  func normalising() throws {
    #expect(try value("normalize:('Saint-Étienne')") == .string("saint-etienne"))
    #expect(try value("normalize:with:('ÀB', 'Lower')") == .string("àb"))
    let box = Value.dictionary(["t": .string("Upper"), "s": .string("ab")])
    #expect(try value("normalize:with:(s, t)", box) == .string("AB"))
    #expect {
      try PredicateEvaluator(QueryPredicate(parsing: "normalize:with:(s, 'No-Such-Transform') == 'a'"))
    } throws: {
      ($0 as? QueryPredicateError)?.code == .unsupportedFunction
    }
  }

  @Test("PRD-177: only the branch that is chosen is evaluated")
  func chosenBranch() throws {
    let counter = Counter()
    let block = QueryExpression(
      .block(
        ExpressionBlock { _, _ in
          counter.count += 1
          return .value(.int(1))
        }))
    let condition = try QueryPredicate(parsing: "x == 1")
    let expression = QueryExpression(
      .ternary(condition: condition, then: block, otherwise: QueryExpression(.constant(.int(2)))))
    let evaluator = try ExpressionEvaluator(expression)
    #expect(try evaluator.value(for: .value(object(["x": 2]))) == .int(2))
    #expect(counter.count == 0)
    #expect(try evaluator.value(for: .value(object(["x": 1]))) == .int(1))
    #expect(counter.count == 1)
  }

  @Test("PRD-178: a dictionary is read by key, and has a size")
  func dictionaries() throws {
    let box = Value.dictionary(["d": .dictionary(["a b": .int(3), "c": .int(4)])])
    #expect(try value("d['a b']", box) == .int(3))
    #expect(try value("d['x']", box) == .null)
    #expect(try value("d[SIZE]", box) == .int(2))
  }

  @Test("PRD-180, PRD-009: functions, locale and logic are options of every convenience call")
  func options() throws {
    var options = EvaluationOptions()
    options.functions.register("twice:") { target, _ in
      guard case .value(.int(let number)) = target else { return .null }
      return .value(.int(number * 2))
    }
    let predicate = try QueryPredicate(parsing: "FUNCTION(n, 'twice:') == 6")
    let rows: [[String: Value]] = [["n": .int(3)], ["n": .int(4)]]
    #expect(try rows.filtered(by: predicate, options: options) == [["n": .int(3)]])
    #expect(try predicate.evaluate(with: .dictionary(rows[0]), options: options))
    #expect(throws: QueryPredicateError.self) { try rows.filtered(by: predicate) }
    let three = EvaluationOptions(logic: .threeValued)
    let missing = try QueryPredicate(parsing: "n != 3")
    #expect(try [Value.dictionary([:])].filtered(by: missing, options: three).isEmpty)
    #expect(try [Value.dictionary([:])].filtered(by: missing).count == 1)
  }

  @Test("PRD-009: filtering a set gives a set, and rows sort as values do")
  func convenience() throws {
    let numbers: Set<Value> = [.int(1), .int(2), .int(3)]
    let kept: Set<Value> = try numbers.filtered(by: QueryPredicate(parsing: "SELF > 1"))
    #expect(kept == [.int(2), .int(3)])
    let rows: [[String: Value]] = [["n": .int(2)], [:], ["n": .int(1)]]
    let sorted = try rows.sorted(using: [QuerySortDescriptor(parsing: "-n")])
    #expect(sorted == [["n": .int(2)], ["n": .int(1)], [:]])
  }

  @Test("PRD-181: FETCH parses, and cannot be evaluated")
  func fetch() throws {
    let predicate = try QueryPredicate(parsing: "FETCH($r, $c, YES) > 2")
    #expect {
      try predicate.evaluate(with: Value.null, variables: ["r": .null, "c": .null])
    } throws: {
      ($0 as? QueryPredicateError)?.code == .unsupportedFunction && ($0 as? QueryPredicateError)?.offset == 0
    }
  }

  @Test(
    "PRD-188: sums and averages of doubles do not depend on the order of the members",
    arguments: TestSeed.sequence(1, from: 7))
  func compensated(seed: TestSeed) throws {
    let numbers: [Double] = [1e16, 1, -1e16, 1e-3, 3.5, -7.25, 1e8, 0.1, 0.2, 0.3]
    var random = seed.generator
    let first = try value("sum:(l)", .dictionary(["l": .list(numbers.map(Value.double))]))
    for _ in 0..<20 {
      let shuffled = numbers.shuffled(using: &random)
      guard
        case .double(let sum) = try value("sum:(l)", .dictionary(["l": .list(shuffled.map(Value.double))])),
        case .double(let wanted) = first
      else {
        Issue.record("a sum of doubles is a double")
        return
      }
      #expect(abs(sum - wanted) <= wanted.ulp)
    }
  }

  @Test("PRD-169: a pass that begins again has its own moment")
  func moments() throws {
    let date = Value.date(Date(timeIntervalSinceReferenceDate: 100))
    let evaluator = try PredicateEvaluator(
      QueryPredicate(parsing: "SELF <= now()"),
      options: EvaluationOptions(now: Date(timeIntervalSinceReferenceDate: 50)))
    #expect(try !evaluator.evaluate(.value(date)))
    evaluator.begin(now: Date(timeIntervalSinceReferenceDate: 150))
    #expect(try evaluator.evaluate(.value(date)))
  }
}
