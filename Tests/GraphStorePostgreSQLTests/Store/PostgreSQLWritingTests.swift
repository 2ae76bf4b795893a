#if PostgreSQL
import Foundation
import GraphStoreContextTestSupport
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Writing to stores on a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLWritingTests {
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

  @discardableResult
  private func insert(
    _ entity: String, _ values: [String: Any?], in context: ManagedObjectContext
  ) throws -> ManagedObject {
    let object = try context.insert(entityNamed: entity)
    for (key, value) in values { try object.setValue(value, forKey: key) }
    return object
  }

  private func employees(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
    return try context.fetch(request)
  }

  // MARK: Values

  @Test("STO-391: decimals, doubles, dates and texts come back as they were, bit by bit")
  func values() throws {
    let decimals = [
      "12345678901234567890123456789012345678", "-0.00000000000000000000000000000000000001", "0", "10000",
      "-1234.5678", "1e40", "99999999999999999999.999999999999999999",
    ]
    let doubles = [0.1, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3, .infinity, -.infinity]
    let texts = ["", "it's \"quoted\" \\ $1", "\u{1}\u{7f}\u{ad}\u{feff}", "🙂\u{301}ä", "\r\n\t"]
    let writer = try context()
    for (number, text) in decimals.enumerated() {
      try insert(
        "Employee", ["name": "a\(number)", "salary": Decimal(string: text)], in: writer)
    }
    for (number, value) in doubles.enumerated() {
      let seconds = Date(timeIntervalSinceReferenceDate: value.isFinite ? value : 0)
      try insert("Employee", ["name": "b\(number)", "ratio": value, "hired": seconds], in: writer)
    }
    for (number, text) in texts.enumerated() {
      try insert("Employee", ["name": "c\(number)\(text)", "photo": Data(text.utf8)], in: writer)
    }
    try writer.save()
    let read = try employees(try context())
    func named(_ prefix: String) throws -> [ManagedObject] {
      try read.filter { try ($0.value(forKey: "name") as? String)?.hasPrefix(prefix) == true }
    }
    #expect(
      try named("a").map { try $0.value(forKey: "salary") as? Decimal }
        == decimals.map { Decimal(string: $0) })
    let ratios = try named("b").map { try $0.value(forKey: "ratio") as? Double }
    #expect(ratios.map { $0?.bitPattern } == doubles.map { ($0 + 0).bitPattern })
    let dates = try named("b").map { try $0.value(forKey: "hired") as? Date }
    #expect(dates.map { $0?.timeIntervalSinceReferenceDate } == doubles.map { $0.isFinite ? $0 : 0 })
    #expect(
      try Set(named("c").map { try $0.value(forKey: "name") as? String })
        == Set(texts.enumerated().map { "c\($0)\($1)" }))
    #expect(
      try Set(named("c").map { try $0.value(forKey: "photo") as? Data }) == Set(texts.map { Data($0.utf8) }))
  }

  @Test("STO-391: a text with the character zero is refused by name, and nothing is written")
  func zero() throws {
    let writer = try context()
    try insert("Employee", ["name": "first"], in: writer)
    try insert("Employee", ["name": "a\0b"], in: writer)
    let error = #expect(throws: GraphStoreError.self) { try writer.save() }
    #expect(error?.code == .valueType && error?.property == "name" && error?.entity == "Employee")
    #expect(try employees(try context()).isEmpty)
    try #require(writer.insertedObjects.first { try $0.value(forKey: "name") as? String == "a\0b" })
      .setValue("ab", forKey: "name")
    try writer.save()
    #expect(try employees(try context()).count == 2)
  }

  // MARK: Several writers

  @Test("STO-392: of two saves of one object the second is a conflict with the values of the first")
  func conflict() throws {
    let (first, second) = (try context(), try context())
    try insert("Employee", ["name": "Ada", "age": 30], in: first)
    try first.save()
    let theirs = try #require(try employees(second).first)
    #expect(try theirs.value(forKey: "age") as? Int16 == 30)
    try #require(try employees(first).first).setValue(31, forKey: "age")
    try first.save()
    try theirs.setValue(32, forKey: "age")
    let error = #expect(throws: GraphStoreError.self) { try second.save() }
    #expect(error?.code == .mergeConflict)
    #expect(try employees(try context()).map { try $0.value(forKey: "age") as? Int16 } == [31])
  }

  @Test("STO-392: a link to an object that another session has deleted is refused")
  func deletedDestination() throws {
    let (first, second) = (try context(), try context())
    let department = try insert("Department", ["name": "Tools"], in: first)
    try insert("Employee", ["name": "Ada"], in: first)
    try first.save()
    var request = FetchRequest<ManagedObject>(entityName: "Department")
    request.returnsObjectsAsFaults = false
    let theirs = try #require(try second.fetch(request).first)
    let ada = try #require(try employees(second).first)
    _ = try ada.value(forKey: "name")
    try first.delete(department)
    try first.save()
    try ada.setValue(theirs, forKey: "department")
    #expect(throws: GraphStoreError.self) { try second.save() }
    #expect(try dangling() == 0)
  }

  @Test("STO-392: a delete and new links in two sessions at once never leave a dangling reference")
  func deletesAndLinks() async throws {
    let setup = try context()
    for number in 0..<20 {
      try insert("Department", ["name": "d\(number)"], in: setup)
      try insert("Employee", ["name": "e\(number)"], in: setup)
    }
    try setup.save()
    let stores = stores
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          let coordinator = try stores.coordinator(StaffModel.model)
          for number in 0..<20 {
            let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
            try? context.performAndWait {
              let department = try context.fetch(Self.request("Department", "d\(number)")).first
              if worker % 2 == 0 {
                if let department { try context.delete(department) }
              } else if let department,
                let employee = try context.fetch(Self.request("Employee", "e\(number)")).first
              {
                try employee.setValue(department, forKey: "department")
              }
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try dangling() == 0)
    var request = FetchRequest<ManagedObject>(entityName: "Department")
    request.returnsObjectsAsFaults = false
    #expect(try context().fetch(request).isEmpty)
  }

  private static func request(_ entity: String, _ name: String) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.predicate = try QueryPredicate("name == %@", name)
    return request
  }

  private func dangling() throws -> Int64 {
    let cursor = try stores.run(
      "SELECT count(*) FROM employee e WHERE department_id IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM department d WHERE d.object_id = e.department_id)")
    return try cursor.step() ? cursor.int64(at: 0) : -1
  }

  @Test(
    "STO-392, STO-393: transfers of several writers lose nothing, and their objects have keys of their own")
  func transfers() async throws {
    let setup = try context()
    for number in 0..<6 { try insert("Employee", ["name": "e\(number)", "count": 100], in: setup) }
    try setup.save()
    let stores = stores
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          let coordinator = try stores.coordinator(StaffModel.model)
          var random = SeededGenerator(seed: UInt64(worker))
          for turn in 0..<15 {
            let (from, to) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random))
            guard from != to else { continue }
            var isDone = false
            while !isDone {
              let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
              isDone = try context.performAndWait {
                let pair = try [from, to].map { try context.fetch(Self.request("Employee", "e\($0)"))[0] }
                try context.refreshAllObjects()
                for (object, change) in zip(pair, [-1, 1] as [Int64]) {
                  let count = try #require(try object.value(forKey: "count") as? Int64)
                  try object.setValue(count + change, forKey: "count")
                }
                try context.insert(entityNamed: "Project").setValue("\(worker).\(turn)", forKey: "title")
                do {
                  try context.save()
                  return true
                } catch GraphStoreError.code(.mergeConflict) {
                  return false
                }
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let counts = try employees(try context()).map { try $0.value(forKey: "count") as? Int64 ?? 0 }
    #expect(counts.reduce(0, +) == 600, "\(counts)")
    let projects = try context().fetch(FetchRequest<ManagedObject>(entityName: "Project"))
    #expect(Set(projects.map(\.objectID)).count == projects.count && projects.count > 40)
  }

  @Test("STO-392: unique values that another session has taken are a conflict, and values may be exchanged")
  func uniqueness() throws {
    let (first, second) = (try context(), try context())
    let a = try insert("Department", ["name": "a"], in: first)
    let b = try insert("Department", ["name": "b"], in: first)
    try first.save()
    try insert("Department", ["name": "a"], in: second)
    let error = #expect(throws: GraphStoreError.self) { try second.save() }
    #expect(error?.code == .constraintConflict && error?.property == "name")
    try a.setValue("b", forKey: "name")
    try b.setValue("a", forKey: "name")
    try first.save()
    #expect(
      try Set(context().fetch(Self.request("Department", "a")).map(\.objectID)) == [b.objectID])
  }

  @Test("MDL-174, STO-392: derived values count what several writers add at once")
  func derivedValues() async throws {
    let setup = try context()
    try insert("Department", ["name": "d"], in: setup)
    try setup.save()
    let stores = stores
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          let coordinator = try stores.coordinator(StaffModel.model)
          for number in 0..<10 {
            let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
            try context.performAndWait {
              let department = try context.fetch(Self.request("Department", "d"))[0]
              let employee = try context.insert(entityNamed: "Employee")
              try employee.setValue("e\(worker).\(number)", forKey: "name")
              try employee.setValue(department, forKey: "department")
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let department = try #require(try context().fetch(Self.request("Department", "d")).first)
    #expect(try department.value(forKey: "headcount") as? Int64 == 40)
  }

  // MARK: Round trips

  @Test("STO-394: the round trips of saves, faults and prefetches do not grow with objects")
  func roundTrips() throws {
    var found: [[Int]] = []
    // More are copied, as tests of many rows say.
    for size in [10, PostgreSQLInsertWriter.leastCopied - 1] {
      let writer = try context()
      let coordinator = writer.coordinator
      let department = try insert("Department", ["name": "d\(size)"], in: writer)
      try writer.save()
      func trips(_ body: () throws -> Void) throws -> Int {
        let before = try coordinator.postgreSQLStore.pool.counts.roundTrips
        try body()
        return try coordinator.postgreSQLStore.pool.counts.roundTrips - before
      }
      var made: [ManagedObject] = []
      for number in 0..<size {
        let project = try insert("Project", ["title": "p"], in: writer)
        made.append(
          try insert(
            "Employee",
            ["name": "e\(number)", "department": department, "projects": Set([project])], in: writer))
      }
      let insertion = try trips { try writer.save() }
      for object in made { try object.setValue(40, forKey: "age") }
      let update = try trips { try writer.save() }
      let reader = ManagedObjectContext(coordinator: coordinator)
      var request = FetchRequest<ManagedObject>(entityName: "Employee")
      request.predicate = try QueryPredicate("department.name == %@", "d\(size)")
      request.relationshipKeyPathsForPrefetching = ["projects"]
      var count = 0
      let prefetch = try trips { count = try reader.fetch(request).count }
      #expect(count == size)
      for object in made { try writer.delete(object) }
      let deletion = try trips { try writer.save() }
      found.append([insertion, update, prefetch, deletion])
    }
    #expect(found[0] == found[1], "\(found)")
    #expect(found[0].allSatisfy { $0 < 25 }, "\(found)")
  }
}
#endif
