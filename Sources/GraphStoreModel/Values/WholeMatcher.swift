import Foundation

/// A regular expression that matches whole strings only.
struct WholeMatcher: @unchecked Sendable {
  private let expression: NSRegularExpression

  /// Compiles a pattern; nil when it is no regular expression.
  init?(_ pattern: String) {
    // The pattern has to stand on its own first: "a)(b" would compile inside the group.
    guard pattern.isEmpty || (try? NSRegularExpression(pattern: pattern)) != nil,
      let whole = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    else { return nil }
    expression = whole
  }

  /// Whether the whole string matches.
  func matches(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: range) != nil
  }
}
