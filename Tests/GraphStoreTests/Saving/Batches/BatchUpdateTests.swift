import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Batch update", .everyStore)
struct BatchUpdateTests {
  private static let model = ModelDefinition(
    name: "Staff",
    entities: [
      EntityDefinition(
        "Employee",
        attributes: [
          AttributeDefinition("name", .string, isOptional: false, defaultValue: "nobody"),
          AttributeDefinition("salary", .int64), AttributeDefinition("grade", .int16),
          AttributeDefinition("rate", .double), AttributeDefinition("bonus", .decimal),
          AttributeDefinition("flag", .boolean), AttributeDefinition("hired", .date),
          AttributeDefinition("badge", .int32),
          AttributeDefinition("photo", .binary, externalStorage: true),
          AttributeDefinition("passing", .string, isTransient: true),
        ],
        relationships: [
          RelationshipDefinition("department", to: "Department", inverse: "employees")
        ], uniquenessConstraints: [["badge"]]),
      EntityDefinition("Manager", parent: "Employee", attributes: [AttributeDefinition("budget", .decimal)]),
      EntityDefinition(
        "Department",
        attributes: [
          AttributeDefinition("name", .string),
          AttributeDefinition("payroll", .int64, derivation: "employees.@sum.salary"),
          AttributeDefinition("level", .double),
        ],
        relationships: [
          RelationshipDefinition("employees", to: "Employee", inverse: "department", isToMany: true)
        ]),
    ])

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(Self.model)
    let departments = try ["a", "b"].map { try context.insert("Department", ["name": $0]) }
    for number in 0..<20 {
      let values: [String: Any] = [
        "name": "e\(number)", "salary": number * 100, "grade": number, "rate": Double(number) / 4,
        "department": departments[number % 2], "badge": number,
      ]
      try context.insert(number % 5 == 0 ? "Manager" : "Employee", values)
    }
    try context.save()
  }

  private func request(
    _ properties: [String: Any?], _ predicate: String? = nil, _ form: BatchRequestResultType = .count
  ) throws -> BatchUpdateRequest {
    var request = BatchUpdateRequest(
      entityName: "Employee", propertiesToUpdate: properties,
      predicate: try predicate.map { try QueryPredicate(parsing: $0) })
    request.resultType = form
    return request
  }

  /// What the store has, by name.
  private func stored(_ key: String) throws -> [String: Value] {
    let fresh = stack.newContext()
    return Dictionary(
      uniqueKeysWithValues: try fresh.all("Employee").map {
        (try $0.string("name") ?? "", try $0.queryValue(forKey: key))
      })
  }

  @Test(
    "FET-208, FET-209, FET-211, FET-229: values change in the store, no object does, and a row cached before is read anew"
  )
  func constants() throws {
    let objects = try context.all("Employee", sort: ["name"])
    let first = try #require(objects.first)
    #expect(try first.value(forKey: "salary") as? Int64 == 0)
    let result = try context.execute(try request(["salary": 7, "flag": true, "photo": nil], "grade < 10"))
    #expect(result.count == 10 && result.status && result.objectIDs.isEmpty)
    #expect(try first.value(forKey: "salary") as? Int64 == 0)
    #expect(!context.hasChanges)
    let salaries = try stored("salary")
    #expect(salaries.count == 20)
    for (name, salary) in salaries {
      let number = try #require(Int64(name.dropFirst()))
      #expect(salary == .int(number < 10 ? 7 : number * 100))
    }
    try context.refresh(first, mergeChanges: false)
    #expect(try first.value(forKey: "salary") as? Int64 == 7)
    #expect(try stored("flag").values.count { $0 == .bool(true) } == 10)
  }

  @Test(
    "FET-230: expressions see the values before the update, for all properties alike; a fraction that an integer does not hold is left out"
  )
  func expressions() throws {
    try context.execute(
      try request([
        "salary": try QueryExpression(parsing: "grade"),
        "grade": try QueryExpression(parsing: "salary / 100"),
        "rate": try QueryExpression(parsing: "rate * 2"),
        "bonus": try QueryExpression(parsing: "salary * 0.1"),
      ]))
    #expect(try stored("salary")["e7"] == .int(7))
    #expect(try stored("grade")["e7"] == .int(7))
    #expect(try stored("rate")["e7"] == .double(3.5))
    #expect(try stored("bonus")["e7"] == .decimal(70))
    try context.execute(
      try request(["salary": try QueryExpression(parsing: "salary * -0.3")], "name == 'e7'"))
    #expect(try stored("salary")["e7"] == .int(-2))
  }

  @Test(
    "FET-230: numbers with fractions come out of collections too",
    arguments: [
      ("employees.@avg.salary", [900.0, 1000, nil]), ("employees.@max.rate", [4.5, 4.75, nil]),
      ("employees.@sum.rate + 1", [23.5, 26, 1]), ("employees.@min.rate * 2", [0, 0.5, nil]),
    ])
  func aggregates(text: String, levels: [Double?]) throws {
    try context.insert("Department", ["name": "c"])
    try context.save()
    try context.execute(
      BatchUpdateRequest(
        entityName: "Department", propertiesToUpdate: ["level": try QueryExpression(parsing: text)]))
    let departments = try stack.newContext().all("Department", sort: ["name"])
    #expect(try departments.map { try $0.value(forKey: "level") as? Double } == levels)
  }

  @Test("FET-210, FET-218: a later save of an older copy is a conflict, and unsaved changes are left alone")
  func versions() throws {
    let object = try #require(try context.all("Employee", "name == 'e3'").first)
    try object.setValue("mine", forKey: "name")
    let result = try context.execute(try request(["salary": 1], "name == 'e3'", .objectIDs))
    #expect(result.objectIDs == [object.objectID])
    #expect(object.isUpdated)
    #expect(throws: (any Error).self) { try context.save() }
    context.mergePolicy = .mergeByPropertyObjectTrump
    try context.save()
    #expect(try stored("salary")["mine"] == .int(1))
  }

  @Test(
    "FET-199, FET-212, CTX-418: contexts, controllers and observers see it once its identifiers are merged",
    .needs(.statements))
  func merging() throws {
    let object = try #require(try context.all("Employee", "name == 'e3'").first)
    #expect(try object.value(forKey: "salary") as? Int64 == 300)
    var request = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate(parsing: "salary >= 1500"))
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "salary")]
    let controller = try FetchedResultsController(fetchRequest: request, context: context)
    let follower = Follower()
    controller.delegate = follower
    try controller.performFetch()
    let update = try context.execute(
      try self.request(["salary": 5000], "name == 'e3'", .objectIDs))
    try context.processPendingChanges()
    #expect(follower.changes == 0 && controller.fetchedObjects?.count == 5)
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [.updatedObjectIDs: update.objectIDs], into: [context])
    #expect(follower.changes == 1 && controller.fetchedObjects?.last === object)
    #expect(try object.value(forKey: "salary") as? Int64 == 5000)
  }

  private final class Follower: FetchedResultsControllerDelegate {
    var changes = 0
    func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) { changes += 1 }
  }

  @Test("FET-213: a refetch of the identifiers and a refresh have the same effect on values")
  func refetching() throws {
    let objects = try context.all("Employee", "grade > 15")
    let result = try context.execute(try request(["salary": 1], "grade > 15", .objectIDs))
    #expect(Set(result.objectIDs) == Set(objects.map(\.objectID)))
    for id in result.objectIDs {
      try context.refresh(try context.existingObject(with: id), mergeChanges: true)
    }
    #expect(try objects.allSatisfy { try $0.value(forKey: "salary") as? Int64 == 1 })
  }

  @Test(
    "FET-234: a flag on many records is one statement; a predicate over a relationship takes two",
    .needs(.statements))
  func statements() throws {
    func statements(_ predicate: String) throws -> Int {
      let texts = try stack.recordedStatements {
        _ = try context.execute(try request(["flag": true], predicate))
      }
      return texts.count { !["BEGIN IMMEDIATE", "COMMIT"].contains($0) }
    }
    #expect(try statements("grade > 3") == 1)
    #expect(try statements("department.name == 'a'") == 2)
    #expect(try stored("flag").values.count { $0 == .bool(true) } == 18)
  }

  @Test("FET-233: derived attributes follow")
  func derived() throws {
    try context.execute(try request(["salary": 10]))
    let fresh = stack.newContext()
    #expect(
      try fresh.all("Department").allSatisfy { try $0.value(forKey: "payroll") as? Int64 == 100 })
  }

  @Test("FET-232: the predicate has the meaning of a fetch, nil logic and what memory judges included")
  func predicates() throws {
    try context.execute(try request(["salary": nil], "grade == 4"))
    for predicate in [
      "salary < 500", "salary != 500", "NOT (salary < 500)", "name MATCHES 'e1.*'", "salary == nil",
    ] {
      let wanted = try Set(context.all("Employee", predicate).map(\.objectID))
      let result = try context.execute(try request(["flag": true], predicate, .objectIDs))
      #expect(Set(result.objectIDs) == wanted, "\(predicate)")
    }
  }

  @Test(
    "FET-229, FET-214: sub-entities count unless they are left out; the status says whether anything was touched"
  )
  func subentities() throws {
    var request = try request(["salary": 1], nil, .statusOnly)
    request.includesSubentities = false
    #expect(try context.execute(request).count == 16)
    request.predicate = try QueryPredicate(parsing: "name == 'none'")
    #expect(try !context.execute(request).status)
    var managers = BatchUpdateRequest(entityName: "Manager", propertiesToUpdate: ["budget": 5, "salary": 2])
    managers.resultType = .count
    #expect(try context.execute(managers).count == 4)
    #expect(try stored("salary").values.count { $0 == .int(2) } == 4)
  }

  @Test(
    "FET-231: what cannot be set is refused before anything is written",
    arguments: [
      (["department": "a"], "invalid-property"), (["passing": "a"], "invalid-property"),
      (["nme": "a"], "unknown-key"), (["name": nil], "validation"), ([:], "invalid-request"),
      (["salary": "a"], "value-type"), (["grade": "40000"], "value-out-of-range"),
    ] as [([String: String?], String)])
  func refusals(_ properties: [String: String?], _ code: String) throws {
    var values: [String: Any?] = properties
    if let number = properties["grade"]?.flatMap({ $0 }) { values["grade"] = Int(number) }
    let before = try stored("salary")
    let error = #expect(throws: GraphStoreError.self) { try context.execute(try request(values)) }
    #expect(error?.code.rawValue == code)
    if code == "validation" { #expect(error?.number == 1570) }
    #expect(try stored("salary") == before)
  }

  @Test(
    "FET-231: an expression that yields nil or a number beyond the attribute stops it, and nothing is written"
  )
  func badExpressions() throws {
    try context.execute(try request(["salary": 1_000_000], "name == 'e9'"))
    for (key, text) in [("name", "nilify"), ("grade", "salary * 10")] {
      let expression = try QueryExpression(
        parsing: text == "nilify" ? "TERNARY(salary > 5, NULL, name)" : text)
      let error = #expect(throws: GraphStoreError.self) {
        try context.execute(try request([key: expression]))
      }
      #expect(error?.number == 1570 || error?.code == .valueOutOfRange)
      #expect(error?.message.contains("Employee/p") == true || error?.message.contains("Manager/p") == true)
    }
    #expect(try stored("name").count == 20)
    #expect(try stored("grade")["e9"] == .int(9))
  }

  @Test("FET-220: unique values are exchanged, and a violation changes nothing")
  func uniqueness() throws {
    try context.execute(try request(["badge": try QueryExpression(parsing: "badge + 1")]))
    #expect(try stored("badge")["e19"] == .int(20))
    let error = #expect(throws: GraphStoreError.self) { try context.execute(try request(["badge": 3])) }
    #expect(error?.code == .constraintConflict)
    #expect(try stored("badge")["e19"] == .int(20))
  }

  @Test("FET-209: a dry run counts, and changes nothing")
  func dryRun() throws {
    var request = try request(["salary": 1])
    request.isDryRun = true
    #expect(try context.execute(request).count == 20)
    #expect(try stored("salary")["e19"] == .int(1900))
    request.propertiesToUpdate = ["salary": try QueryExpression(parsing: "salary + 1")]
    #expect(try context.execute(request).count == 20)
    #expect(try stored("salary")["e19"] == .int(1900))
  }

  @Test("FET-219: in a child it goes past the parents")
  func children() throws {
    let parent = try #require(try context.all("Employee", "name == 'e1'").first)
    try parent.setValue(5, forKey: "grade")
    let child = ManagedObjectContext(parent: context)
    try child.performAndWait {
      _ = try child.execute(BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["salary": 3]))
    }
    #expect(try stored("salary")["e1"] == .int(3))
    #expect(try parent.value(forKey: "grade") as? Int16 == 5)
  }

  @Test("CTX-350: a pinned context writes the newest state, and its pin does not move", .needs(.files))
  func pins() throws {
    let pinned = stack.newContext()
    try pinned.setQueryGenerationFrom(.current)
    #expect(try pinned.all("Employee", "salary == 300").count == 1)
    try context.execute(BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["salary": 3]))
    try pinned.execute(
      BatchUpdateRequest(
        entityName: "Employee", propertiesToUpdate: ["salary": try QueryExpression(parsing: "salary + 1")]))
    #expect(try pinned.all("Employee", "salary == 300").count == 1)
    #expect(try stored("salary")["e1"] == .int(4))
  }

  @Test("FET-209, FET-239: data in files stay where the value that is set is the one that was there")
  func equalExternalData() throws {
    let data = Data(repeating: 1, count: 300_000)
    for object in try context.all("Employee", "grade < 2") { try object.setValue(data, forKey: "photo") }
    try context.save()
    context.reset()
    func photos() throws -> Int {
      try stack.newContext().all("Employee", "grade < 3").count {
        try $0.value(forKey: "photo") as? Data == data
      }
    }
    let same = try request(["photo": try QueryExpression(parsing: "photo")], "grade < 2")
    #expect(try context.execute(same).count == 2 && photos() == 2)
    let equal = try request(["photo": data], "grade < 3")
    #expect(try context.execute(equal).count == 3 && photos() == 3)
    #expect(try context.execute(equal).count == 3 && photos() == 3)
    struct Stop: Error {}
    try stack.coordinator.transaction(with: context) { transaction in
      try context.execute(equal)
      // What is deleted and comes back by a rollback is still there.
      try? transaction.savepoint {
        try context.execute(BatchDeleteRequest(FetchRequest(entityName: "Employee")))
        throw Stop()
      }
      try context.execute(same)
    }
    #expect(try photos() == 3)
    try context.execute(try request(["photo": nil], "grade < 3"))
    #expect(try photos() == 0)
    #expect(try context.execute(same).count == 2)
  }

  @Test("FET-224: a number that no decimal holds is refused, and not stored as nothing")
  func decimals() throws {
    for value in [1e200 as Any?, try QueryExpression(parsing: "rate * 1e300")] {
      let error = #expect(throws: GraphStoreError.self) {
        try context.execute(try request(["bonus": value], "grade == 5"))
      }
      #expect(error?.code == .valueOutOfRange)
    }
  }

  @Test("FET-209: within a transaction it is a part of that, and is taken back with it or alone")
  func transactions() throws {
    struct Stop: Error {}
    _ = try? stack.coordinator.transaction(with: context) { _ in
      try context.execute(try request(["salary": 1]))
      #expect(
        try context.count(
          for: FetchRequest(entityName: "Employee", predicate: QueryPredicate(parsing: "salary == 1"))) == 20)
      throw Stop()
    }
    #expect(try stored("salary")["e2"] == .int(200))
    try stack.coordinator.transaction(with: context) { _ in
      try context.execute(try request(["salary": 1]))
      #expect(throws: (any Error).self) { try context.execute(try request(["badge": 3])) }
    }
    #expect(try stored("salary")["e2"] == .int(1))
    #expect(try stored("badge")["e2"] == .int(2))
  }

  @Test("FET-224: with validation every rule of the model counts")
  func validation() throws {
    let model = ModelDefinition(
      name: "Rules",
      entities: [
        EntityDefinition(
          "Thing", attributes: [AttributeDefinition("n", .int32, minimum: 0, maximum: 9)])
      ])
    let stack = try TestStack(model)
    try stack.context.insert("Thing", ["n": 1])
    try stack.context.save()
    var request = BatchUpdateRequest(entityName: "Thing", propertiesToUpdate: ["n": 12])
    request.validates = true
    #expect(throws: GraphStoreError.self) { try stack.context.execute(request) }
    request.propertiesToUpdate = ["n": try QueryExpression(parsing: "n + 9")]
    #expect(throws: GraphStoreError.self) { try stack.context.execute(request) }
    request.validates = false
    #expect(try stack.context.execute(request).status)
    #expect(try stack.newContext().all("Thing").first?.value(forKey: "n") as? Int32 == 10)
  }
}
