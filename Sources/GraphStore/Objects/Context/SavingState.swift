import OrderedCollections

/// The saves of a context: the one that is running, what merge policies have done for the next one, and what
/// the last one has written.
struct SavingState {
  /// What saves do with changes; other than usual in contexts of a migration.
  var mode = SavingMode.checked
  /// Whether a save is running.
  var isRunning = false
  /// What was done to the context that cannot be done while it saves or processes changes; thrown by what is
  /// running.
  var misuse: GraphStoreError?
  /// Failures of accesses that could not throw, thrown by the next save (OBJ-173).
  var deferredErrors: [any Error] = []
  /// Unchanged objects whose records the next save looks at; see
  /// ``ManagedObjectContext/detectConflicts(for:)``.
  var lockedObjects: OrderedSet<ManagedObject> = []
  /// Objects whose records others had deleted, and a merge policy writes again.
  var writtenBack: Set<ManagedObject> = []
  /// By each object that the last save has taken out for a uniqueness conflict, the one that has its place.
  var replacements: [ManagedObject: ManagedObject] = [:]
  /// Why objects are refreshed at the moment: a merge policy does so as well.
  var eventsOfRefresh = SnapshotEvents.refresh
  /// The place of the save among those that are passed on to other contexts, taken while the store was
  /// locked; nil where none was waiting for one.
  var relayPlace: SaveRelay.Place?
  /// Counts the saves that have written something: what was recorded before one describes changes that are
  /// saved now.
  var generation = 0
  /// What the last save has written and dropped; nothing where it has failed.
  var last = SaveSummary()
}

/// Mode of a save: its treatment of the changes of a context.
enum SavingMode {
  /// Checks them and writes them.
  case checked
  /// Writes them as they are; the caller checks them when all are there.
  case unchecked
  /// Throws: the context is there to be read.
  case refused
}
