import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Sales of shops in a store, and the same as plain values, for comparing results with a computation of the
/// test's own.
final class ResultGraph {
  /// A sale as plain values; what is not there is nil.
  struct Sale {
    var key: Int
    var isReturn: Bool
    /// The position of its shop.
    var shop: Int?
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
          .init("place", .composite, elements: [.init("city", .string), .init("zip", .int64)]),
        ],
        relationships: [.init("shop", to: "Shop", inverse: "sales")]),
      EntityDefinition("Return", parent: "Sale", attributes: [.init("reason", .string)]),
    ])

  let stack: TestStack
  private(set) var sales: [Sale] = []
  private(set) var shops: [(object: ManagedObject, values: [String: Value])] = []
  var context: ManagedObjectContext { stack.context }

  init(_ random: inout SeededGenerator, count: Int, factory: StoreFactory = .current) throws {
    stack = try TestStack(Self.model, factory: factory)
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
      let values = Self.values(&random)
      for (key, value) in values { try Self.set(value, of: sale, key) }
      var made = Sale(key: number, isReturn: isReturn, shop: nil, values: values)
      if random.chance(80) { try move(&made, sale, to: Int.random(in: 0..<4, using: &random)) }
      try context.save()
      sales.append(made)
    }
    context.functions.register("yes") { _, _ in .value(.int(1)) }
  }

  /// Sets the value of an attribute, or of an element of a composite one.
  static func set(_ value: Value, of sale: ManagedObject, _ path: String) throws {
    guard path.hasPrefix("place.") else { return try sale.setQueryValue(value, forKey: path) }
    var plain: Any?
    switch value {
    case .string(let text): plain = text
    case .int(let number): plain = number
    default: plain = nil
    }
    try sale.setValue(plain, forKeyPath: path)
  }

  /// Gives a sale a shop, or none.
  func move(_ sale: inout Sale, _ object: ManagedObject, to shop: Int?) throws {
    try object.setValue(shop.map { shops[$0].object }, forKey: "shop")
    sale.shop = shop
    for key in ["shop.name", "shop.size", "shop"] { sale.values[key] = nil }
    guard let shop else { return }
    sale.values.merge(shops[shop].values) { $1 }
    sale.values["shop"] = .bool(true)
  }

  /// Gives a shop other values; those of its sales are the caller's.
  func changeShop(_ shop: Int, name: Value, size: Value) throws {
    try shops[shop].object.setQueryValue(name, forKey: "name")
    try shops[shop].object.setQueryValue(size, forKey: "size")
    shops[shop].values = ["shop.name": name, "shop.size": size]
  }

  /// Values of a sale by key path.
  static func values(_ random: inout SeededGenerator) -> [String: Value] {
    func some(_ value: Value) -> Value { random.chance(20) ? .null : value }
    let regions = ["east", "East", "öst", "o\u{308}st", "", "west", "🙂", "a\u{0}b", "a\u{0}"]
    let prices = [
      "0", "1", "2.50", "-3", "12345678901234567890.123456789", "0.000000001", "-12345678901234567890",
    ]
    return [
      "region": some(.string(random.pick(regions))),
      "amount": some(.int(random.pick([-5, 0, 3, 7, 1 << 40, -(1 << 52)]))),
      "small": some(.int(Int64.random(in: -2...3, using: &random))),
      "price": some(.decimal(Decimal(string: random.pick(prices)) ?? 0)),
      "ratio": some(.double(random.pick([-0.25, 0, 0.5, 0.75, 2, 1e300, .infinity]))),
      "flag": some(.bool(random.chance(50))),
      "day": some(.date(Date(timeIntervalSinceReferenceDate: random.pick([0, 0.5, 86_400, -1e9, 0.1])))),
      "code": some(
        .uuid(
          UUID(uuidString: "0000000\(Int.random(in: 0...2, using: &random))-0000-0000-0000-000000000000")
            ?? UUID())),
      "place.city": some(.string(random.pick(["Oslo", "Öslo", "oslo"]))),
      "place.zip": some(.int(random.pick([-1, 0, 99_999]))),
    ]
  }
}

/// The order of values that results are sorted by, as the rules have it: nil first, then numbers, texts by
/// their bytes.
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
    case (.decimal(let left), .decimal(let right)): return left == right ? nil : left < right
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
