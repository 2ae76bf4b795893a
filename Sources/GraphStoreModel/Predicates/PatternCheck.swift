import Foundation

/// Whether a text is a regular expression that can be compiled.
enum PatternCheck {
  static func isValid(_ pattern: String) -> Bool {
    (try? NSRegularExpression(pattern: pattern)) != nil
  }
}
