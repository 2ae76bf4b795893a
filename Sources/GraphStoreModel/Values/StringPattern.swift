import Foundation
import Synchronization

/// A regular expression that matches whole strings only.
final class StringPattern: @unchecked Sendable {
  private let pattern: String
  /// The pattern in the form that needs no compiling, if it has one.
  private let plain: ASCIIPattern?
  private let lock = Mutex(())
  private var expression: NSRegularExpression?
  private var isDecided = false

  /// Compiles a pattern; nil when it is no regular expression.
  init?(_ pattern: String) {
    self.pattern = pattern
    plain = ASCIIPattern(pattern)
    isDecided = true
    expression = Self.compile(pattern)
    if expression == nil { return nil }
  }

  /// Accepts a pattern that was compiled before, when the model was first read: compiling one takes longer than reading
  /// a whole model, so that it waits for the first string. If it is no regular expression after all, nothing matches.
  init(checkedBefore pattern: String) {
    self.pattern = pattern
    plain = ASCIIPattern(pattern)
  }

  /// Whether the pattern is compiled.
  var isCompiled: Bool { lock.withLock { _ in expression != nil } }

  /// Whether the whole string matches.
  func matches(_ text: String) -> Bool {
    var text = text
    if let plain, let answer = text.withUTF8({ unsafe plain.matches($0) }) { return answer }
    guard let expression = compiled() else { return false }
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: range) != nil
  }

  private func compiled() -> NSRegularExpression? {
    lock.withLock { _ in
      if !isDecided {
        isDecided = true
        expression = Self.compile(pattern)
      }
    }
    return expression
  }

  private static func compile(_ pattern: String) -> NSRegularExpression? {
    // The pattern has to stand on its own first: "a)(b" would compile inside the group.
    guard pattern.isEmpty || (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
    return try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
  }

  /// Whether the whole text matches; nil where that takes a string to tell.
  func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool? { unsafe plain?.matches(utf8) }
}

extension AttributeDescription {
  /// Whether a string matches the whole pattern; true without a pattern.
  public func matchesPattern(_ text: String) -> Bool { matcher?.matches(text) ?? true }

  /// Whether UTF-8 text matches the whole pattern, where that can be told without making a string; otherwise nil.
  package func matchesPattern(utf8 text: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard let matcher else { return true }
    return unsafe matcher.matches(text)
  }

  /// Whether the pattern is compiled already, for tests.
  package var hasCompiledPattern: Bool { matcher?.isCompiled ?? false }
}
