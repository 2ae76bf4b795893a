import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Statistics of stores")
struct StoreStatisticsTests {
  private func store(_ folder: LayoutFolder) throws -> PersistentStoreCoordinator {
    let coordinator = try PersistentStoreCoordinator.create(
      storeAt: folder.file("s"), model: ManagedObjectModel(TestModels.company()))
    let context = ManagedObjectContext(coordinator: coordinator)
    let sales = try context.insert("Department", ["name": "Sales"])
    for number in 0..<10 {
      let employee = try context.insert(
        "Employee", number < 6 ? ["name": "abc", "salary": number % 3 + 1000] : [:])
      if number < 2 { try employee.setValue(sales, forKey: "department") }
    }
    try context.insert("Manager", ["name": "\u{e9}", "budget": Decimal(5)])
    try context.save()
    return coordinator
  }

  @Test("STO-202: rows, bytes, missing and distinct values of each entity are those of its own objects")
  func values() throws {
    let folder = try LayoutFolder()
    try store(folder).close()
    let statistics = try StoreStatistics.read(path: folder.file("s"))
    #expect(statistics.map(\.name).sorted() == ["Department", "Desk", "Employee", "Manager", "Project"])
    let employee = try #require(statistics.first { $0.name == "Employee" })
    #expect(employee.rows == 10)
    let byName = Dictionary(uniqueKeysWithValues: employee.properties.map { ($0.name, $0) })
    #expect(byName["name"]?.missing == 4 && byName["name"]?.distinct == 1 && byName["name"]?.bytes == 18)
    #expect(byName["salary"]?.missing == 4 && byName["salary"]?.distinct == 3)
    #expect(byName["salary"]?.bytes == 12)
    #expect(byName["department"]?.missing == 8 && byName["department"]?.distinct == 1)
    #expect(byName["budget"] == nil && byName["reports"] == nil)
    let manager = try #require(statistics.first { $0.name == "Manager" })
    #expect(manager.rows == 1 && manager.properties.first { $0.name == "name" }?.bytes == 2)
    #expect(manager.properties.first { $0.name == "budget" }?.distinct == 1)
    #expect(statistics.first { $0.name == "Project" }?.rows == 0)
  }

  @Test("STO-202: the indexes are named that begin with a property, and whether SQLite has statistics")
  func indexes() throws {
    let folder = try LayoutFolder()
    let coordinator = try store(folder)
    let path = folder.file("s")
    func department() throws -> (isAnalyzed: Bool, indexes: [String]) {
      let employee = try StoreStatistics.read(path: path, entity: "Employee")
      #expect(employee.first?.indexCount ?? 0 > 2)
      return (
        employee[0].isAnalyzed,
        employee[0].properties.first { $0.name == "department" }?.indexes ?? []
      )
    }
    #expect(try department().indexes == ["ZEMPLOYEE_ZDEPARTMENT_INDEX"])
    #expect(try !department().isAnalyzed)
    try coordinator.persistentStores[0].analyze()
    #expect(try department().isAnalyzed)
    #expect(
      try StoreStatistics.read(path: path, entity: "Employee")[0].properties
        .first { $0.name == "name" }?.indexes == [])
    coordinator.close()
  }

  @Test("STO-202: an unknown entity is told with the names near it; what is no store is refused")
  func refused() throws {
    let folder = try LayoutFolder()
    try store(folder).close()
    let error = #expect(throws: GraphStoreError.self) {
      try StoreStatistics.read(path: folder.file("s"), entity: "Employe")
    }
    #expect(error?.code == .unknownEntity && error?.suggestions == ["Employee"])
    let missing = #expect(throws: GraphStoreError.self) { try StoreStatistics.read(path: folder.file("no")) }
    #expect(missing?.code == .storeNotFound)
    #expect(try folder.state().keys.sorted() == ["s"])
  }
}
