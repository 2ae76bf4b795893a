import Synchronization
import _FoundationICU

/// Matcher of whole texts against a regular expression, of the Unicode library that Foundation brings along.
///
/// `NSRegularExpression` does not say that a match was given up: it would count as none. Any thread may match; each
/// match has a copy of the compiled pattern to itself.
@safe package final class PatternMatcher: @unchecked Sendable {
  /// Units of ten thousand steps after which a match is given up: one to two seconds.
  static let timeLimit: Int32 = 10_000
  /// Bytes that the places to go back to may take.
  static let stackLimit: Int32 = 64 << 20

  /// The compiled pattern, which is copied and never matched with.
  private let original: OpaquePointer
  private let idle = Mutex<[PatternMatch]>([])

  /// Compiles a pattern; nil when it is no regular expression.
  package init?(_ pattern: String, ignoresCase: Bool = false) {
    // The library takes no pattern without text.
    let units = Array((pattern.isEmpty ? "(?:)" : pattern).utf16)
    guard let count = Int32(exactly: units.count) else { return nil }
    let flags = ignoresCase ? UInt32(UREGEX_CASE_INSENSITIVE.rawValue) : 0
    var status = U_ZERO_ERROR
    var place = UParseError()
    guard let handle = unsafe swift_uregex_open(units, count, flags, &place, &status) else { return nil }
    unsafe original = unsafe handle
  }

  deinit { unsafe swift_uregex_close(original) }

  /// Whether the whole of a text matches; nil where a match takes more steps or memory than it may, so that it cannot
  /// be told.
  package func matches(_ text: String) -> Bool? {
    guard let match = unsafe idle.withLock({ $0.popLast() }) ?? PatternMatch(copying: original) else {
      return nil
    }
    defer { idle.withLock { $0.append(match) } }
    return match.run(text)
  }
}

/// The state of one match: a copy of a compiled pattern.
@safe private final class PatternMatch: @unchecked Sendable {
  private let handle: OpaquePointer

  init?(copying original: OpaquePointer) {
    var status = U_ZERO_ERROR
    guard let handle = unsafe swift_uregex_clone(original, &status) else { return nil }
    unsafe self.handle = unsafe handle
    unsafe swift_uregex_setTimeLimit(handle, PatternMatcher.timeLimit, &status)
    unsafe swift_uregex_setStackLimit(handle, PatternMatcher.stackLimit, &status)
  }

  deinit { unsafe swift_uregex_close(handle) }

  func run(_ text: String) -> Bool? {
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: text.utf8.count + 1) { units in
      let end = unsafe units.initialize(from: text.utf16).index
      guard let count = Int32(exactly: end) else { return nil }
      var status = U_ZERO_ERROR
      unsafe swift_uregex_setText(handle, units.baseAddress, count, &status)
      let isMatch = unsafe swift_uregex_matches(handle, 0, &status) != 0
      return status.rawValue > U_ZERO_ERROR.rawValue ? nil : isMatch
    }
  }
}
