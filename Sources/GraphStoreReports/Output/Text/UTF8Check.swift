/// Validation of UTF-8, on bytes in place.
package enum UTF8Check {
  /// Length of the well-formed sequence that begins at `index`: 1 to 4; 0 if it is malformed; -1 if the bytes
  /// end inside of a sequence that is well-formed as far as it goes.
  package static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let first = unsafe bytes[index]
    if first < 0x80 { return 1 }
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { low = 0xA0 }
      if first == 0xED { high = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { low = 0x90 }
      if first == 0xF4 { high = 0x8F }
    default: return 0
    }
    for step in 1..<length {
      guard index + step < bytes.count else { return -1 }
      let byte = unsafe bytes[index + step]
      guard byte >= low, byte <= high else { return 0 }
      low = 0x80
      high = 0xBF
    }
    return length
  }

  /// Offset of the first malformed byte, or nil if all is well-formed UTF-8.
  package static func firstMalformedByte(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index < bytes.count {
      if index + 8 <= bytes.count,
        unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
        continue
      }
      let length = unsafe sequenceLength(bytes, at: index)
      guard length > 0 else { return index }
      index += length
    }
    return nil
  }

  /// The text with U+FFFD for what is malformed, as every output shows it; nil for well-formed UTF-8.
  static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    unsafe firstMalformedByte(bytes) == nil ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
