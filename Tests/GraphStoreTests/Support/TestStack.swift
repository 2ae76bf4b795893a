import Foundation

@testable import GraphStore

/// A store, of the type that is tested at the moment, in a folder of its own that goes with the stack.
final class TestStack {
  let factory: StoreFactory
  let folder: URL
  let path: String
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext

  init(
    _ model: ModelDefinition, classes: [String: ManagedObject.Type] = [:],
    factory: StoreFactory = .current
  ) throws {
    self.factory = factory
    folder = FileManager.default.temporaryDirectory.appending(path: "graphstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "store.db").path
    coordinator = try factory.make(path, ManagedObjectModel(model), classes)
    context = ManagedObjectContext(coordinator: coordinator)
  }

  deinit {
    coordinator.close()
    factory.discard(path)
    try? FileManager.default.removeItem(at: folder)
  }

  /// Another context of the same coordinator.
  func newContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: coordinator)
    others.append(context)
    return context
  }

  private var others: [ManagedObjectContext] = []

  /// Whether the type of the store has something.
  func has(_ feature: StoreFactory.Feature) -> Bool { !factory.lacks.contains(feature) }

  /// Takes the row of a record out behind everybody's back, and leaves links to it as they are.
  func removeRow(_ id: ManagedObjectID) throws { try factory.removeRow(self, id) }

  /// A context of another coordinator on the same file, or what stands for it, kept as long as the stack.
  func otherProcess() throws -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: try factory.reopen(self))
    others.append(context)
    return context
  }

  /// Runs statements and tells how many the stores have run for it; none, where the type has none.
  func statements(_ body: () throws -> Void) rethrows -> Int {
    let before = coordinator.statementCount
    try body()
    return has(.statements) ? coordinator.statementCount - before : 0
  }
}

extension ManagedObjectContext {
  /// Inserts an object with values by key.
  @discardableResult
  func insert(_ entity: String, _ values: [String: Any]) throws -> ManagedObject {
    let object = try insert(entityNamed: entity)
    for (key, value) in values { try object.setValue(value, forKey: key) }
    return object
  }

  func all(_ entity: String, _ predicate: String? = nil, sort: [String] = []) throws -> [ManagedObject] {
    try fetch(
      FetchRequest(
        entityName: entity, predicate: predicate.map { try QueryPredicate(parsing: $0) },
        sortDescriptors: try sort.map { try QuerySortDescriptor(parsing: $0) }))
  }
}

extension ManagedObject {
  func names(_ key: String) throws -> [String] {
    try objects(forKey: key).compactMap { try $0.value(forKey: "name") as? String }
  }

  func string(_ key: String) throws -> String? { try value(forKey: key) as? String }
}

/// A condition inside a body whose statements are counted.
func check(_ condition: Bool) throws {
  struct Failed: Error {}
  if !condition { throw Failed() }
}
