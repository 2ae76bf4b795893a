import Foundation
import Testing

@testable import GraphStore

/// Records become rows, batch by batch.
@Suite("Batched importing", .everyStore, .needs(.chosenKeys))
struct BatchedImporterTests {
  private let fixture: ImportFixture
  private var stack: TestStack { fixture.stack }

  init() throws { fixture = try ImportFixture() }

  @Test(
    "STO-297, OBJ-485, OBJ-491: records become objects with the model's defaults, and others save meanwhile")
  func insertion() throws {
    let result = try fixture.importer().importRecords([
      ["name": "Ada", "badge": 1, "joined": Date(timeIntervalSinceReferenceDate: 0.1)],
      ["name": "Bob", "kind": nil],
    ])
    #expect((result.read, result.inserted, result.updated, result.ignored) == (2, 2, 0, 0))
    #expect(result.rejects.isEmpty)
    #expect(
      try fixture.lines("badge", "kind", "salary", "department") == ["Ada 1 staff - -", "Bob - - - -"])
    let ada = try stack.context.all("Employee", "name == 'Ada'")[0]
    #expect(try ada.value(forKey: "joined") as? Date == Date(timeIntervalSinceReferenceDate: 0.1))
    try ada.setValue(5, forKey: "salary")
    try stack.context.save()
  }

  @Test("STO-317, OBJ-509: what an import makes can be undone in no context, and leaves nothing unsaved")
  func seeding() throws {
    let manager = GraphUndoManager()
    try stack.context.setUndoManager(manager)
    try fixture.importer().importRecords([["name": "Ada", "badge": 1]])
    #expect(!manager.canUndo && !stack.context.hasChanges)
    #expect(try stack.context.all("Employee").count == 1)
    #expect(!manager.canUndo && !stack.context.hasChanges)
  }

  @Test(
    "OBJ-485: values of every form are taken as setting them takes them, and texts as the type they are for")
  func forms() throws {
    let tag = UUID()
    try fixture.importer().importRecords([
      [
        "name": "Ada", "badge": Int16(3), "salary": 7.0, "bonus": "12.50", "tag": tag.uuidString,
        "joined": "2001-01-01T00:00:01Z", "notes": ["a", "b"] as [String],
        "address": ["city": "Rome", "rent": "1.5"] as [String: any Sendable],
      ],
      ["name": "Bob", "bonus": 2, "tag": tag, "badge": "12", "address": nil],
    ])
    #expect(
      try fixture.lines("badge", "salary", "bonus", "tag") == [
        "Ada 3 7 12.5 \(tag.uuidString)", "Bob 12 - 2 \(tag.uuidString)",
      ])
    try fixture.importer(by: ["name"]).importRecords([
      [
        "name": "Bob", "bonus": 12_345_678_901,
        "address": ["rent": 3, "city": "Oslo"] as [String: any Sendable],
      ]
    ])
    let bob = try stack.context.all("Employee", "name == 'Bob'")[0]
    #expect(try bob.value(forKey: "bonus") as? Decimal == 12_345_678_901)
    #expect(try bob.value(forKeyPath: "address.rent") as? Decimal == 3)
    let ada = try stack.context.all("Employee", "name == 'Ada'")[0]
    #expect(try ada.value(forKey: "notes") as? [String] == ["a", "b"])
    #expect(try ada.value(forKeyPath: "address.city") as? String == "Rome")
    #expect(try ada.value(forKeyPath: "address.rent") as? Decimal == 1.5)
    #expect(try ada.value(forKey: "joined") as? Date == Date(timeIntervalSinceReferenceDate: 1))
  }

  private struct Person: Codable {
    enum Kind: String, Codable { case staff, guest }
    struct Address: Codable { var city: String?, rent: Decimal }

    var badge: Int64
    var name: String?
    var salary: UInt16?
    var kind: Kind?
    var joined: Date?
    var bonus: Decimal?
    var tag: UUID?
    var address: Address?
    var notes: [Double]?
    var department: String?
  }

  @Test("OBJ-485: typed values are records, by what they encode; what they leave out stays")
  func typed() throws {
    try fixture.importer("Department").importRecords([["name": "Labs"]])
    let importer = fixture.importer(by: ["badge"]) { $0.links = ["department": "name"] }
    let tag = UUID()
    let joined = Date(timeIntervalSinceReferenceDate: 1.0 / 3)
    var people = [
      Person(
        badge: 1, name: "Ada", salary: 9, kind: .guest, joined: joined, bonus: Decimal(string: "0.1"),
        tag: tag,
        address: Person.Address(city: "Rome", rent: 2), notes: [1.5], department: "Labs"),
      Person(badge: 2, name: "Bob"),
    ]
    #expect(try importer.importRecords(encoding: people).inserted == 2)
    people = [Person(badge: 1, salary: 10)]
    #expect(try importer.importRecords(encoding: people).updated == 1)
    #expect(
      try fixture.lines("salary", "kind", "bonus", "tag", "department.name", "address.city") == [
        "Ada 10 guest 0.1 \(tag) Labs Rome", "Bob - staff - - - -",
      ])
    let ada = try stack.context.all("Employee", "badge == 1")[0]
    #expect(try ada.value(forKey: "joined") as? Date == joined)
    #expect(try ada.value(forKey: "notes") as? [Double] == [1.5])
    let error = #expect(throws: GraphStoreError.self) { try importer.importRecords(encoding: [1, 2]) }
    #expect(error?.code == .invalidRequest)
  }

  @Test(
    "OBJ-486, OBJ-532: the last, partial batch is saved too; a batch without records saves nothing",
    arguments: [0, 1, 10, 11, 25])
  func partial(count: Int) throws {
    var batches: [Int] = []
    let importer = fixture.importer {
      $0.batchSize = 10
      $0.onBatch = { batches.append($0.inserted) }
    }
    let before = stack.coordinator.statementCount
    #expect(try importer.importRecords(ImportFixture.employees(0..<count)).inserted == count)
    #expect(batches == stride(from: 10, to: count + 10, by: 10).map { min($0, count) })
    if count == 0 { #expect(stack.coordinator.statementCount == before) }
    #expect(try stack.context.count(for: FetchRequest(entityName: "Employee")) == count)
  }

  @Test(
    "OBJ-490: with a key what a record has is set, what it lacks stays, and what changes nothing is not written"
  )
  func update() throws {
    try fixture.importer().importRecords([
      ["badge": 1, "name": "Ada", "salary": 5], ["badge": 2, "name": "Bob"],
    ])
    func versions(_ context: ManagedObjectContext) throws -> [Int64?] {
      try context.all("Employee", sort: ["badge"]).map { employee in
        _ = try employee.string("name")
        return employee.currentRow.map { Int64($0.version) }
      }
    }
    let before = try versions(stack.newContext())
    let result = try fixture.importer(by: ["badge"]).importRecords([
      ["badge": 2, "name": "Bob"], ["badge": 1, "salary": nil, "email": "a@b"], ["badge": 3, "name": "Cy"],
    ])
    #expect((result.inserted, result.updated) == (1, 2))
    #expect(try fixture.lines("salary", "email") == ["Ada - a@b", "Bob - -", "Cy - -"])
    #expect(before == [1, 1])
    #expect(try versions(stack.newContext()) == [2, 1, 1])
  }

  @Test("OBJ-490: an object that is there may be an error, pass, or take a record as a whole")
  func policies() throws {
    try fixture.importer().importRecords([["badge": 1, "name": "Ada", "salary": 5, "kind": "x"]])
    let record: [ImportRecord] = [["badge": 1, "name": "Eve"]]
    let error = try #require(throws: GraphStoreError.self) {
      try fixture.importer(by: ["badge"]) { $0.conflictPolicy = .error }.importRecords(record)
    }
    #expect((error.code, error.recordPosition) == (.constraintConflict, 0))
    let ignored = try fixture.importer(by: ["badge"]) { $0.conflictPolicy = .ignore }.importRecords(record)
    #expect((ignored.ignored, ignored.updated) == (1, 0))
    #expect(try fixture.lines("salary", "kind") == ["Ada 5 x"])
    try fixture.importer(by: ["badge"]) { $0.conflictPolicy = .replace }.importRecords(record)
    #expect(try fixture.lines("salary", "kind") == ["Eve - staff"])
  }

  @Test("OBJ-490: records with identifiers change the objects that these name; one without is new")
  func identifiers() throws {
    try fixture.importer().importRecords([["name": "Ada", "salary": 1], ["name": "Bob", "salary": 2]])
    let ids = try stack.newContext().all("Employee", sort: ["name"]).map(\.objectID)
    let importer = fixture.importer(by: ["objectID"])
    let result = try importer.importRecords([
      ["objectID": ids[1], "salary": 20], ["objectID": ids[0].uriText, "salary": 10], ["name": "Cy"],
    ])
    #expect((result.inserted, result.updated) == (1, 2))
    #expect(try fixture.lines("salary") == ["Ada 10", "Bob 20", "Cy -"])
    let unsaved = try stack.context.insert(entityNamed: "Employee").objectID
    let error = try #require(throws: GraphStoreError.self) {
      try importer.importRecords([["objectID": unsaved, "name": "x"]])
    }
    #expect(error.code == .temporaryID)
  }

  @Test("STO-307, OBJ-476, OBJ-532: keys are compared by bytes, and one that is repeated makes one object")
  func keys() throws {
    let importer = fixture.importer(by: ["name"]) { $0.batchSize = 2 }
    let result = try importer.importRecords([
      ["name": "caf\u{E9}", "salary": 1], ["name": "cafe\u{301}", "salary": 2],
      ["name": "cafe\u{301}", "salary": 3],
      ["name": "x", "salary": 4], ["name": "x", "salary": 5], ["name": "caf\u{E9}", "salary": 6],
    ])
    #expect((result.inserted, result.updated) == (3, 3))
    let salaries = try stack.newContext().all("Employee").map { employee in
      (Array((try employee.string("name") ?? "").utf8), try employee.value(forKey: "salary") as? Int32)
    }
    #expect(salaries.count == 3)
    #expect(salaries.first { $0.0 == Array("caf\u{E9}".utf8) }?.1 == 6)
    #expect(salaries.first { $0.0 == Array("cafe\u{301}".utf8) }?.1 == 3)
    #expect(salaries.first { $0.0 == Array("x".utf8) }?.1 == 5)
  }

  @Test("OBJ-476: a compound key takes all of its attributes, in whatever order records come")
  func compound() throws {
    try fixture.importer().importRecords([["name": "Ada", "badge": 1], ["name": "Ada", "badge": 2]])
    let result = try fixture.importer(by: ["badge", "name"]).importRecords([
      ["badge": 2, "name": "Ada", "salary": 2], ["badge": 2, "name": "Bob", "salary": 3],
      ["badge": 1, "name": "Ada", "salary": 1], ["name": "Ada", "salary": 9],
    ])
    #expect((result.inserted, result.updated) == (2, 2))
    #expect(try fixture.lines("badge", "salary").sorted() == ["Ada - 9", "Ada 1 1", "Ada 2 2", "Bob 2 3"])
  }

  @Test(
    "OBJ-487, OBJ-491, OBJ-492, OBJ-546: a batch costs one fetch for its keys, none without a key, whatever its size"
  )
  func statements() throws {
    func statements(_ records: [ImportRecord], by key: [String], batches size: Int) throws -> (
      fetches: Int, all: Int
    ) {
      let importer = fixture.importer(by: key) { $0.batchSize = size }
      var result: (fetches: Int, all: Int) = (0, 0)
      let texts = try stack.recordedStatements {
        result.all = try stack.statements { try importer.importRecords(records) }
      }
      let fetches = texts.filter { $0.hasPrefix("SELECT") && $0.contains("EMPLOYEE") }
      #expect(Set(fetches).count <= 1)
      result.fetches = fetches.count
      return result
    }
    guard stack.has(.statements) else { return }
    _ = try statements(ImportFixture.employees(0..<1), by: ["badge"], batches: 10)
    for size in [32, 320] {
      let count = size * 3
      let new = try statements(
        ImportFixture.employees(size * 100..<size * 100 + count), by: ["badge"], batches: size)
      #expect(new.fetches == 3)
      #expect(new.all <= 3 * (size / 32 + 12))
      let none = try statements(
        ImportFixture.employees(size * 200..<size * 200 + count), by: [], batches: size)
      #expect(none.fetches == 0)
      #expect(none.all == new.all - 3)
      let unchanged = try statements(
        ImportFixture.employees(size * 100..<size * 100 + count), by: ["badge"], batches: size)
      #expect(unchanged.fetches == 3)
      #expect(unchanged.all == 3 * 5)
    }
  }

  @Test("OBJ-485: settings that make no sense are refused before the first record")
  func settings() throws {
    func code(_ entity: String = "Employee", _ configure: (inout BatchedImporter) -> Void) -> GraphStoreError
      .Code?
    {
      let importer = fixture.importer(entity, configure)
      do {
        try importer.importRecords(
          AnySequence<ImportRecord> { () -> AnyIterator<ImportRecord> in
            AnyIterator {
              Issue.record("A record was read")
              return nil
            }
          })
        return nil
      } catch { return (error as? GraphStoreError)?.code }
    }
    #expect(code("Employe") { _ in } == .unknownEntity)
    #expect(code { $0.key = ["bagde"] } == .unknownKey)
    #expect(code { $0.key = ["department"] } == .wrongPropertyKind)
    #expect(code { $0.key = ["address"] } == .wrongPropertyKind)
    #expect(code { $0.links = ["boss": "name"] } == .unknownKey)
    #expect(code { $0.links = ["salary": "name"] } == .wrongPropertyKind)
    #expect(code { $0.links = ["department": "title"] } == .unknownKey)
    #expect(code { $0.batchSize = 0 } == .invalidRequest)
  }
}
