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
