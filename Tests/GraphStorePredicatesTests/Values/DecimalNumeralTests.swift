import Foundation
import Testing

@testable import GraphStorePredicates

@Suite("Decimal numerals")
struct DecimalNumeralTests {
  /// What a numeral that was read is made of.
  private struct Parts: Hashable {
    var isNegative = false
    var significand: UInt128
    var exponent: Int
    var omittedDigits = 0
  }

  private func parts(_ text: String) -> Parts? {
    DecimalNumeral(text).map {
      Parts(
        isNegative: $0.isNegative, significand: $0.significand, exponent: $0.exponent,
        omittedDigits: $0.omittedDigits)
    }
  }

  private func nines(_ count: Int) -> String { String(repeating: "9", count: count) }

  @Test("A numeral keeps its digits and its places")
  func places() {
    #expect(parts("-12.50e3") == Parts(isNegative: true, significand: 1250, exponent: 1))
    #expect(parts("+.5") == Parts(significand: 5, exponent: -1))
    #expect(parts("5.") == Parts(significand: 5, exponent: 0))
    #expect(parts("0.000") == Parts(significand: 0, exponent: -3))
    #expect(parts("007E+02") == Parts(significand: 7, exponent: 2))
    #expect(parts("1e99999999999999999999") == Parts(significand: 1, exponent: 1_000_000_000))
  }

  @Test("What is no numeral is none")
  func refusals() {
    for text in [
      "", "-", "+", ".", "-.", "e5", "1e", "1e+", "1e5.", "1x", "0x10", "nan", "inf", "1.2.3", "1 ", " 1",
      "--1",
      "+-1", "1e--5", "1,5", "\u{0661}",
    ] {
      #expect(DecimalNumeral(text) == nil, "\(text)")
    }
  }

  @Test("Digits that 128 bits have no room for are counted, zeros among them in the power of ten")
  func long() {
    #expect(parts(nines(38)) == Parts(significand: UInt128(nines(38))!, exponent: 0))
    #expect(parts("\(UInt128.max)") == Parts(significand: .max, exponent: 0))
    #expect(parts("\(UInt128.max)000.00") == Parts(significand: .max, exponent: 3))
    #expect(parts(nines(39)) == Parts(significand: UInt128(nines(38))!, exponent: 1, omittedDigits: 1))
    #expect(
      parts("0." + nines(40) + "00")
        == Parts(significand: UInt128(nines(38))!, exponent: -38, omittedDigits: 2))
    #expect(DecimalNumeral("1" + String(repeating: "0", count: 60))?.decimal == Decimal(string: "1e60"))
    #expect(DecimalNumeral(nines(39))?.digitCount == 39)
    #expect(DecimalNumeral(nines(39))?.decimal == nil)
    #expect(DecimalNumeral(nines(45))?.isWhole == true)
    #expect(DecimalNumeral(nines(45) + ".5")?.isWhole == false)
    #expect(DecimalNumeral(nines(45) + "e-3")?.isWhole == false)
  }

  @Test("Whole numbers are found whatever their form")
  func wholeNumbers() {
    let cases: [(String, Int64?)] = [
      ("12.00", 12), ("-1.5e1", -15), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil), ("0.5", nil),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-0", 0),
      ("0e99", 0), ("92233720368547758070e-1", .max),
    ]
    for (text, expected) in cases { #expect(DecimalNumeral(text)?.wholeNumber == expected, "\(text)") }
  }

  @Test("Decimals reach as far as their powers and digits go, and not beyond")
  func limits() {
    let cases: [(String, String?)] = [
      ("1e127", "1e127"), ("1e128", "10e127"), ("7e164", "70000000000000000000000000000000000000e127"),
      ("7e165", nil), ("12e-128", "12e-128"), ("10e-129", "1e-128"), ("1e-129", nil),
      ("\(UInt128.max)e127", "\(UInt128.max)e127"), ("\(UInt128.max)e128", nil),
    ]
    for (text, expected) in cases {
      #expect(DecimalNumeral(text)?.decimal == expected.flatMap { Decimal(string: $0) }, "\(text)")
    }
    #expect(DecimalNumeral(Decimal.nan) == nil)
    #expect(Decimal(shortestTextOf: .nan).isNaN)
    #expect(Value.string("1e128").cast(to: .decimal) == .decimal(Decimal(string: "10e127")!))
  }

  @Test("A decimal of 39 digits is written, read, compared and calculated with to its last digit")
  func longestDecimals() throws {
    for text in [
      "340282366920938463463374607431768211455", "-1.23456789012345678901234567890123456789",
      "0.000100000000000000000000000000000000000001", "34028236692093846346337460743176821145.5",
    ] {
      let decimal = try #require(Decimal(string: text))
      let numeral = try #require(DecimalNumeral(decimal))
      #expect(numeral.digitCount == 39)
      #expect(numeral.text == text)
      #expect(numeral.decimal == decimal)
      #expect(Value.string(text).cast(to: .decimal) == .decimal(decimal))
      #expect(Value.decimal(decimal).text == text)
      #expect(try QueryExpression(parsing: Value.decimal(decimal).literal).constantValue == .decimal(decimal))
    }
    // Both have the same nearest double.
    let long = try #require(Decimal(string: "340282366920938463463374607431768211455"))
    #expect(ExactNumber.order(long, 0x1p128) == .orderedAscending)
  }

  /// A numeral with any digits and powers that a decimal can have.
  private func numeral(_ random: inout SeededGenerator) -> DecimalNumeral {
    let significand =
      UInt128.random(in: 0...UInt128.max, using: &random) >> UInt128.random(in: 0...127, using: &random)
    return DecimalNumeral(
      isNegative: significand != 0 && random.chance(50), significand: significand,
      exponent: Int.random(in: -128...127, using: &random))
  }

  @Test("What was written reads back, to the last place", arguments: TestSeed.sequence(2, from: 11))
  func roundTrip(seed: TestSeed) throws {
    var random = seed.generator
    for _ in 0..<5000 {
      var numeral = numeral(&random)
      if random.chance(5) { numeral.exponent *= 10 }
      let text = numeral.text
      // Plain notation writes the zeros of a positive power as digits.
      let read = try #require(DecimalNumeral(text), "\(seed), \(text)")
      #expect(read.canonical == numeral.canonical, "\(seed), \(text)")
      if numeral.exponent <= 0 { #expect(read == numeral, "\(seed), \(text)") }
      #expect(text.utf8.count <= DecimalNumeral.longestText, "\(seed), \(text)")
    }
  }

  @Test(
    "Decimals, their descriptions and their numerals are the same numbers",
    arguments: TestSeed.sequence(2, from: 12))
  func decimals(seed: TestSeed) throws {
    var random = seed.generator
    for _ in 0..<3000 {
      let numeral = numeral(&random)
      let text = "\(numeral.isNegative ? "-" : "")\(numeral.significand)e\(numeral.exponent)"
      let expected = Decimal(string: text)
      #expect(numeral.decimal == expected, "\(seed), \(text)")
      guard let decimal = expected else { continue }
      #expect(numeral.decimal?.description == decimal.description, "\(seed), \(text)")
      #expect(DecimalNumeral(decimal) == numeral.canonical, "\(seed), \(text)")
      #expect(DecimalNumeral(decimal)?.text == decimal.description, "\(seed), \(text)")
      #expect(Value.string(text).cast(to: .decimal) == .decimal(decimal), "\(seed), \(text)")
      #expect(Value.decimal(decimal).doubleNumber == decimal.nearestDouble, "\(seed), \(text)")
    }
  }

  @Test(
    "Doubles give the numeral of their shortest text, by arithmetic as by the text, and it gives them back",
    arguments: TestSeed.sequence(2, from: 13))
  func doubles(seed: TestSeed) throws {
    var random = seed.generator
    for _ in 0..<10_000 {
      let few =
        Double(
          Int.random(in: -999_999_999_999_999...999_999_999_999_999, using: &random)
            / random.pick([1, 1000, 1_000_000]))
        / pow(10, Double(Int.random(in: 0...15, using: &random)))
      let any = Double(bitPattern: random.next())
      for double in [few, any] where double.isFinite {
        let numeral = DecimalNumeral(shortestTextOf: double)
        #expect(numeral.canonical == DecimalNumeral(double.description)?.canonical, "\(seed), \(double)")
        let text = Array(numeral.text.utf8)
        #expect(text.withUnsafeBufferPointer { NumberText.double($0) } == double, "\(seed), \(double)")
        if let decimal = numeral.decimal {
          #expect(Decimal(shortestTextOf: double) == decimal, "\(seed), \(double)")
          #expect(decimal.nearestDouble == double, "\(seed), \(double)")
          #expect(Value.double(double).cast(to: .decimal) == .decimal(decimal), "\(seed), \(double)")
        }
      }
    }
  }
}
