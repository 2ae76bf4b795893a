import CGraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("Cost of validation")
struct ValidationCostTests {
  /// Things of three constraints each, loaded and changed.
  private func changedThings(_ count: Int) throws -> TestStack {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing",
          attributes: [
            .init("name", .string, isOptional: false, minLength: 1, maxLength: 20),
            .init("size", .int64, minimum: 0, maximum: 1_000_000),
            .init("ratio", .double, minimum: 0, maximum: 1),
          ])
      ]))
    let things = try (0..<count).map { number in
      try stack.context.insert("Thing", ["name": "Thing \(number)", "size": number, "ratio": 0.5])
    }
    try stack.context.save()
    for thing in things { try thing.setValue(1, forKey: "size") }
    try stack.context.processPendingChanges()
    return stack
  }

  @Test("OBJ-545: validating 50,000 changed objects with three constraints each runs no statement")
  func statements() throws {
    let stack = try changedThings(50_000)
    var failures: [GraphStoreError] = []
    #expect(try stack.statements { failures = try stack.context.validateChanges() } == 0)
    #expect(failures.isEmpty && stack.context.updatedObjects.count == 50_000)
  }

  @Test(
    "OBJ-545: it allocates less than writing the objects does",
    .enabled(if: gs_test_all_allocations() != 0))
  func allocations() throws {
    let stack = try changedThings(4000)
    func allocations(_ body: () throws -> Void) rethrows -> Int {
      let before = gs_test_all_allocations()
      try body()
      return gs_test_all_allocations() - before
    }
    _ = try stack.context.validateChanges()
    let validation = try allocations { _ = try stack.context.validateChanges() }
    let saving = try allocations { try stack.context.save() }
    #expect(validation < saving, "\(validation), and \(saving) for the save")
  }
}
