import Foundation
import GraphStorePredicates
import Synchronization
import Testing

@testable import GraphStore

/// What a request says by itself, and what every fetch keeps to.
@Suite("Requests and their results", .everyStore)
struct FetchBasicsTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  /// Six employees, half of them of the Labs.
  init() throws {
    stack = try TestStack(TestModels.company())
    let labs = try stack.context.insert("Department", ["name": "Labs"])
    for number in 0..<6 {
      let person = try stack.context.insert("Employee", ["name": "E\(number)", "salary": Int64(number)])
      if number % 2 == 0 { try person.setValue(labs, forKey: "department") }
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func request(_ predicate: String? = nil, sort: String? = nil) throws -> FetchRequest<ManagedObject>
  {
    FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try sort.map { try QuerySortDescriptor.list(parsing: $0) } ?? [])
  }

  @Test("FET-009, FET-016: objects are asked for, without groups, until a request says otherwise")
  func defaults() throws {
    let request = FetchRequest(entityName: "Employee")
    #expect(request.resultType == .managedObject)
    #expect(
      FetchRequestResultType.allCases == [.managedObject, .managedObjectID, .dictionary, .count])
    #expect(request.propertiesToFetch == nil && request.propertiesToGroupBy == nil)
    #expect(request.havingPredicate == nil && !request.returnsDistinctResults)
  }

  @Test("FET-071: objects are faults, whose values are at hand")
  func faults() throws {
    guard case .objects(let objects) = try context.fetchResults(request()) else {
      Issue.record("no objects")
      return
    }
    #expect(objects.count == 6 && objects.allSatisfy(\.isFault))
    #expect(try stack.statements { for object in objects { _ = try object.string("name") } } == 0)
  }

  @Test("FET-033: a fetch occupies its own context; others of the coordinator read meanwhile")
  func meanwhile() throws {
    let other = stack.newContext()
    let all = try request()
    context.functions.register("peek") { _, _ in .value(.int(Int64(try other.count(for: all)))) }
    let found = try context.fetch(request("FUNCTION(SELF, 'peek') == 6"))
    #expect(found.count == 6)
  }

  /// On how many steps of a fetch it was told of, and on how many of another thread than its own.
  private final class NotedThreads: @unchecked Sendable {
    private let caller = pthread_self()
    private let counts = Mutex((steps: 0, others: 0))

    var steps: Int { counts.withLock(\.steps) }
    var others: Int { counts.withLock(\.others) }

    func note() {
      let isOther = pthread_equal(pthread_self(), caller) == 0
      counts.withLock { $0 = ($0.steps + 1, $0.others + (isOther ? 1 : 0)) }
    }
  }

  @Test("FET-041: a fetch is the work of the thread that asks, in the store and outside of it")
  func ownThread() throws {
    let threads = NotedThreads()
    context.functions.register("noted") { _, _ in
      threads.note()
      return .value(.bool(true))
    }
    var wanted = try request("FUNCTION(SELF, 'noted') == TRUE", sort: "name")
    wanted.relationshipKeyPathsForPrefetching = ["department"]
    stack.pool?.onStatement = { _ in threads.note() }
    defer { stack.pool?.onStatement = nil }
    #expect(try context.fetch(wanted).count == 6)
    #expect(try context.fetchBatched(request(sort: "name")).map { try $0.string("name") }.count == 6)
    // The function for each of six records, and two statements at least where there are any.
    #expect(threads.steps >= (stack.pool == nil ? 6 : 8) && threads.others == 0)
  }

  @Test("FET-043: without sort descriptors the store is not asked for an order", .needs(.statements))
  func noOrder() throws {
    let plain = try stack.recordedStatements { _ = try context.fetch(request()) }
    #expect(plain.count == 1 && !plain[0].contains("ORDER BY"))
    let sorted = try stack.recordedStatements { _ = try context.fetch(request(sort: "name")) }
    #expect(sorted.count == 1 && sorted[0].contains("ORDER BY"))
  }

  @Test("FET-076: identifiers in a fixed order are paged by SELF IN over slices")
  func pages() throws {
    var keys = try request(sort: "-name")
    keys.resultType = .managedObjectID
    keys.includesPropertyValues = false
    let ids = try context.fetchIdentifiers(keys)
    var names: [String?] = []
    for start in stride(from: 0, to: ids.count, by: 4) {
      let slice = ids[start..<min(start + 4, ids.count)]
      let list = QueryExpression(.constant(.list(slice.map(\.queryValue))))
      let page = FetchRequest(
        entityName: "Employee", predicate: .compare(.evaluatedObject, .in, list),
        sortDescriptors: keys.sortDescriptors)
      names += try context.fetch(page).map { try $0.string("name") }
    }
    #expect(names == ["E5", "E4", "E3", "E2", "E1", "E0"])
  }

  @Test("FET-096: of objects in memory the same values come by collection operators, without a request")
  func operators() throws {
    let labs = try context.all("Department")[0]
    _ = try labs.objects(forKey: "employees").map { try $0.string("name") }
    let texts = ["sum", "avg", "min", "max", "count"]
    var values: [Value] = []
    let count = try stack.statements {
      for text in texts {
        let path = text == "count" ? "employees.@count" : "employees.@\(text).salary"
        values.append(
          try ExpressionEvaluator(QueryExpression(parsing: path)).value(for: .source(labs)))
      }
      try check(try labs.value(forKeyPath: "employees.@sum.salary") != nil)
    }
    var stored = try request("department.name == 'Labs'")
    stored.resultType = .dictionary
    stored.propertiesToFetch = try ["sum", "average", "min", "max", "count"].map { name in
      .expression(
        try ExpressionDescription(name: name, parsing: name == "count" ? "count:(SELF)" : "\(name):(salary)"))
    }
    #expect(count == 0)
    #expect(try context.fetchDictionaries(stored).map(\.values) == [values])
  }

  @Test("FET-141: none is a number; what fails throws")
  func counts() throws {
    #expect(try context.count(for: request("salary > 100")) == 0)
    #expect(throws: QueryPredicateError.self) { try context.count(for: request("salry > 100")) }
    stack.coordinator.close()
    #expect(throws: GraphStoreError.self) { try context.count(for: request()) }
  }

  @Test("FET-249: fetching objects again that are held makes none")
  func again() throws {
    let first = try context.fetch(request(sort: "name"))
    let count = context.registeredCount
    let second = try context.fetch(request(sort: "name"))
    #expect(zip(first, second).allSatisfy { $0 === $1 } && second.count == 6)
    #expect(context.registeredCount == count && stack.cachedRows == 6)
  }

  /// What is wrong with a request, by the code that says so.
  private func faulty() throws -> [(code: String, property: String?, body: () throws -> Void)] {
    func dictionaries(_ change: (inout FetchRequest<ManagedObject>) throws -> Void) throws -> () throws ->
      Void
    {
      var request = try request()
      request.resultType = .dictionary
      try change(&request)
      return { [request] in _ = try context.fetchDictionaries(request) }
    }
    func named(_ name: String, _ text: String, _ type: AttributeType? = nil) throws -> ResultProperty {
      .expression(
        ExpressionDescription(name: name, expression: try QueryExpression(parsing: text), resultType: type))
    }
    let twice = try dictionaries { $0.propertiesToFetch = ["name", try named("name", "salary")] }
    let ungrouped = try dictionaries { $0.propertiesToFetch = ["name", try named("n", "count:(SELF)")] }
    let having = try dictionaries {
      $0.propertiesToGroupBy = ["name"]
      $0.havingPredicate = try QueryPredicate(parsing: "salary > 1")
    }
    let narrow = try dictionaries { $0.propertiesToFetch = [try named("n", "salary * 100000", .int16)] }
    var grouped = try request()
    grouped.propertiesToGroupBy = ["name"]
    var negative = try request()
    negative.fetchLimit = -1
    return [
      ("unknown-entity", nil, { _ = try context.fetch(FetchRequest(entityName: "Employe")) }),
      ("invalid-request", nil, { _ = try context.fetch(negative) }),
      ("invalid-property", "reports", try dictionaries { $0.propertiesToFetch = ["reports"] }),
      ("result-type-mismatch", nil, { _ = try context.fetchDictionaries(request()) }),
      ("duplicate-result-name", "name", twice), ("value-out-of-range", "n", narrow),
      ("group-by-required", "name", ungrouped), ("invalid-having", "salary", having),
      ("group-by-needs-dictionaries", nil, { _ = try context.fetch(grouped) }),
      ("not-unique", nil, { _ = try context.fetchSingle(request("salary > 1")) }),
    ]
  }

  @Test("DGN-259, FET-283: each fault has its stable code, names entity and property, and says what to do")
  func codes() throws {
    for (code, property, body) in try faulty() {
      let error = #expect(throws: GraphStoreError.self) { try body() }
      #expect(error?.code.rawValue == code)
      #expect(error?.remedy.isEmpty == false, "\(code)")
      if code != "value-out-of-range" {
        #expect(error?.entity?.hasPrefix("Employe") == true, "\(code): \(String(describing: error))")
      }
      #expect(error?.property == property, "\(code)")
    }
    let none = #expect(throws: GraphStoreError.self) { try context.fetch(FetchRequest(entityName: "")) }
    #expect(none?.code == .fetchWithoutEntity && none?.remedy.isEmpty == false)
  }
}
