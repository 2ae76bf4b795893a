#if PostgreSQL
import GraphStore
import GraphStoreTestSupport
import Synchronization
import Testing

@testable import GraphStorePostgreSQL

/// Savepoints of which the server gets to know only those that it needs.
@Suite("Savepoints on a server", .enabled(if: TestStores.areThere))
struct PostgreSQLSavepointTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      json: #"{"entities": [{"name": "Tag", "attributes": [{"name": "name", "type": "string"}]}]}"#.utf8)
  }

  private struct Failed: Error {}

  private let stores = TestStores()
  private let store: PostgreSQLStore

  init() throws {
    let coordinator = try stores.coordinator(Self.model())
    store = try coordinator.postgreSQLStore
    try stores.run("CREATE TABLE notes (number bigint)")
  }

  private func notes() throws -> [Int64] {
    let cursor = try stores.run("SELECT number FROM notes ORDER BY number")
    var numbers: [Int64] = []
    while try cursor.step() { numbers.append(cursor.int64(at: 0)) }
    return numbers
  }

  private func insert(_ number: Int, _ session: PostgreSQLWriteSession) throws {
    try session.run("INSERT INTO \(store.address.schema).notes VALUES (\(number))", [])
  }

  /// Bodies of savepoints within each other at random, whose failures are their own or the server's.
  private struct Course {
    var random: SeededGenerator
    var kept: [Int64] = []
    var next = 0

    mutating func run(
      _ depth: Int, _ test: PostgreSQLSavepointTests, _ session: PostgreSQLWriteSession
    ) throws {
      for _ in 0..<Int.random(in: 0..<5, using: &random) {
        switch Int.random(in: 0..<(depth > 3 ? 3 : 5), using: &random) {
        case 0, 1:
          next += 1
          try test.insert(next, session)
          kept.append(Int64(next))
        case 2:
          if depth > 0, random.chance(50) {
            if random.chance(50) { throw Failed() }
            try session.run("SELECT 1 / 0", [])
          }
        default:
          let before = kept
          do {
            try session.withinSavepoint { try run(depth + 1, test, session) }
          } catch { kept = before }
        }
      }
    }
  }

  @Test("STO-392: what is taken back is what came behind the savepoint", arguments: 1...60)
  func random(_ seed: UInt64) throws {
    var course = Course(random: SeededGenerator(seed: seed))
    for isCommitted in [true, false] {
      let before = course.kept
      let session = try PostgreSQLWriteSession(store, isShared: false)
      try course.run(0, self, session)
      if isCommitted { try session.commit() } else { try session.rollback() }
      if !isCommitted { course.kept = before }
      #expect(try notes() == course.kept, "seed \(seed)")
    }
  }

  @Test("STO-394, STO-422: a small save asks for no savepoint, and what waits for commits is asked behind it")
  func few() throws {
    let coordinator = try stores.coordinator(Self.model())
    let context = ManagedObjectContext(coordinator: coordinator)
    let tag = try context.insert(entityNamed: "Tag")
    try context.save()
    let store = try coordinator.postgreSQLStore
    let statements = Mutex<[String]>([])
    store.pool.onStatement = { sql in statements.withLock { $0.append(sql) } }
    let before = store.pool.counts.roundTrips
    try tag.setValue("a", forKey: "name")
    try context.save()
    #expect(store.pool.counts.roundTrips == before + 2)
    let words = statements.withLock { $0.map { String($0.prefix { $0 != " " }) } }
    #expect(words == ["BEGIN", "SELECT", "SELECT", "UPDATE", "COMMIT", "SELECT"])
  }
}
#endif
