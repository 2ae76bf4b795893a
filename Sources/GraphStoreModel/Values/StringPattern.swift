import GraphStorePredicates
import Synchronization

/// A regular expression that matches whole strings only.
final class StringPattern: @unchecked Sendable {
  private let pattern: String
  /// The pattern in the form that needs no compiling, if it has one.
  private let plain: ASCIIPattern?
  private let lock = Mutex(())
  private var matcher: PatternMatcher?
  private var isDecided = false

  /// Compiles a pattern; nil when it is no regular expression.
  init?(_ pattern: String) {
    self.pattern = pattern
    plain = ASCIIPattern(pattern)
    isDecided = true
    matcher = PatternMatcher(pattern)
    if matcher == nil { return nil }
  }

  /// Accepts a pattern that was compiled before, when the model was first read: compiling one takes longer
  /// than reading a whole model, so that it waits for the first string. If it is no regular expression after
  /// all, nothing matches.
  init(checkedBefore pattern: String) {
    self.pattern = pattern
    plain = ASCIIPattern(pattern)
  }

  /// Whether the pattern is compiled.
  var isCompiled: Bool { lock.withLock { _ in matcher != nil } }

  /// Whether the whole string matches; nil where a match takes more steps than it may.
  func matches(_ text: String) -> Bool? {
    var text = text
    if let plain, let answer = text.withUTF8({ unsafe plain.matches($0) }) { return answer }
    guard let matcher = compiled() else { return false }
    return matcher.matches(text)
  }

  private func compiled() -> PatternMatcher? {
    lock.withLock { _ in
      if !isDecided {
        isDecided = true
        matcher = PatternMatcher(pattern)
      }
      return matcher
    }
  }

  /// Whether the whole text matches; nil where deciding that takes a string.
  func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool? { unsafe plain?.matches(utf8) }
}

extension AttributeDescription {
  /// Whether a string matches the whole pattern; true without a pattern, and nil where deciding it takes more
  /// than some tens of millions of steps, one to three seconds, or 64 MB.
  public func matchesPattern(_ text: String) -> Bool? {
    guard let matcher else { return true }
    return matcher.matches(text)
  }

  /// Whether UTF-8 text matches the whole pattern, where that can be decided without making a string;
  /// otherwise nil.
  package func matchesPattern(utf8 text: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard let matcher else { return true }
    return unsafe matcher.matches(text)
  }

  /// Whether the pattern is compiled already, for tests.
  package var hasCompiledPattern: Bool { matcher?.isCompiled ?? false }
}
