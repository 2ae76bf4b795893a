import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Batch requests and cached rows", .everyStore)
struct BatchCachedRowsTests {
  private struct Stop: Error {}

  private static let model = ModelDefinition(
    name: "Things",
    entities: [
      EntityDefinition(
        "Thing", attributes: [AttributeDefinition("n", .int64), AttributeDefinition("flag", .boolean)]),
      EntityDefinition("Special", parent: "Thing", attributes: [AttributeDefinition("m", .int64)]),
    ])

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private var cache: RowCache { stack.coordinator.mounts[0].store.rowCache }
  private var root: Int

  init() throws {
    stack = try TestStack(Self.model)
    for number in 0..<20 { try stack.context.insert(number % 2 == 0 ? "Special" : "Thing", ["n": number]) }
    try stack.context.save()
    stack.context.reset()
    root = try stack.coordinator.layout.entity(named: "Thing").index
  }

  private func update(
    _ n: Int, _ form: BatchRequestResultType = .count, _ predicate: String? = nil
  ) throws -> BatchUpdateRequest {
    var request = BatchUpdateRequest(
      entityName: "Thing", propertiesToUpdate: ["n": n],
      predicate: try predicate.map { try QueryPredicate(parsing: $0) })
    request.resultType = form
    return request
  }

  private func delete(
    _ entity: String, _ form: BatchRequestResultType = .count, _ predicate: String? = nil
  ) throws -> BatchDeleteRequest {
    var request = BatchDeleteRequest(
      FetchRequest(entityName: entity, predicate: try predicate.map { try QueryPredicate(parsing: $0) }))
    request.resultType = form
    return request
  }

  private func numbers(_ context: ManagedObjectContext) throws -> [Int] {
    try context.all("Thing", sort: ["n"]).map { Int(try $0.queryValue(forKey: "n").number) }
  }

  @Test(
    "FET-211, STO-275: a row that another context reads while a batch update is uncommitted is read anew after it",
    .needs(.files), arguments: [BatchRequestResultType.objectIDs])
  func updatedMeanwhile(_ form: BatchRequestResultType) throws {
    let reader = stack.newContext()
    var held: [ManagedObject] = []
    try stack.coordinator.transaction(with: context) { _ in
      try context.execute(try update(50, form))
      held = try reader.all("Thing", sort: ["n"])
      #expect(try held[3].value(forKey: "n") as? Int64 == 3)
    }
    for object in held { try reader.refresh(object, mergeChanges: false) }
    #expect(try held.allSatisfy { try $0.value(forKey: "n") as? Int64 == 50 })
    #expect(held.count == 20)
  }

  @Test(
    "FET-240, STO-275: an object that another context reads while its deletion is uncommitted is inaccessible after it",
    .needs(.files), arguments: [BatchRequestResultType.objectIDs])
  func deletedMeanwhile(_ form: BatchRequestResultType) throws {
    let reader = stack.newContext()
    var held: [ManagedObject] = []
    try stack.coordinator.transaction(with: context) { _ in
      try context.execute(try delete("Special", form))
      held = try reader.all("Special")
      #expect(held.count == 10)
    }
    for object in held { try reader.refresh(object, mergeChanges: false) }
    reader.shouldDeleteInaccessibleFaults = true
    for object in held { #expect(try object.value(forKey: "n") == nil) }
    #expect(try numbers(stack.newContext()).count == 10)
  }
}
