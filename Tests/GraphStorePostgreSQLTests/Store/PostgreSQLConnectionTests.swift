#if PostgreSQL
import Foundation
import GraphStoreContextTestSupport
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Connections to a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLConnectionTests {
  private let stores = TestStores()

  /// Ends all connections of a store.
  private func cut(_ coordinator: PersistentStoreCoordinator) throws {
    let schema = try coordinator.postgreSQLStore.address.schema
    try stores.run(
      "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
        + "AND application_name = '\(schema)'")
  }

  private func insert(_ name: String, in context: ManagedObjectContext) throws {
    try context.insert(entityNamed: "Project").setValue(name, forKey: "title")
  }

  private func titles(_ context: ManagedObjectContext) throws -> [String?] {
    let request = FetchRequest<ManagedObject>(entityName: "Project")
    return try context.fetch(request).map { try $0.value(forKey: "title") as? String }
  }

  @Test("STO-395: a connection that was lost between two requests is replaced")
  func idle() throws {
    let coordinator = try stores.coordinator(StaffModel.model)
    let context = ManagedObjectContext(coordinator: coordinator)
    try insert("a", in: context)
    try context.save()
    _ = try titles(ManagedObjectContext(coordinator: coordinator))
    try cut(coordinator)
    #expect(try titles(ManagedObjectContext(coordinator: coordinator)) == ["a"])
    try cut(coordinator)
    try insert("b", in: context)
    try context.save()
    #expect(try Set(titles(ManagedObjectContext(coordinator: coordinator))) == ["a", "b"])
  }

  @Test("STO-395: one that is lost within a transaction leaves nothing, and the next save works")
  func withinTransaction() throws {
    let coordinator = try stores.coordinator(StaffModel.model)
    let context = ManagedObjectContext(coordinator: coordinator)
    let error = #expect(throws: GraphStoreError.self) {
      try coordinator.transaction(with: context) { _ in
        try insert("a", in: context)
        try context.save()
        try cut(coordinator)
        try insert("b", in: context)
        try context.save()
      }
    }
    #expect(error?.code == .storeOpen, "\(error.debugDescription)")
    context.reset()
    #expect(try titles(ManagedObjectContext(coordinator: coordinator)) == [])
    try insert("c", in: context)
    try context.save()
    #expect(try titles(ManagedObjectContext(coordinator: coordinator)) == ["c"])
  }

  @Test("STO-390: several saves of a transaction are savepoints, of which one can be taken back")
  func savepoints() throws {
    let coordinator = try stores.coordinator(StaffModel.model)
    let context = ManagedObjectContext(coordinator: coordinator)
    try coordinator.transaction(with: context) { transaction in
      for name in ["a", "b"] {
        try insert(name, in: context)
        try context.save()
      }
      try? transaction.savepoint {
        try insert("c", in: context)
        try context.save()
        throw CancellationError()
      }
      try insert("d", in: context)
      try context.save()
    }
    #expect(try Set(titles(ManagedObjectContext(coordinator: coordinator))) == ["a", "b", "d"])
  }

  @Test("STO-395, DGN-263: after a commit during which the connection is lost the server is asked")
  func inquiry() throws {
    let store = try stores.coordinator(StaffModel.model).postgreSQLStore
    let lost = PostgreSQLError("lost", isConnectionLost: true)
    func transaction(_ end: String) throws -> String {
      let connection = try store.pool.open()
      let number = try connection.run([.once("BEGIN"), .once("SELECT pg_current_xact_id()::text")])[1]
      _ = try number.step()
      try connection.run([.once(end)])
      return number.string(at: 0)
    }
    let started = try store.pool.open().run("SELECT \(PostgreSQLCommitInquiry.serverStart)")
    _ = try started.step()
    func inquiry(_ transaction: String, start: String = started.string(at: 0)) -> PostgreSQLCommitInquiry {
      PostgreSQLCommitInquiry(store: store, transaction: transaction, serverStart: start, attempts: 1)
    }
    try inquiry(transaction("COMMIT")).run(after: lost)
    let aborted = try inquiry(transaction("ROLLBACK"))
    #expect(code { try aborted.run(after: lost) } == .storeSaveFailed)
    // A server that was killed gives the number of a transaction that it has lost to another one, or to none.
    let forgotten = inquiry("18446744073709551610")
    #expect(code { try forgotten.run(after: lost) } == .storeSaveFailed)
    let other = try inquiry(transaction("COMMIT"), start: "earlier")
    #expect(code { try other.run(after: lost) } == .commitUnknown)
    let open = try store.pool.open()
    let number = try open.run([.once("BEGIN"), .once("SELECT pg_current_xact_id()::text")])[1]
    _ = try number.step()
    let unknown = inquiry(number.string(at: 0))
    let error = #expect(throws: GraphStoreError.self) { try unknown.run(after: lost) }
    #expect(error?.code == .commitUnknown && error?.number == 136097)
    #expect(error?.remedy.contains("pg_xact_status('\(number.string(at: 0))')") == true)
    open.close()
  }

  @Test("STO-390: a store is made where there is none, and is found by another")
  func opening() throws {
    let address = stores.address(7)
    #expect(
      code {
        try PostgreSQLStoreDriver().metadata(at: address, timeout: .seconds(5))
      } == .storeNotFound)
    let coordinator = try stores.coordinator(StaffModel.model, 7)
    #expect(
      code {
        try PostgreSQLStoreDriver().create(address, TestStores.options, StaffModel.model, NewStoreForm())
      } == .storeExists)
    let metadata = try PostgreSQLStoreDriver().metadata(at: address, timeout: .seconds(5))
    #expect(metadata.identifier.uuidString == coordinator.storeIdentifier)
    let carried = try PersistentStoreCoordinator.open(storeAt: address, options: TestStores.options)
    #expect(carried.managedObjectModel.entities.map(\.name) == StaffModel.model.entities.map(\.name))
    let other = try ManagedObjectModel(
      ModelDefinition(
        name: "Other", entities: [EntityDefinition("Project", attributes: [AttributeDefinition("x", .int16)])]
      ))
    #expect(code { try stores.coordinator(other, 7) } == .incompatibleModel)
  }

  @Test("STO-390: what others keep in a schema stays, and a store of another schema too")
  func neighbours() throws {
    _ = try stores.coordinator(StaffModel.model, 1)
    let context = ManagedObjectContext(coordinator: try stores.coordinator(StaffModel.model, 2))
    try insert("a", in: context)
    try context.save()
    #expect(try titles(ManagedObjectContext(coordinator: try stores.coordinator(StaffModel.model, 1))) == [])
  }

  @Test("STO-399: removing a store leaves what others keep in its schema, or have made of its tables")
  func removal() throws {
    let address = stores.address(3)
    func destroy() throws {
      try PostgreSQLStoreDriver().destroy(address, isForced: false, timeout: .seconds(5))
    }
    try stores.coordinator(StaffModel.model, 3).close()
    try stores.run("CREATE VIEW names AS SELECT name FROM employee", 3)
    #expect(code { try destroy() } == .storeOperationFailed)
    try stores.coordinator(StaffModel.model, 3).close()
    try stores.run("DROP VIEW names", 3)
    try stores.run("CREATE TABLE others (x integer)", 3)
    try destroy()
    #expect(code { try destroy() } == .storeNotFound)
    try stores.run("SELECT x FROM others", 3)
    try stores.run("DROP SCHEMA \(PostgreSQLName.quoted(try PostgreSQLAddress(address).schema)) CASCADE", 3)
  }

  @Test("STO-398: options that such stores do not take are refused by name")
  func options() throws {
    var options = TestStores.options
    options.sqlitePragmas = ["cache_size": .int(1)]
    let error = #expect(throws: GraphStoreError.self) {
      try stores.coordinator(StaffModel.model, options: options)
    }
    #expect(error?.code == .storeOption && error?.message.contains("sqlitePragmas") == true)
  }

  @Test("STO-397: a store for reading only refuses changes")
  func readOnly() throws {
    _ = try stores.coordinator(StaffModel.model)
    var options = TestStores.options
    options.isReadOnly = true
    let context = ManagedObjectContext(
      coordinator: try stores.coordinator(StaffModel.model, options: options))
    try insert("a", in: context)
    #expect(code { try context.save() } == .readOnlyStore)
  }

  @Test("CTX-321: a statement ends where its request is cancelled, and the connection goes on working")
  func cancellation() throws {
    let store = try stores.coordinator(StaffModel.model).postgreSQLStore
    let session = PostgreSQLReadSession(store, [])
    try session.begin()
    defer { session.endReading() }
    let start = ContinuousClock.now
    let found = code {
      try RequestCancellation.ending(when: { true }) {
        try session.runFetch("SELECT pg_sleep(20)", [], isLong: false) { _ in }
      }
    }
    #expect(found == .cancelled && .now - start < .seconds(10))
    #expect(try session.plan(StoreRequest(entityName: "Project", .count)).count() == 0)
  }

  @Test("STO-390: a statement ends where the store is stopped, which works again afterwards")
  func stopping() throws {
    let store = try stores.coordinator(StaffModel.model).postgreSQLStore
    let session = PostgreSQLReadSession(store, [])
    try session.begin()
    defer { session.endReading() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { store.setStopped(true) }
    let start = ContinuousClock.now
    let found = code { try session.runFetch("SELECT pg_sleep(20)", [], isLong: false) { _ in } }
    #expect(found == .sqlite && .now - start < .seconds(10))
    #expect(code { try store.read { try $0.metadata() } } == .sqlite)
    store.setStopped(false)
    #expect(try session.plan(StoreRequest(entityName: "Project", .count)).count() == 0)
  }

  @Test("STO-396: a server that cannot be reached is named without the password")
  func unreachable() {
    let address = "postgresql://ada:secret@127.0.0.1:1/db?schema=x&password=hidden&connect_timeout=1"
    let error = #expect(throws: GraphStoreError.self) {
      try PostgreSQLStoreDriver().metadata(at: address, timeout: .seconds(1))
    }
    #expect(error?.code == .storeOpen)
    let text = "\(error.map { "\($0)" } ?? "")"
    #expect(!text.contains("secret") && !text.contains("hidden") && text.contains("ada@127.0.0.1:1/db"))
  }

  @Test("FET-171: many rows come one by one, and other statements may run between them")
  func streams() throws {
    let context = ManagedObjectContext(coordinator: try stores.coordinator(StaffModel.model))
    for number in 0..<2500 { try insert("p\(number)", in: context) }
    try context.save()
    let store = try context.coordinator.postgreSQLStore
    try store.read(.severalStatements) { session in
      var count = 0
      try session.plan(StoreRequest(entityName: "Project", .rows)).rows { batch in
        count += batch.count
        let total = try session.plan(StoreRequest(entityName: "Project", .count)).count()
        #expect(total == 2500)
      }
      #expect(count == 2500)
    }
  }
}

@Suite("Addresses of stores on a PostgreSQL server")
struct PostgreSQLAddressTests {
  @Test(
    "STO-390, STO-396: the schema is taken out of an address, and the password out of its text",
    arguments: [
      ("postgresql://h/db", "graphstore", "postgresql://h/db", "postgresql://h/db"),
      (
        "postgres://u:p@h:1/db?schema=a%20b", "a b", "postgres://u:p@h:1/db",
        "postgres://u@h:1/db?schema=a%20b"
      ),
      (
        "postgresql://u:p%40@h/db?sslmode=require&schema=s&password=x", "s",
        "postgresql://u:p%40@h/db?sslmode=require&password=x", "postgresql://u@h/db?sslmode=require&schema=s"
      ),
    ])
  func parts(_ text: String, _ schema: String, _ connection: String, _ shown: String) throws {
    let address = try PostgreSQLAddress(text)
    #expect(address.schema == schema && address.connectionInfo == connection && address.text == shown)
  }

  @Test("STO-390: a text that is no address is refused")
  func noAddress() {
    #expect(code { try PostgreSQLAddress("https://u:p@h/db") } == .storeOpen)
    #expect(code { try PostgreSQLAddress("postgresql://h/db?schema=") } == .storeOpen)
  }
}

@Suite("Decimals in the form of a PostgreSQL server")
struct PostgreSQLNumericTests {
  @Test(
    "STO-391: a decimal comes back from its binary form",
    arguments: [
      "0", "1", "-1", "9999", "10000", "12345678901234567890123456789012345678", "0.0001", "-0.00012",
      "1e-38",
      "1.5e60", "99999999.9999",
    ])
  func binaryForm(_ text: String) throws {
    let decimal = try #require(Decimal(string: text))
    let bytes = PostgreSQLNumeric(decimal).bytes
    let read = unsafe bytes.withUnsafeBufferPointer { unsafe PostgreSQLNumeric(binary: $0) }
    #expect(read?.decimal == decimal)
  }
}
#endif
