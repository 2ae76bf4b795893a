import GraphStorePredicates

/// Finds texts such as `'$name'`, which are literal where a variable was probably meant (DGN-164).
struct QuotedVariableAdvice: PredicateVisitor {
  private(set) var warnings: [QueryPredicateError] = []
  private let source: String?

  init(_ checker: PredicateTypeChecker) { source = checker.source }

  mutating func visit(_ predicate: QueryPredicate) {}

  mutating func visit(_ expression: QueryExpression) {
    guard case .constant(.string(let text)) = expression.kind, let range = expression.sourceRange,
      // The value of a variable replaces the variable, without quotes.
      range.length == text.utf8.count + 2, Self.looksLikeVariable(text)
    else { return }
    warnings.append(
      QueryPredicateError(
        .quotedVariable, "A variable in quotes is literal text: \(text) is compared as it is written here.",
        source: source, range: range, hint: "Leave the quotes out to mean the variable \(text).",
        subject: text))
  }

  private static func looksLikeVariable(_ text: String) -> Bool {
    guard text.utf8.first == UInt8(ascii: "$"), let first = text.dropFirst().first else { return false }
    return !first.isNumber && text.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
