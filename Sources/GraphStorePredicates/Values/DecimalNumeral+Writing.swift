/// Writer of decimal numerals and whole numbers as UTF-8 bytes. Exports write every number of their rows with
/// it.
extension DecimalNumeral {
  /// So many powers of ten are written as zeros; with more the text has an `E`.
  private static let mostZeros = 300

  /// Room for every text that ``write(to:)`` can write.
  package static let longestText = 48 + mostZeros

  /// Writes the number in plain notation with its decimal places kept, or with a power of ten where plain
  /// notation takes more than a few hundred digits, and returns the length.
  ///
  /// - Parameter out: Room for ``longestText`` bytes.
  package func write(to out: UnsafeMutablePointer<UInt8>) -> Int {
    var end = unsafe out
    if isNegative {
      unsafe end.pointee = UInt8(ascii: "-")
      unsafe end += 1
    }
    let places = -exponent
    if exponent == 0 || significand == 0 && exponent > 0 {
      unsafe end += WholeNumberText.write(significand, to: end)
    } else if abs(exponent) > Self.mostZeros {
      unsafe end += WholeNumberText.write(significand, to: end)
      unsafe end.pointee = UInt8(ascii: "E")
      unsafe end += 1
      if exponent < 0 {
        unsafe end.pointee = UInt8(ascii: "-")
        unsafe end += 1
      }
      unsafe end += WholeNumberText.write(UInt64(exponent.magnitude), to: end)
    } else if exponent > 0 {
      unsafe end += WholeNumberText.write(significand, to: end)
      unsafe end += Self.writeZeros(exponent, to: end)
    } else {
      unsafe end += Self.write(significand, places: places, to: end)
    }
    return unsafe end - out
  }

  /// The number as text, as ``write(to:)`` writes it.
  package var text: String {
    unsafe String(unsafeUninitializedCapacity: Self.longestText) { buffer in
      unsafe buffer.baseAddress.map { unsafe write(to: $0) } ?? 0
    }
  }

  private static func write(
    _ significand: UInt128, places: Int, to out: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let count = unsafe WholeNumberText.write(significand, to: out)
    // The digits are in place but for the point, or for zeros in front of them.
    let zeros = max(places - count + 1, 0)
    if zeros > 0 {
      unsafe (out + zeros).update(from: out, count: count)
      _ = unsafe writeZeros(zeros, to: out)
    }
    let point = zeros + count - places
    unsafe (out + point + 1).update(from: out + point, count: places)
    unsafe out[point] = UInt8(ascii: ".")
    return zeros + count + 1
  }

  private static func writeZeros(_ count: Int, to out: UnsafeMutablePointer<UInt8>) -> Int {
    unsafe out.update(repeating: UInt8(ascii: "0"), count: count)
    return count
  }
}

/// Writer of whole numbers in decimal digits.
package enum WholeNumberText {
  /// Writes the digits and returns their number: 1 to 20.
  @inlinable
  @inline(__always)
  package static func write(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
    let length = count(value)
    var rest = value
    var place = length
    while rest >= 100 {
      let pair = rest % 100
      rest /= 100
      place &-= 2
      unsafe out[place] = 0x30 &+ UInt8(truncatingIfNeeded: pair / 10)
      unsafe out[place &+ 1] = 0x30 &+ UInt8(truncatingIfNeeded: pair % 10)
    }
    if rest >= 10 {
      unsafe out[0] = 0x30 &+ UInt8(truncatingIfNeeded: rest / 10)
      unsafe out[1] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
    } else {
      unsafe out[0] = 0x30 &+ UInt8(truncatingIfNeeded: rest)
    }
    return length
  }

  /// Writes the digits of a larger number and returns their number: 1 to 39.
  package static func write(_ value: UInt128, to out: UnsafeMutablePointer<UInt8>) -> Int {
    // 10^19 is the largest power of ten in 64 bits.
    let chunk: UInt128 = 10_000_000_000_000_000_000
    if value < chunk { return unsafe write(UInt64(truncatingIfNeeded: value), to: out) }
    let head = unsafe write(value / chunk, to: out)
    var rest = UInt64(truncatingIfNeeded: value % chunk)
    for place in stride(from: head + 18, through: head, by: -1) {
      unsafe out[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    return head + 19
  }

  @inlinable
  @inline(__always)
  package static func count(_ value: UInt64) -> Int {
    var length = 1
    var rest = value
    while rest >= 10_000 {
      rest /= 10_000
      length &+= 4
    }
    if rest >= 1000 { return length &+ 3 }
    if rest >= 100 { return length &+ 2 }
    return rest >= 10 ? length &+ 1 : length
  }
}
