import CFloors
import Foundation
import GraphStore

/// Stores of the project's own making, which the floors fill: they have the same layout.
struct ProjectStore {
  static let classes: [String: ManagedObject.Type] = [
    "NumbersObject": NumbersObject.self, "MixedObject": MixedObject.self, "RootObject": RootObject.self,
    "BranchObject": BranchObject.self, "LeafObject": LeafObject.self,
    "OrderObject": OrderObject.self, "TeamObject": TeamObject.self, "WorkerObject": WorkerObject.self,
  ]

  let files: WorkFiles
  let model: String

  /// The path of a store, made and filled the first time it is asked for.
  func template(_ name: String, _ fill: (FloorStore) throws -> Void) throws -> String {
    try files.template("project-" + name) { path in
      let model = try ManagedObjectModel(contentsOf: model)
      try PersistentStoreCoordinator.create(storeAt: path, model: model).close()
      try fill(try FloorStore(path))
    }
  }

  func numbers(rows: Int64) throws -> String {
    try template("numbers-\(rows).db") { try $0.fillNumbers(rows) }
  }

  /// The employees of the command's workloads, saved by the project itself.
  func employees() throws -> String {
    try files.template("project-employees.db") { path in
      let model = try ManagedObjectModel(contentsOf: model)
      let coordinator = try PersistentStoreCoordinator.create(storeAt: path, model: model)
      let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
      for row in 1...Employees.count {
        var data = data_employee_row()
        data_employee(row, &data)
        let employee = try context.insert(entityNamed: "Employee")
        try employee.setValue(Decimal(data.salary_cents) / 100, forKey: "salary")
        let name = withUnsafeBytes(of: data.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        try employee.setValue(name, forKey: "name")
      }
      try context.save()
      coordinator.close()
    }
  }

  static func open(_ path: String) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator.open(storeAt: path, classes: classes)
  }
}
