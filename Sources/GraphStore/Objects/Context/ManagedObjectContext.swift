import Foundation
import GraphStoreModel
import GraphStorePredicates
import OrderedCollections
import Synchronization

/// Context in which objects are fetched, made, changed, deleted and checked before anything reaches a store.
///
/// A context and its objects are used on the context's queue alone, and reading counts as use: a
/// private-queue context inside blocks passed to `perform` or ``performAndWait(_:)``, a main-queue context
/// also by all other code of the main thread and the main actor. In debug builds a use from elsewhere stops
/// the program; see <doc:Concurrency>. All forms of `perform`, ``name``, ``concurrencyType`` and
/// ``coordinator`` may be used from any thread. The context itself is `Sendable`, its objects are not.
///
/// It holds strongly only objects with unsaved changes; all others live as long as they are referenced,
/// unless ``retainsRegisteredObjects`` is set.
///
/// ```swift
/// let context = ManagedObjectContext(coordinator: coordinator)
/// try await context.perform {
///   let ada = try context.insert(Employee.self)
///   ada.name = "Ada Lovelace"
///   try context.save()
/// }
/// ```
public final class ManagedObjectContext: @unchecked Sendable {
  /// Source that objects are read from and saved to: the one parent, passed when the context is made and held
  /// as long as it lives (CTX-003, CTX-004).
  let source: any ObjectSource
  /// The context that this one is a child of; nil for one that saves to the stores.
  public let parent: ManagedObjectContext?
  /// The contexts above and below this one.
  let family: ContextFamily
  /// Passes the saves of children on to other children.
  let saveRelay = SaveRelay()
  /// The way to the stores.
  public let coordinator: PersistentStoreCoordinator
  /// A name for logs and messages, nil at first; may be read and set from anywhere.
  public var name: String? {
    get { queue.name }
    set { queue.name = newValue }
  }
  /// The author of the context's saves in the histories of stores, nil at first.
  ///
  /// A save of children reaches the stores as one of the topmost context, and has its author.
  public var transactionAuthor: String?
  /// Data that the program keeps with the context, held strongly, empty at first; save, rollback and reset
  /// leave it alone.
  public var userInfo: [String: Any] {
    get {
      checkQueue()
      return values
    }
    set {
      checkQueue()
      values = newValue
    }
  }
  /// The locale of requests that have none: the process's at the time the context was made.
  public var locale = ProcessLocale.current
  /// For how many seconds a row that is cached may be used by a fault that fires, after it was read or
  /// written; 0 and less, as at first, for ever.
  ///
  /// The row is read again otherwise. Objects that have their values keep them whatever their age, and a
  /// store that has all records in memory is never queried again. In a child the interval of the topmost
  /// context applies, whatever is set here.
  public var stalenessInterval: TimeInterval {
    get { parent == nil ? ownStalenessInterval : rootContext.ownStalenessInterval }
    set { ownStalenessInterval = newValue }
  }
  /// Whether the context holds every object that it knows or is going to know, false at first.
  ///
  /// Set back to false it releases those without unsaved changes.
  public var retainsRegisteredObjects: Bool {
    get { registry.holdsAll }
    set {
      checkQueue()
      registry.setHoldsAll(newValue)
    }
  }
  /// Whether an object whose record turns out to be gone becomes deleted; if not, touching it throws.
  public var shouldDeleteInaccessibleFaults = true

  /// The functions that `FUNCTION` calls in the predicates of requests.
  public var functions = PredicateFunctions.standard
  /// What settles the conflicts that a save meets; at first none is, and the save fails.
  public var mergePolicy = MergePolicy.error
  /// The error of the last ``saveOrRollback()`` that failed; nil once one has succeeded.
  public internal(set) var lastSaveError: (any Error)?
  /// What the last save has written and dropped; nothing where it has failed.
  package var lastSave: SaveSummary { saving.last }
  /// Whether delete rules are applied whenever pending changes are processed, true at first; else by saves
  /// alone.
  public var propagatesDeletesAtEndOfEvent = true
  /// Where the context posts its notifications besides telling its own observers; nil for nowhere.
  public var notificationCenter: NotificationCenter? = .default
  /// The manager that records changes so that they can be undone; nil at first. Set by
  /// ``setUndoManager(_:)``.
  public internal(set) var undoManager: GraphUndoManager?

  // MARK: Parts

  /// What the context and its objects are used on.
  let queue: ContextQueue
  let registry: ObjectRegistry
  /// The coordinator's table of classes: each access by key asks what they declare.
  let classes: ClassTable
  /// What saves and imports evaluate the model's predicates with.
  let validationEvaluators = ValidationPredicates()
  /// What the context has done, counted.
  let activity = ContextActivity()
  /// The number of calls of setters.
  let setters = Atomic<Int>(0)
  /// The number of times that objects have given up their values without being changed.
  let refreshes = Atomic<Int>(0)
  private var values: [String: Any] = [:]
  @safe @exclusivity(unchecked) private var ownStalenessInterval: TimeInterval = 0

  // MARK: States

  // Values within the context: a field of one costs what a field of the context itself does. Setters and
  // faults go through them, so their exclusivity is not checked, and code of classes, which comes back to the
  // context, may run at any time: no access to a state, or to a field of one, lasts over a call that can lead
  // there.

  /// What the context reads by.
  @safe @exclusivity(unchecked) var fetching: FetchingState
  /// What has changed since the last save.
  @safe @exclusivity(unchecked) var unsaved: UnsavedChanges
  /// What is deleted, and which deletions are yet to be propagated.
  @safe @exclusivity(unchecked) var deletions = DeletionState()
  /// What validates unsaved changes at the moment.
  @safe @exclusivity(unchecked) var validation = ValidationState()
  /// The save that is running, and what the last one has written.
  @safe @exclusivity(unchecked) var saving = SavingState()
  /// Who is told of the context's changes, and of what.
  @safe @exclusivity(unchecked) var delivery = DeliveryState()
  /// The place in the histories of the stores up to which the context has merged what others commit; nil
  /// where it does not merge that. It may be set from any thread.
  let followedHistories = Mutex<PersistentHistoryToken?>(nil)
  /// The transaction that the context takes part in.
  @safe @exclusivity(unchecked) package internal(set) var transaction: StoreTransaction? {
    didSet {
      registry.isInTransaction = transaction != nil
      family.isInTransaction = transaction != nil
      if transaction == nil { fetching.pin?.hasOtherRows = true }
    }
  }

  // MARK: Making

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - coordinator: The way to the stores.
  ///   - concurrencyType: The kind of the queue that the context and its objects belong to. Where the context
  ///     is made does not matter.
  public convenience init(
    coordinator: PersistentStoreCoordinator, concurrencyType: ConcurrencyType = .privateQueue
  ) {
    self.init(
      coordinator, concurrencyType == .mainQueue ? .main : .ofItsOwn, isGuarded: ConcurrencyGuard.isOn)
  }

  init(_ source: any ObjectSource, _ kind: ContextQueue.Kind, isGuarded: Bool) {
    self.source = source
    parent = source.context
    family = parent?.family ?? ContextFamily()
    coordinator = source.root
    classes = coordinator.classes
    queue = ContextQueue(kind, isGuarded: isGuarded)
    fetching = FetchingState(source)
    registry = ObjectRegistry(
      coordinator.layout, temporaryScope: coordinator.temporaryScope, isGuarded: isGuarded)
    unsaved = UnsavedChanges(entityCount: coordinator.layout.entities.count)
    unsafe registry.context = unsafe .passUnretained(self)
    renewMounts()
    if parent != nil { fetching.adoptedKeyCount = family.add(ObjectIdentifier(self)) }
    coordinator.contexts.add(self)
    coordinator.activity.add(activity)
  }

  deinit {
    coordinator.contexts.remove(self)
    if parent != nil { family.remove(ObjectIdentifier(self)) }
    if delivery.mergesAutomatically { source.saveRelay.remove(self) }
    if followedHistories.withLock({ $0 != nil }) { coordinator.watches.remove(self) }
    for object in registry.leaving() { object.leave(.invalidated) }
    registry.endContext()
    coordinator.activity.end(activity)
  }

  /// Makes sure that objects of an entity, named by its position in the model, may be made.
  ///
  /// - Throws: `class-not-found`.
  @inline(__always)
  func checkClass(_ entity: Int) throws {
    if classes.refusesAny { try coordinator.checkClass(coordinator.layout.entities[entity]) }
  }

  /// The rows that the context sees in the row caches.
  var rowView: RowCache.View { registry.isInTransaction ? .transaction : .committed }

  /// The store of a number, with that number.
  ///
  /// - Throws: `no-store` when it was closed.
  func mount(at index: Int32) throws -> Mount {
    guard let mount = mounts.first(where: { $0.index == index }) else { throw coordinator.noStore() }
    return mount
  }
}

extension ManagedObject {
  /// Cuts the object off from its context for good; related objects are released.
  final func leave(_ reason: ObjectState) {
    if state.contains(.registered) {
      unsafe heldRegistry._withUnsafeGuaranteedRef { $0.unregister(self) }
    } else if state.contains(.deletedElsewhere) {
      unsafe heldRegistry._withUnsafeGuaranteedRef { $0.forgetDeparted(self) }
    }
    changeState(removing: .membership, adding: reason)
    guard reason == .invalidated else { return dropAttachment() }
    let hadValues = !state.contains(.fault)
    dropRow()
    dropAttachment()
    if hadValues, hasOwnClass { didTurnIntoFault() }
  }

  /// Leaves a context that stays, invalidated; the object may read its values for the last time.
  final func invalidate() {
    if hasOwnClass, !state.contains(.fault) {
      changeState(adding: .refaulting)
      willTurnIntoFault()
      changeState(removing: .refaulting)
    }
    leave(.invalidated)
  }
}
