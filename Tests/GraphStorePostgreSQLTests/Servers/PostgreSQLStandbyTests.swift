#if PostgreSQL
import Foundation
import GraphStoreContextTestSupport
import GraphStorePredicates
import Synchronization
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Stores at the address of a standby", .enabled(if: TestStores.areThere))
struct PostgreSQLStandbyTests {
  private let server: PrivateServer
  private let primary: PersistentStoreCoordinator
  private let standby: PersistentStoreCoordinator

  /// A store with a history, of which a standby has what was saved before it was made.
  init() throws {
    StoreType.registerPostgreSQL()
    server = try PrivateServer()
    try #require(server.address.hasPrefix("postgresql://"), "\(server.address)")
    primary = try Self.opened(server.address)
    try Self.insert("first", into: primary)
    try #require(try server.perform("standby"))
    standby = try Self.opened(server.standbyAddress)
  }

  private static func opened(_ address: String) throws -> PersistentStoreCoordinator {
    var options = TestStores.options
    (options.historyTracking, options.remoteChangeNotifications) = (true, true)
    let coordinator = PersistentStoreCoordinator(model: FamilyModel.model)
    try coordinator.addStore(at: address + "&schema=family", options: options)
    return coordinator
  }

  /// Saves a parent of two children.
  private static func insert(_ name: String, into coordinator: PersistentStoreCoordinator) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    let parent = try context.insert(entityNamed: "Parent")
    try parent.setValue(name, forKey: "name")
    for number in 0..<2 {
      let child = try context.insert(entityNamed: "Child")
      try child.setValue("\(name) \(number)", forKey: "name")
      try child.setValue(parent, forKey: "parent")
    }
    try context.save()
  }

  private func names(_ predicate: String? = nil, in context: ManagedObjectContext? = nil) throws -> [String] {
    let context = context ?? ManagedObjectContext(coordinator: standby)
    var request = FetchRequest<ManagedObject>(entityName: "Child")
    request.predicate = try predicate.map { try QueryPredicate(parsing: $0) }
    request.sortDescriptors = try QuerySortDescriptor.list(parsing: "name")
    return try context.fetch(request).compactMap { try $0.value(forKey: "name") as? String }
  }

  private func expectSoon(
    _ condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) rethrows {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if try condition() { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Issue.record("it did not happen", sourceLocation: sourceLocation)
  }

  private func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? GraphStoreError)?.code }
  }

  @Test("STO-397: it is opened for reading only, answers as the primary does, and refuses what writes")
  func readOnly() throws {
    #expect(standby.persistentStores[0].isReadOnly && !primary.persistentStores[0].isReadOnly)
    #expect(try names() == ["first 0", "first 1"])
    #expect(try names("parent.children.@count == 2 AND name MATCHES '.* 1'") == ["first 1"])
    #expect(try names("uppercase(parent.name) CONTAINS[cd] 'ÍRST'") == ["first 0", "first 1"])
    let context = ManagedObjectContext(coordinator: standby)
    let parent = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Parent")).first)
    #expect(try parent.value(forKey: "size") as? Int64 == 2)
    #expect(try parent.objects(forKey: "children").count == 2)
    try parent.setValue("other", forKey: "name")
    #expect(code { try context.save() } == .readOnlyStore)
    let update = BatchUpdateRequest(entityName: "Child", propertiesToUpdate: ["name": "x"])
    #expect(code { _ = try ManagedObjectContext(coordinator: standby).execute(update) } == .readOnlyStore)
    #expect(try names(in: ManagedObjectContext(coordinator: primary)) == ["first 0", "first 1"])
  }

  @Test("STO-397: the command reads, checks and compares it, and says why it writes nothing")
  func command() throws {
    let tool = try ServerTool()
    tool.environment["GRAPHSTORE_STORE"] = server.standbyAddress + "&schema=family"
    for (line, code) in [
      ("count Child", 0), ("fetch Child --where 'parent.name == \"first\"' --json", 0), ("check", 0),
      ("stats", 0), ("history", 0), ("info", 0), ("dump >copy.dump", 0), ("backup copy.db", 0),
      ("diff copy.db \"$GRAPHSTORE_STORE\" --exit-code", 0), ("explain Child --where 'name == \"a\"'", 0),
    ] as [(String, Int32)] {
      let outcome = try tool.shell("graphstore \(line)")
      #expect(outcome.code == code, "\(line): \(outcome)")
    }
    for line in [
      "insert Tag name=a", "delete Child --where TRUEPREDICATE --yes",
      "update Child --where TRUEPREDICATE name=x",
      "metadata set a=b", "check --repair --yes", "import --all copy.ndjson", "history disable --yes",
    ] {
      try tool.write("{\"entity\":\"Tag\",\"id\":\"t\",\"name\":\"a\"}\n", to: "copy.ndjson")
      let outcome = try tool.shell("graphstore \(line)")
      #expect(outcome.code != 0 && outcome.errors.contains("[read-only-store]"), "\(line): \(outcome)")
    }
    #expect(try tool.run("count", "Child").output == "2\n")
  }

  @Test(
    "STO-397, STO-422, CTX-407: commits of the primary are told to who waits at the standby, with the history"
  )
  func watching() throws {
    let count = Atomic(0)
    let observer = NotificationCenter.default.addObserver(
      forName: PersistentStoreCoordinator.remoteChangeNotification, object: standby, queue: nil
    ) { _ in count.add(1, ordering: .relaxed) }
    defer { NotificationCenter.default.removeObserver(observer) }
    let token = try standby.currentPersistentHistoryToken()
    let pinned = ManagedObjectContext(coordinator: standby)
    try pinned.setQueryGenerationFrom(.current)
    #expect(try names(in: pinned).count == 2)
    try Self.insert("second", into: primary)
    expectSoon { count.load(ordering: .relaxed) > 0 }
    try expectSoon { try names().count == 4 }
    #expect(try names(in: pinned).count == 2)
    let reader = ManagedObjectContext(coordinator: standby)
    let transactions = try reader.execute(.fetchHistory(after: token)).transactions
    #expect(transactions.map { $0.changes?.count } == [3])
  }
}
#endif
