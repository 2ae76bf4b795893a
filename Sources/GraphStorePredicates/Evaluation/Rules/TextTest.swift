/// A comparison of text with a constant, with the text as it lies in memory.
final class TextTest {
  private let matcher: TextMatcher
  private let isNegated: Bool
  /// For `<`, `<=`, `>` and `>=`, which do not look for the constant but order by it.
  private let accepted: AcceptedOrders?
  private let bound: [UInt8]
  private let folding: TextFolding

  /// Prepares an operator and its constant; nil for operators that are not for text, and for the rules of a
  /// locale.
  init?(_ comparison: QueryComparison, _ constant: String) {
    let options = comparison.options
    guard !options.contains(.localized) || options.contains(.normalized) else { return nil }
    let operation: TextMatcher.Operation
    var isOrder = false
    switch comparison.comparator {
    case .equal, .notEqual: operation = .equal
    case .beginsWith: operation = .beginsWith
    case .endsWith: operation = .endsWith
    case .contains: operation = .contains
    case .like: operation = .like
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      operation = .equal
      isOrder = true
    default: return nil
    }
    folding = TextFolding(options)
    matcher = TextMatcher(operation, pattern: constant, folding: folding)
    isNegated = comparison.comparator == .notEqual
    accepted = isOrder ? AcceptedOrders(comparison.comparator) : nil
    bound = Array(constant.utf8)
  }

  /// Whether the comparison holds for a text, given as well-formed UTF-8.
  func accepts(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let accepted else { return unsafe matcher.matches(text) != isNegated }
    return unsafe accepted.accept(bound.withUnsafeBufferPointer { unsafe folding.order(text, $0) }, 0)
  }
}
