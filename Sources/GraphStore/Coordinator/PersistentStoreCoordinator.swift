import Foundation
import GraphStoreModel
import Synchronization

/// Stands between contexts and stores: one model, the stores opened under it, and the order in which they are used.
///
/// A coordinator may be used from any thread. Calls that reach a store wait for each other; a
/// ``transaction(_:)`` holds the others off until it ends.
public final class PersistentStoreCoordinator: @unchecked Sendable {
  /// The model, given when the coordinator is made and never replaced (MDL-010).
  public let managedObjectModel: ManagedObjectModel
  let layout: ModelLayout
  let temporaryScope: StoreIdentity
  private(set) var stores: [any PersistentStore] = []
  let lock = NSRecursiveLock()
  /// How many transactions are open inside each other.
  var transactionDepth = 0
  /// Contexts that saved inside the transaction, to be reset if it is taken back.
  var contextsInTransaction: [ManagedObjectContext] = []
  let classes: ClassTable
  private let temporaryKeys = Atomic<Int64>(0)
  private let saves = Atomic<Int>(0)

  /// Makes a coordinator for a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - classes: Swift classes by the `className` of the entities they represent; an entity without one is represented
  ///     by `ManagedObject`. Where some are given and one is missing, ``/GraphStoreModel/ModelWarning`` is told once a
  ///     process and entity.
  public convenience init(model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:]) {
    self.init(layout: ModelLayout(model), classes: classes)
  }

  private init(layout: ModelLayout, classes: [String: ManagedObject.Type]) {
    let model = layout.model
    managedObjectModel = model
    self.layout = layout
    temporaryScope = StoreIdentity(uuid: UUID().uuidString, model: model)
    self.classes = ClassTable(model, classes)
    guard !classes.isEmpty, !model.requiresClasses else { return }
    for finding in ClassWarning.shared.news(self.classes.unregistered) { ModelWarning.post(finding) }
  }

  /// A coordinator over one store, with the layouts that the store was opened with.
  convenience init(_ store: SQLiteStore, _ classes: [String: ManagedObject.Type]) {
    self.init(layout: store.layout, classes: classes)
    add(store)
  }

  func add(_ store: any PersistentStore) {
    locked { stores.append(store) }
  }

  /// Lets go of every store; objects of its contexts cannot be loaded any more.
  public func close() {
    locked {
      for store in stores { store.close() }
      stores = []
    }
  }

  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// How often rows have changed through this coordinator: rows attached to faults before may be old.
  var saveCount: Int { saves.load(ordering: .acquiring) }

  func noteSave() { saves.add(1, ordering: .acquiringAndReleasing) }

  func nextTemporaryKey() -> Int64 { temporaryKeys.subtract(1, ordering: .relaxed).newValue }

  /// The store that new objects go to.
  ///
  /// - Throws: `no-store` when none is open, `read-only-store` when none can be written.
  func writableStore() throws -> (index: Int, store: any PersistentStore) {
    guard let first = stores.first else { throw noStore() }
    guard let index = stores.firstIndex(where: { !$0.isReadOnly }) else {
      throw readOnlyStore(first)
    }
    return (index, stores[index])
  }

  private func readOnlyStore(_ store: any PersistentStore) -> GraphStoreError {
    if let obstacle = store.warnings.first(where: \.preventsWriting) {
      return GraphStoreError(
        .readOnlyStore, "\(obstacle.message) It is open for reading only.", remedy: obstacle.remedy)
    }
    return GraphStoreError(
      .readOnlyStore, "\(store.path) was opened for reading only.",
      remedy: "Open it for writing, with the right to write the file and its folder.")
  }

  /// Says of each store why it does not take new objects of an entity.
  func noStore(for entity: EntityDescription, _ id: ManagedObjectID? = nil) -> GraphStoreError {
    let reasons = stores.map { store in
      if store.isReadOnly { return "\(store.path) was opened for reading only" }
      let name = store.entities.configuration ?? ""
      return "\(store.path) holds the configuration \(name), which does not have \(entity.name)"
    }
    var error = GraphStoreError(
      .noStoreForObject, "No store takes objects of \(entity.name).",
      remedy: "Add \(entity.name) to a configuration, or open a store that holds it. Nothing was written.",
      entity: entity.name, objectID: id)
    error.details = reasons
    return error
  }

  func noStore() -> GraphStoreError {
    GraphStoreError(.noStore, "No store is open.", remedy: "Open a store before it is asked for objects.")
  }
}
