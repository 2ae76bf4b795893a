import CGraphStoreTestSupport
import Testing

@testable import GraphStore

/// Allocations, which later work must not multiply unnoticed.
@Suite("Allocations")
struct AllocationTests {
  private static let model = ModelDefinition(
    name: "Allocations",
    entities: [
      EntityDefinition(
        "Number", attributes: (0..<10).map { AttributeDefinition("i\($0)", .int64) }),
      EntityDefinition("Word", attributes: [AttributeDefinition("text", .string)]),
    ])

  private func stack(rows: Int) throws -> TestStack {
    let stack = try TestStack(Self.model)
    for number in 0..<rows {
      try stack.context.insert("Number", ["i0": number, "i9": -number])
      try stack.context.insert("Word", ["text": "a text that does not fit into a string \(number)"])
    }
    try stack.context.save()
    stack.context.reset()
    return stack
  }

  /// The pieces of memory that a fetch of so many unloaded objects leaves behind.
  private func allocations(_ stack: TestStack, _ entity: String, limit: Int) throws -> Int {
    var request = FetchRequest(entityName: entity)
    request.fetchLimit = limit
    let context = stack.newContext()
    let before = gs_test_live_allocations()
    let objects = try context.fetch(request)
    let made = gs_test_live_allocations() - before
    #expect(objects.count == limit)
    return made
  }

  @Test(
    "FET-026: a fetch of unloaded objects allocates the object of a row and nothing else for it",
    .enabled(if: gs_test_live_allocations() != 0), arguments: ["Number", "Word"])
  func fetch(entity: String) throws {
    let stack = try stack(rows: 1280)
    _ = try allocations(stack, entity, limit: 1)
    let few = try allocations(stack, entity, limit: 640)
    let many = try allocations(stack, entity, limit: 1280)
    let rows = 640
    // A block of 64 rows is a few pieces: itself, its words and its tail.
    #expect(many - few >= rows)
    #expect(many - few <= rows + rows / 64 * 4, "\(many - few) pieces for \(rows) rows")
  }
}
