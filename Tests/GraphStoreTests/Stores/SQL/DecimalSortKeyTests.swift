import Foundation
import GraphStorePredicates
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("Sort keys of decimals")
struct DecimalSortKeyTests {
  private func key(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBufferPointer { DecimalSortKey.bytes(ofText: $0) }
  }

  @Test("PRD-251: keys are in the order of the numbers", arguments: TestSeed.sequence(2, from: 21))
  func order(seed: TestSeed) throws {
    var random = seed.generator
    var numbers: [(decimal: Decimal, key: [UInt8])] = []
    for _ in 0..<400 {
      let significand =
        UInt128.random(in: 0...UInt128.max, using: &random) >> UInt128(random.pick([0, 60, 90, 120]))
      let text = "\(random.chance(50) ? "-" : "")\(significand)e\(Int.random(in: -45...5, using: &random))"
      let decimal = try #require(Decimal(string: text))
      let key = try #require(self.key(text))
      #expect(self.key(decimal.description) == key, "\(seed), \(text)")
      numbers.append((decimal, key))
    }
    for (left, right) in zip(numbers, numbers.dropFirst()) {
      #expect(
        left.key.lexicographicallyPrecedes(right.key) == (left.decimal < right.decimal),
        "\(seed), \(left), \(right)")
      #expect((left.key == right.key) == (left.decimal == right.decimal), "\(seed), \(left), \(right)")
    }
  }

  @Test(
    "Doubles stand where the decimals stand that they are read as", arguments: TestSeed.sequence(1, from: 22))
  func doubles(seed: TestSeed) throws {
    var random = seed.generator
    // The same to 15 digits, and other decimals.
    for double in [0.1, (0.1).nextUp, -2.5, 0]
      + (0..<500).map({ _ in Double.random(in: -1e6...1e6, using: &random) })
    {
      let decimal = Decimal(shortestTextOf: double)
      let stored = DecimalSortKey.bytes(of: DecimalNumeral(shortestTextOf: double))
      #expect(stored == key(decimal.description), "\(seed), \(double)")
    }
  }

  @Test("More digits than any decimal has count, and what is no numeral has no key")
  func edges() throws {
    let nines = String(repeating: "9", count: 45)
    let keys = try ["-" + nines, "0", nines + "e-45", "1", nines, nines + "1", nines + "9e1"].map {
      try #require(self.key($0))
    }
    for (left, right) in zip(keys, keys.dropFirst()) { #expect(left.lexicographicallyPrecedes(right)) }
    #expect(key("000" + nines + ".500") == key(nines + "5e-1"))
    #expect(key("-0.00") == key("0"))
    for text in ["", "x", "1e20000", "1e-20000", "nan", "1 "] { #expect(key(text) == nil, "\(text)") }
  }
}
