import Foundation
import Testing

@testable import GraphStore

/// What becomes of an import that meets bad records, is cancelled or is killed.
@Suite("Errors of imports", .everyStore, .needs(.chosenKeys))
struct ImportErrorTests {
  private let fixture: ImportFixture
  private var stack: TestStack { fixture.stack }

  init() throws { fixture = try ImportFixture() }

  private func failure(
    of records: [ImportRecord], _ configure: (inout BatchedImporter) -> Void
  ) throws -> GraphStoreError {
    try #require(throws: GraphStoreError.self) {
      try fixture.importer("Employee", configure).importRecords(records)
    }
  }

  /// Employees, of whom some break a rule.
  private func records(_ count: Int, bad: Set<Int>) -> [ImportRecord] {
    (0..<count).map { bad.contains($0) ? ["badge": $0, "salary": -1] : ["badge": $0, "name": "E\($0)"] }
  }

  private func count() throws -> Int {
    try stack.newContext().count(for: FetchRequest(entityName: "Employee"))
  }

  @Test(
    "OBJ-488: a bad record stops the import: its batch is rolled back, the batches before stay, and all its failures are told"
  )
  func stop() throws {
    let error = try failure(of: records(30, bad: [14, 17])) { $0.batchSize = 5 }
    #expect(error.recordPosition == 14)
    #expect(error.code == .multipleValidationErrors)
    #expect(Set(error.errors.compactMap(\.property)) == ["name", "salary"])
    #expect(error.message.hasPrefix("Record 14: "))
    #expect(try count() == 10)
  }

  @Test(
    "OBJ-488: of records that break rules and such as cannot be read the first in the input is told, with all that is wrong"
  )
  func firstBad() throws {
    let unreadable: ImportRecord = ["badge": "seven", "salary": -1, "nam": "x"]
    var error = try failure(of: records(2, bad: [1]) + [unreadable]) { _ in }
    #expect(error.recordPosition == 1)
    error = try failure(of: records(2, bad: []) + [unreadable] + records(2, bad: [0])) { _ in }
    #expect(error.recordPosition == 2)
    #expect(error.errors.map(\.property) == ["badge", "nam", "name", "salary"])
    #expect(error.errors.map(\.code) == [.valueType, .unknownKey, .validation, .validation])
    #expect(error.errors[1].suggestions == ["name"])
    #expect(try count() == 0)
  }

  @Test("OBJ-488: only bad records are skipped, each with position and reason", arguments: [1, 7, 100])
  func skip(size: Int) throws {
    let bad: Set = [0, 3, 4, 19, 29]
    var given = records(30, bad: bad)
    given[8] = ["badge": "x", "name": "y"]
    given[20] = ["badge": 20, "name": "E20", "email": "same"]
    given[21] = ["badge": 21, "name": "E21", "email": "same"]
    let result = try fixture.importer {
      $0.batchSize = size
      $0.errorMode = .skip
    }.importRecords(given)
    #expect(result.rejects.map(\.recordPosition) == [0, 3, 4, 8, 19, 21, 29])
    #expect(
      result.rejects.map(\.code)[3...5] == [.valueType, .multipleValidationErrors, .constraintConflict])
    #expect((result.read, result.inserted) == (30, 23))
    #expect(try count() == 23)
  }

  @Test(
    "OBJ-488: a record is blamed for what it gives itself, not for what an earlier one of its object gives",
    arguments: [ImportConflictPolicy.update, .ignore], [1, 10])
  func sameKeys(policy: ImportConflictPolicy, size: Int) throws {
    try fixture.importer().importRecords([["badge": 9, "name": "holder", "email": "taken"]])
    let given: [ImportRecord] = [
      ["badge": 1, "name": "a", "email": "taken"], ["badge": 1, "name": "b"],
      ["badge": 2, "salary": -1], ["badge": 2, "name": "c"],
      ["badge": 3, "name": "d"], ["badge": 3, "name": "e", "salary": 5],
    ]
    let importer = fixture.importer(by: ["badge"]) {
      $0.conflictPolicy = policy
      $0.errorMode = .skip
      $0.batchSize = size
    }
    let rejects = try importer.importRecords(given).rejects
    #expect(rejects.map(\.recordPosition) == [0, 2])
    let last = policy == .update ? "e" : "d"
    #expect(try fixture.lines("badge") == ["b 1", "c 2", "\(last) 3", "holder 9"])
    let others = given.map { record in
      record.merging(["badge": (record["badge"] as? Int ?? 0) + 100]) { $1 }
    }
    let error = try failure(of: others) {
      ($0.key, $0.conflictPolicy, $0.batchSize) = (["badge"], policy, size)
    }
    #expect(error.recordPosition == 0)
  }

  @Test("OBJ-488: of many bad records that are found one by one each is told")
  func manyBad() throws {
    try fixture.importer().importRecords(
      (0...200).map { ["badge": $0, "name": "E\($0)", "email": $0 == 0 ? "taken" : "e\($0)"] })
    let importer = fixture.importer(by: ["badge"]) { $0.errorMode = .skip }
    let given = (1...200).map { number -> ImportRecord in
      ["badge": number, "salary": 1, "email": number % 2 == 1 ? "taken" : "f\(number)"]
    }
    let result = try importer.importRecords(given)
    #expect(result.rejects.map(\.recordPosition) == (0..<200).filter { $0 % 2 == 0 }.map { $0 })
    #expect((result.updated, result.inserted) == (100, 0))
  }

  @Test(
    "OBJ-489: what links lead to is looked for in each batch: others may rename and delete it between two")
  func renamed() throws {
    let context = stack.newContext()
    let (labs, other) = (
      try context.insert("Department", ["name": "Labs"]), try context.insert("Department", ["name": "Other"])
    )
    try context.save()
    let importer = fixture.importer {
      ($0.links, $0.batchSize, $0.errorMode) = (["department": "name"], 1, .skip)
      $0.onBatch = { result in
        switch result.read {
        case 1:
          try labs.setValue("Old", forKey: "name")
          try other.setValue("Labs", forKey: "name")
          try context.save()
        case 2:
          try context.delete(other)
          try context.save()
        default: break
        }
      }
    }
    let result = try importer.importRecords((0..<3).map { ["name": "E\($0)", "department": "Labs"] })
    #expect(result.rejects.map(\.recordPosition) == [2])
    #expect(result.rejects.first?.code == .unresolvedLink)
    #expect(try fixture.lines("department.name") == ["E0 Old", "E1 -"])
  }

  @Test("OBJ-488: of records that different steps refuse the first in the input is told")
  func firstOfSteps() throws {
    try fixture.importer().importRecords([["badge": 9, "name": "holder", "email": "taken"]])
    let conflict: ImportRecord = ["badge": 1, "name": "a", "email": "taken"]
    let again: ImportRecord = ["badge": 0, "name": "b"]
    let invalid: ImportRecord = ["badge": 2, "salary": -1]
    let sound: ImportRecord = ["badge": 0, "name": "c"]
    for (given, codes) in [
      ([conflict, invalid], GraphStoreError.Code.constraintConflict),
      ([invalid, conflict], .multipleValidationErrors), ([sound, again, invalid], .constraintConflict),
      ([conflict, sound, again], .constraintConflict),
    ] {
      let error = try failure(of: given) { ($0.key, $0.conflictPolicy) = (["badge"], .error) }
      #expect(error.recordPosition == (given.count == 3 && given[0]["badge"] as? Int == 0 ? 1 : 0))
      #expect(error.code == codes)
    }
    #expect(try count() == 1)
  }

  @Test("OBJ-488: a record that breaks several rules of its links is told once, with all of them")
  func linkRules() throws {
    let model = ModelDefinition(
      name: "Links",
      entities: [
        EntityDefinition(
          "Node", attributes: [AttributeDefinition("tag", .int64)],
          relationships: [
            RelationshipDefinition("owner", to: "Owner", inverse: "nodes", isOptional: false),
            RelationshipDefinition("labels", to: "Label", inverse: "node", isToMany: true, maxCount: 2),
          ]),
        EntityDefinition(
          "Owner", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("nodes", to: "Node", inverse: "owner", isToMany: true)]),
        EntityDefinition(
          "Label", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("node", to: "Node", inverse: "labels")]),
      ])
    let stack = try TestStack(model)
    for name in ["a", "b", "c"] { try stack.context.insert("Label", ["name": name]) }
    try stack.context.save()
    var importer = BatchedImporter(entityName: "Node", coordinator: stack.coordinator)
    importer.links = ["labels": "name"]
    importer.errorMode = .skip
    let rejects = try importer.importRecords([["tag": 1, "labels": ["a", "b", "c"]]]).rejects
    #expect(rejects.map(\.recordPosition) == [0])
    #expect(Set(rejects[0].errors.compactMap(\.property)) == ["owner", "labels"])
  }

  @Test("OBJ-488: as one transaction an error undoes all batches")
  func transaction() throws {
    let error = try failure(of: records(30, bad: [29])) {
      $0.batchSize = 5
      $0.errorMode = .transaction
    }
    #expect(error.recordPosition == 29)
    #expect(try count() == 0)
    let whole = fixture.importer {
      $0.batchSize = 5
      $0.errorMode = .transaction
    }
    #expect(try whole.importRecords(records(12, bad: [])).inserted == 12)
    #expect(try count() == 12)
  }

  @Test("OBJ-488: several imports and saves are one in a transaction that is passed")
  func passedTransaction() throws {
    struct Undone: Error {}
    for mode in [ImportErrorMode.stop, .skip, .transaction] {
      #expect(throws: Undone.self) {
        try stack.coordinator.transaction(with: stack.context) { transaction in
          try fixture.importer("Department").importRecords([["name": "Labs"]], in: transaction)
          let importer = fixture.importer {
            $0.links = ["department": "name"]
            $0.errorMode = mode
            $0.batchSize = 2
          }
          let result = try importer.importRecords(
            (0..<5).map { ["name": "E\($0)", "department": "Labs"] }, in: transaction)
          #expect(result.inserted == 5)
          #expect(try stack.context.count(for: FetchRequest(entityName: "Employee")) == 5)
          throw Undone()
        }
      }
      #expect(try count() == 0)
    }
    try stack.coordinator.transaction { transaction in
      #expect(throws: GraphStoreError.self) {
        try fixture.importer { $0.batchSize = 2 }.importRecords(records(6, bad: [3]), in: transaction)
      }
      #expect(throws: GraphStoreError.self) {
        try fixture.importer { $0.errorMode = .transaction }.importRecords(
          records(6, bad: [3]), in: transaction)
      }
    }
    #expect(try count() == 2)
  }

  @Test("OBJ-493: what is told after each batch ends the import when it throws; what was saved stays")
  func cancelledByHandler() throws {
    struct Enough: Error {}
    for (mode, left) in [(ImportErrorMode.stop, 20), (.transaction, 20), (.skip, 40)] {
      var told: [Int] = []
      #expect(throws: Enough.self) {
        try fixture.importer {
          $0.batchSize = 10
          $0.errorMode = mode
          $0.onBatch = {
            told.append($0.inserted)
            if $0.read == 20 { throw Enough() }
          }
        }.importRecords(records(50, bad: []))
      }
      #expect(told == [10, 20])
      #expect(try count() == left)
    }
  }

  @Test("OBJ-493: a cancelled task ends the import between two batches; what was saved stays")
  func cancelledTask() async throws {
    let importer = BatchedImporter(entityName: "Employee", coordinator: stack.coordinator)
    let records = records(50, bad: [])
    let task = Task { () -> GraphStoreError.Code? in
      var importer = importer
      importer.batchSize = 10
      importer.onBatch = { if $0.read == 30 { withUnsafeCurrentTask { $0?.cancel() } } }
      do {
        try importer.importRecords(records)
        return nil
      } catch { return (error as? GraphStoreError)?.code }
    }
    #expect(await task.value == .cancelled)
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    #expect(try context.performAndWait { try context.count(for: FetchRequest(entityName: "Employee")) } == 30)
  }

  @Test(
    "OBJ-485, OBJ-493: records come from an asynchronous sequence, and what it throws leaves whole batches")
  func asynchronous() async throws {
    struct Broken: Error {}
    var importer = BatchedImporter(entityName: "Employee", coordinator: stack.coordinator)
    importer.batchSize = 10
    importer.key = ["badge"]
    func stream(_ count: Int, _ error: (any Error)? = nil) -> AsyncThrowingStream<ImportRecord, any Error> {
      AsyncThrowingStream { continuation in
        for number in 0..<count { continuation.yield(["badge": number, "name": "E\(number)"]) }
        continuation.finish(throwing: error)
      }
    }
    let result = try await importer.importRecords(from: stream(25))
    #expect((result.read, result.inserted) == (25, 25))
    await #expect(throws: Broken.self) { try await importer.importRecords(from: stream(39, Broken())) }
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    #expect(try context.performAndWait { try context.count(for: FetchRequest(entityName: "Employee")) } == 30)
    importer.errorMode = .transaction
    let error = await #expect(throws: GraphStoreError.self) {
      try await importer.importRecords(from: stream(1))
    }
    #expect(error?.code == .invalidRequest)
  }
}
