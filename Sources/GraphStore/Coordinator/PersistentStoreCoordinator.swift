import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Synchronization

/// Coordinator between contexts and stores: has one model, and the stores opened under it.
///
/// A coordinator may be used from any thread. Contexts read beside each other and beside the one that saves:
/// each request sees one state of the store, before a save or after it. Saves of one store wait for each
/// other; a ``transaction(with:body:)`` makes several of them one.
///
/// ```swift
/// let coordinator = PersistentStoreCoordinator(model: model, classes: CompanyModel.classes)
/// try coordinator.addStore(at: "staff.db")
/// let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
/// ```
public final class PersistentStoreCoordinator: @unchecked Sendable {
  /// The model, passed when the coordinator is made and never replaced.
  public let managedObjectModel: ManagedObjectModel
  let layout: ModelLayout
  let temporaryScope: StoreIdentity
  private let mountTable = Mutex(MountTable())
  private let mountChanges = Atomic<Int>(0)
  let contexts = ContextList()
  let saveRelay = SaveRelay()
  /// The states to which contexts are pinned.
  let generations = QueryGenerationTable()
  /// Counts what contexts do, and notifies observers of it.
  let activity = ActivityMonitor()
  /// Watches over what others commit to the stores.
  let watches = StoreWatches()
  let exclusiveAccessQueue = ExclusiveAccessQueue()
  /// The queue of the coordinator's own blocks.
  let queue = ContextQueue(.coordinator, isGuarded: false)
  let openTransaction = Mutex<StoreTransaction?>(nil)
  /// Metadata that the next save writes.
  let pendingMetadata = Mutex(PendingMetadata())
  let classes: ClassTable
  /// Whether all work on the stores is to stop.
  let stopFlag = Atomic(false)
  private let temporaryKeys = Atomic<Int64>(0)
  private let saves = Atomic<Int>(0)
  private let removals = Atomic<Int>(0)

  /// Makes a coordinator for a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - classes: Swift classes by the `className` of the entities they represent; an entity without one is
  ///     represented by `ManagedObject`. Where some are passed and one is missing, or one that no entity
  ///     names is passed, ``/GraphStoreModel/ModelWarning`` reports it, once a process.
  public convenience init(model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:]) {
    self.init(layout: ModelLayout(model), classes: classes)
  }

  private init(
    layout: ModelLayout, classes: [String: ManagedObject.Type], requiresClasses: Bool? = nil
  ) {
    let model = layout.model
    managedObjectModel = model
    self.layout = layout
    temporaryScope = StoreIdentity(UUID(), model: model)
    self.classes = ClassTable(model, classes, requiresClasses: requiresClasses)
    if classes.isEmpty { return }
    for finding in ClassWarning.shared.news(self.classes, of: model) { ModelWarning.post(finding) }
  }

  /// A coordinator over one store, with the layouts that the store was opened with.
  convenience init(_ store: any PersistentStore, _ classes: [String: ManagedObject.Type]) {
    self.init(store, layout: store.layout, classes)
  }

  /// A coordinator over one store, with the layouts of its rows.
  convenience init(
    _ store: any PersistentStore, layout: ModelLayout, _ classes: [String: ManagedObject.Type]
  ) {
    self.init(layout: layout, classes: classes)
    add(store)
  }

  /// A coordinator over one store whose objects are instances of `ManagedObject`, whatever classes the model
  /// names and requires (MIG-211).
  convenience init(ofPlainObjectsIn store: any PersistentStore, layout: ModelLayout) {
    self.init(layout: layout, classes: [:], requiresClasses: false)
    add(store)
  }

  func add(_ store: any PersistentStore) {
    Diagnostics.readEnvironment()
    changeMounts { _ = $0.add(store) }
    store.customStore?.didAdd(to: self)
  }

  /// Changes the table of stores, and counts the change.
  func changeMounts<Result>(_ body: (inout MountTable) throws -> Result) rethrows -> Result {
    defer { renewWatches() }
    return try mountTable.withLock { table in
      defer { mountChanges.add(1, ordering: .releasing) }
      return try body(&table)
    }
  }

  /// The number of changes of the list of stores: data read from it before are stale.
  var mountChangeCount: Int { mountChanges.load(ordering: .acquiring) }

  /// The present stores, in the order in which they were added.
  var mounts: [Mount] { mountTable.withLock(\.mounts) }

  /// The number of statements that the stores have run, removed ones included.
  var countedStatements: StatementCounts { mountTable.withLock(\.statementCounts) }

  /// By number, what outlasts the stores that were ever mounted.
  var mountRecords: [MountTable.Record] { mountTable.withLock(\.records) }

  /// The store of a number; nil when it was closed.
  func store(_ index: Int32) -> (any PersistentStore)? { mountTable.withLock { $0[index] } }

  /// The first store.
  var firstStore: (any PersistentStore)? { mounts.first?.store }

  /// Closes every store once the requests in progress have ended; objects of its contexts cannot be loaded
  /// any more.
  public func close() {
    for mount in mounts {
      guard let custom = mount.store.customStore else { continue }
      // It is told once its last request has ended, while it is mounted (STO-038); one that does not end is
      // cut off.
      if (try? mount.store.closeWhenUnused()) == nil { mount.store.close() }
      custom.willRemove(from: self)
    }
    let stores = changeMounts { table in
      defer { table.removeAll() }
      return table.mounts.map(\.store)
    }
    for store in stores {
      if store.customStore == nil { store.close() }
      store.rowCache.empty()
    }
  }

  /// The number of changes of rows through this coordinator: rows attached to faults before may be stale.
  var commitNumber: Int { saves.load(ordering: .acquiring) }

  /// The number of removed stores.
  var removalCount: Int { removals.load(ordering: .acquiring) }

  func recordRemoval() { removals.add(1, ordering: .acquiringAndReleasing) }

  func recordSave() { saves.add(1, ordering: .acquiringAndReleasing) }

  /// The temporary key that was assigned last; later ones are lower.
  var lastTemporaryKey: Int64 { temporaryKeys.load(ordering: .relaxed) }

  func nextTemporaryKey() -> Int64 { temporaryKeys.subtract(1, ordering: .relaxed).newValue }

  /// The store that new objects are assigned to: the first of all stores, or of some, that can be written.
  ///
  /// - Throws: `no-store` when none is open, `read-only-store` when none can be written.
  func writableStore(among mounts: [Mount]? = nil) throws -> Mount {
    let mounts = mounts ?? self.mounts
    guard let first = mounts.first else { throw noStore() }
    guard let mount = mounts.first(where: { !$0.store.isReadOnly }) else {
      throw readOnlyStore(first.store)
    }
    return mount
  }

  func readOnlyStore(_ store: any PersistentStore) -> GraphStoreError {
    if let obstacle = store.warnings.first(where: \.preventsWriting) {
      return GraphStoreError(
        .readOnlyStore, "\(obstacle.message) It is open for reading only.", remedy: obstacle.remedy)
    }
    return GraphStoreError(
      .readOnlyStore, "\(store.path) was opened for reading only.",
      remedy: "Open it for writing, with the right to write the file and its folder.")
  }

  /// Says of each store why it does not take a new object of an entity.
  ///
  /// - Parameters:
  ///   - mounts: The stores in question; nil for all.
  ///   - cause: Why it is not assigned to a store that could hold it.
  func noStore(
    for entity: EntityDescription, _ id: ManagedObjectID? = nil, _ mounts: [Mount]? = nil,
    otherwise cause: String = "cannot take it"
  ) -> GraphStoreError {
    let reasons = (mounts ?? self.mounts).map(\.store).map { store in
      if store.isReadOnly { return "\(store.path) was opened for reading only" }
      if store.entities.contains(entity) { return "\(store.path) \(cause)" }
      guard let name = store.entities.configuration else {
        return "\(store.path) does not hold \(entity.name)"
      }
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

extension PersistentStoreCoordinator {
  /// Waits until all blocks have run that were enqueued on the coordinator and its contexts so far, and with
  /// them the saves that they make.
  ///
  /// A program calls it before it ends. Called inside of a block of one of those queues, or for a main-queue
  /// context on the main thread, what waits there is not waited for; called elsewhere, blocks of a main-queue
  /// context run only while the main queue is served.
  public func finishPendingWork() {
    for context in contexts.all { context.queue.sync {} }
    queue.sync {}
  }
}
