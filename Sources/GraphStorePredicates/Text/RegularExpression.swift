import Foundation

/// A regular expression of MATCHES, in the syntax of ICU, for the whole of a text. Compiled once.
public struct RegularExpression: @unchecked Sendable {
  let expression: NSRegularExpression
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
      expression = try Self.whole(text, isCaseInsensitive ? .caseInsensitive : [])
    } catch {
      let problem = PatternProblem.find(in: pattern)
      throw QueryPredicateError(
        .badRegularExpression,
        "The regular expression \(Value.string(pattern).literal) does not compile: "
          + (problem.map { "\($0.reason), at its character \($0.position + 1)." } ?? "ICU refuses it."),
        hint: "Look for brackets that are not closed and for a lone backslash.", subject: pattern)
    }
  }

  /// The expression for the whole of a text. With `(?x)` a comment may end the pattern, hence the line break.
  private static func whole(
    _ pattern: String, _ options: NSRegularExpression.Options
  ) throws -> NSRegularExpression {
    if let plain = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: options) {
      return plain
    }
    return try NSRegularExpression(pattern: "\\A(?:\(pattern)\n)\\z", options: options)
  }

  /// Whether the whole of a text matches.
  public func matches(_ text: String) -> Bool {
    let text = folding.key(of: text)
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: range) != nil
  }
}
