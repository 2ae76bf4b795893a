import Foundation

/// Bytes below 128.
enum ASCII {
  /// The lower-case letter of an upper-case one; every other byte as it is.
  @inline(__always)
  static func lower(_ byte: UInt8) -> UInt8 {
    byte &- 65 < 26 ? byte | 0x20 : byte
  }

  /// Whether no byte is above 127. Reads eight bytes at a time.
  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    let words = raw.count & ~7
    var offset = 0
    while offset < words {
      if unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
        return false
      }
      offset += 8
    }
    while offset < raw.count {
      if unsafe raw[offset] >= 0x80 { return false }
      offset += 1
    }
    return true
  }
}

/// Search for runs of bytes.
enum ByteSearch {
  /// Whether a run of bytes, not empty, occurs in others.
  static func contains(_ needle: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let needleStart = needle.baseAddress, let start = bytes.baseAddress, needle.count <= bytes.count,
      needle.count > 0
    else { return false }
    var offset = 0
    let last = bytes.count - needle.count
    while offset <= last {
      guard let hit = unsafe memchr(start + offset, Int32(needle[0]), last - offset + 1) else { return false }
      if unsafe memcmp(hit, needleStart, needle.count) == 0 { return true }
      offset = unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(start) + 1
    }
    return false
  }
}

/// Decoding of well-formed UTF-8, scalar by scalar.
enum UTF8Scalars {
  /// The scalar at an offset and its width in bytes; U+FFFD of width 1 where the bytes are malformed.
  @inline(__always)
  static func decode<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, at offset: Int
  ) -> (scalar: Unicode.Scalar, width: Int) where Bytes.Element == UInt8, Bytes.Index == Int {
    let first = bytes[offset]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let width = Self.width(first)
    guard width > 1, offset + width <= bytes.endIndex else { return ("\u{FFFD}", 1) }
    var code = UInt32(first) & (0xFF >> UInt32(width + 1))
    for index in 1..<width { code = code << 6 | UInt32(bytes[offset + index] & 0x3F) }
    return (Unicode.Scalar(code) ?? "\u{FFFD}", width)
  }

  /// The number of bytes of the scalar that a byte begins.
  @inline(__always)
  static func width(_ first: UInt8) -> Int {
    switch first {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }
}

extension String {
  /// Whether both strings have the same scalars; Swift's `==` also equates composed and decomposed text.
  package func hasSameScalars(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Whether the string precedes another one by its UTF-8 bytes, which is scalar order.
  func precedesByScalars(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
