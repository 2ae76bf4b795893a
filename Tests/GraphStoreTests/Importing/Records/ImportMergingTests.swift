import Foundation
import Testing

@testable import GraphStore

/// What other contexts and stores see of an import.
@Suite("Imports beside other contexts", .everyStore, .needs(.chosenKeys))
struct ImportMergingTests {
  private let fixture: ImportFixture
  private var stack: TestStack { fixture.stack }

  init() throws { fixture = try ImportFixture() }

  @Test(
    "OBJ-485, CTX-276: contexts that merge by themselves get new records, members and values once a batch is committed"
  )
  func merging() throws {
    try fixture.importer("Department").importRecords([["name": "Labs"]])
    try fixture.importer().importRecords([["badge": 1, "name": "Ada"]])
    let here = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    here.automaticallyMergesChangesFromParent = true
    nonisolated(unsafe) var held: [ManagedObject] = []
    nonisolated(unsafe) var list: FetchedResultsController<ManagedObject>?
    nonisolated(unsafe) var snapshots: AsyncStream<FetchedResultsSnapshot>?
    try here.performAndWait {
      held = [try here.all("Department")[0], try here.all("Employee")[0]]
      #expect(try held[0].names("employees").isEmpty)
      #expect(try held[1].string("name") == "Ada")
      let controller = try FetchedResultsController(
        fetchRequest: FetchRequest(
          entityName: "Employee", sortDescriptors: [try QuerySortDescriptor(parsing: "badge")]), context: here
      )
      try controller.performFetch()
      // Somebody follows the list.
      snapshots = controller.snapshots
      list = controller
    }
    func names() throws -> [String?] {
      stack.coordinator.finishPendingWork()
      return try here.performAndWait { try (list?.fetchedObjects ?? []).map { try $0.string("name") } }
    }
    let importer = fixture.importer(by: ["badge"]) {
      $0.links = ["department": "name"]
      $0.batchSize = 2
    }
    try importer.importRecords([
      ["badge": 2, "name": "Bob", "department": "Labs"], ["badge": 1, "name": "Eve"],
      ["badge": 3, "name": "Cy"],
    ])
    #expect(try names() == ["Eve", "Bob", "Cy"])
    #expect(try here.performAndWait { try held[0].names("employees") } == ["Bob"])
    #expect(try here.performAndWait { try held[1].string("name") } == "Eve")
    #expect(throws: GraphStoreError.self) {
      try importer.importRecords([["badge": 4, "name": "Dee"], ["badge": 5, "name": nil]])
    }
    #expect(try names() == ["Eve", "Bob", "Cy"])
    #expect(snapshots != nil)
    here.performAndWait { (held, list, snapshots) = ([], nil, nil) }
  }
}

/// Where an import goes, and what is saved with it.
@Suite("Imports and stores")
struct ImportStoreTests {
  @Test("OBJ-485: records go to the store that is named, and objects of others are not theirs")
  func stores() throws {
    let stack = try SeveralStores()
    try stack.insert("Employee", ["name": "Ada", "salary": 1], into: 0)
    try stack.context.save()
    var importer = BatchedImporter(entityName: "Employee", coordinator: stack.coordinator)
    importer.key = ["name"]
    importer.store = stack.stores[1]
    let result = try importer.importRecords([["name": "Ada"], ["name": "Bob"]])
    #expect(result.inserted == 2)
    #expect(try stack.names("Employee", in: 0) == ["Ada"])
    #expect(try stack.names("Employee", in: 1) == ["Ada", "Bob"])
    importer.store = nil
    #expect(try importer.importRecords([["name": "Ada", "salary": 5]]).updated == 1)
    let here = try stack.context.all("Employee", "salary == 5")
    #expect(here.map(\.objectID.shortForm) == ["Employee/p1"])
    importer.links = [:]
    importer.store = stack.stores[1]
    let error = failure { try importer.importRecords([["name": "Cy", "manager": here[0].objectID]]) }
    #expect(error?.code == .crossStoreRelationship)
  }

  @Test("OBJ-485, OBJ-494: a flag in the metadata and the imported data are saved together, or neither")
  func once() throws {
    let fixture = try ImportFixture()
    let stack = fixture.stack
    func imported(_ records: [ImportRecord]) throws -> Bool {
      guard try stack.coordinator.metadata()["defaults"] == nil else { return false }
      try stack.coordinator.transaction(with: stack.context) { transaction in
        try fixture.importer().importRecords(records, in: transaction)
        try stack.coordinator.setMetadata(
          ["defaults": .bool(true)], for: stack.coordinator.persistentStores[0])
        try stack.context.save()
      }
      return true
    }
    #expect(throws: GraphStoreError.self) { try imported([["name": "a"], ["name": nil]]) }
    let other = try stack.otherProcess()
    #expect(try other.coordinator.metadata()["defaults"] == nil)
    #expect(try imported([["name": "a"], ["name": "b"]]))
    #expect(try !imported([["name": "a"], ["name": "b"]]))
    let third = try stack.otherProcess()
    #expect(try third.coordinator.metadata()["defaults"] == .bool(true))
    #expect(try fixture.lines() == ["a", "b"])
  }
}
