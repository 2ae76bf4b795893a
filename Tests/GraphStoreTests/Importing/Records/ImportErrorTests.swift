import Foundation
import Testing

@testable import GraphStore

/// What becomes of an import that meets bad records, is cancelled or is killed.
@Suite("Errors of imports", .everyStore)
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
