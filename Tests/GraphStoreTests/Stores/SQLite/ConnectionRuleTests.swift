import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Connections and transactions of a SQLite store")
struct ConnectionRuleTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(TestModels.company()) }

  private func store() throws -> SQLiteStore {
    try #require(stack.coordinator.firstStore as? SQLiteStore)
  }

  @Test("STO-267, STO-268: connections are opened as needed, five at most, and closed when idle but for one")
  func idle() throws {
    let store = try store()
    #expect(store.pool.connectionCount == 1)
    let writer = try store.beginWriting(isShared: false)
    #expect(store.pool.connectionCount == 1)
    let readers = try (0..<4).map { _ in try store.beginReading([]) }
    #expect(store.pool.connectionCount == 5)
    store.pool.closeIdle()
    #expect(store.pool.connectionCount == 5)
    for reader in readers { reader.endReading() }
    try writer.rollback()
    #expect(store.pool.connectionCount == 5)
    store.pool.closeIdle()
    #expect(store.pool.connectionCount == 1)
    #expect(SQLiteConnectionPool.idleTime == .seconds(30))
    #expect(try stack.context.all("Employee").isEmpty)
  }

  @Test("STO-269, STO-276: a save is BEGIN IMMEDIATE, all of its statements, and COMMIT")
  func oneTransaction() throws {
    let project = try stack.context.insert("Project", ["name": "P"])
    let members = try "AB".map { try stack.context.insert("Employee", ["name": String($0)]) }
    try project.setValue(members, forKey: "members")
    let statements = try stack.recordedStatements { try stack.context.save() }
    #expect(statements.first == "BEGIN IMMEDIATE" && statements.last == "COMMIT")
    #expect(statements.filter { $0.hasPrefix("BEGIN") || $0.hasPrefix("COMMIT") }.count == 2)
    for part in ["Z_PRIMARYKEY", "INTO ZPROJECT", "INTO ZEMPLOYEE", "INTO Z_"] {
      #expect(statements.contains { $0.contains(part) }, "\(part)")
    }
  }

  @Test("STO-270: one UPDATE of Z_MAX a root entity, however many objects; a failed save uses no key twice")
  func keys() throws {
    for number in 0..<100 {
      try stack.context.insert(number % 2 == 0 ? "Employee" : "Manager", ["salary": number])
      try stack.context.insert("Desk", [:])
    }
    let statements = try stack.recordedStatements { try stack.context.save() }
    #expect(statements.filter { $0.contains("Z_PRIMARYKEY") }.count == 2)
    #expect(!statements.contains { $0.lowercased().contains("max(z_pk)") })
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    defer { raw.close() }
    #expect(try raw.int64("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee'") == 100)
    #expect(try raw.int64("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Manager'") == 0)
    try raw.execute("DELETE FROM ZEMPLOYEE WHERE Z_PK > 90")
    let new = try stack.context.insert("Employee", ["name": "New"])
    try stack.context.save()
    #expect(new.objectID.shortForm == "Employee/p101")
  }

  @Test("STO-272: all statements of one read session see one state")
  func snapshot() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let store = try store()
    let request = StoreRequest(entityName: "Employee", .count)
    let session = try store.beginReading(.severalStatements)
    let plan = try session.plan(request)
    #expect(try plan.count() == 1)
    let other = try stack.otherProcess()
    try other.insert("Employee", ["name": "Bob"])
    try other.save()
    #expect(try plan.count() == 1)
    session.endReading()
    #expect(try store.read { try $0.plan(request).count() } == 2)
  }

  @Test("STO-273: a list of 300,000 values is one statement with one parameter")
  func longList() throws {
    for number in [5, 299_999, 300_001] { try stack.context.insert("Employee", ["salary": number]) }
    try stack.context.save()
    let request = FetchRequest(
      entityName: "Employee",
      predicate: try QueryPredicate("salary IN %@", Value.list((0..<300_000).map { .int(Int64($0)) })))
    let context = stack.newContext()
    var found: [ManagedObject] = []
    let statements = try stack.recordedStatements { found = try context.fetch(request) }
    #expect(found.count == 2)
    #expect(statements.count == 1 && statements[0].utf8.count < 2000)
  }

  @Test("STO-275: until the commit others read the old rows, from the row cache and from the file")
  func afterTheCommit() throws {
    let ada = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let reader = stack.newContext()
    let held = try reader.all("Employee")[0]
    try stack.coordinator.transaction(with: stack.context) { _ in
      try ada.setValue("Eve", forKey: "name")
      try stack.context.save()
      #expect(try held.string("name") == "Ada")
      let fresh = stack.newContext()
      #expect(try fresh.all("Employee").map { try $0.string("name") } == ["Ada"])
    }
    #expect(try stack.newContext().all("Employee").map { try $0.string("name") } == ["Eve"])
  }
}
