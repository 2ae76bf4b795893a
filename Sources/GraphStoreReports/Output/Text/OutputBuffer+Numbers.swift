import GraphStorePredicates

extension OutputBuffer {
  /// A whole number in decimal digits.
  package func append(integer value: Int64) {
    reserve(20)
    var length = 0
    if value < 0 {
      unsafe cursor[0] = UInt8(ascii: "-")
      length = 1
    }
    unsafe length += WholeNumberText.write(value.magnitude, to: cursor + length)
    advance(length)
  }

  /// The shortest text that gives the same number back; `nan`, `inf` and `-inf` are for the caller to deal
  /// with.
  package func append(double value: Double) {
    let magnitude = value.magnitude
    if magnitude < 1e9, appendFewDecimals(value, magnitude) { return }
    append(value.description)
  }

  /// Numbers of up to six decimals, which most are, without the general algorithm, nor that of
  /// `DecimalNumeral`, which looks for the fewest places and so divides once for each: this divides once.
  ///
  /// Up to 15 digits the number of `scaled` millionths is the only one that gives `magnitude` back, and
  /// dividing two numbers that are exact rounds as reading the text does.
  private func appendFewDecimals(_ value: Double, _ magnitude: Double) -> Bool {
    let scaled = (magnitude * 1e6).rounded()
    guard scaled / 1e6 == magnitude else { return false }
    let millionths = UInt64(scaled)
    reserve(32)
    if value.sign == .minus { append(byte: UInt8(ascii: "-")) }
    unsafe advance(WholeNumberText.write(millionths / 1_000_000, to: cursor))
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
  package func append(float value: Float) {
    append(value.description)
  }

  /// A decimal number, in plain notation where that takes no more than a few hundred digits.
  package func append(decimal value: DecimalNumeral) {
    reserve(DecimalNumeral.longestText)
    unsafe advance(value.write(to: cursor))
  }
}
