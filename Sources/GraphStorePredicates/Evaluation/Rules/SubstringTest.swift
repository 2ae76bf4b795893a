import Foundation

/// A test for a part of text or data, with the last pattern kept prepared.
final class SubstringTest {
  private let operation: TextMatcher.Operation
  private let folding: TextFolding
  /// The locale, when its letters have cases of their own.
  private let locale: Locale?
  private var pattern: String?
  private var matcher: TextMatcher?

  init(_ operation: TextMatcher.Operation, options: QueryComparison.Options, locale: Locale) {
    self.operation = operation
    folding = TextFolding(options)
    let isLocalized = options.contains(.localized) && !options.contains(.normalized) && folding.foldsCase
    self.locale = isLocalized && locale.hasOwnCaseMapping ? locale : nil
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

  /// Lower case by the rules of a locale, through upper case: Lithuanian keeps dots in lower case that were there, and
  /// adds none to what was lower case before.
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
