import Foundation

/// A text operator with its pattern, prepared once and applied to many texts.
///
/// Texts are UTF-8 buffers, so that no string need be made; ASCII text is matched in place.
///
/// ```swift
/// let matcher = TextMatcher(.contains, pattern: "love", folding: .caseInsensitive)
/// print(["Ada Lovelace", "Grace Hopper"].filter { matcher.matches($0) })  // ["Ada Lovelace"]
/// ```
public struct TextMatcher: Sendable {
  /// The operators.
  public enum Operation: Hashable, Sendable {
    /// The pattern is part of the text.
    case contains
    /// The pattern begins the text.
    case beginsWith
    /// The pattern ends the text.
    case endsWith
    /// The text matches a pattern with `?` and `*`.
    case like
    /// The pattern is the text.
    case equal
  }

  private let operation: Operation
  private let folding: TextFolding
  private let needle: [UInt8]
  private let isASCII: Bool
  private let like: LikePattern?

  /// Prepares an operator. An empty pattern is part, beginning or end of no text.
  public init(_ operation: Operation, pattern: String, folding: TextFolding) {
    self.operation = operation
    self.folding = folding
    needle = Array(folding.key(of: pattern).utf8)
    isASCII = needle.allSatisfy { $0 < 0x80 }
    like = operation == .like ? LikePattern(pattern, folding: folding) : nil
  }

  /// Whether a text matches.
  public func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { unsafe matches($0) }
  }

  /// Whether a text, passed as well-formed UTF-8, matches.
  public func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if folding.isNone { return unsafe matchesKey(text) }
    if unsafe ASCII.isASCII(text) {
      if !isASCII, like == nil { return false }
      return unsafe folding.foldsCase ? matchesLowercased(text) : matchesKey(text)
    }
    return unsafe folding.withKey(of: text) { unsafe matchesKey($0) }
  }

  private func matchesKey(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    if let like { return unsafe like.matches(key) }
    return unsafe needle.withUnsafeBufferPointer { needle in
      guard let needleStart = needle.baseAddress, needle.count > 0 else {
        return operation == .equal && key.isEmpty
      }
      guard let start = key.baseAddress, needle.count <= key.count else { return false }
      switch operation {
      case .contains, .like: return unsafe ByteSearch.contains(needle, in: key)
      case .beginsWith: return unsafe memcmp(start, needleStart, needle.count) == 0
      case .endsWith: return unsafe memcmp(start + (key.count - needle.count), needleStart, needle.count) == 0
      case .equal: return unsafe key.count == needle.count && memcmp(start, needleStart, needle.count) == 0
      }
    }
  }

  private func matchesLowercased(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if let like { return unsafe like.matchesLowercasedASCII(text) }
    return unsafe needle.withUnsafeBufferPointer { needle in
      guard needle.count > 0 else { return operation == .equal && text.isEmpty }
      guard needle.count <= text.count else { return false }
      let last = text.count - needle.count
      switch operation {
      case .contains, .like: return unsafe Self.find(needle, in: text)
      case .beginsWith: return unsafe Self.isEqual(needle, text, at: 0)
      case .endsWith: return unsafe Self.isEqual(needle, text, at: last)
      case .equal: return unsafe last == 0 && Self.isEqual(needle, text, at: 0)
      }
    }
  }

  private static func find(
    _ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let first = unsafe needle[0]
    for offset in 0...(text.count - needle.count)
    where unsafe ASCII.lower(text[offset]) == first && isEqual(needle, text, at: offset) {
      return true
    }
    return false
  }

  @inline(__always)
  private static func isEqual(
    _ needle: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> Bool {
    for index in 0..<needle.count where unsafe ASCII.lower(text[offset + index]) != needle[index] {
      return false
    }
    return true
  }
}
