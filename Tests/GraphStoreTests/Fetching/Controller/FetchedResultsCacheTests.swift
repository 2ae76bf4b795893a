import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Caches of controllers", .serialized)
struct FetchedResultsCacheTests {
  private let stack: TestStack
  private let directory: URL
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company(), factory: .sqlite)
    for number in 0..<40 {
      try stack.context.insert("Employee", ["name": "\(100 + number)", "salary": number % 4])
    }
    try stack.context.save()
    directory = stack.folder.appending(path: "caches")
    FetchedResultsCache.directory = directory
    settle()
  }

  /// Lets the times of the files grow old enough to be told apart from later ones.
  private func settle() { Thread.sleep(forTimeInterval: 0.08) }

  /// The content of a controller in another context, as in another launch, and the statements that it took.
  private func content(
    _ name: String? = "list", predicate: String? = nil, sort: String = "salary,name",
    sections: String? = "salary", limit: Int = 0, in context: ManagedObjectContext? = nil,
    locale: String? = nil
  ) throws -> (sections: [String], names: [String], statements: Int) {
    var request = FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try QuerySortDescriptor.list(parsing: sort))
    request.fetchLimit = limit
    request.locale = locale.map(Locale.init(identifier:))
    let context = context ?? stack.newContext()
    let controller = try FetchedResultsController(
      fetchRequest: request, context: context, sectionNameKeyPath: sections, cacheName: name)
    let statements = try stack.statements { try controller.performFetch() }
    let names = (try #require(controller.fetchedObjects)).map { (try? $0.string("name")) ?? "-" }
    #expect(try names == context.fetch(request).map { try $0.string("name") ?? "-" })
    #expect(controller.invariantViolation == nil)
    return (controller.sections?.map { "\($0.name) \($0.numberOfObjects)" } ?? [], names, statements)
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
  }

  @Test("FET-202: while nothing has changed a list is there without a statement, also in another launch")
  func hit() throws {
    let first = try content()
    #expect(first.statements == 1 && files.count == 1)
    let second = try content()
    #expect(second.statements == 0 && second.sections == first.sections && second.names == first.names)
    #expect(first.sections == ["0 10", "1 10", "2 10", "3 10"])
    stack.coordinator.close()
    let other = try PersistentStoreCoordinator.open(storeAt: stack.path)
    defer { other.close() }
    settle()
    // The file was closed, which may have changed it; from then on it is as it was.
    _ = try content(in: ManagedObjectContext(coordinator: other))
    let count = other.statementCount
    let controller = try FetchedResultsController(
      fetchRequest: FetchRequest(
        entityName: "Employee", sortDescriptors: try QuerySortDescriptor.list(parsing: "salary,name")),
      context: ManagedObjectContext(coordinator: other), sectionNameKeyPath: "salary", cacheName: "list")
    try controller.performFetch()
    #expect(other.statementCount == count && controller.count == 40)
    // Faults of a cached list are read together.
    _ = try controller.fetchedObjects?.map { try $0.string("name") }
    #expect(other.statementCount == count + 1)
  }

  @Test("FET-203: whatever has changed, a cache of something else is not served")
  func misses() throws {
    _ = try content()
    #expect(try content(predicate: "salary > 1").statements == 1)
    _ = try content()
    #expect(try content(sort: "salary,-name").statements == 1)
    _ = try content()
    #expect(try content(limit: 5).statements == 1)
    _ = try content()
    #expect(try content(sections: nil).statements == 1)
    _ = try content()
    #expect(try content(locale: "sv_SE").statements == 1)
    _ = try content()
    #expect(try content().statements == 0)
    #expect(try content(nil).statements == 1 && content(nil).statements == 1)
  }

  @Test("FET-203: no commit of anybody is missed, at whatever moment", arguments: ["WAL", "DELETE"])
  func staleness(_ journal: String) throws {
    let path = stack.folder.appending(path: "other-\(journal).db").path
    try PersistentStoreCoordinator.create(storeAt: path, model: stack.coordinator.managedObjectModel).close()
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = \(journal)")
    connection.close()
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
    defer { coordinator.close() }
    let writer = ManagedObjectContext(coordinator: coordinator)
    for round in 0..<16 {
      try writer.insert("Employee", ["name": "\(1_000 + round)", "salary": 1])
      try writer.save()
      if round % 3 == 0 { settle() }
      for _ in 0..<2 {
        let context = ManagedObjectContext(coordinator: coordinator)
        let controller = try FetchedResultsController(
          fetchRequest: FetchRequest(
            entityName: "Employee", sortDescriptors: try QuerySortDescriptor.list(parsing: "salary,name")),
          context: context, sectionNameKeyPath: "salary", cacheName: "stale")
        try controller.performFetch()
        try #require(controller.count == round + 1)
      }
    }
  }

  @Test("FET-206: unsaved changes do not enter a cache, and correct what it has")
  func unsaved() throws {
    func change(_ context: ManagedObjectContext) throws {
      let all = try context.all("Employee", sort: ["name"])
      try all[3].setValue(9, forKey: "salary")
      try context.delete(all[5])
      try context.insert("Employee", ["name": "new", "salary": 0])
      // Deleting reads what its rules concern.
      try context.processPendingChanges()
    }
    let changed = stack.newContext()
    try change(changed)
    #expect(try content(in: changed).statements > 0 && files.isEmpty)
    _ = try content()
    #expect(files.count == 1)
    let again = stack.newContext()
    try change(again)
    let corrected = try content(in: again)
    // Placing objects reads those beside them, which are read together.
    #expect(corrected.statements <= 1 && corrected.sections == ["0 11", "1 9", "2 10", "3 9", "9 1"])
    #expect(try content().sections == ["0 10", "1 10", "2 10", "3 10"])
  }

  @Test("FET-204, FET-205: one name has the list of its last user; caches are removed one by one, or all")
  func names() throws {
    _ = try content("a/../b")
    _ = try content("c")
    #expect(files.count == 2 && files.allSatisfy { $0.hasSuffix(".results") })
    _ = try content("c", predicate: "salary == 1", sections: nil)
    #expect(files.count == 2)
    #expect(try content("c", predicate: "salary == 1", sections: nil).statements == 0)
    try FetchedResultsCache.delete(named: "c")
    try FetchedResultsCache.delete(named: "never")
    #expect(files.count == 1)
    try FetchedResultsCache.delete(named: nil)
    #expect(files.isEmpty)
  }

  @Test("FET-203, FET-207: damaged files are passed over, and a folder that cannot be written is none")
  func damage() throws {
    let whole = try content()
    let file = directory.appending(path: files[0])
    let bytes = try Data(contentsOf: file)
    var random = SeededGenerator(seed: 1)
    for round in 0..<30 {
      var damaged = bytes
      switch round % 3 {
      case 0: damaged = damaged.prefix(Int.random(in: 0..<bytes.count, using: &random))
      case 1:
        damaged[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      default: damaged = Data("nonsense".utf8)
      }
      try damaged.write(to: file)
      let read = try content()
      #expect(read.names.count == 40 && read.sections.count == whole.sections.count)
    }
    FetchedResultsCache.directory = URL(fileURLWithPath: "/proc/nowhere")
    #expect(try content().statements == 1 && content().statements == 1)
  }
}
