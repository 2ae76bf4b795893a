#if PostgreSQL
import Foundation
import GraphStoreContextTestSupport
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Stores behind a pooler of transactions", .enabled(if: TestStores.areThere))
struct PostgreSQLPoolerTests {
  private let stores = TestStores()

  private func coordinator() throws -> PersistentStoreCoordinator {
    let coordinator = PersistentStoreCoordinator(model: FamilyModel.model)
    try coordinator.addStore(at: stores.address() + "&pooling=transaction", options: TestStores.options)
    return coordinator
  }

  @Test("STO-424: nothing is left in a session that another program gets next")
  func sessions() throws {
    let coordinator = try coordinator()
    let store = try coordinator.postgreSQLStore
    try coordinator.enableHistoryTracking(of: coordinator.persistentStores[0])
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<4 {
      try context.insert(entityNamed: "Tag").setValue("t\(number)", forKey: "name")
      try context.save()
      context.reset()
      let request = FetchRequest<ManagedObject>(entityName: "Tag")
      #expect(try context.fetch(request).count == number + 1)
    }
    let watch = try PostgreSQLStoreWatch(store) {}
    #expect(!watch.isListening)
    watch.end()
    try store.withConnection { connection in
      let left = try connection.run([
        .once("SELECT count(*) FROM pg_prepared_statements"), .once("SHOW lock_timeout"), .once("SHOW jit"),
        .once("SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'"),
      ])
      for cursor in left { _ = try cursor.step() }
      #expect(left[0].int64(at: 0) == 0 && left[3].int64(at: 0) == 0)
      #expect(left[1].string(at: 0) == "0" && left[2].string(at: 0) == "on")
    }
    try store.write { session in
      let own = try #require(session as? PostgreSQLWriteSession)
      let setting = try own.run("SHOW lock_timeout", [])
      _ = try setting.step()
      #expect(setting.string(at: 0) == "10s")
    }
  }

  @Test("STO-424: another word for how connections are pooled is refused")
  func words() throws {
    #expect(try PostgreSQLAddress("postgresql://h/d?pooling=session").isPooledByTransaction == false)
    #expect(try !PostgreSQLAddress("postgresql://h/d?pooling=transaction").connectionInfo.contains("pooling"))
    #expect(code { try PostgreSQLAddress("postgresql://h/d?pooling=statement") } == .storeOpen)
  }
}
#endif
