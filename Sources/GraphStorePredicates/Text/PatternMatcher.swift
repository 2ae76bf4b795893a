import Synchronization
import _FoundationICU

/// Matcher of whole texts against a regular expression, of the Unicode library that Foundation brings along.
///
/// The library abandons a match after some tens of millions of steps, and reports it as it does a text that
/// does not match. So the pattern is compiled with another alternative after it, which every text matches:
/// where neither does, the match was abandoned. Any thread may match; each match has a copy of the compiled
/// pattern to itself.
@safe package final class PatternMatcher: @unchecked Sendable {
  /// Units of ten thousand steps after which a match is abandoned, where the library has not done so before.
  static let timeLimit: Int32 = 10_000
  /// The number of bytes that backtracking positions may take.
  static let stackLimit: Int32 = 64 << 20

  /// The compiled pattern, which is copied and never matched with.
  private let original: OpaquePointer
  private let idle = Mutex<[PatternMatch]>([])

  /// Compiles a pattern; nil when it is no regular expression.
  package init?(_ pattern: String, ignoresCase: Bool = false) {
    // The pattern has to be valid by itself first: "a)(b" would compile inside the group. The library accepts
    // no empty pattern.
    let isPattern = pattern.isEmpty || Self.isPattern(pattern)
    // With `(?x)` a comment may end the pattern, hence the line break.
    guard isPattern,
      let handle = unsafe Self.compile("(?:\(pattern))|((?s:.*))", ignoresCase)
        ?? Self.compile("(?:\(pattern)\n)|((?s:.*))", ignoresCase)
    else { return nil }
    unsafe original = unsafe handle
  }

  private static func isPattern(_ pattern: String) -> Bool {
    guard let handle = unsafe compile(pattern, false) else { return false }
    unsafe swift_uregex_close(handle)
    return true
  }

  private static func compile(_ pattern: String, _ ignoresCase: Bool) -> OpaquePointer? {
    let units = Array(pattern.utf16)
    guard let count = Int32(exactly: units.count) else { return nil }
    let flags = ignoresCase ? UInt32(UREGEX_CASE_INSENSITIVE.rawValue) : 0
    var status = U_ZERO_ERROR
    var place = UParseError()
    return unsafe swift_uregex_open(units, count, flags, &place, &status)
  }

  deinit { unsafe swift_uregex_close(original) }

  /// Whether the whole of a text matches; nil where a match takes more steps or memory than it may, so that
  /// it cannot be decided.
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
  /// The number of the group that is the alternative to the pattern.
  private let otherGroup: Int32

  init?(copying original: OpaquePointer) {
    var status = U_ZERO_ERROR
    guard let handle = unsafe swift_uregex_clone(original, &status) else { return nil }
    unsafe self.handle = unsafe handle
    otherGroup = unsafe swift_uregex_groupCount(handle, &status)
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
      let isEither = unsafe swift_uregex_matches(handle, 0, &status) != 0
      // Only the other alternative, which is the last group, has a position for it.
      let isOther = unsafe isEither && swift_uregex_start(handle, otherGroup, &status) >= 0
      return isEither && status.rawValue <= U_ZERO_ERROR.rawValue ? !isOther : nil
    }
  }
}
