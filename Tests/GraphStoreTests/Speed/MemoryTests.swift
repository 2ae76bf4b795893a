import CGraphStoreTestSupport
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Memory in bytes that the thread holds: what an object costs, and that what is let go of leaves nothing.
@Suite("Memory", .enabled(if: gs_test_live_allocations() != 0))
struct MemoryTests {
  private static let model = ModelDefinition(
    name: "Memory",
    entities: [
      EntityDefinition("Number", attributes: (0..<10).map { AttributeDefinition("i\($0)", .int64) }),
      EntityDefinition(
        "Root",
        relationships: [RelationshipDefinition("branches", to: "Branch", inverse: "root", isToMany: true)]),
      EntityDefinition(
        "Branch",
        relationships: [
          RelationshipDefinition("root", to: "Root", inverse: "branches"),
          RelationshipDefinition("leaves", to: "Leaf", inverse: "branch", isToMany: true),
        ]),
      EntityDefinition(
        "Leaf", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("branch", to: "Branch", inverse: "leaves")]),
    ])

  /// A store with so many numbers, which SQLite has made by itself.
  private func stack(numbers: Int) throws -> TestStack {
    let stack = try TestStack(Self.model)
    try stack.context.insert("Number", [:])
    try stack.context.save()
    stack.context.reset()
    let connection = try SQLiteConnection(path: stack.path, mode: .readWrite)
    defer { connection.close() }
    let columns = (0..<10).map { "ZI\($0)" }.joined(separator: ", ")
    let values = (0..<10).map { "n * 1000 + \($0)" }.joined(separator: ", ")
    try connection.execute(
      """
      WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < \(numbers))
      INSERT INTO ZNUMBER (Z_PK, Z_ENT, Z_OPT, \(columns))
        SELECT n, (SELECT Z_ENT FROM ZNUMBER WHERE Z_PK = 1), 1, \(values) FROM c;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(numbers) WHERE Z_NAME = 'Number'
      """)
    return stack
  }

  private func growth(_ body: () throws -> Void) rethrows -> Int {
    let before = gs_test_live_bytes()
    try body()
    return gs_test_live_bytes() - before
  }

  @Test(
    "FLT-204, OBJ-541: a loaded object of ten integers takes at most 250 bytes in all, a fault at most 120")
  func object() throws {
    let count = 13_000
    let stack = try stack(numbers: count)
    let context = stack.newContext()
    var request = FetchRequest(entityName: "Number")
    request.returnsObjectsAsFaults = false
    request.fetchLimit = 1
    // What a first fetch leaves for ever is none of an object's.
    _ = try context.fetch(request)
    request.fetchLimit = 0
    var objects: [ManagedObject] = []
    let loaded = try growth { objects = try context.fetch(request) }
    #expect(objects.count == count && !objects.contains(where: \.isFault))
    #expect(loaded / count <= 250, "\(loaded / count) bytes an object")
    let ids = objects.map(\.objectID)
    objects.removeAll(keepingCapacity: true)
    #expect(context.registeredCount == 0 && stack.cachedRows == 0)
    let second = stack.newContext()
    let faults = try growth { for id in ids { objects.append(try second.object(with: id)) } }
    #expect(objects.allSatisfy(\.isFault) && stack.cachedRows == 0)
    #expect(faults / count <= 120, "\(faults / count) bytes a fault")
  }

  @Test(
    "FLT-058, FLT-079, FLT-153: a hundred thousand objects fetched part by part take the memory of one part")
  func parts() throws {
    let (count, part) = (100_000, 2_000)
    let stack = try stack(numbers: count)
    let context = stack.newContext()
    var request = FetchRequest(entityName: "Number")
    request.returnsObjectsAsFaults = false
    request.fetchLimit = part
    var (read, after): (Int, [Int]) = (0, [])
    let before = gs_test_live_bytes()
    var most = 0
    for offset in stride(from: 0, to: count, by: part) {
      request.fetchOffset = offset
      do {
        let objects = try context.fetch(request)
        read += objects.count
        most = max(most, gs_test_live_bytes() - before)
      }
      #expect(context.registeredCount == 0 && stack.cachedRows == 0)
      after.append(gs_test_live_bytes() - before)
    }
    #expect(read == count)
    // Caches of statements and tables that have grown once stay; later parts add nothing.
    #expect(after[after.count - 1] <= after[4] + 16_384, "\(after)")
    #expect(most <= 400 * part + 1_000_000, "\(most) bytes for \(part) objects")
  }

  @Test("FLT-163, FLT-171: what a relationship from both ends holds is gone when the objects are refreshed")
  func cycles() throws {
    let stack = try TestStack(Self.model)
    try grow(stack.context, branches: 20, leaves: 100)
    let context = stack.newContext()
    func walk() throws {
      for branch in try context.all("Branch") {
        for leaf in try branch.objects(forKey: "leaves") { _ = try leaf.object(forKey: "branch") }
      }
    }
    try walk()
    try context.refreshAllObjects()
    let before = gs_test_live_bytes()
    for _ in 0..<5 {
      try walk()
      #expect(context.registeredCount > 2_000)
      try context.refreshAllObjects()
      #expect(context.registeredCount == 0 && stack.cachedRows == 0)
    }
    #expect(gs_test_live_bytes() - before <= 16_384)
  }

  @Test("REL-442, FLT-164: a tree that is saved a branch at a time takes the memory of one branch")
  func tree() throws {
    let stack = try TestStack(Self.model)
    var after: [Int] = []
    let before = gs_test_live_bytes()
    try grow(stack.context, branches: 30, leaves: 300) { after.append(gs_test_live_bytes() - before) }
    #expect(after.count == 30)
    #expect(after[29] <= after[4] + 32_768, "\(after)")
    #expect(try stack.otherProcess().all("Root")[0].objects(forKey: "branches").count == 30)
    #expect(
      try stack.otherProcess().count(
        for: FetchRequest(entityName: "Leaf", predicate: QueryPredicate(parsing: "branch.root != nil")))
        == 9_000)
  }

  /// Makes a tree of three tiers, both ends of each link in place, saved and let go of a branch at a time.
  private func grow(
    _ context: ManagedObjectContext, branches: Int, leaves: Int, _ saved: () -> Void = {}
  ) throws {
    let root = try context.insert("Root", [:])
    try context.save()
    let id = root.objectID
    context.reset()
    for _ in 0..<branches {
      do {
        let branch = try context.insert("Branch", ["root": context.object(with: id)])
        for number in 0..<leaves { try context.insert("Leaf", ["name": "\(number)", "branch": branch]) }
        try context.save()
        context.reset()
      }
      saved()
    }
  }
}
