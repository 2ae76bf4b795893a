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

/// MATCHES. An invalid constant pattern throws when the rule is made; one from a key makes the comparison
/// false. A match that is abandoned throws.
final class MatchesRule: ComparisonRule {
  private let options: QueryComparison.Options
  /// The range of the pattern.
  private let range: SourceRange?
  private var pattern: String?
  private(set) var expression: RegularExpression?

  init(
    options: QueryComparison.Options, constantPattern: Value?, range: SourceRange?
  ) throws(QueryPredicateError) {
    self.options = options
    self.range = range
    guard case .string(let pattern) = constantPattern else { return }
    self.pattern = pattern
    do throws(QueryPredicateError) {
      expression = try RegularExpression(pattern, options: options)
    } catch {
      throw error.placed(at: range)
    }
  }

  override func truth(
    _ left: QueryOperand, _ right: QueryOperand, _ pass: EvaluationPass
  ) throws(QueryPredicateError) -> Ternary {
    if left.isNull || right.isNull { return pass.isThreeValued ? .unknown : .no }
    guard case .value(.string(let text)) = left, case .value(.string(let pattern)) = right else { return .no }
    if self.pattern.map({ !$0.hasSameScalars(as: pattern) }) ?? true {
      self.pattern = pattern
      expression = try? RegularExpression(pattern, options: options)
    }
    do throws(QueryPredicateError) {
      return Ternary(try expression?.matches(text) ?? false)
    } catch {
      throw error.placed(at: range)
    }
  }
}

/// A comparison of text with a constant, with the text as it is stored in memory.
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

  /// Whether the comparison holds for a text, passed as well-formed UTF-8.
  func accepts(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let accepted else { return unsafe matcher.matches(text) != isNegated }
    return unsafe accepted.accept(bound.withUnsafeBufferPointer { unsafe folding.order(text, $0) }, 0)
  }
}

/// A test for a part of text or data, with the last pattern kept prepared.
final class SubstringTest {
  private let operation: TextMatcher.Operation
  private let folding: TextFolding
  /// The locale, when its letters have cases of their own.
  private let locale: Locale?
  private var pattern: String?
  private var matcher: TextMatcher?

  /// - Parameter locale: nil for runs of bytes, which have no letters.
  init(_ operation: TextMatcher.Operation, options: QueryComparison.Options, locale: Locale?) {
    self.operation = operation
    folding = TextFolding(options)
    let isLocalized = options.contains(.localized) && !options.contains(.normalized) && folding.foldsCase
    self.locale = locale.flatMap { isLocalized && $0.hasOwnCaseMapping ? $0 : nil }
  }

  /// Whether a part occurs in a container as the operation wants it; false for values of other kinds.
  func matches(_ container: Value, _ part: Value) -> Bool {
    switch (container, part) {
    case (.string(let text), .string(let pattern)):
      let matcher = matcher(for: pattern)
      guard let locale else { return matcher.matches(text) }
      return matcher.matches(Self.lowercased(text, locale))
    case (.data(let bytes), .data(let part)):
      return matches(bytes, part)
    default:
      return false
    }
  }

  private func matcher(for pattern: String) -> TextMatcher {
    if let matcher, let known = self.pattern, known.hasSameScalars(as: pattern) { return matcher }
    let folded = locale.map { Self.lowercased(pattern, $0) } ?? pattern
    let made = TextMatcher(operation, pattern: folded, folding: folding)
    self.pattern = pattern
    matcher = made
    return made
  }

  /// Lower case by the rules of a locale, through upper case: Lithuanian keeps dots in lower case that were
  /// there, and adds none to what was lower case before.
  private static func lowercased(_ text: String, _ locale: Locale) -> String {
    text.precomposedStringWithCanonicalMapping.uppercased(with: locale).lowercased(with: locale)
  }

  private func matches(_ bytes: Data, _ part: Data) -> Bool {
    guard !part.isEmpty, part.count <= bytes.count else { return false }
    switch operation {
    case .contains: return bytes.range(of: part) != nil
    case .beginsWith: return bytes.prefix(part.count) == part
    case .endsWith: return bytes.suffix(part.count) == part
    case .like, .equal: return false
    }
  }
}

extension Locale {
  /// Whether lower case is not the same as everywhere: in Turkish, Azeri and Lithuanian (PRD-114).
  fileprivate var hasOwnCaseMapping: Bool {
    switch language.languageCode?.identifier {
    case "tr", "az", "lt": true
    default: false
    }
  }
}
