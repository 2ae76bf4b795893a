import Foundation

/// BEGINSWITH, ENDSWITH and LIKE.
final class TextRule: ComparisonRule {
  private let test: SubstringTest

  init(_ operation: TextMatcher.Operation, options: QueryComparison.Options, locale: Locale) {
    test = SubstringTest(operation, options: options, locale: locale)
  }

  override func truth(_ left: QueryOperand, _ right: QueryOperand, _ pass: EvaluationPass) -> Ternary {
    if left.isNull || right.isNull { return pass.isThreeValued ? .unknown : .no }
    guard case .value(let text) = left, case .value(let part) = right else { return .no }
    return Ternary(test.matches(text, part))
  }
}
