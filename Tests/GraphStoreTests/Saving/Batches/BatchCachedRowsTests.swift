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
      EntityDefinition(
        "Box",
        relationships: [
          RelationshipDefinition("bags", to: "Bag", inverse: "box", isToMany: true, deleteRule: .cascade)
        ]),
      EntityDefinition(
        "Bag",
        relationships: [
          RelationshipDefinition("box", to: "Box", inverse: "bags"),
          RelationshipDefinition("coins", to: "Coin", inverse: "bag", isToMany: true, deleteRule: .cascade),
        ]),
      EntityDefinition(
        "Coin", attributes: [AttributeDefinition("n", .int64)],
        relationships: [RelationshipDefinition("bag", to: "Bag", inverse: "coins", isOptional: false)]),
      EntityDefinition("Medal", parent: "Coin"),
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

  // MARK: Cascades

  /// Two boxes of three bags of four coins, half of which are medals.
  private func fillBoxes() throws {
    for _ in 0..<2 {
      let box = try context.insert(entityNamed: "Box")
      for _ in 0..<3 {
        let bag = try context.insert("Bag", ["box": box])
        for n in 0..<4 { try context.insert(n < 2 ? "Coin" : "Medal", ["bag": bag, "n": n]) }
      }
    }
    try context.save()
    context.reset()
  }

  @Test(
    "FET-236, FET-238: the last tier of a cascade goes and is counted, whether its records have to be known or not",
    arguments: [BatchRequestResultType.count, .objectIDs], [false, true])
  func lastTiers(_ form: BatchRequestResultType, isCached: Bool) throws {
    try fillBoxes()
    let box = try #require(try context.all("Box").first)
    let held = try isCached ? stack.newContext().all("Coin") : []
    var request = BatchDeleteRequest(objectIDs: [box.objectID])
    request.resultType = form
    request.isDryRun = true
    #expect(try context.execute(request).count == 16)
    #expect(try stack.newContext().all("Coin").count == 24)
    request.isDryRun = false
    let result = try context.execute(request)
    #expect(result.count == 16 && result.objectIDs.count == (form == .objectIDs ? 16 : 0))
    let fresh = stack.newContext()
    #expect(try fresh.all("Coin").count == 12 && fresh.all("Bag").count == 3 && fresh.all("Box").count == 1)
    #expect(held.count == (isCached ? 24 : 0))
    try cache.checkInvariants()
  }

  @Test("FET-237: the last tier of a cascade is one statement by its owners", .needs(.statements))
  func lastTierStatements() throws {
    try fillBoxes()
    let box = try #require(try context.all("Box").first)
    let texts = try stack.recordedStatements {
      _ = try context.execute(BatchDeleteRequest(objectIDs: [box.objectID]))
    }
    let coins = texts.filter { $0.contains("ZCOIN") }
    #expect(coins.count == 1 && coins.allSatisfy { $0.hasPrefix("DELETE") }, "\(texts)")
  }

  @Test(
    "FET-209, FET-240: a last tier that another context reads meanwhile is gone after the commit",
    .needs(.files))
  func lastTierReadMeanwhile() throws {
    try fillBoxes()
    let box = try #require(try context.all("Box").first?.objectID)
    let reader = stack.newContext()
    var coins: [ManagedObject] = []
    try stack.coordinator.transaction(with: context) { _ in
      try context.execute(BatchDeleteRequest(objectIDs: [box]))
      coins = try reader.all("Coin")
    }
    reader.shouldDeleteInaccessibleFaults = true
    for coin in coins { try reader.refresh(coin, mergeChanges: false) }
    #expect(coins.count == 24)
    #expect(try coins.count { try $0.value(forKey: "n") == nil } == 12)
  }
}
