import Testing

@testable import GraphStoreModel

@Suite("Many findings about a compiled model")
struct CompiledFindingLimitTests {
  private typealias Make = ArchivedModel

  private func rules(_ count: Int) throws -> [String] {
    let attributes = (0..<count).map { Make.attribute("a\($0)", 77) }
    return try Make.read(Make.model([Make.entity("Thing", attributes)])).findings.map(\.code.rawValue)
  }

  @Test("MDL-384: findings beyond the two hundredth are counted, not told")
  func limit() throws {
    #expect(try rules(200) == Array(repeating: "compiled-unknown-type", count: 200))
    let many = try rules(205)
    #expect(many.count == 201 && many.last == "compiled-more")
    let attributes = (0..<205).map { Make.attribute("a\($0)", 77) }
    let last = try Make.read(Make.model([Make.entity("Thing", attributes)])).findings.last
    #expect(last?.message == "There are 5 more findings of these kinds.")
  }
}
