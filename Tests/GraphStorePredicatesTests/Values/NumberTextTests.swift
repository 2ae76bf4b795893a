import Foundation
import Testing

@testable import GraphStorePredicates

@Suite("Numbers from text")
struct NumberTextTests {
  func integer(_ text: String) -> Int64? {
    Array(text.utf8).withUnsafeBufferPointer { NumberText.integer($0) }
  }
  func double(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer { NumberText.double($0) }
  }

  @Test("Whole numbers reach to the ends of 64 bits and not beyond")
  func integers() {
    #expect(integer("0") == 0)
    #expect(integer("-0") == 0)
    #expect(integer("+17") == 17)
    #expect(integer("9223372036854775807") == .max)
    #expect(integer("-9223372036854775808") == .min)
    for text in [
      "9223372036854775808", "-9223372036854775809", "99999999999999999999", "", "-", "1.0", "1e3", " 1", "x",
    ] {
      #expect(integer(text) == nil)
    }
  }

  @Test("Doubles are those that Foundation reads", arguments: TestSeed.sequence(1, from: 29))
  func doubles(seed: TestSeed) {
    var generator = seed.generator
    for _ in 0..<3000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      #expect(double("\(value)") == value, "\(seed)")
      let short =
        (value.magnitude < 1e12 ? value * 100 : Double(Int32(truncatingIfNeeded: generator.next()))).rounded()
        / 100
      #expect(double("\(short)") == short, "\(seed)")
    }
    #expect(double("1e400") == .infinity)
    #expect(double("-0.0")?.sign == .minus)
    #expect(double("123456789012345678901234567890") == 1.2345678901234568e29)
    for text in ["", "-", ".", "e5", "1e", "1e+", "1x", "0x10", "nan", "1.2.3", "1 "] {
      #expect(double(text) == nil)
    }
  }
}
