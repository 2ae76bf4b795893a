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
