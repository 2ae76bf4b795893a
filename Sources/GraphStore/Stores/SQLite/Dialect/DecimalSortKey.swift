/// A decimal numeral taken apart, and as bytes whose order is that of the numbers.
struct DecimalSortKey {
  var isNegative = false
  /// The digits from the first to the last that is not zero.
  var digits: [UInt8] = []
  /// The place of the point, counted from before the first digit.
  var exponent = 0

  /// Reads a numeral such as `-12.50` or `1.5e-07`; nil if it is none.
  init?(_ text: some Collection<UInt8>) {
    var pointSeen = false
    var isEmpty = true
    var bytes = text.makeIterator()
    var next = bytes.next()
    if next == 0x2d || next == 0x2b {
      isNegative = next == 0x2d
      next = bytes.next()
    }
    while let byte = next {
      if byte == 0x2e, !pointSeen {
        pointSeen = true
      } else if (0x30...0x39).contains(byte) {
        isEmpty = false
        if byte == 0x30, digits.isEmpty {
          if pointSeen { exponent -= 1 }
        } else {
          digits.append(byte - 0x30)
          if !pointSeen { exponent += 1 }
        }
      } else {
        break
      }
      next = bytes.next()
    }
    if next == 0x65 || next == 0x45 {
      var power = ""
      while let byte = bytes.next() { power.unicodeScalars.append(Unicode.Scalar(byte)) }
      guard let shift = Int(power), abs(shift) < 10_000 else { return nil }
      exponent += shift
    } else if next != nil {
      return nil
    }
    guard !isEmpty else { return nil }
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }

  /// Bytes that compare as the numbers do.
  var key: [UInt8] {
    if digits.isEmpty { return [0x80] }
    let place = UInt16(clamping: exponent + 0x8000)
    var key: [UInt8] = [0x81, UInt8(place >> 8), UInt8(place & 0xff)]
    key.reserveCapacity(digits.count + 4)
    for digit in digits { key.append(digit + 1) }
    key.append(0)
    return isNegative ? key.map { ~$0 } : key
  }
}
