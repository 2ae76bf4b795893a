import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Predicates whose sides are computed from numbers, texts and dates.
extension AgreementPredicates {
  mutating func computed(depth: Int) -> String? {
    let sign = random.pick(Self.signs)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: return numeric(2, depth: depth).map { "\($0) \(sign) \(number())" }
    case 4:
      guard let left = numeric(1, depth: depth), let right = numeric(1, depth: depth) else { return nil }
      return "\(left) \(sign) \(right)"
    case 5: return numeric(1, depth: depth).map { "\($0) IN {\(number()), \(number()), nil}" }
    case 6, 7:
      guard let left = string(depth: depth) else { return nil }
      let right =
        random.chance(70) ? argument(.string(random.pick(PlannerValues.texts))) : string(depth: depth)
      let operation = random.pick(["==", "!=", "<", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"])
      return right.map { "\(left) \(operation)\(random.pick(Self.options)) \($0)" }
    default:
      guard let left = date() else { return nil }
      let moment = Date(timeIntervalSinceReferenceDate: random.pick(PlannerValues.dates))
      var right: String? = argument(.date(moment))
      if random.chance(40) { right = random.chance(50) ? "now()" : date() }
      return right.map { "\(left) \(sign) \($0)" }
    }
  }

  private static let units = CalendarUnit.allCases.map(\.rawValue)
  private static let zones = ["", "", ", 'Europe/Berlin'", ", 'America/St_Johns'", ", '-03:30'"]

  private mutating func condition(depth: Int) -> String { predicate(depth: Swift.max(0, depth - 2)) }

  private mutating func numeric(_ levels: Int, depth: Int) -> String? {
    guard levels > 0 else { return random.chance(85) ? attribute(Self.numbers)?.text : number() }
    guard let left = numeric(levels - 1, depth: depth) else { return nil }
    switch Int.random(in: 0..<16, using: &random) {
    case 13:
      let parts = ["year:", "month:", "day:", "hour:", "minute:", "second:", "weekday:", "isoWeek:"]
      return date().map { "\(random.pick(parts))(\($0)\(random.pick(Self.zones)))" }
    case 14:
      guard let from = date(), let to = date() else { return nil }
      return "difference:(\(from), \(to), '\(random.pick(Self.units))'\(random.pick(Self.zones)))"
    case 15:
      return random.chance(50)
        ? "round:(\(left)\(random.pick(["", ", 2", ", 0", ", -3"])))"
        : numeric(levels - 1, depth: depth).map { "coalesce:(\(left), \($0), \(number()))" }
    case 0:
      let names = ["abs:", "ceiling:", "floor:", "trunc:", "sqrt:", "log:", "ln:", "exp:", "negate:"]
      return "\(random.pick(names))(\(left))"
    case 1, 2:
      return numeric(levels - 1, depth: depth).map { "(\(left) \(random.pick(["+", "-", "*", "/"])) \($0))" }
    case 3: return numeric(levels - 1, depth: depth).map { "modulus:by:(\(left), \($0))" }
    case 4:
      return "(\(left) \(random.pick(["&", "|", "^", "<<", ">>"])) \(random.pick(["3", "-2", "70", "1"])))"
    case 5: return "onesComplement:(\(left))"
    case 6:
      return attribute([.int16, .int32, .double]).map { "(\($0.text) ** \(random.pick(["2", "3", "-1"])))" }
    case 7:
      let type = random.pick(["NSNumber", "Int", "Double", "NSDecimalNumber", "Bool"])
      return "CAST(\(left), '\(type)')"
    case 8:
      let name = random.pick(["max:", "min:", "sum:", "average:", "median:", "stddev:"])
      return numeric(levels - 1, depth: depth).map { "\(name)(\(left), \($0), \(number()))" }
    case 9:
      return attribute([.string]).map { random.chance(50) ? "length:(\($0.text))" : "\($0.text).length" }
    case 10: return toMany().map { random.chance(50) ? "\($0.text).@count" : "count:(\($0.text))" }
    case 11: return attribute([.string, .date]).map { "CAST(\($0.text), 'NSNumber')" }
    default:
      return numeric(levels - 1, depth: depth).map { "TERNARY(\(condition(depth: depth)), \(left), \($0))" }
    }
  }

  private mutating func string(depth: Int) -> String? {
    guard let path = attribute([.string])?.text else { return nil }
    switch Int.random(in: 0..<9, using: &random) {
    case 6:
      let place = random.pick(["0", "1", "-2", "1, 2", "-3, 1", "0, 0"])
      return "substring:(\(path), \(place))"
    case 7:
      let text = argument(.string(random.pick(PlannerValues.texts)))
      return random.pick([
        "concatenated:(\(path), \(text))", "replaced:(\(path), 'a', \(text))", "trimmed:(\(path))",
        "firstPart:(\(path), 'n')", "lastPart:(\(path), \(text))",
      ])
    case 8: return attribute([.string]).map { "coalesce:(\(path), \($0.text), 'none')" }
    case 0:
      return attribute([.int16, .int64, .double, .decimal, .boolean, .date, .uuid, .uri]).map {
        "CAST(\($0.text), 'NSString')"
      }
    case 1:
      return
        "TERNARY(\(condition(depth: depth)), \(path), \(argument(.string(random.pick(PlannerValues.texts)))))"
    case 2: return "FUNCTION(\(path), '\(random.pick(["uppercaseString", "lowercaseString"]))')"
    case 3: return "normalize:with:(\(path), 'Latin-ASCII')"
    default: return "\(random.pick(["uppercase:", "lowercase:", "canonical:", "normalize:"]))(\(path))"
    }
  }

  private mutating func date() -> String? {
    guard let path = attribute([.date])?.text else { return nil }
    switch Int.random(in: 0..<7, using: &random) {
    case 5: return "truncated:(\(path), '\(random.pick(Self.units))'\(random.pick(Self.zones)))"
    case 6:
      let count = random.pick(["1", "-13", "0", "40000"])
      return "adding:(\(path), \(count), '\(random.pick(Self.units))'\(random.pick(Self.zones)))"
    case 0: return "(\(path) + \(random.pick(["1", "0.5", "-86400"])))"
    case 1: return attribute([.int32, .double]).map { "(\(path) - \($0.text))" }
    case 2: return "CAST(CAST(\(path), 'NSNumber'), 'NSDate')"
    case 3: return attribute([.date]).map { "(\(path) + (\(path) - \($0.text)))" }
    default: return path
    }
  }
}
