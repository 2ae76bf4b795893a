import Foundation
import GraphStorePredicates

@testable import GraphStore

/// A condition on sales made at random: its text, and what it is of a sale, worked out apart from the
/// library; nil is unknown.
struct RandomCondition {
  typealias Sale = ResultGraph.Sale

  let text: String
  let truth: (Sale) -> Bool?

  /// Whether a fetch selects a sale.
  func selects(_ sale: Sale) -> Bool { truth(sale) == true }

  init(_ text: String, _ truth: @escaping (Sale) -> Bool?) {
    self.text = text
    self.truth = truth
  }

  /// Makes a condition that is so deep at most.
  init(_ random: inout SeededGenerator, depth: Int) {
    guard depth > 0 else {
      self = Self.leaf(&random)
      return
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      let inner = RandomCondition(&random, depth: depth - 1)
      self.init("NOT (\(inner.text))") { sale in inner.truth(sale).map { !$0 } }
    case 1:
      let (left, right) = (
        RandomCondition(&random, depth: depth - 1), RandomCondition(&random, depth: depth - 1)
      )
      self.init("(\(left.text)) AND (\(right.text))") { sale in
        let truths = [left.truth(sale), right.truth(sale)]
        return truths.contains(false) ? false : truths.contains(nil) ? nil : true
      }
    case 2, 3:
      let (left, right) = (
        RandomCondition(&random, depth: depth - 1), RandomCondition(&random, depth: depth - 1)
      )
      self.init("(\(left.text)) OR (\(right.text))") { sale in
        let truths = [left.truth(sale), right.truth(sale)]
        return truths.contains(true) ? true : truths.contains(nil) ? nil : false
      }
    default: self = Self.leaf(&random)
    }
  }

  // MARK: Comparisons

  private typealias Operator = (text: String, holds: @Sendable (ComparisonResult) -> Bool)

  private static let operators: [Operator] = [
    ("==", { $0 == .orderedSame }), ("!=", { $0 != .orderedSame }), ("<", { $0 == .orderedAscending }),
    ("<=", { $0 != .orderedDescending }), (">", { $0 == .orderedDescending }),
    (">=", { $0 != .orderedAscending }),
  ]

  /// Constants of each key as text and value.
  private static let constants: [(key: String, values: [(String, Value)])] = [
    ("small", [("0", .int(0)), ("2", .int(2)), ("-2", .int(-2))]),
    ("amount", [("3", .int(3)), ("1099511627776", .int(1 << 40))]),
    ("shop.size", [("1", .int(1))]), ("place.zip", [("0", .int(0)), ("99999", .int(99_999))]),
    (
      "price",
      ["0", "2.5", "12345678901234567890.123456789", "-3"].map { ($0, .decimal(Decimal(string: $0) ?? 0)) }
    ),
    ("ratio", [("0.5", .double(0.5)), ("0", .double(0)), ("1e300", .double(1e300))]),
    ("day", [("CAST(0.5, 'NSDate')", .date(Date(timeIntervalSinceReferenceDate: 0.5)))]),
    ("flag", [("YES", .bool(true)), ("NO", .bool(false))]),
    (
      "region",
      ["east", "öst", "", "west", "🙂"].map { ("'\($0)'", .string($0)) }
    ),
    ("shop.name", [("'North'", .string("North"))]), ("place.city", [("'oslo'", .string("oslo"))]),
  ]

  private static func order(_ left: Value, _ right: Value) -> ComparisonResult? {
    if left.isNull || right.isNull { return nil }
    switch ReferenceOrder.isLess(left, right) {
    case nil: return .orderedSame
    case true?: return .orderedAscending
    case false?: return .orderedDescending
    }
  }

  private static func leaf(_ random: inout SeededGenerator) -> RandomCondition {
    let (key, values) = random.pick(constants)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return RandomCondition("\(key) == nil") { $0.value(key).isNull }
    case 1: return RandomCondition("\(key) != nil") { !$0.value(key).isNull }
    case 2:
      let chosen = values.shuffled(using: &random).prefix(2)
      return RandomCondition("\(key) IN {\(chosen.map(\.0).joined(separator: ", "))}") { sale in
        let value = sale.value(key)
        return value.isNull ? nil : chosen.contains { order(value, $0.1) == .orderedSame }
      }
    case 3:
      return RandomCondition("small BETWEEN {-1, 1}") { sale in
        guard case .int(let number) = sale.value("small") else { return nil }
        return (-1...1).contains(number)
      }
    case 4:
      let comparison = random.pick(operators)
      return RandomCondition("small \(comparison.text) shop.size") {
        order($0.value("small"), $0.value("shop.size")).map(comparison.holds)
      }
    case 5:
      let comparison = random.pick(operators)
      return RandomCondition("small * 2 + 1 \(comparison.text) shop.size - 1") { sale in
        guard case .int(let left) = sale.value("small"), case .int(let right) = sale.value("shop.size")
        else { return nil }
        return order(.int(left * 2 + 1), .int(right - 1)).map(comparison.holds)
      }
    case 6:
      return random.chance(50)
        ? RandomCondition("entity == 'Return'") { $0.isReturn }
        : RandomCondition("region BEGINSWITH 'w'") { sale in
          guard case .string(let text) = sale.value("region") else { return nil }
          return text.utf8.first == UInt8(ascii: "w")
        }
    default:
      // Flags have no order.
      let comparison = random.pick(key == "flag" ? Array(operators.prefix(2)) : operators)
      let constant = random.pick(values)
      return RandomCondition("\(key) \(comparison.text) \(constant.0)") {
        order($0.value(key), constant.1).map(comparison.holds)
      }
    }
  }
}
