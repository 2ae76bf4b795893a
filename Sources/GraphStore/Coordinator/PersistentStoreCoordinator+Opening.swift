import Foundation
import GraphStoreModel
import GraphStorePredicates

extension PersistentStoreCoordinator {
  /// Opens the store at a path under the model that it carries, or under a passed one.
  ///
  /// No file is made. A model that is passed has to have the version hashes that the store records: of its
  /// entities, or of those of the configuration that the options name. A store of Core Data is compared with
  /// the model that it carries. Findings about the file that do not keep it from being read are listed by
  /// ``warnings``. With ``StoreOptions/migratesAutomatically`` a store of another version than the passed
  /// model is migrated first; where that fails it is as it was.
  ///
  /// - Throws: `unknown-configuration`, `store-not-found`, `not-a-store`, `store-corrupt`,
  ///   `store-permission`, `incompatible-model`, `no-model`; and as ``StoreMigration/run()``.
  public static func open(
    storeAt path: String, options: StoreOptions = StoreOptions(), model: ManagedObjectModel? = nil,
    classes: [String: ManagedObject.Type] = [:]
  ) throws -> PersistentStoreCoordinator {
    let store =
      try model.map { try openMigrating(path, options, model: $0) }
      ?? StoreRegistry.open(path, options, .carried)
    return PersistentStoreCoordinator(store, classes)
  }

  /// Makes a store at a path that is free, or holds an empty file, and opens it.
  ///
  /// With a configuration in the options it has tables for the configuration's entities only.
  ///
  /// At `/dev/null` it is a private SQLite database in memory, which all contexts of the coordinator share
  /// and which is released with it. It has one connection: fetches, saves and transactions take turns, and a
  /// call that waits for longer than the time-out throws `store-timeout`.
  ///
  /// - Throws: `unknown-configuration` before anything is made, `store-exists`, `store-permission`,
  ///   `disk-full`, `not-supported` and `model-too-wide` for a model that a store cannot hold.
  public static func create(
    storeAt path: String, model: ManagedObjectModel, options: StoreOptions = StoreOptions(),
    classes: [String: ManagedObject.Type] = [:]
  ) throws -> PersistentStoreCoordinator {
    let store = try StoreRegistry.driver(ofNew: options.type, at: path)
      .create(path, options, model, NewStoreForm())
    return PersistentStoreCoordinator(store, classes)
  }

  /// Makes a new, empty store in memory.
  ///
  /// It does everything that a store in a file does (contexts read beside each other, conflicts and
  /// uniqueness constraints are found, transactions are rolled back), and is released with the coordinator. A
  /// fetch costs time for each object of its entity, unless its predicate names objects or what a to-one
  /// leads to. The time-out and the configuration are the options that count.
  ///
  /// - Throws: `unknown-configuration`.
  public static func inMemory(
    model: ManagedObjectModel, options: StoreOptions = StoreOptions(),
    classes: [String: ManagedObject.Type] = [:]
  ) throws -> PersistentStoreCoordinator {
    let stored = try StoredEntities(model, configuration: options.configuration)
    let coordinator = PersistentStoreCoordinator(model: model, classes: classes)
    coordinator.add(StoreRegistry.makeInMemory(stored, layout: coordinator.layout, options))
    return coordinator
  }

  /// The path of the first store; nil where that is not kept in a file.
  public var storePath: String? { firstStore.flatMap { $0.isInFile ? $0.path : nil } }

  /// The UUID of the first store, in upper case.
  public var storeIdentifier: String? { firstStore?.scope.uuid }

  /// The configuration of the first store; nil where it holds all entities.
  public var storeConfiguration: String? { firstStore?.entities.configuration }

  /// Findings of opening the stores that prevent nothing but perhaps writing.
  ///
  /// A store whose triggers or history the library cannot keep right is open for reading only, whatever was
  /// asked for, and a save throws `read-only-store` with the reason.
  public var warnings: [StoreWarning] { mounts.flatMap(\.store.warnings) }

  /// Whether objects hold the values of an attribute; reading and setting others throws `not-supported`.
  ///
  /// They do not hold those of composite attributes in stores of Core Data, whose columns for them are not
  /// known.
  public func holds(_ attribute: AttributeDescription) -> Bool {
    layout.entities[attribute.entity.index].properties[attribute.number].kind != .none
  }

  /// Whether no store can be written.
  public var isReadOnly: Bool { mounts.allSatisfy(\.store.isReadOnly) }

  /// The number of statements that the open stores have run; by kind in ``counters``.
  public var statementCount: Int { mounts.reduce(0) { $0 + $1.store.statementCounts.total } }

  /// Brings the indexes of the first store into line with the model: makes those that are missing and removes
  /// those that the model does not have.
  ///
  /// A store whose indexes differ opens and works all the same; only some fetches are slower. Nothing else
  /// changes, and indexes that were made by hand, whose names do not begin with `Z`, stay. It takes the time
  /// of reading the tables once for each index that is made.
  ///
  /// - Throws: `no-store`, `read-only-store`, `store-timeout`, `disk-full`; nothing has changed then.
  @discardableResult
  public func rebuildIndexes() throws -> IndexChanges {
    try writableStore().store.write { session in
      guard let session = session as? any IndexWritingSession else {
        return IndexChanges(made: [], removed: [])
      }
      return try session.rebuildIndexes()
    }
  }

  /// The changes that ``rebuildIndexes()`` would make.
  public func indexDifference() throws -> IndexChanges {
    guard let store = firstStore else { throw noStore() }
    return try store.read(.severalStatements) { session in
      guard let session = session as? any IndexReadingSession else {
        return IndexChanges(made: [], removed: [])
      }
      return try session.indexDifference()
    }
  }
}
