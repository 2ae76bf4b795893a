import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Sales of shops in a store, and the same as plain values, for comparing results with a computation of the test's own.
final class ResultGraph {
  /// A sale as plain values; what is not there is nil.
  struct Sale {
    var key: Int
    var isReturn: Bool
    var values: [String: Value]

    func value(_ path: String) -> Value { values[path] ?? .null }
  }

  static let model = ModelDefinition(
    name: "Sales",
    entities: [
      EntityDefinition(
        "Shop", attributes: [.init("name", .string), .init("size", .int32)],
        relationships: [.init("sales", to: "Sale", inverse: "shop", isToMany: true)]),
      EntityDefinition(
        "Sale",
        attributes: [
          .init("region", .string), .init("amount", .int64), .init("small", .int16), .init("price", .decimal),
          .init("ratio", .double), .init("flag", .boolean), .init("day", .date), .init("code", .uuid),
        ],
        relationships: [.init("shop", to: "Shop", inverse: "sales")]),
      EntityDefinition("Return", parent: "Sale", attributes: [.init("reason", .string)]),
    ])

  let stack: TestStack
  private(set) var sales: [Sale] = []
  var context: ManagedObjectContext { stack.context }

  init(_ random: inout SeededGenerator, count: Int, factory: StoreFactory = .current) throws {
    stack = try TestStack(Self.model, factory: factory)
    var shops: [(object: ManagedObject, values: [String: Value])] = []
    for number in 0..<4 {
      let shop = try context.insert(entityNamed: "Shop")
      let name: Value = number == 3 ? .null : .string(["North", "north", "Süd"][number])
      let size: Value = random.chance(25) ? .null : .int(Int64.random(in: 0...2, using: &random))
      try shop.setQueryValue(name, forKey: "name")
      try shop.setQueryValue(size, forKey: "size")
      shops.append((shop, ["shop.name": name, "shop.size": size]))
    }
    for number in 1...count {
      let isReturn = random.chance(30)
      let sale = try context.insert(entityNamed: isReturn ? "Return" : "Sale")
      var values: [String: Value] = [:]
      for (key, value) in Self.values(&random) {
        values[key] = value
        try sale.setQueryValue(value, forKey: key)
      }
      if random.chance(80) {
        let shop = random.pick(shops)
        try sale.setValue(shop.object, forKey: "shop")
        values.merge(shop.values) { $1 }
        values["shop"] = .bool(true)
      }
      try context.save()
      sales.append(Sale(key: number, isReturn: isReturn, values: values))
    }
    context.functions.register("yes") { _, _ in .value(.int(1)) }
  }

  private static func values(_ random: inout SeededGenerator) -> [String: Value] {
    func some(_ value: Value) -> Value { random.chance(20) ? .null : value }
    let regions = ["east", "East", "öst", "", "west"]
    return [
      "region": some(.string(random.pick(regions))),
      "amount": some(.int(random.pick([-5, 0, 3, 7, 1 << 40, -(1 << 52)]))),
      "small": some(.int(Int64.random(in: -2...3, using: &random))),
      "price": some(.decimal(random.pick([0, 1, Decimal(sign: .plus, exponent: -2, significand: 250), -3]))),
      "ratio": some(.double(random.pick([-0.25, 0, 0.5, 0.75, 2]))),
      "flag": some(.bool(random.chance(50))),
      "day": some(.date(Date(timeIntervalSinceReferenceDate: random.pick([0, 0.5, 86_400])))),
      "code": some(
        .uuid(
          UUID(uuidString: "0000000\(Int.random(in: 0...2, using: &random))-0000-0000-0000-000000000000")
            ?? UUID())),
    ]
  }
}

/// The order of values that results are sorted by, as the rules have it: nil first, then numbers, texts by their bytes.
enum ReferenceOrder {
  static func isLess(_ left: Value, _ right: Value) -> Bool? {
    switch (left, right) {
    case (.null, .null): return nil
    case (.null, _): return true
    case (_, .null): return false
    case (.string(let left), .string(let right)):
      let (left, right) = (Array(left.utf8), Array(right.utf8))
      return left == right ? nil : left.lexicographicallyPrecedes(right)
    case (.date(let left), .date(let right)): return left == right ? nil : left < right
    case (.uuid(let left), .uuid(let right)):
      return left == right ? nil : left.uuidString < right.uuidString
    case (.bool(let left), .bool(let right)): return left == right ? nil : !left
    default:
      let (left, right) = (number(left), number(right))
      return left == right ? nil : left < right
    }
  }

  static func number(_ value: Value) -> Double {
    switch value {
    case .int(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    default: .nan
    }
  }
}
