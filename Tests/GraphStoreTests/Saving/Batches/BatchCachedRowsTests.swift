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
    .needs(.files), arguments: [BatchRequestResultType.statusOnly, .objectIDs])
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
    .needs(.files), arguments: [BatchRequestResultType.statusOnly, .objectIDs])
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

  @Test(
    "FET-211: rows of a read transaction that began before the request are not cached after it",
    arguments: [BatchRequestResultType.statusOnly, .objectIDs])
  func snapshots(_ form: BatchRequestResultType) throws {
    let object = try #require(try context.all("Thing", "n == 3").first)
    let (key, id) = (object.key, object.objectID)
    let row = try #require(cache.row(root, key, in: .committed))
    if form == .statusOnly { context.reset() }
    let snapshot = cache.beginSnapshot()
    try context.execute(try update(50, form, "n == 3"))
    cache.put(row, key: key, holders: 1, from: .snapshot(snapshot))
    #expect(cache.row(root, key, in: .committed) == nil)
    cache.endSnapshot(snapshot)
    #expect(try stack.newContext().existingObject(with: id).value(forKey: "n") as? Int64 == 50)
    cache.release(root, keys: [key])
    try cache.checkInvariants()
  }

  @Test(
    "FET-211: a request over some of the rows leaves the others in the cache", .needs(.statements))
  func unaffected() throws {
    let reader = stack.newContext()
    let held = try reader.all("Thing", sort: ["n"])
    try context.execute(try update(50, .statusOnly, "n < 5"))
    try context.execute(try delete("Special", .statusOnly, "n == 6"))
    let others = held.filter { Int($0.objectID.key) > 7 }
    #expect(try stack.statements { for object in others { _ = try object.value(forKey: "n") } } == 0)
  }

  @Test(
    "FET-214, FET-234: nothing is asked for but the number where nobody needs to know the records",
    .needs(.statements))
  func statements() throws {
    func statements(_ body: () throws -> Void) throws -> [String] {
      try stack.recordedStatements(body).filter { !["BEGIN IMMEDIATE", "COMMIT"].contains($0) }
    }
    var count = 0
    var texts = try statements { count = try context.execute(try update(3, .count, "n < 5")).count }
    #expect(count == 5)
    #expect(texts.count == 1 && texts.allSatisfy { !$0.contains("RETURNING") }, "\(texts)")
    texts = try statements { _ = try context.execute(try update(3, .objectIDs, "n < 5")) }
    #expect(texts.count == 1 && texts.allSatisfy { $0.contains("RETURNING") }, "\(texts)")
    texts = try statements { count = try context.execute(try delete("Special", .count, "n > 5")).count }
    #expect(count == 7)
    #expect(texts.count == 1 && texts.allSatisfy { $0.hasPrefix("DELETE") }, "\(texts)")
    #expect(try numbers(stack.newContext()) == [3, 3, 3, 3, 3, 5, 7, 9, 11, 13, 15, 17, 19])
  }

  @Test("FET-235: a window is respected where nobody needs to know the records")
  func windows() throws {
    var fetch = FetchRequest(entityName: "Thing", fetchLimit: 4, fetchOffset: 2)
    fetch.sortDescriptors = [try QuerySortDescriptor(parsing: "-n")]
    try context.execute(BatchDeleteRequest(fetch))
    #expect(try numbers(stack.newContext()) == Array(0..<14) + [18, 19])
  }

  @Test(
    "FET-209, STO-275: within a transaction contexts see what a request has done, and what was taken back",
    .needs(.files))
  func transactions() throws {
    let reader = stack.newContext()
    func run(_ transaction: StoreTransaction) throws {
      try context.execute(try update(50, .statusOnly))
      let object = try #require(try context.all("Thing").first)
      #expect(try object.value(forKey: "n") as? Int64 == 50)
      #expect(throws: Stop.self) {
        try transaction.savepoint {
          try context.execute(try update(60, .statusOnly))
          try context.execute(try delete("Special", .statusOnly))
          #expect(try numbers(context) == Array(repeating: 60, count: 10))
          throw Stop()
        }
      }
      #expect(try numbers(context) == Array(repeating: 50, count: 20))
      #expect(try numbers(reader) == Array(0..<20))
      throw Stop()
    }
    #expect(throws: Stop.self) { try stack.coordinator.transaction(with: context) { try run($0) } }
    #expect(try numbers(context) == Array(0..<20))
    #expect(try numbers(reader) == Array(0..<20))
    try cache.checkInvariants()
  }

  @Test("FET-209: a dry run forgets nothing that is so, and a save of an older copy is a conflict later on")
  func dryRuns() throws {
    var request = try update(50, .statusOnly)
    request.isDryRun = true
    try context.execute(request)
    #expect(try numbers(stack.newContext()) == Array(0..<20))
    let object = try #require(try context.all("Thing", "n == 3").first)
    try object.setValue(4, forKey: "n")
    try stack.newContext().execute(try update(50, .statusOnly))
    #expect(throws: (any Error).self) { try context.save() }
  }
}
