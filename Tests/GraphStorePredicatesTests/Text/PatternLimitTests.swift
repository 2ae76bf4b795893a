import Foundation
import GraphStorePredicates
import Testing

/// A match that is given up must not count as none.
@Suite("Limits of regular expressions")
struct PatternLimitTests {
  /// Matches a text of so many `a` with a `b` behind them in its second form, once the first has been given
  /// up.
  private static let slow = "((a+)+c|a*b)"
  private static let text = String(repeating: "a", count: 40) + "b"

  private func evaluate(_ predicate: String, _ values: [String: Value]) throws -> Bool {
    try QueryPredicate(parsing: predicate).evaluate(with: .dictionary(values))
  }

  @Test(
    "STO-216: predicate-limit names the pattern, its place and the text, whatever stands around the match",
    arguments: [
      ("t MATCHES '\(slow)'", 10), ("NOT t MATCHES '\(slow)'", 14), ("t MATCHES[cd] '\(slow)'", 14),
      ("one == 1 AND (t MATCHES p OR one == 2)", 24), ("NONE list MATCHES p", 18),
      ("list[SIZE] == 2 OR SUBQUERY(list, $x, $x MATCHES p).@count == 0", nil),
    ] as [(String, Int?)])
  func givenUp(_ predicate: String, _ offset: Int?) throws {
    let values: [String: Value] = [
      "t": .string(Self.text), "p": .string(Self.slow), "one": .int(1), "list": .list([.string(Self.text)]),
    ]
    let error = try #require(throws: QueryPredicateError.self) { try evaluate(predicate, values) }
    #expect(error.code == .limit && error.subject == Self.slow)
    if let offset { #expect(error.offset == offset) }
    #expect(error.message.contains("\"\(Self.slow)\"") && error.message.contains("aaaa…"))
  }

  @Test("STO-216: the same pattern still answers for what takes few steps, before and after")
  func afterwards() throws {
    let expression = try RegularExpression(Self.slow)
    #expect(try expression.matches("aab") && expression.matches("aac"))
    #expect(throws: QueryPredicateError.self) { try expression.matches(Self.text) }
    #expect(try expression.matches("b") && !expression.matches("aabb") && !expression.matches(""))
    #expect(try RegularExpression("(a*b|(a+)+c)").matches(Self.text))
  }

  @Test("PRD-105: long texts match, or are beyond the limit; none counts as no match")
  func longTexts() throws {
    let expression = try RegularExpression("(a|b)*")
    #expect(try expression.matches(String(repeating: "ab", count: 400_000)))
    #expect(try !expression.matches(String(repeating: "ab", count: 400_000) + "c"))
    let error = #expect(throws: QueryPredicateError.self) {
      try expression.matches(String(repeating: "ab", count: 4_000_000))
    }
    #expect(error?.code == .limit && error?.message.contains("8000000 characters") == true)
  }

  @Test("PRD-105: threads that match with one expression get the answers that one thread gets")
  func threads() async throws {
    let expression = try RegularExpression("(x|y)*z")
    let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
      for thread in 0..<8 {
        group.addTask {
          try (0..<500).count(where: { number in
            let text = String(repeating: "xy", count: number % 50) + (number % (thread + 2) == 0 ? "z" : "")
            return try expression.matches(text) != text.hasSuffix("z")
          })
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }

  @Test("PRD-105: no text at all is a pattern, which an empty text matches")
  func emptyPattern() throws {
    let expression = try RegularExpression("")
    #expect(try expression.matches("") && !expression.matches("a"))
    #expect(try RegularExpression("(?x) a b # the end").matches("ab"))
  }
}
