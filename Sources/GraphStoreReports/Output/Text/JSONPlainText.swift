/// Plain text of JSON strings, which stands for itself: the inner loop of writing such strings, and of
/// reading them.
///
/// Inlinable, since the readers are in another module.
package enum JSONPlainText {
  /// Index of the first byte from `start` that is a quote, a backslash, a control character or not ASCII; the
  /// number of bytes if there is none.
  @inlinable @inline(__always)
  package static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    while index &+ 8 <= bytes.count {
      let word = unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let special = specialBytes(word)
      if special != 0 { return index &+ special.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < bytes.count {
      let byte = unsafe bytes[index]
      if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { return index }
      index &+= 1
    }
    return index
  }

  /// Sets the high bit of each byte that is special in a JSON string. Only the lowest bit set is exact.
  @inlinable @inline(__always)
  package static func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let controls = (word &- (ones &* 0x20)) & ~word
    let quotes = (quote &- ones) & ~quote
    let backslashes = (backslash &- ones) & ~backslash
    return (controls | quotes | backslashes | word) & high
  }
}
