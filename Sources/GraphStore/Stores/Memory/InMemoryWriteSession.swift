import GraphStoreModel
import GraphStorePredicates

/// The one transaction that changes an in-memory store: it works on a copy of the state, which the commit puts in its
/// place.
final class InMemoryWriteSession: InMemorySession, WriteSession, RecordWriting {
  /// Whether several saves are one, so that what is read goes to the row cache's overlay.
  let isShared: Bool
  private var savepoints: [InMemoryState] = []
  private var hasEnded = false

  override var origin: RowCache.Origin { isShared ? .transaction : .commit }

  init(_ store: InMemoryStore, isShared: Bool) throws {
    self.isShared = isShared
    super.init(store, try store.database.beginWriting())
  }

  // MARK: Ending

  func commit() throws { end(with: state) }

  func rollback() throws { end(with: nil) }

  private func end(with state: InMemoryState?) {
    guard !hasEnded else { return }
    hasEnded = true
    savepoints = []
    store.database.endWriting(state)
  }

  // MARK: Savepoints

  func setSavepoint() throws { savepoints.append(state) }

  func releaseSavepoint() throws { savepoints.removeLast() }

  func rollbackToSavepoint() throws { state = savepoints.removeLast() }

  // MARK: Metadata

  func setMetadata(_ values: [String: Value?]) throws {
    var metadata = state.metadata
    try metadata.setUserValues(values)
    _ = try PropertyList.data(metadata.values)
    state.metadata = metadata
  }
}
