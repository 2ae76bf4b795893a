import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Values of dictionaries as types of one's choice", .everyStore)
struct ResultConversionTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.types)
    try stack.context.insert(
      "Thing", ["small": 7, "ratio": 2.5, "money": Decimal(12), "text": "x", "flag": true])
    try stack.context.insert("Thing", [:])
    try stack.context.save()
  }

  private func rows(_ properties: [String]) throws -> [ResultDictionary] {
    var request = FetchRequest(
      entityName: "Thing", sortDescriptors: [try QuerySortDescriptor(parsing: "objectID")])
    request.resultType = .dictionary
    request.propertiesToFetch = properties.map(ResultProperty.keyPath)
    return try stack.context.fetchDictionaries(request)
  }

  @Test(
    "FET-291: a number as every type of numbers that holds it, other values as their own type, nil for none")
  func conversions() throws {
    let (row, none) = try (rows(["small", "ratio", "money", "text", "flag"])[0], rows(["small"])[1])
    #expect(try row.value("small", as: Int.self) == 7 && row.value("small", as: Int16.self) == 7)
    #expect(try row.value("small", as: Double.self) == 7 && row.value("small", as: Decimal.self) == 7)
    #expect(try row.value("small", as: UInt8.self) == 7)
    #expect(try row.value("ratio", as: Double.self) == 2.5 && row.value("ratio", as: Float.self) == 2.5)
    #expect(try row.value("money", as: Decimal.self) == 12 && row.value("money", as: Int.self) == 12)
    #expect(try row.value("money", as: Double.self) == 12)
    #expect(try row.value("text", as: String.self) == "x" && row.value("flag", as: Bool.self) == true)
    #expect(try none.value("small", as: Int.self) == nil)
  }

  @Test("FET-291: what a type does not hold as it is throws value-type, with the type that does")
  func refusals() throws {
    let row = try rows(["small", "ratio", "text"])[0]
    let calls: [() throws -> Any?] = [
      { try row.value("ratio", as: Int.self) }, { try row.value("text", as: Int.self) },
      { try row.value("small", as: String.self) }, { try row.value("small", as: Bool.self) },
    ]
    for call in calls {
      let error = try #require(throws: GraphStoreError.self) { _ = try call() }
      #expect(error.code == .valueType && !error.remedy.isEmpty)
    }
    let unknown = try #require(throws: GraphStoreError.self) { _ = try row.value("smal", as: Int.self) }
    #expect(unknown.code == .unknownKey && unknown.suggestions == ["small"])
  }

  @Test("FET-291: counts and sums of groups are read as Int")
  func aggregates() throws {
    var request = FetchRequest(entityName: "Thing")
    request.resultType = .dictionary
    request.propertiesToFetch = [
      .expression(try ExpressionDescription(name: "n", parsing: "count:(objectID)")),
      .expression(try ExpressionDescription(name: "total", parsing: "sum:(small)")),
    ]
    let row = try #require(try stack.context.fetchDictionaries(request).first)
    #expect(try row.value("n", as: Int.self) == 2 && row.value("total", as: Int.self) == 7)
  }
}
