/// The knowledge that a context reads by: what it knows of its source without asking, and what fetches have
/// left behind for the objects that they gave out.
struct FetchingState {
  /// Whether faults may take their rows from the row caches: not in a pinned context, since these have the
  /// newest rows.
  var sharesRowCache = true
  /// As ``ObjectSource/knowsTemporaryKeys``.
  let knowsTemporaryKeys: Bool
  /// How many permanent keys of the family the context has adopted.
  var adoptedKeyCount = 0
  /// The state of the stores that is read; nil for the newest each time.
  var pin: GenerationPin?
  /// Whether reads go to the state that the context is pinned to, or that is to be chosen for it.
  var isPinned = false
  /// The coordinator's count of saves up to which only this context has saved, or of those that the state has
  /// to which it is pinned: up to there the rows of faults are present ones.
  var knownCommitNumber: Int
  /// The coordinator's count of removed stores whose objects the context has let go of.
  var knownRemovalCount: Int
  /// The coordinator's count of changes of its stores when ``knownMounts`` were read.
  fileprivate var knownMountChangeCount = -1
  fileprivate var knownMounts: [Mount] = []
  /// The fetches that run beside the context.
  var asynchronousFetches: [WeakAsynchronousFetch] = []
  /// Whether predicates and sorts see stored values alone: a fetch answers as if everything had just been
  /// saved, whatever accessors classes declare.
  fileprivate(set) var ignoresAccessors = false
  /// The rows of identifier results, kept until pending changes are next processed (FET-073).
  var heldRows: [HeldRows] = []
  /// The lists of faults that are read by blocks.
  var faultBatches = FaultBatches()
  /// Whether a registered object may keep what its fetched properties have found.
  var keepsFetchedProperties = false

  init(_ source: any ObjectSource) {
    knowsTemporaryKeys = source.knowsTemporaryKeys
    knownCommitNumber = source.commitNumber
    knownRemovalCount = source.root.removalCount
  }
}

extension ManagedObjectContext {
  /// Does something for which objects show their stored values, without accessors of their classes.
  func readingStoredValues<Result>(_ body: () throws -> Result) rethrows -> Result {
    let former = fetching.ignoresAccessors
    fetching.ignoresAccessors = true
    defer { fetching.ignoresAccessors = former }
    return try body()
  }

  /// The stores, with room made for the objects of those added since.
  ///
  /// A copy of the coordinator's, so that a fault that fires takes no lock to find its store.
  var mounts: [Mount] {
    if fetching.knownMountChangeCount != coordinator.mountChangeCount { renewMounts() }
    return fetching.knownMounts
  }

  @inline(never)
  func renewMounts() {
    fetching.knownMountChangeCount = coordinator.mountChangeCount
    fetching.knownMounts = coordinator.mounts
    registry.makeRoom(for: coordinator.mountRecords)
  }
}
