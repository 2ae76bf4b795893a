import Foundation
import Testing

@testable import GraphStore

/// Links that records give by keys and identifiers of their destinations.
@Suite("Links of imported records", .everyStore, .needs(.chosenKeys))
struct ImportLinkTests {
  private let fixture: ImportFixture
  private var stack: TestStack { fixture.stack }

  init() throws {
    fixture = try ImportFixture()
    try fixture.importer("Department").importRecords([
      ["name": "Labs", "number": 1], ["name": "Sales", "number": 2],
    ])
  }

  /// An importer of employees that name departments and managers by their keys.
  private func linking(_ configure: (inout BatchedImporter) -> Void = { _ in }) -> BatchedImporter {
    fixture.importer {
      $0.links = ["department": "name", "manager": "badge"]
      configure(&$0)
    }
  }

  @Test(
    "OBJ-489, OBJ-495: links by keys of destinations, of which some come later, are those that linking at once makes"
  )
  func keys() throws {
    for size in [1, 2, 100] {
      let fixture = try ImportFixture()
      try fixture.importer("Department").importRecords([["name": "Labs"], ["name": "Sales"]])
      for mode in [ImportErrorMode.stop, .skip, .transaction] {
        let (first, badge) = ("\(size)\(mode)", size * 100 + (mode == .stop ? 0 : mode == .skip ? 10 : 20))
        let importer = fixture.importer {
          $0.links = ["department": "name", "manager": "badge"]
          $0.batchSize = size
          $0.errorMode = mode
        }
        let result = try importer.importRecords([
          ["name": "\(first)a", "badge": badge + 1, "department": "Sales", "manager": badge + 3],
          ["name": "\(first)b", "badge": badge + 2, "department": "Labs", "manager": badge + 1],
          ["name": "\(first)c", "badge": badge + 3, "department": nil],
          ["name": "\(first)d", "badge": badge + 4, "manager": badge + 2],
        ])
        #expect(result.inserted == 4 && result.rejects.isEmpty)
        let lines = try fixture.lines("department.name", "manager.name").filter { $0.hasPrefix(first) }
        #expect(
          lines == [
            "\(first)a Sales \(first)c", "\(first)b Labs \(first)a", "\(first)c - -", "\(first)d - \(first)b",
          ])
      }
      let context = fixture.stack.newContext()
      let bosses = try context.all("Employee", "name ENDSWITH 'c'")
      #expect(try bosses.allSatisfy { try $0.names("reports").count == 1 })
    }
  }

  @Test("OBJ-552: destinations that are not there are made once each, and counted", arguments: [1, 2, 100])
  func created(size: Int) throws {
    for mode in [ImportErrorMode.stop, .skip, .transaction] {
      let fixture = try ImportFixture()
      try fixture.importer("Department").importRecords([["name": "Labs"]])
      let importer = fixture.importer {
        $0.links = ["department": "name", "manager": "name"]
        $0.createsLinks = true
        $0.batchSize = size
        $0.errorMode = mode
      }
      let result = try importer.importRecords([
        ["name": "a", "department": "Optics", "manager": "c"],
        ["name": "b", "department": "Optics", "manager": "z"],
        ["name": "c", "department": "Labs", "manager": "z"],
      ])
      #expect(result.inserted == 3 && result.created == ["Department": 1, "Employee": 1])
      #expect(
        try fixture.lines("department.name", "manager.name") == [
          "a Optics c", "b Optics z", "c Labs z", "z - -",
        ])
      #expect(try fixture.stack.newContext().count(for: FetchRequest(entityName: "Department")) == 2)
    }
  }

  @Test("OBJ-552: a destination that needs more is refused by name, and left-out records make none")
  func refusedCreation() throws {
    let importer = linking {
      $0.links = ["department": "number", "manager": "badge"]
      $0.createsLinks = true
      $0.errorMode = .skip
    }
    let result = try importer.importRecords([
      ["name": "a", "department": 7], ["name": "b", "department": 1], ["name": nil, "department": 8],
    ])
    #expect(result.inserted == 1 && result.created.isEmpty)
    #expect(result.rejects.map(\.recordPosition) == [0, 2] && result.rejects.first?.code == .unresolvedLink)
    #expect(result.rejects.first?.message.contains("Department needs a value for name too") == true)
    #expect(try stack.newContext().count(for: FetchRequest(entityName: "Department")) == 2)
  }

  @Test("OBJ-489: a batch finds all destinations of a relationship with one fetch")
  func fetches() throws {
    guard stack.has(.statements) else { return }
    for count in [10, 100] {
      let texts = try stack.recordedStatements {
        try linking { $0.batchSize = count / 2 }.importRecords(
          (0..<count).map { ["name": "\($0)", "department": $0 % 2 == 0 ? "Labs" : "Sales"] })
      }
      let fetches = texts.filter {
        $0.hasPrefix("SELECT") && $0.contains("ZNAME") && $0.contains("DEPARTMENT")
      }
      // One for each of two batches: between them others may write.
      #expect(fetches.count == 2)
    }
  }

  @Test(
    "DGN-241, OBJ-489: what is found nowhere is told with position, key and value, and its record is not written"
  )
  func unresolved() throws {
    let records: [ImportRecord] = [
      ["name": "a", "badge": 1], ["name": "b", "department": "Moon"], ["name": "c", "manager": 77],
      ["name": "d", "manager": 1],
    ]
    let result = try linking { $0.errorMode = .skip }.importRecords(records)
    #expect(result.rejects.map(\.code) == [.unresolvedLink, .unresolvedLink])
    #expect(result.rejects.map(\.recordPosition) == [1, 2])
    #expect(result.rejects.map(\.property) == ["department", "manager"])
    #expect(result.rejects.map(\.value) == [.string("Moon"), .string("77")])
    #expect(try fixture.lines("manager.name") == ["a -", "d a"])
    for (mode, left) in [(ImportErrorMode.stop, ["a -", "d a"]), (.transaction, ["a -", "d a"])] {
      let error = try #require(throws: GraphStoreError.self) {
        try linking { $0.errorMode = mode }.importRecords([["name": "e"], ["name": "f", "manager": 78]])
      }
      #expect((error.code, error.recordPosition, error.property) == (.unresolvedLink, 1, "manager"))
      #expect(try fixture.lines("manager.name").filter { $0 != "e -" } == left)
    }
  }

  @Test(
    "OBJ-488, OBJ-489: a record that links to one that is left out is left out too, and what is left is whole"
  )
  func dependents() throws {
    for size in [1, 2, 10] {
      let fixture = try ImportFixture()
      let importer = fixture.importer {
        $0.links = ["manager": "badge"]
        $0.errorMode = .skip
        $0.batchSize = size
      }
      let result = try importer.importRecords([
        ["name": "a", "badge": 1, "manager": 4], ["name": "b", "badge": 2, "manager": 5],
        ["name": "c", "badge": 3, "salary": -1], ["name": "d", "badge": 4],
        ["name": "e", "badge": 5, "manager": 6], ["name": "f", "badge": 6, "manager": 99],
      ])
      #expect(result.rejects.map(\.recordPosition) == [1, 2, 4, 5])
      #expect(result.inserted == 2)
      #expect(try fixture.lines("manager.name") == ["a d", "d -"])
    }
  }

  @Test("OBJ-489: identifiers, their texts and URIs name stored objects; temporary ones are refused")
  func identifiers() throws {
    let labs = try stack.newContext().all("Department", "name == 'Labs'")[0].objectID
    let unsaved = try stack.context.insert(entityNamed: "Department").objectID
    let result = try fixture.importer { $0.errorMode = .skip }.importRecords([
      ["name": "a", "department": labs], ["name": "b", "department": labs.shortForm],
      ["name": "c", "department": labs.uriRepresentation], ["name": "d", "department": unsaved],
      ["name": "e", "department": "Department/p99"], ["name": "f", "department": 5],
    ])
    #expect(result.rejects.map(\.recordPosition) == [3, 4, 5])
    #expect(result.rejects.map(\.code) == [.temporaryID, .unresolvedLink, .unresolvedLink])
    #expect(try fixture.lines("department.name") == ["a Labs", "b Labs", "c Labs"])
  }

  @Test("OBJ-489, OBJ-490: a to-many takes a list, in the order of an ordered one; a record replaces it")
  func toMany() throws {
    try fixture.importer().importRecords(ImportFixture.employees(1..<5))
    let importer = fixture.importer("Project", by: ["title"]) { $0.links = ["members": "badge"] }
    try importer.importRecords([["title": "P", "members": [3, 1, 2]], ["title": "Q", "members": [1]]])
    func members(_ title: String) throws -> [String] {
      try stack.newContext().all("Project", "title == '\(title)'")[0].names("members")
    }
    #expect(try members("P") == ["E3", "E1", "E2"])
    try importer.importRecords([["title": "P", "members": [2, 4]], ["title": "Q"]])
    #expect(try members("P") == ["E2", "E4"])
    #expect(try members("Q") == ["E1"])
    try importer.importRecords([["title": "P", "members": nil]])
    #expect(try members("P").isEmpty)
    let error = try #require(throws: GraphStoreError.self) {
      try importer.importRecords([["title": "P", "members": 3]])
    }
    #expect(error.code == .wrongCardinality)
  }

  @Test("OBJ-490: an updated object gets, keeps and loses links as its record says")
  func updates() throws {
    try linking().importRecords([
      ["name": "a", "badge": 1, "department": "Labs"],
      ["name": "b", "badge": 2, "department": "Labs", "manager": 1],
    ])
    let importer = linking { $0.key = ["badge"] }
    try importer.importRecords([["badge": 1, "department": "Sales"], ["badge": 2, "department": nil]])
    #expect(try fixture.lines("department.name", "manager.name") == ["a Sales -", "b - a"])
    let department = try stack.newContext().all("Department", "name == 'Sales'")[0]
    #expect(try department.names("employees") == ["a"])
  }

  @Test("OBJ-487, OBJ-489: records that wait are kept as they were given, values of every type")
  func waiting() throws {
    let tag = UUID()
    let joined = Date(timeIntervalSinceReferenceDate: 1.0 / 3)
    for mode in [ImportErrorMode.stop, .skip] {
      let fixture = try ImportFixture()
      try fixture.importer { $0.key = ["badge"] }.importRecords([
        ["badge": 1, "name": "a", "email": "x", "salary": 1]
      ])
      let importer = fixture.importer {
        $0.key = ["badge"]
        $0.links = ["manager": "badge"]
        $0.batchSize = 1
        $0.errorMode = mode
      }
      try importer.importRecords([
        [
          "badge": 1, "manager": 2, "email": nil, "bonus": Decimal(string: "0.1"), "joined": joined,
          "tag": tag,
          "notes": Data([1]), "address": ["city": "Rome", "rent": Decimal(2)] as [String: any Sendable],
        ], ["badge": 2, "name": "b"],
      ])
      let employee = try fixture.stack.newContext().all("Employee", "badge == 1")[0]
      #expect(try fixture.lines("manager.name", "email", "bonus", "tag", "salary")[0] == "a b - 0.1 \(tag) 1")
      #expect(try employee.value(forKey: "joined") as? Date == joined)
      #expect(try employee.value(forKey: "notes") as? Data == Data([1]))
      #expect(try employee.value(forKeyPath: "address.rent") as? Decimal == 2)
    }
  }
}
