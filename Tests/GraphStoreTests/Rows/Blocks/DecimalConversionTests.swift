import Foundation
import Testing

@testable import GraphStore
@testable import GraphStorePredicates

@Suite("Decimals from doubles")
struct DecimalConversionTests {
  private func byText(_ double: Double) -> Decimal? { Decimal(string: double.description, locale: nil) }

  @Test(
    "OBJ-144: numbers of few digits give the decimal that their shortest text gives",
    arguments: TestSeed.sequence(3, from: 1))
  func fewDigits(seed: TestSeed) throws {
    var random = seed.generator
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...15, using: &random)
      let limit = Int(pow(10.0, Double(digits)))
      let number = Int.random(in: (1 - limit)..<limit, using: &random)
      let places = Int.random(in: 0...15, using: &random)
      let double = Double(number) / pow(10, Double(places))
      #expect(Decimal(shortestTextOf: double) == byText(double), "\(seed), \(double)")
    }
  }

  @Test(
    "OBJ-144: any double gives the decimal that its shortest text gives",
    arguments: TestSeed.sequence(2, from: 4))
  func any(seed: TestSeed) throws {
    var random = seed.generator
    for _ in 0..<20_000 {
      let exponent = Int.random(in: -60...60, using: &random)
      let double = Double(sign: .plus, exponent: exponent, significand: .random(in: -2...2, using: &random))
      if let few = DecimalNumeral(fewDigitsOf: double) {
        #expect(few.decimal == byText(double), "\(seed), \(double)")
      }
    }
  }

  @Test("Edges go the same way as text")
  func edges() {
    for double in [0, -0.0, 1e15, 999_999_999_999_999, 0.1, 1e-15, 1e-16, -2.5, 1e22, 123_456_789.012345] {
      #expect(Decimal(shortestTextOf: double) == byText(double), "\(double)")
    }
    #expect(DecimalNumeral(fewDigitsOf: .nan) == nil)
    #expect(DecimalNumeral(fewDigitsOf: .infinity) == nil)
  }
}
