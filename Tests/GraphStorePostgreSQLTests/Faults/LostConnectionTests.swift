#if PostgreSQL
import Foundation
import GraphStoreContextTestSupport
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Connections to a server that break", .enabled(if: TestStores.areThere))
struct LostConnectionTests {
  /// What a save was said to have done.
  private enum Answer: Equatable {
    case done
    case notDone
    case unknown
  }

  private let stores = TestStores()
  private let proxy: CuttingProxy

  init() throws {
    proxy = try CuttingProxy(before: stores.address())
    let context = ManagedObjectContext(coordinator: try stores.coordinator(StaffModel.model))
    try context.insert(entityNamed: "Department").setValue("Sales", forKey: "name")
    try context.insert(entityNamed: "Employee").setValue("Ann", forKey: "name")
    try context.save()
  }

  private static func objects(
    _ entity: String, _ context: ManagedObjectContext, _ predicate: String = "TRUEPREDICATE"
  ) throws -> [ManagedObject] {
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.predicate = try QueryPredicate(predicate)
    return try context.fetch(request)
  }

  /// Saves through the proxy: an insertion, an update, links and a derived value, all of one name.
  private func save(_ name: String, _ cut: CuttingProxy.Cut?, refusesThen: Bool = false) throws -> (
    answer: Answer, error: GraphStoreError?
  ) {
    let coordinator = PersistentStoreCoordinator(model: StaffModel.model)
    try coordinator.addStore(at: proxy.address(of: stores.address()), options: TestStores.options)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let department = try #require(try Self.objects("Department", context).first)
    let ann = try #require(try Self.objects("Employee", context, "name BEGINSWITH 'Ann'").first)
    try ann.setValue("Ann \(name)", forKey: "name")
    let project = try context.insert(entityNamed: "Project")
    try project.setValue(name, forKey: "title")
    let employee = try context.insert(entityNamed: "Employee")
    try employee.setValue(name, forKey: "name")
    try employee.setValue(department, forKey: "department")
    try employee.setValue(Set([project]), forKey: "projects")
    proxy.set(cut, refusesThen: refusesThen)
    do {
      try context.save()
      return (.done, nil)
    } catch let error as GraphStoreError {
      switch error.code {
      case .storeOpen, .storeSaveFailed: return (.notDone, error)
      case .commitUnknown: return (.unknown, error)
      default: throw error
      }
    }
  }

  /// Whether the save of a name is in the store; it is there whole, or not at all.
  private func isDone(_ name: String) throws -> Bool {
    let rows = try stores.run(
      """
      SELECT (SELECT count(*) FROM employee WHERE name = '\(name)' AND department_id IS NOT NULL),
        (SELECT count(*) FROM employee WHERE name = 'Ann \(name)'),
        (SELECT count(*) FROM project WHERE title = '\(name)'),
        (SELECT count(*) FROM department WHERE headcount = (SELECT count(*) FROM employee
          WHERE department_id IS NOT NULL))
      """)
    _ = try rows.step()
    let parts = (0..<3).map { rows.int64(at: $0) }
    #expect(Set(parts).count == 1, "\(name): \(parts)")
    #expect(rows.int64(at: 3) == 1, "\(name): headcount")
    return parts[0] == 1
  }

  @Test("STO-395: wherever a save loses its connection, it is done or not done, and says which")
  func cuts() throws {
    for isAfter in [false, true] {
      var number = 1
      while true {
        let name = "\(isAfter ? "after" : "before") \(number)"
        let outcome = try save(name, isAfter ? .after(number) : .before(number))
        let (hasCut, _) = proxy.stop()
        #expect(outcome.answer != .unknown, "\(name): the server answers")
        #expect(try isDone(name) == (outcome.answer == .done), "\(name): \(outcome)")
        guard hasCut else {
          #expect(outcome.answer == .done && number > 20, "\(name): \(outcome)")
          break
        }
        number += 1
      }
    }
  }

  @Test("STO-395: a save whose commit nobody can be asked about says so, and what to ask the server")
  func unknown() throws {
    _ = try save("first", nil)
    let (_, messages) = proxy.stop()
    // The last message is the end of the round trip whose statement commits.
    let outcome = try save("second", .after(messages - 1), refusesThen: true)
    #expect(outcome.answer == .unknown, "\(outcome)")
    #expect(proxy.stop().hasCut)
    let remedy = try #require(outcome.error?.remedy)
    let question = try #require(remedy.firstRange(of: "SELECT pg_xact_status('")?.upperBound)
    let transaction = remedy[question...].prefix { $0.isNumber }
    let status = try stores.run("SELECT pg_xact_status('\(transaction)')")
    _ = try status.step()
    #expect(try isDone("second") == (status.string(at: 0) == "committed"))
  }

  @Test("A request that waits longer for locks than the time-out ends, and has written nothing")
  func lockTimeout() throws {
    var options = TestStores.options
    options.timeout = .milliseconds(200)
    let coordinator = try stores.coordinator(StaffModel.model, options: options)
    let context = ManagedObjectContext(coordinator: coordinator)
    let address = try PostgreSQLAddress(stores.address())
    let other = try PostgreSQLConnection(address, timeout: .seconds(10), stop: StopFlag())
    defer { other.close() }
    try other.run([
      .once("BEGIN"), .once("SELECT * FROM \(PostgreSQLName.quoted(address.schema)).employee FOR UPDATE"),
    ])
    let ann = try #require(try Self.objects("Employee", context).first)
    try ann.setValue("Anna", forKey: "name")
    #expect(code { try context.save() } == .storeTimeout)
    try other.run([.once("ROLLBACK")])
    // What it was to write is still there, and is written now.
    try context.save()
    let reader = ManagedObjectContext(coordinator: coordinator)
    #expect(try Self.objects("Employee", reader, "name == 'Anna'").count == 1)
  }
}
#endif
