import Foundation

/// Folding of text into the keys that the options `[c]` and `[d]` compare.
///
/// `[c]` is NFC of the full default case folding of NFD; `[d]` removes the nonspacing marks of base scalars
/// below U+0530 from NFD, then makes NFC; `[cd]` applies `[d]`, then `[c]`. Keys do not depend on any locale.
/// ASCII text is compared in place; the keys of other scalars are read from tables that are made once from
/// the general folding.
///
/// ```swift
/// print(TextFolding.canonical.key(of: "Café") == TextFolding.canonical.key(of: "CAFE"))  // true
/// ```
public struct TextFolding: Hashable, Sendable {
  /// Whether case is folded.
  public let foldsCase: Bool
  /// Whether diacritics are removed.
  public let foldsDiacritics: Bool

  /// Makes a folding.
  public init(foldsCase: Bool, foldsDiacritics: Bool) {
    self.foldsCase = foldsCase
    self.foldsDiacritics = foldsDiacritics
  }

  /// Makes the folding of comparison options; `[n]` folds nothing.
  public init(_ options: QueryComparison.Options) {
    let isPlain = options.contains(.normalized)
    foldsCase = !isPlain && options.contains(.caseInsensitive)
    foldsDiacritics = !isPlain && options.contains(.diacriticInsensitive)
  }

  /// Leaves text as it is.
  public static let none = TextFolding(foldsCase: false, foldsDiacritics: false)
  /// The folding of `[c]`.
  public static let caseInsensitive = TextFolding(foldsCase: true, foldsDiacritics: false)
  /// The folding of `[d]`.
  public static let diacriticInsensitive = TextFolding(foldsCase: false, foldsDiacritics: true)
  /// The folding of `[cd]`, the canonical key.
  public static let canonical = TextFolding(foldsCase: true, foldsDiacritics: true)

  /// Whether text is left as it is.
  public var isNone: Bool { !foldsCase && !foldsDiacritics }

  // MARK: Keys

  /// The key of a text.
  public func key(of text: String) -> String {
    if isNone { return text }
    var text = text
    return text.withUTF8 { bytes in
      unsafe withKey(of: bytes) { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Runs a closure over the bytes of a text's key. The text is well-formed UTF-8.
  public func withKey<Result>(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    if unsafe isNone || (!foldsCase && ASCII.isASCII(text)) { return try unsafe body(text) }
    let capacity = FoldingTable.capacity(forTextOf: text.count)
    return try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      if let count = unsafe FoldingTable.table(self).write(text, to: buffer) {
        return try unsafe body(UnsafeBufferPointer(rebasing: buffer[..<count]))
      }
      var key = unsafe slowKey(String(decoding: text, as: UTF8.self))
      return try key.withUTF8(body)
    }
  }

  /// The key made with Foundation's normalisation, for any text.
  func slowKey(_ text: String) -> String {
    var text = text
    if foldsDiacritics { text = Self.withoutMarks(text) }
    if foldsCase {
      var folded = String.UnicodeScalarView()
      for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
        CaseFolding.append(scalar, to: &folded)
      }
      text = String(folded).precomposedStringWithCanonicalMapping
    }
    return text
  }

  private static func withoutMarks(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    var baseLosesMarks = false
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      if isMark(scalar) {
        if !baseLosesMarks { kept.append(scalar) }
      } else {
        baseLosesMarks = losesMarks(scalar)
        kept.append(scalar)
      }
    }
    return String(kept).precomposedStringWithCanonicalMapping
  }

  /// Whether a scalar is a nonspacing mark.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark
  }

  /// Whether the marks of a base scalar are dropped.
  static func losesMarks(_ base: Unicode.Scalar) -> Bool { base.value < 0x530 }

  // MARK: Comparison

  /// Whether two texts have the same key.
  public func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe order(left, right) == 0
  }

  /// The order of two texts' keys by their bytes: negative, zero or positive.
  public func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    if isNone { return unsafe Self.byteOrder(left, right) }
    if unsafe ASCII.isASCII(left), unsafe ASCII.isASCII(right) {
      return unsafe foldsCase ? Self.asciiOrder(left, right) : Self.byteOrder(left, right)
    }
    return unsafe withKey(of: left) { leftKey in
      unsafe withKey(of: right) { unsafe Self.byteOrder(leftKey, $0) }
    }
  }

  /// The order of two strings' keys by their bytes: negative, zero or positive.
  public func order(_ left: String, _ right: String) -> Int {
    var left = left
    var right = right
    return left.withUTF8 { leftBytes in right.withUTF8 { unsafe order(leftBytes, $0) } }
  }

  private static func byteOrder(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let leftStart = left.baseAddress, let rightStart = right.baseAddress {
      let order = unsafe memcmp(leftStart, rightStart, shared)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  private static func asciiOrder(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Int {
    for index in 0..<min(left.count, right.count) {
      let difference = unsafe Int(ASCII.lower(left[index])) - Int(ASCII.lower(right[index]))
      if difference != 0 { return difference }
    }
    return left.count - right.count
  }
}
