import Foundation
import GraphStorePredicates
import Testing

@Suite struct NestingTests {
  /// Runs the work on a thread with a stack of a size.
  private func onStack(of bytes: Int, _ work: @escaping @Sendable () throws -> Void) throws {
    nonisolated(unsafe) var failure: (any Error)?
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      do { try work() } catch { failure = error }
      isDone.signal()
    }
    thread.stackSize = bytes
    thread.start()
    isDone.wait()
    if let failure { throw failure }
  }

  @Test("PRD-029: a chain of 20,000 negations made in code prints, compares and hashes on a small stack")
  func negations() throws {
    try onStack(of: 512 << 10) {
      var predicate = QueryPredicate.constant(true)
      var parts = [predicate]
      for _ in 0..<20_000 {
        predicate = .not(predicate)
        parts.append(predicate)
      }
      let text = predicate.predicateFormat
      #expect(text.hasPrefix("NOT NOT "))
      #expect(text.hasSuffix("NOT TRUEPREDICATE"))
      #expect(predicate.indentedFormat == text)
      #expect(predicate == .not(parts[19_999]))
      #expect(predicate.hashValue == QueryPredicate.not(parts[19_999]).hashValue)
      #expect(NestingTests.isRefused(predicate))
      predicate = .constant(true)
      while !parts.isEmpty { parts.removeLast() }
    }
  }

  @Test("PRD-029: a tree of 490 levels is parsed, walked, named, substituted and evaluated on a small stack")
  func parsed() throws {
    try onStack(of: 2 << 20) {
      let text =
        "$x == " + String(repeating: "(", count: 240) + "a" + String(repeating: " + 1) * 2", count: 240)
      let predicate = try QueryPredicate(parsing: text)
      #expect(predicate.names.keys == ["a"])
      #expect(predicate.names.variables == ["x"])
      var counter = NodeCounter()
      predicate.walk(&counter)
      #expect(counter.expressions == 2 + 4 * 240)
      let substituted = try predicate.substituting(["x": 1])
      #expect(try !substituted.evaluate(with: Value.dictionary(["a": .int(1)])))
      #expect(substituted.foldingConstants(now: Date()).predicateFormat == substituted.predicateFormat)
    }
  }

  private static func isRefused(_ predicate: QueryPredicate) -> Bool {
    (try? PredicateEvaluator(predicate)) == nil
  }

  private struct NodeCounter: PredicateVisitor {
    var expressions = 0
    mutating func visit(_ predicate: QueryPredicate) {}
    mutating func visit(_ expression: QueryExpression) { expressions += 1 }
  }
}
