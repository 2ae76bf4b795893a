/// A regular expression of MATCHES, in the syntax of ICU, for the whole of a text. Compiled once; any thread
/// may match.
///
/// ```swift
/// let expression = try RegularExpression("a.*e", options: .caseInsensitive)
/// print(try expression.matches("Ada Lovelace"))  // true
/// ```
public struct RegularExpression: Sendable {
  private let pattern: String
  let matcher: PatternMatcher
  private let folding: TextFolding

  /// Compiles a pattern. `[c]` ignores case, `[d]` removes diacritics from pattern and text. Throws
  /// `bad-regular-expression`.
  public init(_ pattern: String, options: QueryComparison.Options = []) throws(QueryPredicateError) {
    let folding = TextFolding(options)
    self.pattern = pattern
    self.folding = TextFolding(foldsCase: false, foldsDiacritics: folding.foldsDiacritics)
    guard let matcher = PatternMatcher(self.folding.key(of: pattern), ignoresCase: folding.foldsCase) else {
      let problem = PatternProblem.find(in: pattern)
      throw QueryPredicateError(
        .badRegularExpression,
        "The regular expression \(Value.string(pattern).literal) does not compile: "
          + (problem.map { "\($0.reason), at its character \($0.position + 1)." } ?? "ICU refuses it."),
        hint: "Look for brackets that are not closed and for a lone backslash.", subject: pattern)
    }
    self.matcher = matcher
  }

  /// Whether the whole of a text matches.
  ///
  /// - Throws: `predicate-limit` where that takes more than some tens of millions of steps, one to three
  ///   seconds, or 64 MB.
  public func matches(_ text: String) throws(QueryPredicateError) -> Bool {
    guard let isMatch = matcher.matches(folding.key(of: text)) else {
      throw .limit(ofPattern: pattern, text: text)
    }
    return isMatch
  }
}

extension QueryPredicateError {
  /// The error that deciding whether a text matches takes too long (STO-216).
  fileprivate static func limit(ofPattern pattern: String, text: String) -> QueryPredicateError {
    let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
    return QueryPredicateError(
      .limit,
      "The regular expression \(Value.string(pattern).literal) takes too many steps to tell whether it matches "
        + "the text \(Value.string(String(shown)).literal) of \(counted(text.count, "character")).",
      hint:
        "Write it so that a text can match in one way only: a+ for (a+)+, or (?>a+), which is not gone back to.",
      subject: pattern)
  }
}
