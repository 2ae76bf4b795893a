import GraphStorePredicates

/// Several saves that become one: either all of them reach the stores or none.
///
/// It has the write session of each store that can be written. The contexts that take part read and save through these;
/// all others go on reading what was committed before, and do not wait. It belongs to who began it, and ends with the
/// body of ``PersistentStoreCoordinator/transaction(with:_:)``.
public final class StoreTransaction: @unchecked Sendable {
  let coordinator: PersistentStoreCoordinator
  private let mounts: [(mount: Mount, session: any WriteSession)]
  private var contexts: [ManagedObjectContext] = []
  /// Contexts that have saved in it, to be reset if it is taken back.
  private var savers: [ManagedObjectContext] = []
  /// Metadata that waited for a save, and that saves in it have written.
  private var writtenMetadata: [PendingMetadata.Written] = []

  /// Begins a transaction on every store that can be written.
  ///
  /// - Throws: what beginning one throws; none is open then.
  init(_ coordinator: PersistentStoreCoordinator) throws {
    self.coordinator = coordinator
    var begun: [(mount: Mount, session: any WriteSession)] = []
    do {
      for mount in coordinator.mounts where !mount.store.isReadOnly {
        begun.append((mount, try mount.store.beginWriting(isShared: true)))
      }
    } catch {
      for (_, session) in begun { try? session.rollback() }
      throw error
    }
    mounts = begun
  }

  // MARK: Contexts

  /// Lets a context take part: it reads what the transaction has written, and its saves belong to the transaction.
  ///
  /// A context that takes part already stays as it is.
  public func join(_ context: ManagedObjectContext) {
    guard context.transaction !== self else { return }
    contexts.append(context)
    context.transaction = self
  }

  /// The session of a store; nil where the store is only read.
  func session(_ index: Int32) -> (any WriteSession)? {
    mounts.first { $0.mount.index == index }?.session
  }

  /// Takes note that a context has saved.
  func recordSave(by context: ManagedObjectContext) {
    if !savers.contains(where: { $0 === context }) { savers.append(context) }
  }

  /// Takes note of metadata that a save has written, which wait no longer once the transaction is committed.
  func recordMetadata(_ written: PendingMetadata.Written?) {
    if let written { writtenMetadata.append(written) }
  }

  // MARK: Parts

  /// Makes several saves a part of the transaction that is taken back alone when the body throws.
  ///
  /// All contexts that have saved in the transaction are reset then.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let metadataBefore = writtenMetadata
    for (_, session) in mounts { try session.setSavepoint() }
    do {
      let result = try body()
      for (_, session) in mounts { try session.releaseSavepoint() }
      return result
    } catch {
      for (_, session) in mounts { try? session.rollbackToSavepoint() }
      for (mount, _) in mounts { mount.store.rowCache.invalidateOverlay() }
      writtenMetadata = metadataBefore
      coordinator.recordSave()
      resetSavers()
      throw error
    }
  }

  // MARK: Metadata

  /// The metadata of the first store that is written, as the transaction has them.
  package func metadata() throws -> [String: Value] { try firstSession().metadata() }

  /// Sets, or with nil removes, metadata of the first store that is written.
  ///
  /// - Throws: as ``PersistentStoreCoordinator/setMetadata(_:)``.
  package func setMetadata(_ values: [String: Value?]) throws { try firstSession().setMetadata(values) }

  private func firstSession() throws -> any WriteSession {
    guard let first = mounts.first else { throw coordinator.noStore() }
    return first.session
  }

  // MARK: Ending

  /// Makes everything durable; where that fails on the first store the transaction stays open.
  package func commit() throws {
    for (_, session) in mounts { try session.commit() }
    for (mount, _) in mounts { mount.store.rowCache.publishOverlay() }
    coordinator.recordSave()
    savers = []
    end()
    for written in writtenMetadata { coordinator.endPendingMetadata(written) }
  }

  /// Takes everything back, and resets the contexts that have saved.
  package func rollback() throws {
    var failure: (any Error)?
    for (_, session) in mounts {
      do { try session.rollback() } catch { failure = failure ?? error }
    }
    for (mount, _) in mounts { mount.store.rowCache.dropOverlay() }
    coordinator.recordSave()
    if !savers.isEmpty {
      for context in contexts where !savers.contains(where: { $0 === context }) {
        context.forgetUnchangedValues()
      }
    }
    resetSavers()
    end()
    if let failure { throw failure }
  }

  private func resetSavers() {
    let contexts = savers
    savers = []
    for context in contexts { context.reset() }
  }

  private func end() {
    for context in contexts { context.transaction = nil }
    contexts = []
    coordinator.endTransaction(self)
  }
}
