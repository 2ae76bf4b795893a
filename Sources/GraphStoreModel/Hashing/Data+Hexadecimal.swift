import Foundation

extension Data {
  /// The bytes in lower-case hexadecimal.
  package var hexadecimal: String {
    unsafe String(unsafeUninitializedCapacity: count * 2) { text in
      for (position, byte) in self.enumerated() {
        unsafe text[position * 2] = byte.highDigit
        unsafe text[position * 2 + 1] = byte.lowDigit
      }
      return count * 2
    }
  }
}

extension UInt8 {
  /// The first of the two lower-case hexadecimal digits, in ASCII.
  var highDigit: UInt8 { Self.digit(self >> 4) }

  /// The second of the two lower-case hexadecimal digits, in ASCII.
  var lowDigit: UInt8 { Self.digit(self & 15) }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
