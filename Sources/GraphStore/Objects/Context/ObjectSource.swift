/// The one parent of a context: what it reads from and saves to, a coordinator or another context (CTX-003).
///
/// It answers store by store, since objects are identified by the numbers of their stores. A coordinator
/// reads and writes the stores themselves. A context hands over its objects of each store, its unsaved
/// changes included, and counts a new object to the store that it would be saved to; changes that are saved
/// to it become its own unsaved changes.
///
/// A source may be asked from any thread: a context answers on its own queue.
protocol ObjectSource: AnyObject, Sendable {
  /// The coordinator at the end of the chain, which has the model, its layouts and the list of the stores.
  var root: PersistentStoreCoordinator { get }

  /// The parent context; nil for a coordinator.
  var context: ManagedObjectContext? { get }
  /// Whether objects with temporary keys can be read, which the requesting context does not know yet.
  var knowsTemporaryKeys: Bool { get }
  /// Whether what is saved to it reaches the stores.
  var writesStores: Bool { get }
  /// Rises with everything that may have changed rows: saves, by any context, and what rolls one back.
  var commitNumber: Int { get }

  /// Does something for which the source is read: a context is not used by anybody else meanwhile.
  func occupied<Result>(_ body: () throws -> Result) throws -> Result

  /// What contexts have in memory of a record, apart from what stores and row caches have.
  func unsavedRecord(_ layout: EntityLayout, key: Int64, storeIndex: Int32) throws -> UnsavedRecord

  /// Passes saves into this source on to the contexts that merge them as they happen. A source reserves the
  /// place of a save while no other can be saved to it, and leaves it with the context that saves
  /// (``SavingState/relayPlace``).
  var saveRelay: SaveRelay { get }

  /// Makes a session over one store that has yet to begin, for plans.
  func makeSession(on mount: Mount, _ use: ReadUse) -> any ReadSession

  /// Begins to read from one store; a context that takes part in a transaction reads through that instead.
  ///
  /// - Throws: `no-store` when the store was closed; what else beginning to read throws.
  func beginReading(on mount: Mount, _ use: ReadUse) throws -> any ReadSession

  /// The number of the store under which an object with a temporary key can be read; nil where the source
  /// does not know it.
  func storeIndex(ofTemporary key: Int64, _ layout: EntityLayout) -> Int32?

  /// Takes the permanent keys of new objects of one store, ahead of their save.
  ///
  /// - Throws: what beginning to write throws; no key was taken then.
  func reserveKeys(
    for objects: [ManagedObject], on mount: Mount, of context: ManagedObjectContext
  ) throws -> PermanentKeyMap

  /// Saves the unsaved changes of a context; without any, a coordinator writes the metadata that wait for a
  /// save.
  ///
  /// The context has validated them, and publishes the result.
  ///
  /// - Throws: what keeps the save from being begun.
  func save(_ changes: PendingSave, of context: ManagedObjectContext) throws -> SaveOutcome
}

/// What the contexts above a child have in memory of a record.
enum UnsavedRecord {
  /// Nothing: the stores and their row caches have the record.
  case none
  /// A row of its own, in a private block: the record has unsaved changes, or was read before others changed
  /// it.
  case row(Row)
  /// The record is deleted there, or was never saved and is not there any more.
  case gone
}
