/// The order of versions: piece by piece, with runs of digits as numbers; names that are equal in it by their bytes.
enum VersionOrder {
  static func precedes(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    var first = left[...]
    var second = right[...]
    while !first.isEmpty, !second.isEmpty {
      let areNumbers = isDigit(first[first.startIndex]) && isDigit(second[second.startIndex])
      let one = areNumbers ? takeNumber(&first) : first.popFirst().map { [$0] } ?? []
      let other = areNumbers ? takeNumber(&second) : second.popFirst().map { [$0] } ?? []
      if one.count != other.count { return one.count < other.count }
      if one != other { return one.lexicographicallyPrecedes(other) }
    }
    if first.isEmpty != second.isEmpty { return first.isEmpty }
    return left.lexicographicallyPrecedes(right)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Takes a run of digits; returns them without leading zeros, so that the longer number is the greater.
  private static func takeNumber(_ text: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return Array(digits.drop { $0 == 0x30 })
  }
}
