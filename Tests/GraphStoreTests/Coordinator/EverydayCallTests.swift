import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Calls of every day")
struct EverydayCallTests {
  private enum Company: ObjectModel {
    static let whole = Result { try ManagedObjectModel(TestModels.company()) }
    static var model: ManagedObjectModel { get throws { try whole.get() } }
    static let classes: [String: ManagedObject.Type] = [:]
  }

  @Test("Contexts, policies and requests print what they are")
  func descriptions() throws {
    let stack = try TestStack(TestModels.company())
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    #expect("\(context)" == "ManagedObjectContext (private queue)")
    context.name = "import"
    #expect("\(context)" == "ManagedObjectContext \"import\" (private queue)")
    #expect("\(MergePolicy.overwrite)" == "MergePolicy.overwrite")
    var request = FetchRequest(entityName: "Employee")
    #expect("\(request)" == "Employee")
    request.predicate = try QueryPredicate(parsing: "salary > 75000")
    request.sortDescriptors = try [
      QuerySortDescriptor(parsing: "-salary"), QuerySortDescriptor(parsing: "name"),
    ]
    (request.fetchLimit, request.fetchOffset) = (10, 5)
    #expect("\(request)" == "Employee where salary > 75000 sorted by -salary,name, limit 10, offset 5")
  }

  @Test("FET-020: requests are equal that ask for the same, and serve as keys")
  func equalRequests() throws {
    var first = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate(parsing: "salary > $least"))
    var second = first
    #expect(first == second && Set([first, second]).count == 1)
    first.variables = ["least": .int(1)]
    #expect(first != second)
    second.variables = ["least": .int(1)]
    #expect(first == second && first.hashValue == second.hashValue)
    second.fetchLimit = 3
    #expect(first != second && Set([first, second]).count == 2)
  }

  @Test("A flag is negated as a condition is")
  func flags() {
    let flag = AttributeKey<ManagedObject, Bool>("flag")
    #expect((!flag).queryPredicate == (flag == false).queryPredicate)
  }

  @Test(
    "PAT-218: a store of a model is opened, or made where there is none, and a container takes the model with its classes"
  )
  func models() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "graphstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "company.db").path
    let reading = #expect(throws: GraphStoreError.self) {
      _ = try Company.openOrCreateStore(at: path, options: StoreOptions(isReadOnly: true))
    }
    #expect(reading?.code == .storeNotFound)
    for count in 1...2 {
      let coordinator = try Company.openOrCreateStore(at: path)
      let context = ManagedObjectContext(coordinator: coordinator)
      try context.insert("Employee", ["name": "\(count)"])
      try context.save()
      #expect(try context.all("Employee").count == count)
      coordinator.close()
    }
    let container = try PersistentContainer(name: "company", model: Company.self)
    #expect(try container.managedObjectModel === Company.model)
  }
}
