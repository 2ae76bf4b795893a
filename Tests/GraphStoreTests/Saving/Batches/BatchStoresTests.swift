import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// Batch requests over several stores.
struct BatchStoresTests {
  private let stack: SeveralStores
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try SeveralStores()
    for store in 0..<2 {
      for number in 0..<3 { try stack.insert("Employee", ["name": "e\(number)"], into: store) }
    }
    try context.save()
  }

  private func names(_ store: Int) throws -> [String] { try stack.names("Employee", in: store).sorted() }

  @Test("FET-215: affectedStores restricts what is written and deleted; none at all is nothing to be written")
  func affectedStores() throws {
    var update = BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["name": "A"])
    update.affectedStores = [stack.stores[0]]
    #expect(try context.execute(update).count == 3)
    #expect(try names(0) == ["A", "A", "A"] && names(1) == ["e0", "e1", "e2"])
    update.propertiesToUpdate = ["name": try QueryExpression(parsing: "uppercase:(name)")]
    update.affectedStores = [stack.stores[1]]
    #expect(try context.execute(update).count == 3)
    #expect(try names(0) == ["A", "A", "A"] && names(1) == ["E0", "E1", "E2"])
    update.affectedStores = []
    #expect(try context.execute(update).count == 0)
    var deletion = BatchDeleteRequest(FetchRequest(entityName: "Employee"))
    deletion.affectedStores = [stack.stores[0]]
    #expect(try context.execute(deletion).count == 3)
    #expect(try names(0).isEmpty && names(1).count == 3)
    var insertion = BatchInsertRequest(entityName: "Employee", objects: [["name": "new"]])
    insertion.affectedStores = [stack.stores[1]]
    #expect(try context.execute(insertion).count == 1)
    #expect(try names(0).isEmpty && names(1).count == 4)
    insertion.affectedStores = []
    #expect(code { _ = try context.execute(insertion) } == .invalidRequest)
  }

  @Test("FET-215: stores of another coordinator are unknown, also beside those of a fetch")
  func unknownStores() throws {
    let other = try SeveralStores()
    var fetch = FetchRequest(entityName: "Employee")
    fetch.affectedStores = [stack.stores[0]]
    var deletion = BatchDeleteRequest(fetch)
    deletion.affectedStores = [other.stores[0]]
    #expect(code { _ = try context.execute(deletion) } == .unknownStore)
    #expect(try names(0).count == 3)
  }

  @Test("FET-215: only stores that take part have to be open for writing")
  func readOnly() throws {
    let ids = try context.all("Employee").map(\.objectID)
    let paths = stack.stores.map(\.path)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: paths[0])
    defer { coordinator.close() }
    var options = StoreOptions()
    options.isReadOnly = true
    let closed = try coordinator.addStore(at: paths[1], options: options)
    let context = ManagedObjectContext(coordinator: coordinator)
    var update = BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["name": "A"])
    #expect(code { _ = try context.execute(update) } == .readOnlyStore)
    update.affectedStores = coordinator.persistentStores.filter { $0.path != closed.path }
    #expect(try context.execute(update).count == 3)
    let first = update.affectedStores?.first?.identifier.uuidString
    let named = ids.filter { $0.uriRepresentation.host() == first }
      .compactMap { coordinator.managedObjectID(forURIRepresentation: $0.uriRepresentation) }
    #expect(try context.execute(BatchDeleteRequest(objectIDs: named)).count == named.count)
    #expect(named.count == 3)
  }

  private func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? GraphStoreError)?.code }
  }
}
