/// 256-bit unsigned integer: an exact result of decimal arithmetic before it is rounded.
struct WideSignificand {
  private var high: UInt128
  private var low: UInt128

  /// The powers of ten from 10^0 to 10^38.
  static let powersOfTen: [UInt128] = {
    var powers: [UInt128] = [1]
    for _ in 1...38 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()

  init(_ left: UInt128, times right: UInt128) {
    (high, low) = left.multipliedFullWidth(by: right)
  }

  private init(high: UInt128, low: UInt128) {
    self.high = high
    self.low = low
  }

  /// Ten times the number, which must have fewer than 77 digits.
  var timesTen: WideSignificand {
    let (carry, product) = low.multipliedFullWidth(by: 10)
    return WideSignificand(high: high * 10 + carry, low: product)
  }

  func adding(_ other: UInt128) -> WideSignificand {
    let (sum, overflow) = low.addingReportingOverflow(other)
    return WideSignificand(high: overflow ? high + 1 : high, low: sum)
  }

  /// The difference, and whether it is negative.
  func subtracting(_ other: UInt128) -> (magnitude: WideSignificand, isNegative: Bool) {
    if high == 0, low < other { return (WideSignificand(high: 0, low: other - low), true) }
    let (difference, borrow) = low.subtractingReportingOverflow(other)
    return (WideSignificand(high: borrow ? high - 1 : high, low: difference), false)
  }

  func divided(by divisor: UInt128) -> (quotient: WideSignificand, remainder: UInt128) {
    let (first, rest) = high.quotientAndRemainder(dividingBy: divisor)
    let (second, remainder) = divisor.dividingFullWidth((rest, low))
    return (WideSignificand(high: first, low: second), remainder)
  }

  /// The number of decimal digits.
  static func digits(of number: UInt128) -> Int {
    powersOfTen.firstIndex { number < $0 } ?? 39
  }

  private var digits: Int {
    high == 0 ? Self.digits(of: low) : 38 + divided(by: Self.powersOfTen[38]).quotient.digits
  }

  /// The number to 38 digits, rounded half to even, and how many digits were left out.
  ///
  /// - Parameter isInexact: Whether a little more than the number is meant.
  func rounded(isInexact: Bool = false) -> (significand: UInt128, dropped: Int) {
    let excess = digits - 38
    guard excess > 0 else { return (low, 0) }
    var number = self
    var isInexact = isInexact
    if excess > 38 {
      let (quotient, remainder) = divided(by: Self.powersOfTen[excess - 38])
      number = quotient
      if remainder != 0 { isInexact = true }
    }
    let dropped = min(excess, 38)
    let (quotient, remainder) = number.divided(by: Self.powersOfTen[dropped])
    let half = 5 * Self.powersOfTen[dropped - 1]
    let roundsUp = remainder > half || (remainder == half && (isInexact || quotient.low & 1 == 1))
    return (roundsUp ? quotient.low + 1 : quotient.low, excess)
  }
}
