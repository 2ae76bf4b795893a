import CGraphStoreTestSupport
import Testing

@testable import GraphStore

/// What inserting objects of ten integers costs, in statements and memory, which do not depend on the
/// machine.
@Suite("Cost of inserting")
struct InsertionCostTests {
  private static let model = ModelDefinition(
    name: "Numbers",
    entities: [
      EntityDefinition("Number", attributes: (0..<10).map { AttributeDefinition("i\($0)", .int64) })
    ])

  private static let keys = (0..<10).map { AttributeKey<ManagedObject, Int64>("i\($0)") }

  private struct Cost {
    var statements = 0
    var allocations = 0
  }

  /// What inserting so many objects and saving them once costs.
  private func inserting(_ count: Int) throws -> Cost {
    let stack = try TestStack(Self.model)
    var cost = Cost()
    let before = gs_test_all_allocations()
    cost.statements = try stack.statements {
      for number in 0..<count {
        let object = try stack.context.insert(entityNamed: "Number")
        for key in Self.keys { object[key] = Int64(number) }
      }
      try stack.context.save()
    }
    cost.allocations = gs_test_all_allocations() - before
    return cost
  }

  @Test("OBJ-542: cost per object, in statements and pieces of memory, does not grow with the number")
  func growth() throws {
    _ = try inserting(100)
    let (few, many) = (try inserting(2000), try inserting(20_000))
    #expect(many.statements * 10 <= few.statements * 110, "\(few), \(many)")
    #expect(many.allocations * 10 <= few.allocations * 110, "\(few), \(many)")
  }
}
