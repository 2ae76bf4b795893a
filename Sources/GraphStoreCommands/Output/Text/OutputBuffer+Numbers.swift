extension OutputBuffer {
  /// A whole number in decimal digits.
  func append(integer value: Int64) {
    reserve(20)
    var length = 0
    if value < 0 {
      unsafe cursor[0] = UInt8(ascii: "-")
      length = 1
    }
    unsafe length += DecimalDigits.write(value.magnitude, to: cursor + length)
    advance(length)
  }

  /// The shortest text that gives the same number back; `nan`, `inf` and `-inf` are for the caller to deal with.
  func append(double value: Double) {
    let magnitude = value.magnitude
    if magnitude < 1e9, appendFewDecimals(value, magnitude) { return }
    append(value.description)
  }

  /// Numbers of up to six decimals, which most are, without the general algorithm.
  ///
  /// Up to 15 digits the number of `scaled` millionths is the only one that gives `magnitude` back, and dividing two numbers
  /// that are exact rounds as reading the text does.
  private func appendFewDecimals(_ value: Double, _ magnitude: Double) -> Bool {
    let scaled = (magnitude * 1e6).rounded()
    guard scaled / 1e6 == magnitude else { return false }
    let millionths = UInt64(scaled)
    reserve(32)
    if value.sign == .minus { append(byte: UInt8(ascii: "-")) }
    unsafe advance(DecimalDigits.write(millionths / 1_000_000, to: cursor))
    append(byte: UInt8(ascii: "."))
    var fraction = millionths % 1_000_000
    var places = 6
    while places > 1, fraction % 10 == 0 {
      fraction /= 10
      places -= 1
    }
    for place in stride(from: places - 1, through: 0, by: -1) {
      unsafe cursor[place] = 0x30 + UInt8(truncatingIfNeeded: fraction % 10)
      fraction /= 10
    }
    advance(places)
    return true
  }

  /// The shortest text that gives the same single-precision number back.
  func append(float value: Float) {
    append(value.description)
  }

  /// A decimal number, in plain notation where that takes no more than a few hundred digits.
  func append(decimal value: DecimalNumeral) {
    let exponent = value.exponent
    reserve(48)
    if value.isNegative { append(byte: UInt8(ascii: "-")) }
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { digits in
      guard let base = digits.baseAddress else { return }
      let count = unsafe DecimalDigits.write(value.significand, to: base)
      let text = unsafe UnsafeBufferPointer(start: UnsafePointer(base), count: count)
      let places = -exponent
      if value.significand == 0 && exponent > 0 || exponent == 0 {
        unsafe append(text)
      } else if abs(exponent) > 300 {
        unsafe append(text)
        append(byte: UInt8(ascii: "E"))
        append(integer: Int64(exponent))
      } else if exponent > 0 {
        unsafe append(text)
        appendZeros(exponent)
      } else if count > places {
        unsafe append(UnsafeBufferPointer(rebasing: text[..<(count - places)]))
        append(byte: UInt8(ascii: "."))
        unsafe append(UnsafeBufferPointer(rebasing: text[(count - places)...]))
      } else {
        append(literal: "0.")
        appendZeros(places - count)
        unsafe append(text)
      }
    }
  }

  private func appendZeros(_ number: Int) {
    for _ in 0..<number { append(byte: UInt8(ascii: "0")) }
  }
}

/// Decimal digits of whole numbers.
enum DecimalDigits {
  /// Writes the digits and gives their number: 1 to 20.
  @inline(__always)
  static func write(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
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

  /// Writes the digits of a larger number and gives their number: 1 to 39.
  static func write(_ value: UInt128, to out: UnsafeMutablePointer<UInt8>) -> Int {
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

  @inline(__always)
  private static func count(_ value: UInt64) -> Int {
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
