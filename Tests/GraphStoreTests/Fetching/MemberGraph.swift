import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Customers with orders, tags and regions in a store, and the same as plain values.
final class MemberGraph {
  struct Order {
    var note: Value
    var total: Value
    var placed: Value
    var year: Value
    var lines: [Value]
  }

  struct Customer {
    var name: String
    var points: Value
    /// The position of the region.
    var place: Int?
    var region: Value
    var orders: [Order]
    var tags: [Value]
  }

  /// A to-many over which rows are grouped.
  enum Member { case order, line, tag, neighbour }

  /// A customer with one member of each to-many, where there are some.
  struct Route {
    var customer: Customer
    var order: Order?
    var line: Value?
    var tag: Value?
    var neighbour: Value?
  }

  static let model = ModelDefinition(
    name: "Customers",
    entities: [
      EntityDefinition(
        "Region", attributes: [.init("name", .string)],
        relationships: [.init("customers", to: "Customer", inverse: "region", isToMany: true)]),
      EntityDefinition(
        "Customer", attributes: [.init("name", .string), .init("points", .int64)],
        relationships: [
          .init("region", to: "Region", inverse: "customers"),
          .init("orders", to: "Order", inverse: "customer", isToMany: true),
          .init("tags", to: "Tag", inverse: "customers", isToMany: true),
        ]),
      EntityDefinition(
        "Order", attributes: [.init("note", .string), .init("total", .decimal), .init("placed", .date)],
        relationships: [
          .init("customer", to: "Customer", inverse: "orders"),
          .init("lines", to: "Line", inverse: "order", isToMany: true, isOrdered: true),
        ]),
      EntityDefinition("Refund", parent: "Order", attributes: [.init("reason", .string)]),
      EntityDefinition(
        "Line", attributes: [.init("item", .string)],
        relationships: [.init("order", to: "Order", inverse: "lines")]),
      EntityDefinition(
        "Tag", attributes: [.init("label", .string)],
        relationships: [.init("customers", to: "Customer", inverse: "tags", isToMany: true)]),
    ])

  let stack: TestStack
  private(set) var customers: [Customer] = []

  init(_ random: inout SeededGenerator, count: Int, _ factory: StoreFactory) throws {
    stack = try TestStack(Self.model, factory: factory)
    let context = stack.context
    func some(_ value: Value) -> Value { random.chance(20) ? .null : value }
    let labels: [Value] = [.string("x"), .string("y"), .string("x"), .null]
    let tags = try labels.map { label in
      let tag = try context.insert(entityNamed: "Tag")
      try tag.setQueryValue(label, forKey: "label")
      return tag
    }
    let names: [Value] = [.string("N"), .string("S"), .null]
    let regions = try names.map { name in
      let region = try context.insert(entityNamed: "Region")
      try region.setQueryValue(name, forKey: "name")
      return region
    }
    for number in 0..<count {
      let object = try context.insert("Customer", ["name": "C\(number)"])
      var customer = Customer(
        name: "C\(number)", points: some(.int(Int64.random(in: 0...3, using: &random))), region: .null,
        orders: [], tags: [])
      try object.setQueryValue(customer.points, forKey: "points")
      if random.chance(70) {
        let place = Int.random(in: 0..<3, using: &random)
        (customer.place, customer.region) = (place, names[place])
        try object.setValue(regions[place], forKey: "region")
      }
      for _ in 0..<random.pick([0, 0, 1, 2, 4]) {
        let order = try context.insert(random.chance(30) ? "Refund" : "Order", ["customer": object])
        customer.orders.append(try Self.fill(order, in: context, &random))
      }
      let chosen = Array(labels.indices.shuffled(using: &random).prefix(random.pick([0, 1, 2, 3])))
      try object.setValue(Set(chosen.map { tags[$0] }), forKey: "tags")
      customer.tags = chosen.map { labels[$0] }
      customers.append(customer)
    }
    try context.save()
    context.functions.register("yes") { _, _ in .value(.int(1)) }
  }

  private static func fill(
    _ object: ManagedObject, in context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Order {
    func some(_ value: Value) -> Value { random.chance(20) ? .null : value }
    let date = random.pick([(0.0, Int64(2001)), (-1, 2000), (40_000_000, 2002), (41_000_000, 2002)])
    let placed = some(.date(Date(timeIntervalSinceReferenceDate: date.0)))
    var order = Order(
      note: some(.string(random.pick(["a", "A", "b", "ä"]))),
      total: some(.decimal(Decimal(string: random.pick(["1", "2.50", "-3.125"])) ?? 0)), placed: placed,
      year: placed.isNull ? .null : .int(date.1), lines: [])
    try object.setQueryValue(order.note, forKey: "note")
    try object.setQueryValue(order.total, forKey: "total")
    try object.setQueryValue(order.placed, forKey: "placed")
    for _ in 0..<random.pick([0, 1, 2]) {
      let item = some(.string(random.pick(["pen", "ink"])))
      let line = try context.insert("Line", ["order": object])
      try line.setQueryValue(item, forKey: "item")
      order.lines.append(item)
    }
    return order
  }

  /// Each combination of members of some to-manys, as a LEFT JOIN has them.
  func routes(of customer: Customer, _ needs: Set<Member>) -> [Route] {
    var routes = [Route(customer: customer)]
    func extend<Element>(_ members: (Route) -> [Element], _ set: (inout Route, Element) -> Void) {
      routes = routes.flatMap { route -> [Route] in
        let found = members(route)
        return found.isEmpty
          ? [route]
          : found.map { member in
            var route = route
            set(&route, member)
            return route
          }
      }
    }
    if needs.contains(.order) { extend({ _ in customer.orders }, { $0.order = $1 }) }
    if needs.contains(.line) { extend({ $0.order?.lines ?? [] }, { $0.line = $1 }) }
    if needs.contains(.tag) { extend({ _ in customer.tags }, { $0.tag = $1 }) }
    if needs.contains(.neighbour) {
      extend(
        { _ in
          customer.place == nil ? [] : self.customers.filter { $0.place == customer.place }.map(\.points)
        }, { $0.neighbour = $1 })
    }
    return routes
  }
}
