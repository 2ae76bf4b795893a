import Foundation
import GraphStorePredicates

@testable import GraphStore

/// Predicates whose sides are computed, and the forms that few people write.
extension PlannerPredicates {
  mutating func computed(_ prefix: String = "") -> String {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2: return "\(number(prefix, depth: 2)) \(random.pick(Self.signs)) \(constant("age"))"
    case 3: return "\(number(prefix, depth: 1)) \(random.pick(Self.signs)) \(number(prefix, depth: 1))"
    case 4: return cast(prefix)
    case 5: return localized(prefix)
    case 6: return exchanged(prefix)
    case 7: return membership(prefix)
    case 8: return counted(prefix)
    case 9:
      return "\(number(prefix, depth: 1)) IN {\(constant("age")), \(constant("score")), \(constant("price"))}"
    case 10: return conditional(prefix)
    default: return entity(prefix)
    }
  }

  private mutating func number(_ prefix: String, depth: Int) -> String {
    guard depth > 0 else {
      if random.chance(80) { return prefix + random.pick(Self.numbers) }
      return constant(random.pick(["age", "score", "price"]))
    }
    let left = number(prefix, depth: depth - 1)
    let right = number(prefix, depth: depth - 1)
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      let name = random.pick([
        "abs:", "ceiling:", "floor:", "trunc:", "sqrt:", "log:", "ln:", "exp:", "negate:",
      ])
      return "\(name)(\(left))"
    case 1: return "(\(left) \(random.pick(["+", "-", "*", "/"])) \(right))"
    case 2: return "(\(prefix)\(random.pick(["age", "big", "score"])) ** \(random.pick(["2", "-1", "age"])))"
    case 3: return "(\(left) \(random.pick(["&", "|", "^"])) \(right))"
    case 4: return "(\(left) \(random.pick(["<<", ">>"])) \(random.pick(["3", "-2", "70", "age"])))"
    case 5: return "onesComplement:(\(left))"
    case 6: return "modulus:by:(\(left), \(right))"
    case 7: return "CAST(\(left), '\(random.pick(["NSNumber", "Int", "Double", "NSDecimalNumber", "Bool"]))')"
    default:
      let name = random.pick(["max:", "min:", "sum:", "average:", "median:", "stddev:"])
      return "\(name)(\(left), \(right), \(prefix)age)"
    }
  }

  /// A comparison of whole numbers that may be beyond 64 bits.
  mutating func overflowing() -> String {
    let prefix = random.pick(["", "", "manager.", "department.head."])
    let left = whole(prefix, depth: 2)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "\(left) IN {\(literal()), \(literal()), \(literal())}"
    case 1: return "\(left) BETWEEN {\(literal()), \(literal())}"
    case 2: return "\(left) \(random.pick(Self.signs)) \(whole(prefix, depth: 1))"
    case 3:
      return "\(left) \(random.pick(Self.signs)) \(random.pick(["9.3e18", "-9223372036854775808.0", "0.5"]))"
    case 4: return "SUBQUERY(reports, $x, \(whole("$x.", depth: 1)) > \(literal())).@count > 0"
    default: return "\(left) \(random.pick(Self.signs)) \(literal())"
    }
  }

  private mutating func whole(_ prefix: String, depth: Int) -> String {
    guard depth > 0 else {
      if random.chance(70) { return prefix + random.pick(["big", "big", "age", "active"]) }
      return random.chance(50) ? "-\(prefix)big" : literal()
    }
    let left = whole(prefix, depth: depth - 1)
    let right = whole(prefix, depth: depth - 1)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return "abs:(\(prefix)big)"
    case 1: return "modulus:by:(\(prefix)big, \(random.pick(["-1", "10", prefix + "big"])))"
    case 2: return "(\(prefix)big / \(random.pick(["-1", prefix + "age", prefix + "big"])))"
    case 3: return "sum:(\(prefix)big, \(right), \(prefix)age)"
    case 4:
      let path = random.pick(["reports", "friends", "department.members"])
      return random.chance(50) ? "\(prefix)\(path).@sum.big" : "sum:(\(prefix)\(path).big)"
    case 5: return "-(\(prefix)big + \(right))"
    default: return "(\(prefix)big \(random.pick(["+", "-", "*"])) \(random.chance(50) ? left : right))"
    }
  }

  private mutating func literal() -> String {
    random.pick([
      "9223372036854775807", "-9223372036854775808", "9223372036854775806", "-9223372036854775807",
      "9223372036854775808", "-9223372036854775809", "18446744073709551614", "0", "1", "-1",
    ])
  }

  private mutating func cast(_ prefix: String) -> String {
    let sign = random.pick(Self.signs)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return "CAST(\(prefix)\(random.pick(Self.numbers)), 'NSString') \(sign) \(constant("name"))"
    case 1:
      return
        "CAST(\(prefix)\(random.pick(Self.numbers)), 'NSString') BEGINSWITH '\(random.pick(["1", "-", "0."]))'"
    case 2:
      return
        "CAST(CAST(\(prefix)\(random.pick(Self.numbers)), 'NSString'), 'NSNumber') \(sign) \(constant("age"))"
    case 3: return "CAST(\(prefix)name, 'NSNumber') \(sign) \(constant("age"))"
    case 4:
      return
        "CAST(\(prefix)\(random.pick(["age", "score", "price", "active"])), 'NSDate') \(sign) \(constant("born"))"
    case 5:
      return
        "CAST(\(prefix)\(random.pick(["born", "token", "home", "photo"])), 'NSString') CONTAINS '\(random.pick(["0", "a", "T"]))'"
    default:
      return
        "CAST(\(prefix)born, '\(random.pick(["NSNumber", "Int", "NSDecimalNumber"]))') \(sign) \(constant("age"))"
    }
  }

  private mutating func localized(_ prefix: String) -> String {
    let options = random.pick(["[l]", "[cl]", "[dl]", "[cdl]"])
    let path = prefix + random.pick(["name", "nick"])
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return "\(path) \(random.pick(Self.signs))\(options) \(constant("name"))"
    case 1: return "\(path) IN\(options) \(list("name"))"
    case 2: return "\(path) BETWEEN\(options) {\(constant("name")), \(constant("name"))}"
    default:
      let operation = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"])
      let pattern = operation == "MATCHES" ? argument("a.*") : constant("name")
      return "\(path) \(operation)\(options) \(pattern)"
    }
  }

  private mutating func exchanged(_ prefix: String) -> String {
    let options = random.pick(["", "[c]", "[cd]", "[cl]"])
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let operation = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "=="])
      return "\(constant("name")) \(operation)\(options) \(prefix)name"
    case 1:
      return "\(prefix)photo \(random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"])) \(constant("photo"))"
    case 2:
      return "\(constant("photo")) \(random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"])) \(prefix)photo"
    case 3: return "\(constant("name")) IN\(options) \(prefix)nick"
    case 4: return "\(prefix)name BEGINSWITH\(options) nil"
    default:
      let name = random.pick(["uppercase:", "lowercase:", "canonical:", "normalize:"])
      let text = random.chance(80) ? "\(name)(\(prefix)name)" : "FUNCTION(\(prefix)name, 'uppercaseString')"
      return "\(text) \(random.pick(["==", "<", "CONTAINS", "BEGINSWITH"])) \(constant("name"))"
    }
  }

  private mutating func membership(_ prefix: String) -> String {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return "\(prefix)age IN {\(prefix)big, \(constant("age")), \(prefix)score}"
    case 1: return "\(constant("age")) IN {\(prefix)age, \(prefix)big, \(prefix)active}"
    case 2: return "\(prefix)name IN {\(prefix)nick, \(constant("name")), nil}"
    case 3: return "\(prefix)name IN \(random.pick(["reports.name", "tags.name", "reports.department.name"]))"
    case 4: return "\(prefix)nick IN SUBQUERY(reports, $y, $y.age > 1).name"
    case 5:
      return "nil IN \(random.pick(["reports.name", "department.members.nick", "reports.manager.name"]))"
    default: return "\(constant("name")) IN SUBQUERY(friends, $y, $y.age != 20).nick"
    }
  }

  private mutating func counted(_ prefix: String) -> String {
    let path = prefix + random.pick(["reports", "tags", "friends", "department.members"])
    let bound = random.pick(["0", "1", "0.0", "0.5", "NO", "YES", "2"])
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return "\(bound) \(random.pick(Self.signs)) \(path).@count"
    case 1: return "count:(\(path)) \(random.pick(Self.signs)) \(bound)"
    case 2: return "\(path)[SIZE] \(random.pick(Self.signs)) \(bound)"
    default:
      return
        "median:(\(path).\(path.hasSuffix("tags") ? "weight" : "age")) \(random.pick(Self.signs)) \(bound)"
    }
  }

  private mutating func conditional(_ prefix: String) -> String {
    let condition = random.pick(["age > 3", "name == nil", "active == YES", "NOT score < 1"])
    let sign = random.pick(Self.signs)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return "TERNARY(\(prefix)\(condition), 1, 0) \(sign) 1"
    case 1: return "TERNARY(\(prefix)\(condition), \(prefix)age, \(prefix)score) \(sign) \(constant("age"))"
    case 2: return "TERNARY(\(prefix)\(condition), \(prefix)price, 0) \(sign) \(constant("price"))"
    default:
      return
        "TERNARY(\(prefix)\(condition), \(prefix)name, \(argument(random.pick(PlannerValues.texts)))) \(sign) \(constant("name"))"
    }
  }

  private mutating func entity(_ prefix: String) -> String {
    let name = argument(random.pick(["Boss", "boss", "Person", "EMPLOYEE"]))
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return "\(prefix)entity \(random.pick(["==", "!="]))[c] \(name)"
    case 1: return "\(prefix)entity.name IN[cd] {\(name), 'Guest'}"
    default: return "\(name) == \(prefix)entity.name"
    }
  }
}
