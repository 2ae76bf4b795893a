import Foundation
import GraphStorePredicates
import Testing

@Suite struct DecimalArithmeticTests {
  /// What an expression over the decimals a and b yields.
  private func result(_ text: String, _ left: String, _ right: String = "1") throws -> String? {
    let values: [String: QueryOperand] = [
      "a": .value(.decimal(Decimal(string: left) ?? .nan)),
      "b": .value(.decimal(Decimal(string: right) ?? .nan)),
    ]
    let evaluator = try ExpressionEvaluator(QueryExpression(parsing: text), variables: values)
    switch try evaluator.value(for: .null) {
    case .decimal(let number): return number.description
    case .null: return nil
    case let other: return "\(other)"
    }
  }

  @Test(
    "PRD-159: decimals are exact up to 38 digits, then rounded half to even",
    arguments: [
      ("$a / $b", "1", "3", "0." + String(repeating: "3", count: 38)),
      ("$a / $b", "2", "3", "0." + String(repeating: "6", count: 37) + "7"),
      ("$a / $b", "-2", "3", "-0." + String(repeating: "6", count: 37) + "7"),
      ("$a / $b", "1", "8", "0.125"), ("$a / $b", "0", "7", "0"),
      ("$a + $b", "99999999999999999999999999999999999999", "1", "1" + String(repeating: "0", count: 38)),
      ("$a + $b", "99999999999999999999999999999999999998", "0.5", "99999999999999999999999999999999999998"),
      ("$a + $b", "99999999999999999999999999999999999997", "0.5", "99999999999999999999999999999999999998"),
      ("$a - $b", "1", "1e-60", "1"),
      ("$a + $b", "1", "1e-37", "1." + String(repeating: "0", count: 36) + "1"),
      ("$a + $b", "0.1", "0.2", "0.3"), ("$a - $b", "0.3", "0.3", "0"), ("$a - $b", "1", "2.5", "-1.5"),
      (
        "$a * $b", "12345678901234567890123456789012345678", "10.1",
        "124691356902469135690246913569024691350"
      ),
      ("$a * $b", "-1.5", "1.5", "-2.25"), ("$a ** 3", "1.1", "1", "1.331"), ("$a ** 0", "7.5", "1", "1"),
    ])
  func rounding(text: String, left: String, right: String, wanted: String) throws {
    #expect(try result(text, left, right) == wanted)
  }

  @Test(
    "PRD-161, PRD-167: remainders have the sign of the left side; ceiling, floor and trunc of negative decimals",
    arguments: [
      ("modulus:by:($a, $b)", "7.5", "2", "1.5"), ("modulus:by:($a, $b)", "-7.5", "2", "-1.5"),
      ("modulus:by:($a, $b)", "7.5", "-2", "1.5"), ("modulus:by:($a, $b)", "1e30", "7", "1"),
      ("modulus:by:($a, $b)", "0.5", "1e20", "0.5"), ("modulus:by:($a, $b)", "1e-20", "1e20", "1e-20"),
      ("ceiling:($a)", "-1.5", "1", "-1"), ("floor:($a)", "-1.5", "1", "-2"),
      ("trunc:($a)", "-1.5", "1", "-1"),
      ("ceiling:($a)", "1.2", "1", "2"), ("floor:($a)", "1.8", "1", "1"), ("trunc:($a)", "1.8", "1", "1"),
      ("abs:($a)", "-1.5", "1", "1.5"),
    ])
  func wholeParts(text: String, left: String, right: String, wanted: String) throws {
    let found = try #require(try result(text, left, right))
    #expect(Decimal(string: found) == Decimal(string: wanted), "\(found)")
  }

  @Test("PRD-160, PRD-161: division and remainder by zero are nil; what no decimal can be is a double")
  func limits() throws {
    #expect(try result("$a / $b", "1", "0") == nil)
    #expect(try result("modulus:by:($a, $b)", "1", "0") == nil)
    #expect(try result("$a * $b", "1e120", "1e120")?.hasPrefix("double(") == true)
  }

  @Test(
    "PRD-159: sums, products and remainders are those of whole numbers",
    arguments: TestSeed.sequence(1, from: 159))
  func againstIntegers(seed: TestSeed) throws {
    var random = seed.generator
    for _ in 0..<2_000 {
      let left = Int128(
        Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...60, using: &random))
      let right = Int128(
        Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...60, using: &random))
      let texts = (left.description, right.description)
      #expect(try whole("$a + $b", texts) == left + right, "\(seed)")
      #expect(try whole("$a - $b", texts) == left - right, "\(seed)")
      // 38 digits hold the product of what has 19.
      if (left * right).magnitude < Self.limit {
        #expect(try whole("$a * $b", texts) == left * right, "\(seed)")
      }
      if right != 0 { #expect(try whole("modulus:by:($a, $b)", texts) == left % right, "\(seed)") }
    }
  }

  private static let limit = UInt128("100000000000000000000000000000000000000") ?? .max

  private func whole(_ text: String, _ operands: (String, String)) throws -> Int128? {
    try result(text, operands.0, operands.1).flatMap { Int128($0) }
  }

  @Test("PRD-184, PRD-187: sums and averages of decimals are decimals")
  func aggregates() throws {
    let prices = Value.dictionary([
      "p": .list([.decimal(Decimal(string: "0.1") ?? 0), .null, .decimal(Decimal(string: "0.2") ?? 0)])
    ])
    #expect(try truth("sum:(p) == 0.3", prices) == .yes)
    #expect(try truth("average:(p) == 0.15", prices) == .yes)
  }

  @Test(
    "PRD-188: sums and averages of decimals are exact in between, and rounded once",
    arguments: [
      (
        ["99999999999999999999999999999999999999", "4.4", "-99999999999999999999999999999999999999", "0.6"],
        "5", "1.25"
      ),
      (
        ["99999999999999999999999999999999999999", "99999999999999999999999999999999999999"],
        "200000000000000000000000000000000000000", "99999999999999999999999999999999999999"
      ),
      (["99999999999999999999999999999999999998", "0.5"], "99999999999999999999999999999999999998", nil),
      (
        ["99999999999999999999999999999999999998", "0.5", "1e-128"], "99999999999999999999999999999999999999",
        nil
      ),
      (["1e127", "1e-128", "-1e127"], "1e-128", "0"), (["-1e127", "-3", "1e127"], "-3", "-1"),
      (["1e-128", "1e-128", "1e-128"], "3e-128", "1e-128"), (["0.1", "0.2"], "0.3", "0.15"),
      (["1", "0", "0"], "1", "0.333333"), (["1.25", "1", "1"], "3.25", "1.08333333"),
      (["5", "-5"], "0", "0"),
      (["-2", "0", "0"], "-2", "-0.666667"),
    ] as [([String], String, String?)])
  func exactAggregates(numbers: [String], sum: String, average: String?) {
    let values = numbers.map { Value.decimal(Decimal(string: $0) ?? .nan) }
    for values in [values, values.reversed(), Array(values[1...] + values[..<1])] {
      #expect(EngineFunctions.value(of: .sum, over: values) == Decimal(string: sum).map(Value.decimal))
      guard let average else { continue }
      #expect(
        EngineFunctions.value(of: .average, over: values) == Decimal(string: average).map(Value.decimal))
    }
  }

  @Test(
    "PRD-188: sums of many decimals are those of whole numbers", arguments: TestSeed.sequence(2, from: 188))
  func manyDecimals(seed: TestSeed) {
    var random = seed.generator
    for places in [0, 2, 9, 30] {
      var total: Int128 = 0
      let values = (0..<200).map { _ -> Value in
        let number =
          Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...62, using: &random)
        total += Int128(number)
        return .decimal(Decimal(string: "\(number)e-\(places)") ?? .nan)
      }
      #expect(
        EngineFunctions.value(of: .sum, over: values)
          == Decimal(string: "\(total)e-\(places)").map(Value.decimal), "\(seed)")
    }
  }
}
