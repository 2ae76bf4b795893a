/// End of the name of a hidden file beside a store, by which a later process knows it as one that was left
/// behind: a file of a user's hardly has the form by chance.
enum LeftoverLabel {
  /// The number of digits, to the base of 36, of a number of 64 bits.
  private static let length = 13

  static func random() -> String {
    let number = String(UInt64.random(in: .min ... .max), radix: 36)
    return String(repeating: "0", count: length - number.count) + number
  }

  /// Whether a name consists of a beginning and a label.
  static func ends(_ name: String, after beginning: String) -> Bool {
    guard name.hasPrefix(beginning) else { return false }
    let label = name.utf8.dropFirst(beginning.utf8.count)
    return label.count == length && label.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
