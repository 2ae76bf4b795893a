import Foundation
import GraphStore

/// Items made at random, many of whose values are missing, and predicates and orders over them.
enum SampleItems {
  private static let texts = ["", "a", "A", "ab", "b", "ä", "z%", "🙂", "Zebra"]

  /// Fills a context with so many items, the same for the same numbers.
  static func insert(_ count: Int, in context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
    var made: [ManagedObject] = []
    for number in 0..<count {
      let item = try context.insert("Item", ["name": .string("i\(100 + number)")])
      func set(_ key: String, _ value: Value) throws {
        if random.chance(75) { try item.setQueryValue(value, forKey: key) }
      }
      try set("amount", .int(Int64.random(in: -3...3, using: &random)))
      try set("price", .decimal(Decimal(Int.random(in: -20...20, using: &random)) / 4))
      try set("ratio", .double(Double(Int.random(in: -4...4, using: &random)) / 8))
      try set("text", .string(random.pick(texts)))
      try set("flag", .bool(random.chance(50)))
      let seconds = Double(Int.random(in: 0...3, using: &random)) / 2
      try set("moment", .date(Date(timeIntervalSinceReferenceDate: seconds)))
      if !made.isEmpty, random.chance(60) { try item.setValue(random.pick(made), forKey: "box") }
      made.append(item)
    }
  }

  // MARK: Predicates

  /// A predicate of so many levels at most.
  static func predicate(_ random: inout SeededGenerator, depth: Int) -> String {
    guard depth > 0 else { return comparison(&random) }
    return switch Int.random(in: 0..<5, using: &random) {
    case 0: "NOT (\(predicate(&random, depth: depth - 1)))"
    case 1: "(\(predicate(&random, depth: depth - 1))) AND (\(predicate(&random, depth: depth - 1)))"
    case 2: "(\(predicate(&random, depth: depth - 1))) OR (\(predicate(&random, depth: depth - 1)))"
    default: comparison(&random)
    }
  }

  private static let operators = ["==", "!=", "<", "<=", ">", ">="]
  private static let parts = ["BEGINSWITH", "ENDSWITH", "CONTAINS"]

  private static let constants: [(key: String, values: [String])] = [
    ("amount", ["0", "1", "-2", "7"]), ("price", ["0", "2.5", "-0.25"]), ("ratio", ["0.5", "0", "0.125"]),
    ("text", ["'a'", "''", "'ä'", "'🙂'"]), ("moment", ["CAST(0.5, 'NSDate')", "CAST(1, 'NSDate')"]),
    ("box.amount", ["0", "2"]), ("box.text", ["'a'", "'b'"]), ("box.box.amount", ["1"]),
    ("contents.@count", ["0", "1", "2"]),
  ]

  private static func comparison(_ random: inout SeededGenerator) -> String {
    let (key, values) = random.pick(constants)
    let (symbol, value) = (random.pick(operators), random.pick(values))
    let pattern = random.pick(["'a'", "'Z'", "'%'", "''"])
    return switch Int.random(in: 0..<13, using: &random) {
    case 0 where !key.contains("@"): "\(key) == nil"
    case 1 where !key.contains("@"): "\(key) != nil"
    case 2 where !key.contains("@"): "\(key) IN {\(values.joined(separator: ", "))}"
    case 3: "amount BETWEEN {-1, 1}"
    case 4: "amount * 2 + 1 \(symbol) box.amount - 1"
    case 5: "amount \(symbol) box.amount"
    case 6: "flag == \(random.chance(50) ? "YES" : "NO")"
    case 7:
      "text \(random.pick(parts))\(random.pick(["", "[c]", "[cd]"])) \(pattern)"
    case 8: "text LIKE\(random.pick(["", "[c]"])) \(random.pick(["'a*'", "'?'", "'*b'"]))"
    case 9: "ANY contents.amount \(symbol) \(random.pick(["0", "1"]))"
    case 10: "SUBQUERY(contents, $c, $c.amount \(symbol) 0 AND $c.text != nil).@count > 0"
    case 11: "contents.@sum.amount \(symbol) 1"
    default: "\(key) \(symbol) \(value)"
    }
  }

  // MARK: Orders

  /// An order that leaves nothing open.
  static func order(_ random: inout SeededGenerator) -> [String] {
    let keys = ["amount", "price", "ratio", "text", "flag", "moment", "box.amount", "box.text"]
      .shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
    return keys.map { (random.chance(50) ? "-" : "") + $0 } + [random.chance(50) ? "name" : "-name"]
  }
}
