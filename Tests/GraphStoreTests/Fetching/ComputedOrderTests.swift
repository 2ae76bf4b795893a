import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

/// Orders and groups by what is computed, which databases do not take in every form.
@Suite("Orders and groups by computed values", .everyStore)
struct ComputedOrderTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  /// Box a with one item of a large price, and box b without any.
  init() throws {
    let definition = ModelDefinition(entities: [
      EntityDefinition(
        "Box",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("price", .decimal),
          AttributeDefinition("whole", .int64, derivation: "items.@sum.price"),
        ], relationships: [RelationshipDefinition("items", to: "Item", inverse: "box", isToMany: true)]),
      EntityDefinition(
        "Item", attributes: [AttributeDefinition("price", .decimal)],
        relationships: [RelationshipDefinition("box", to: "Box", inverse: "items")]),
    ])
    stack = try TestStack(definition)
    for (name, price) in [("a", 1000), ("b", 2)] {
      try stack.context.insert("Box", ["name": name, "price": Decimal(price)])
    }
    try stack.context.save()
  }

  private func box(_ name: String) throws -> ManagedObject {
    try #require(try context.all("Box", "name == '\(name)'").first)
  }

  private func names(sortedBy sort: String) throws -> [String?] {
    var request = FetchRequest<ManagedObject>(entityName: "Box")
    request.sortDescriptors = [try QuerySortDescriptor(parsing: sort)]
    return try stack.newContext().fetch(request).map { try $0.string("name") }
  }

  @Test("PRD-229: a constant puts nothing before anything, and numbers beyond all decimals have their place")
  func order() throws {
    #expect(try names(sortedBy: "noindex:(NO)").count == 2)
    #expect(try names(sortedBy: "price ** price") == ["b", "a"])
    #expect(try names(sortedBy: "-(price ** 1000)") == ["a", "b"])
  }

  @Test("FET-080: groups are made by the number of members, as by any value")
  func groups() throws {
    try context.insert("Item", ["price": Decimal(1), "box": box("a")])
    try context.save()
    var request = FetchRequest<ManagedObject>(entityName: "Box")
    request.resultType = .dictionary
    let count = ResultProperty.expression(try ExpressionDescription(name: "n", parsing: "items.@count"))
    let rows = ResultProperty.expression(try ExpressionDescription(name: "rows", parsing: "count:(SELF)"))
    request.propertiesToFetch = [count, rows]
    request.propertiesToGroupBy = [count]
    let found = try context.fetchDictionaries(request).map { row in row.values.map(\.literal) }
    #expect(found.sorted { $0[0] < $1[0] } == [["0", "1"], ["1", "1"]])
  }

  @Test("MDL-122: a derived whole number has all digits of a sum of decimals, and refuses one beyond it")
  func derived() throws {
    let first = try context.insert("Item", ["price": Decimal(9_007_199_254_740_993), "box": box("a")])
    try context.save()
    context.reset()
    #expect(try box("a").value(forKey: "whole") as? Int64 == 9_007_199_254_740_993)
    let item = try context.existingObject(with: first.objectID)
    try item.setValue(Decimal(string: "-9223372036854775810"), forKey: "price")
    let failure = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(failure?.code == .valueOutOfRange)
    context.rollback()
    try context.existingObject(with: first.objectID).setValue(Decimal(string: "-2.9"), forKey: "price")
    try context.save()
    context.reset()
    #expect(try box("a").value(forKey: "whole") as? Int64 == -2)
  }
}
