import GraphStore

/// What a number means that stands for a date: so many seconds since the beginning of a year, in UTC.
enum DateNumbers: String, CaseIterable, Sendable {
  /// As Unix and most databases count.
  case since1970 = "seconds-1970"
  /// As stores count.
  case since2001 = "seconds-2001"

  /// Seconds since 2001 of a number; nil for what is no number, or too large to be one.
  func seconds(of text: UnsafeBufferPointer<UInt8>) -> Double? {
    if let seconds = unsafe exactSeconds(of: text) { return seconds }
    guard let seconds = unsafe NumberText.double(text), seconds.isFinite else { return nil }
    return seconds - Double(origin)
  }

  /// From 2001 to when the numbers count from, in seconds.
  private var origin: Int64 { self == .since1970 ? 978_307_200 : 0 }

  /// The double nearest to the number less the origin: of decimal fractions no digit gets lost by subtracting doubles.
  private func exactSeconds(of text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let numeral = unsafe DecimalNumeral(text), numeral.significand < 1 << 52,
      (-6...0).contains(numeral.exponent)
    else { return nil }
    let scale = (0..<(-numeral.exponent)).reduce(Int64(1)) { power, _ in power * 10 }
    let units = Int64(truncatingIfNeeded: numeral.significand)
    // Both are exact as doubles, so their quotient is rounded once.
    return Double((numeral.isNegative ? -units : units) - origin * scale) / Double(scale)
  }
}
