import CGraphStoreTestSupport
import Testing

@testable import GraphStore

/// What merging a save costs, in statements and memory, which do not depend on the machine.
@Suite("Cost of merging")
struct MergingCostTests {
  private static let model = ModelDefinition(
    name: "Numbers", entities: [EntityDefinition("Number", attributes: [AttributeDefinition("i", .int64)])])

  private struct Cost {
    var statements = 0
    var allocations = 0
    var registered = 0
  }

  /// What merging a save of 500 updates costs in a context that has loaded so many objects.
  private func merging(loaded: Int) throws -> Cost {
    let stack = try TestStack(Self.model)
    let objects = try (0..<5000).map { try stack.context.insert("Number", ["i": $0]) }
    try stack.context.save()
    let here = stack.newContext()
    let mine = try objects[..<loaded].map { try here.existingObject(with: $0.objectID) }
    for object in objects[..<500] { try object.setValue(-1, forKey: "i") }
    let saved = try stack.context.saveTakingChanges()
    var cost = Cost()
    let before = gs_test_all_allocations()
    cost.statements = try stack.statements { try here.mergeChanges(fromContextDidSave: saved) }
    cost.allocations = gs_test_all_allocations() - before
    cost.registered = here.registeredCount
    #expect(mine.count { $0.isFault } == min(loaded, 500))
    return cost
  }

  @Test("CTX-478, CTX-260: a merge costs by the number of changes, and not by what is loaded")
  func growth() throws {
    _ = try merging(loaded: 10)
    let costs = try [10, 500, 5000].map { try merging(loaded: $0) }
    #expect(costs.map(\.statements) == [0, 0, 0] && costs.map(\.registered) == [10, 500, 5000])
    #expect(costs[0].allocations <= costs[1].allocations, "\(costs)")
    #expect(costs[2].allocations * 10 <= costs[1].allocations * 11 + 1000, "\(costs)")
  }
}
