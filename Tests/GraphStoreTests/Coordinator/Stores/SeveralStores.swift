import Foundation
import GraphStoreModel
import GraphStoreSQLite

@testable import GraphStore

/// Stores in a folder of their own under one coordinator, all of which go with the stack.
final class SeveralStores {
  let folder: LayoutFolder
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext
  let stores: [PersistentStoreReference]
  private var others: [ManagedObjectContext] = []

  /// - Parameter configurations: One for each store.
  init(_ model: ModelDefinition = TestModels.company(), _ configurations: [String?] = [nil, nil]) throws {
    folder = try LayoutFolder()
    coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(model))
    context = ManagedObjectContext(coordinator: coordinator)
    stores = try configurations.enumerated().map { [coordinator, folder] number, configuration in
      try coordinator.addStore(at: folder.file("\(number).db"), configuration: configuration)
    }
  }

  deinit { coordinator.close() }

  func path(_ number: Int) -> String { folder.file("\(number).db") }

  func newContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: coordinator)
    others.append(context)
    return context
  }

  /// Inserts an object that is going to be in a store.
  @discardableResult
  func insert(
    _ entity: String, _ values: [String: Any], into number: Int? = nil
  ) throws -> ManagedObject {
    let object = try context.insert(entity, values)
    if let number { try context.assign(object, to: stores[number]) }
    return object
  }

  /// The names of an entity's objects in one of the files, read by another coordinator.
  func names(_ entity: String, in number: Int) throws -> [String] {
    let other = try PersistentStoreCoordinator.open(
      storeAt: path(number), options: StoreOptions(isReadOnly: true))
    defer { other.close() }
    let context = ManagedObjectContext(coordinator: other)
    return try context.all(entity, sort: ["name"]).map { try $0.string("name") ?? "" }
  }

  /// What is wrong with the files.
  func findings() throws -> [String] {
    try stores.flatMap { try StoreCheck.run(path: $0.path).flatMap(\.findings).map { "\($0)" } }
  }

  func pool(_ number: Int) -> SQLiteConnectionPool? { (stores[number].mount.store as? SQLiteStore)?.pool }

  /// A connection of one of the stores, which has no other as long as one thread uses it.
  func connection(_ number: Int) throws -> SQLiteConnection {
    struct NotSQLite: Error {}
    guard let pool = pool(number) else { throw NotSQLite() }
    let taken = try pool.takeReader(takesReaderSlot: true)
    defer { pool.giveBackReader(taken, takesReaderSlot: true) }
    return taken.connection
  }
}

/// The code of the error that a body throws.
func code(_ body: () throws -> Void) -> GraphStoreError.Code? { failure(body)?.code }

/// The error that a body throws.
func failure(_ body: () throws -> Void) -> GraphStoreError? {
  do {
    try body()
    return nil
  } catch {
    return error as? GraphStoreError
  }
}
