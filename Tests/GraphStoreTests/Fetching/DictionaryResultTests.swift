import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Results as dictionaries", .everyStore)
struct DictionaryResultTests {
  private let stack: TestStack
  private let labs: ManagedObject
  private var context: ManagedObjectContext { stack.context }

  /// Ada 10 and Bob 20 in Labs, Cy 20 and Dee without a salary in Sales, Eve 30 in none.
  init() throws {
    stack = try TestStack(TestModels.company())
    labs = try stack.context.insert("Department", ["name": "Labs"])
    let sales = try stack.context.insert("Department", ["name": "Sales"])
    let people: [(String, Int64?, ManagedObject?)] = [
      ("Ada", 10, labs), ("Bob", 20, labs), ("Cy", 20, sales), ("Dee", nil, sales), ("Eve", 30, nil),
    ]
    for (name, salary, department) in people {
      let object = try stack.context.insert(name == "Eve" ? "Manager" : "Employee", ["name": name])
      if let salary { try object.setValue(salary, forKey: "salary") }
      if let department { try object.setValue(department, forKey: "department") }
    }
    try stack.context.save()
  }

  private func request(
    _ properties: [ResultProperty]?, by groups: [ResultProperty]? = nil, having: String? = nil,
    sort: [String] = []
  ) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest(entityName: "Employee")
    request.resultType = .dictionary
    request.propertiesToFetch = properties
    request.propertiesToGroupBy = groups
    request.havingPredicate = try having.map { try QueryPredicate(parsing: $0) }
    request.sortDescriptors = try sort.map { try QuerySortDescriptor(parsing: $0) }
    return request
  }

  private func expression(
    _ name: String, _ text: String, _ type: AttributeType? = nil
  ) throws -> ResultProperty {
    .expression(try ExpressionDescription(name: name, parsing: text, resultType: type))
  }

  private func rows(_ request: FetchRequest<ManagedObject>) throws -> [String] {
    try context.fetchDictionaries(request).map { row in
      zip(row.names, row.values).map { "\($0)=\($1.literal)" }.joined(separator: " ")
    }
  }

  private func failure(_ request: FetchRequest<ManagedObject>) -> (code: String, property: String?)? {
    do {
      _ = try context.fetchDictionaries(request)
      return nil
    } catch let error as GraphStoreError {
      return (error.code.rawValue, error.property)
    } catch let error as QueryPredicateError {
      return (error.code.rawValue, error.subject)
    } catch {
      return ("\(error)", nil)
    }
  }

  // MARK: Plain properties

  @Test(
    "FET-074, FET-078, FET-080: names, key paths, to-ones and objectID, in order, with nil for what is missing"
  )
  func properties() throws {
    let request = try request(["department.name", "name", "objectID", "department"], sort: ["-name"])
    let found = try context.fetchDictionaries(request)
    #expect(
      found.map(\.names) == Array(repeating: ["department.name", "name", "objectID", "department"], count: 5))
    #expect(found[0].values.map(\.isNull) == [true, false, false, true])
    #expect(found.map { $0["name"] as? String } == ["Eve", "Dee", "Cy", "Bob", "Ada"])
    #expect(found[4]["department"] as? ManagedObjectID == labs.objectID)
    let ada = try #require(found[4]["objectID"] as? ManagedObjectID)
    #expect(try context.existingObject(with: ada).string("name") == "Ada")
    #expect(found[0]["objectID"] as? ManagedObjectID != ada)
    #expect((found[0]["objectID"] as? ManagedObjectID)?.entity.name == "Manager")
  }

  @Test("FET-074: no object is registered, and the row cache stays as it is")
  func noObjects() throws {
    let context = stack.newContext()
    let request = try request(["name", "department.name"], sort: ["name"])
    #expect(try context.fetchDictionaries(request).count == 5)
    #expect(context.registeredObjects.isEmpty)
    var residual = request
    context.functions.register("yes") { _, _ in .value(.int(1)) }
    residual.predicate = try QueryPredicate(parsing: "FUNCTION(SELF, 'yes') == 1")
    #expect(try context.fetchDictionaries(residual) == context.fetchDictionaries(request))
    #expect(context.registeredObjects.isEmpty)
  }

  @Test("FET-079: without properties all stored attributes of the entity, and none of sub-entities")
  func allAttributes() throws {
    #expect(try rows(try request(nil, sort: ["name"])).first == "name=\"Ada\" salary=10")
  }

  @Test("FET-084: key paths, arithmetic, functions, conditionals and aggregates over a to-many of each row")
  func expressions() throws {
    var request = try request(
      [
        expression("double", "salary * 2"), expression("up", "uppercase:(name)"),
        expression("kind", "TERNARY(salary > 15, 'high', 'low')"),
        expression("mates", "department.employees.@count"),
        expression("paid", "department.employees.@sum.salary"),
      ], sort: ["up"])
    request.fetchLimit = 2
    #expect(
      try rows(request) == [
        "double=20 up=\"ADA\" kind=\"low\" mates=2 paid=30",
        "double=40 up=\"BOB\" kind=\"high\" mates=2 paid=30",
      ])
  }

  @Test("FET-083: values are converted to the result type, and what does not fit is told with name and value")
  func conversion() throws {
    let request = try request(
      [
        expression("text", "salary", .string), expression("exact", "salary", .decimal),
        expression("n", "salary", .int16),
      ],
      sort: ["name"])
    let found = try context.fetchDictionaries(request)
    #expect(found[0].values == [.string("10"), .decimal(10), .int(10)])
    #expect(found[3].values == [.null, .null, .null])
    let tight = try self.request([expression("n", "salary * 2000", .int16)], sort: ["name"])
    let error = #expect(throws: GraphStoreError.self) { try context.fetchDictionaries(tight) }
    #expect(error?.code == .valueOutOfRange && error?.property == "n" && error?.value == .int(40_000))
    #expect(
      failure(try self.request([expression("n", "salary / 4.0", .int32)]))?.code == "value-out-of-range")
  }

  @Test("FET-093: a name of a result wins over a key")
  func sortByResult() throws {
    let request = try request(["name", expression("salary", "0 - salary")], sort: ["salary", "name"])
    #expect(
      try context.fetchDictionaries(request).map { $0["name"] as? String } == [
        "Dee", "Eve", "Bob", "Cy", "Ada",
      ])
  }

  @Test("FET-105: equal dictionaries are given once; nil equals nil")
  func distinct() throws {
    var request = try request(["salary"], sort: ["-salary"])
    request.returnsDistinctResults = true
    #expect(try rows(request) == ["salary=30", "salary=20", "salary=10", "salary=nil"])
    #expect(try context.count(for: request) == 4)
    request.fetchOffset = 1
    request.fetchLimit = 2
    #expect(try rows(request) == ["salary=20", "salary=10"])
    #expect(try context.count(for: request) == 2)
    request.sortDescriptors = try [QuerySortDescriptor(parsing: "name")]
    #expect(failure(request)?.code == "invalid-request")
  }

  // MARK: Aggregates

  @Test("FET-085, FET-086, FET-089: several aggregates over all rows are one dictionary, nil left out")
  func totals() throws {
    let all: [ResultProperty] = [
      try expression("rows", "count:(SELF)"), try expression("paid", "count:(salary)"),
      try expression("kinds", "count:(distinct:(salary))"), try expression("total", "sum:(salary)"),
      try expression("mean", "average:(salary)"), try expression("least", "min:(name)"),
      try expression("most", "max:(salary)"),
    ]
    var request = try request(all)
    let expected = "rows=5 paid=4 kinds=3 total=80 mean=20.0 least=\"Ada\" most=30"
    #expect(try rows(request) == [expected])
    let statements = try stack.statements { _ = try context.fetchDictionaries(request) }
    #expect(statements == (stack.has(.statements) ? 1 : 0) || !stack.has(.statements))
    request.predicate = try QueryPredicate(parsing: "name == 'nobody'")
    #expect(try rows(request) == ["rows=0 paid=0 kinds=0 total=0 mean=nil least=nil most=nil"])
    #expect(try context.count(for: request) == 1)
    request.fetchOffset = 1
    #expect(try rows(request).isEmpty && context.count(for: request) == 0)
  }

  @Test("FET-090: a sum of integers beyond 64 bits throws arithmetic-overflow, in the store and in memory")
  func overflow() throws {
    for object in try context.all("Employee", "salary != nil") {
      try object.setValue(Int64.max, forKey: "salary")
    }
    try context.save()
    var request = try request([expression("total", "sum:(salary)")])
    #expect(failure(request)?.code == "arithmetic-overflow")
    context.functions.register("yes") { _, _ in .value(.int(1)) }
    request.predicate = try QueryPredicate(parsing: "FUNCTION(SELF, 'yes') == 1")
    #expect(failure(request)?.code == "arithmetic-overflow")
    let compared = try self.request(["department"], by: ["department"], having: "sum:(salary) > 5")
    #expect(try context.fetchDictionaries(compared).count == 3)
  }

  // MARK: Groups

  @Test("FET-097, FET-101: one dictionary a group, with just the keys asked for; nil is a group of its own")
  func groups() throws {
    let request = try request(
      ["department.name", expression("total", "sum:(salary)")], by: ["department.name"])
    #expect(
      try rows(request) == [
        "department.name=nil total=30", "department.name=\"Labs\" total=30",
        "department.name=\"Sales\" total=20",
      ])
    #expect(try context.count(for: request) == 3)
  }

  @Test("FET-097: groups by a to-one, by an expression, and by the name of an expression")
  func groupSubjects() throws {
    let toOne = try request(
      ["department", expression("n", "count:(SELF)")], by: ["department"], sort: ["-n"])
    let found = try context.fetchDictionaries(toOne)
    #expect(found.map { $0["n"] as? Int64 } == [2, 2, 1])
    #expect(Set(found.map { $0["department"] as? ManagedObjectID }).contains(labs.objectID))
    let initial = try expression("high", "TERNARY(salary > 15, 'yes', 'no')")
    for properties: [ResultProperty] in [
      [initial, try expression("n", "count:(SELF)")], ["high", try expression("n", "count:(SELF)")],
    ] {
      #expect(try rows(try request(properties, by: [initial])) == ["high=\"no\" n=2", "high=\"yes\" n=3"])
    }
    #expect(try rows(try request([initial], by: ["high"])) == ["high=\"no\"", "high=\"yes\""])
  }

  @Test("FET-100: without properties the groups' own")
  func groupedProperties() throws {
    #expect(
      try rows(try request(nil, by: ["salary"])) == ["salary=nil", "salary=10", "salary=20", "salary=30"])
  }

  @Test(
    "FET-102: groups are selected by what they have in common, aggregates and results, with three-valued logic"
  )
  func having() throws {
    let properties: [ResultProperty] = ["department.name", try expression("total", "sum:(salary)")]
    for (having, expected) in [
      ("total > 20", ["nil", "\"Labs\""]), ("$total > 20 AND department.name != nil", ["\"Labs\""]),
      ("sum:(salary) == 20 OR department.name == nil", ["nil", "\"Sales\""]),
      ("max:(salary) != 20", ["nil"]), ("NOT count:(SELF) == 2", ["nil"]),
      ("department.name != 'Labs'", ["\"Sales\""]),
    ] {
      let found = try context.fetchDictionaries(
        try request(properties, by: ["department.name"], having: having))
      #expect(found.map { $0.value("department.name")?.literal } == expected, "\(having)")
    }
  }

  @Test("FET-103: groups, condition on groups, distinct, sort, window, in this order")
  func orderOfWork() throws {
    var request = try request(
      [expression("total", "sum:(salary)")], by: ["department.name"], having: "total >= 20", sort: ["-total"])
    #expect(try rows(request) == ["total=30", "total=30", "total=20"])
    request.returnsDistinctResults = true
    #expect(try rows(request) == ["total=30", "total=20"])
    request.fetchOffset = 1
    #expect(try rows(request) == ["total=20"])
    #expect(try context.count(for: request) == 1)
  }

  // MARK: Unsaved changes

  @Test("FET-064: unsaved changes never enter dictionaries, whatever the request says of them")
  func storedState() throws {
    let total = try request([expression("rows", "count:(SELF)"), expression("total", "sum:(salary)")])
    let names = try request(["department.name"], by: ["department.name"])
    let before = (try rows(total), try rows(names))
    try context.insert("Employee", ["name": "New", "salary": Int64(1000)])
    try labs.setValue("Renamed", forKey: "name")
    try context.delete(context.all("Employee", "name == 'Ada'")[0])
    for includes in [true, false] {
      var request = total
      request.includesPendingChanges = includes
      #expect(try rows(request) == before.0)
      #expect(try context.count(for: request) == 1)
    }
    #expect(try rows(names) == before.1)
    var plain = try request(["name"])
    plain.includesPendingChanges = true
    #expect(try context.count(for: plain) == 5)
    try context.save()
    #expect(try rows(total) == ["rows=5 total=1070"])
  }

  // MARK: Errors

  @Test(
    "FET-081, FET-082, FET-087, FET-091, FET-099, FET-102, FET-104: what cannot be is refused before anything runs"
  )
  func refusals() throws {
    let count = try expression("n", "count:(SELF)")
    let cases: [(FetchRequest<ManagedObject>, String, String?)] = [
      (try request(["projects"]), "invalid-property", "projects"),
      (try request(["department.employees"]), "invalid-property", "department.employees"),
      (try request([expression("all", "projects.name")]), "invalid-property", "all"),
      (try request(["name", "name"]), "duplicate-result-name", "name"),
      (try request(["name", expression("name", "salary")]), "duplicate-result-name", "name"),
      (try request([expression("", "salary")]), "invalid-request", nil),
      (try request([]), "invalid-request", nil),
      (try request(["name", count]), "group-by-required", "name"),
      (try request(["name", "salary", count], by: ["salary"]), "group-by-required", "name"),
      (try request([expression("x", "salary + sum:(salary)")], by: ["name"]), "group-by-required", "x"),
      (try request([expression("x", "max:(department)")]), "invalid-property", "x"),
      (try request([expression("x", "sum:(name)")]), "invalid-property", "x"),
      (try request([expression("x", "sum:(salary + max:(salary))")]), "invalid-request", "x"),
      (try request([count], by: [count]), "invalid-property", "n"),
      (try request([count], having: "n > 1"), "group-by-required", nil),
      (try request([count], by: ["name"], having: "salary > 1"), "invalid-having", "salary"),
      (try request([count], by: ["name"], having: "nam == 'x'"), "invalid-having", "nam"),
      (try request([count], by: ["name"], sort: ["salary"]), "group-by-required", "salary"),
      (try request(["nam"]), "unknown-key", "nam"),
      (try request([count], sort: ["m"]), "unknown-key", "m"),
    ]
    for (request, code, property) in cases {
      let statements = stack.statements {
        let found = failure(request)
        #expect(found?.code == code && (property == nil || found?.property == property), "\(request)")
      }
      #expect(statements == 0)
    }
    let error = #expect(throws: GraphStoreError.self) {
      try context.fetchDictionaries(try request(["name", count], by: ["salary"]))
    }
    #expect(
      error?.message.contains(
        "SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP BY or aggregate functions"
      ) == true)
  }

  @Test("FET-022, FET-098: calls take requests of their result type, and groups need dictionaries")
  func resultTypes() throws {
    var request = try request(["name"])
    func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
      (#expect(throws: GraphStoreError.self) { try body() })?.code
    }
    #expect(code { _ = try context.fetch(request) } == .resultTypeMismatch)
    #expect(code { _ = try context.fetchIdentifiers(request) } == .resultTypeMismatch)
    request.resultType = .count
    #expect(code { _ = try context.fetch(request) } == .resultTypeMismatch)
    #expect(code { _ = try context.fetchDictionaries(request) } == .resultTypeMismatch)
    for type in FetchRequestResultType.allCases where type != .dictionary {
      request.resultType = type
      request.propertiesToGroupBy = ["name"]
      #expect(code { _ = try context.fetchResults(request) } == .groupByNeedsDictionaries)
      request.propertiesToGroupBy = nil
      request.havingPredicate = .constant(true)
      #expect(code { _ = try context.fetchResults(request) } == .groupByNeedsDictionaries)
      request.havingPredicate = nil
      request.returnsDistinctResults = true
      #expect(try context.fetchResults(request).count == (type == .count ? 1 : 5))
    }
  }

  @Test("FET-072, FET-075, FET-094: results of every type, with and without unsaved changes")
  func everyType() throws {
    for changes in [false, true] {
      if changes { try context.insert("Employee", ["name": "New"]) }
      let expected = changes ? 6 : 5
      var request = FetchRequest(entityName: "Employee")
      request.propertiesToFetch = ["name"]
      guard case .objects(let objects) = try context.fetchResults(request) else {
        Issue.record("no objects")
        return
      }
      request.resultType = .managedObjectID
      guard case .identifiers(let identifiers) = try context.fetchResults(request) else {
        Issue.record("no identifiers")
        return
      }
      request.resultType = .count
      guard case .count(let counts) = try context.fetchResults(request) else {
        Issue.record("no count")
        return
      }
      request.resultType = .dictionary
      guard case .dictionaries(let dictionaries) = try context.fetchResults(request) else {
        Issue.record("no dictionaries")
        return
      }
      #expect(objects.count == expected && Set(objects.map(\.objectID)) == Set(identifiers))
      #expect(counts == [expected])
      #expect(dictionaries.count == 5)
    }
  }
}
