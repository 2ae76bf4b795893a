import Foundation

/// A regular expression of MATCHES, in the syntax of ICU, for the whole of a text. Compiled once.
public struct RegularExpression: @unchecked Sendable {
  private let expression: NSRegularExpression
  private let folding: TextFolding

  /// Compiles a pattern. `[c]` ignores case, `[d]` removes diacritics from pattern and text. Throws
  /// `bad-regular-expression`.
  public init(_ pattern: String, options: QueryComparison.Options = []) throws(QueryPredicateError) {
    let folding = TextFolding(options)
    let isCaseInsensitive = folding.foldsCase
    self.folding = TextFolding(foldsCase: false, foldsDiacritics: folding.foldsDiacritics)
    let text = self.folding.key(of: pattern)
    do {
      _ = try NSRegularExpression(pattern: text)
      expression = try NSRegularExpression(
        pattern: "\\A(?:\(text))\\z", options: isCaseInsensitive ? .caseInsensitive : [])
    } catch {
      throw QueryPredicateError(
        .badRegularExpression,
        "The regular expression \(Value.string(pattern).literal) does not compile; check its brackets and escapes.",
        subject: pattern)
    }
  }

  /// Whether the whole of a text matches.
  public func matches(_ text: String) -> Bool {
    let text = folding.key(of: text)
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: range) != nil
  }
}
