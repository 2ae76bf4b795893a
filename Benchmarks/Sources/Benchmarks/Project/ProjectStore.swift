import GraphStore

/// Stores of the project's own making, which the floors fill: they have the same layout.
struct ProjectStore {
  private static let classes: [String: ManagedObject.Type] = [
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

  static func open(_ path: String) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator.open(storeAt: path, classes: classes)
  }
}
