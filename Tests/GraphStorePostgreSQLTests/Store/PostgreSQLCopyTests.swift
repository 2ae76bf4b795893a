#if PostgreSQL
import Foundation
import GraphStorePredicates
import Synchronization
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Many rows in stores on a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLCopyTests {
  /// The contexts of a test, whose objects are in use until its end.
  private final class Contexts {
    var all: [ManagedObjectContext] = []
  }

  private let stores = TestStores()
  private let contexts = Contexts()

  private func context() throws -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: try stores.coordinator(StaffModel.model))
    contexts.all.append(context)
    return context
  }

  private func departments(in context: ManagedObjectContext) throws -> [ManagedObject] {
    try context.fetch(FetchRequest<ManagedObject>(entityName: "Department"))
  }

  /// What the server is sent meanwhile.
  private func statements(of context: ManagedObjectContext, _ body: () throws -> Void) throws -> [String] {
    let pool = try context.coordinator.postgreSQLStore.pool
    let seen = Recorder()
    pool.onStatement = { text in seen.texts.withLock { $0.append(text) } }
    defer { pool.onStatement = nil }
    try body()
    return seen.texts.withLock(\.self)
  }

  private final class Recorder: Sendable {
    let texts = Mutex<[String]>([])
  }

  /// Enough for a COPY.
  private static let many = PostgreSQLInsertWriter.leastCopied + 7

  // MARK: Values

  /// Values of all kinds, of which some are nil, and some longer than what is sent at once.
  private static func values(_ number: Int) -> [String: Any] {
    let texts = ["", "it's \"quoted\" \\ $1", "\u{1}\u{7f}\u{ad}\u{feff}", "🙂\u{301}ä", "\r\n\t\\N\\."]
    let decimals = ["12345678901234567890123456789012345678", "-0.0000000001", "0", "10000", "1e40"]
    let doubles = [0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -1 / 3]
    var values: [String: Any] = [
      "name": texts[number % texts.count] + " \(number)",
      "salary": Decimal(string: decimals[number % decimals.count]) ?? .nan,
      "age": Int16(truncatingIfNeeded: number &* 7919), "count": Int64.min + Int64(number),
      "ratio": doubles[number % doubles.count], "share": Float(number) / 3,
      "hired": Date(timeIntervalSinceReferenceDate: Double(number) * 1e6 + 0.1), "isActive": number % 2 == 0,
      "photo": Data((0..<number % 300).map { UInt8(truncatingIfNeeded: $0) }),
      "file": Data(repeating: UInt8(truncatingIfNeeded: number), count: number % 500 == 0 ? 300_000 : 3),
    ]
    if number % 3 == 0 { for key in values.keys.sorted().dropFirst(number % 9) { values[key] = nil } }
    return values
  }

  @Test("STO-391: rows that are copied have the values that rows of a statement have, bit by bit")
  func values() throws {
    let writer = try context()
    let numbers = Array(0..<Self.many)
    let departments = try (0..<3).map {
      let department = try writer.insert(entityNamed: "Department")
      try department.setValue("d\($0)", forKey: "name")
      return department
    }
    for number in numbers {
      let employee = try writer.insert(entityNamed: "Employee")
      for (key, value) in Self.values(number) { try employee.setValue(value, forKey: key) }
      try employee.setValue(departments[number % 3], forKey: "department")
    }
    let statements = try statements(of: writer) { try writer.save() }
    #expect(statements.count { $0.hasPrefix("COPY ") } == 1)
    #expect(statements.contains { $0.hasPrefix("INSERT ") && $0.contains("department") })
    let reader = try context()
    let read = try reader.fetch(FetchRequest<ManagedObject>(entityName: "Employee")).sorted {
      $0.objectID < $1.objectID
    }
    #expect(read.count == numbers.count)
    let keys = ["name", "salary", "age", "count", "ratio", "share", "hired", "isActive", "photo", "file"]
    for (number, employee) in zip(numbers, read) {
      let values = Self.values(number)
      for key in keys {
        let found = try employee.value(forKey: key)
        #expect(found as? AnyHashable == values[key] as? AnyHashable, "\(number) \(key)")
      }
      let department = try employee.value(forKey: "department") as? ManagedObject
      #expect(try department?.value(forKey: "name") as? String == "d\(number % 3)")
    }
  }

  @Test("STO-394: few rows of many bytes are copied too")
  func largeRows() throws {
    let writer = try context()
    let photos = (0..<12).map { Data(repeating: UInt8($0), count: 1 << 20) }
    for (number, photo) in photos.enumerated() {
      let employee = try writer.insert(entityNamed: "Employee")
      try employee.setValue("e\(number)", forKey: "name")
      try employee.setValue(photo, forKey: "photo")
    }
    let statements = try statements(of: writer) { try writer.save() }
    #expect(statements.count { $0.hasPrefix("COPY ") } == 1)
    let read = try context().fetch(FetchRequest<ManagedObject>(entityName: "Employee")).sorted {
      $0.objectID < $1.objectID
    }
    #expect(try read.map { try $0.value(forKey: "photo") as? Data } == photos)
  }

  @Test("STO-391: a value that cannot be stored among many is refused by name, and nothing is written")
  func zero() throws {
    let writer = try context()
    var last: ManagedObject?
    for number in 0..<Self.many {
      last = try writer.insert(entityNamed: "Project")
      try last?.setValue(number == Self.many - 2 ? "a\0b" : "p\(number)", forKey: "title")
    }
    let error = #expect(throws: GraphStoreError.self) { try writer.save() }
    #expect(error?.code == .valueType && error?.property == "title" && error?.entity == "Project")
    #expect(try context().count(for: FetchRequest(entityName: "Project")) == 0)
    for project in writer.insertedObjects { try project.setValue("p", forKey: "title") }
    try writer.save()
    #expect(try context().count(for: FetchRequest(entityName: "Project")) == Self.many)
  }

  // MARK: Uniqueness

  @Test("CTX-178: of many new rows the one is named that has the values of another, stored or new")
  func uniqueness() throws {
    let first = try context()
    try first.insert(entityNamed: "Department").setValue("there", forKey: "name")
    try first.save()
    for (name, count) in [("there", 1), ("twice", 2)] {
      let writer = try context()
      for number in 0..<Self.many {
        try writer.insert(entityNamed: "Department").setValue("d\(number)", forKey: "name")
      }
      let added = try (0..<count).map { _ in
        let department = try writer.insert(entityNamed: "Department")
        try department.setValue(name, forKey: "name")
        return department
      }
      let pool = try writer.coordinator.postgreSQLStore.pool
      let error = #expect(throws: GraphStoreError.self) { try writer.save() }
      #expect(error?.code == .constraintConflict && error?.property == "name")
      #expect(error?.message.contains(name) == true)
      #expect(error?.relatedObjects.count == 1)
      #expect(pool.counts.statements < 60)
      #expect(try context().count(for: FetchRequest(entityName: "Department")) == 1)
      try added.last?.setValue("other", forKey: "name")
      if count == 1 {
        try writer.save()
        for department in try departments(in: writer) {
          if try department.value(forKey: "name") as? String != "there" { try writer.delete(department) }
        }
        try writer.save()
      }
    }
  }

  // MARK: The wire

  @Test("STO-394: through a wire of 5 ms a save of thousands waits hardly more often than one of ten")
  func slowWire() throws {
    let direct = stores.address()
    guard let server = direct.firstMatch(of: /host=([^&]+)/)?.1 else { return }
    _ = try stores.coordinator(StaffModel.model)
    let proxy = try SlowProxy(server: String(server), delay: .microseconds(2500))
    defer { proxy.stop() }
    let coordinator = PersistentStoreCoordinator(model: StaffModel.model)
    try coordinator.addStore(
      at: proxy.address(of: direct, server: String(server)), options: TestStores.options)
    defer { coordinator.close() }
    var found: [[Int]] = []
    for size in [10, PostgreSQLInsertWriter.leastCopied * 3] {
      let writer = ManagedObjectContext(coordinator: coordinator)
      contexts.all.append(writer)
      func turns(_ body: () throws -> Void) throws -> Int {
        let before = proxy.turns
        try body()
        return proxy.turns - before
      }
      var projects: [ManagedObject] = []
      for number in 0..<size {
        let project = try writer.insert(entityNamed: "Project")
        try project.setValue("p\(number)", forKey: "title")
        let employee = try writer.insert(entityNamed: "Employee")
        try employee.setValue("e\(size)", forKey: "name")
        try employee.setValue(Set([project]), forKey: "projects")
        projects.append(project)
      }
      let insertion = try turns { try writer.save() }
      for project in projects { try project.setValue("q", forKey: "title") }
      let update = try turns { try writer.save() }
      let reader = ManagedObjectContext(coordinator: coordinator)
      var request = FetchRequest<ManagedObject>(entityName: "Employee")
      request.predicate = try QueryPredicate("name == %@", "e\(size)")
      request.relationshipKeyPathsForPrefetching = ["projects"]
      var fetched = 0
      let prefetch = try turns { fetched = try reader.fetch(request).count }
      #expect(fetched == size)
      for project in projects { try writer.delete(project) }
      let deletion = try turns { try writer.save() }
      found.append([insertion, update, prefetch, deletion])
    }
    // Two turns for each of the two entities that are copied. A pipeline that is answered while it is being
    // sent counts as some turns more.
    #expect(zip(found[0], found[1]).allSatisfy { $1 <= $0 + 12 }, "\(found)")
    #expect(found.joined().allSatisfy { $0 < 40 }, "\(found)")
  }

  @Test("Settings of a connection stay when the first transaction is rolled back")
  func settings() throws {
    let connection = try PostgreSQLConnection(
      PostgreSQLAddress(stores.address()), timeout: .seconds(7), stop: StopFlag())
    defer { connection.close() }
    connection.precede(with: "BEGIN")
    #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1 / 0") }
    try connection.run([.once("ROLLBACK")])
    let shown = try connection.run([.once("SHOW lock_timeout")])[0]
    let hasRow = try shown.step()
    #expect(hasRow && shown.string(at: 0) == "7s")
  }
}
#endif
