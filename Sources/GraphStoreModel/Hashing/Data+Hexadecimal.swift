import Foundation

extension Data {
  /// The bytes in lower-case hexadecimal.
  package var hexadecimal: String {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
    return String(unsafeUninitializedCapacity: count * 2) { text in
      for (position, byte) in self.enumerated() {
        text[position * 2] = digit(byte >> 4)
        text[position * 2 + 1] = digit(byte & 15)
      }
      return count * 2
    }
  }
}
