import GraphStorePredicates

/// Several saves that become one: either all of them reach the stores or none.
///
/// It has the write session of each store that can be written. The contexts that take part read and save
/// through these; all others read what was committed before, and do not wait. It belongs to the caller that
/// began it, and ends with the body of ``PersistentStoreCoordinator/transaction(with:body:)``.
///
/// Where the body of a savepoint throws, its saves are rolled back, and nothing else:
///
/// ```swift
/// try coordinator.transaction(with: context) { transaction in
///   employee.salary += 1_000
///   try context.save()
///   try transaction.savepoint {
///     project.title = "Analytical Engine"
///     try context.save()
///   }
/// }
/// ```
public final class StoreTransaction: SessionOwner, @unchecked Sendable {
  let coordinator: PersistentStoreCoordinator
  private var mounts: [(mount: Mount, session: any WriteSession)]
  private var contexts: [ManagedObjectContext] = []
  /// Contexts that have saved in it, to be reset if it is rolled back.
  private var savers: [ManagedObjectContext] = []
  /// Metadata that waited for a save, and that saves in it have written.
  private var writtenMetadata: [PendingMetadata.Written] = []
  /// The number of saves to be posted when it is committed.
  private var saveCount = 0
  /// The saves that other contexts merge when it is committed, by number.
  private var relayedSaves: [(number: Int, changes: SavedChanges)] = []

  /// Begins a transaction on every store that can be written.
  ///
  /// - Throws: what beginning one throws; none is open then.
  init(_ coordinator: PersistentStoreCoordinator) throws {
    self.coordinator = coordinator
    var begun: [(mount: Mount, session: any WriteSession)] = []
    do {
      try SessionOwners.beginningSeveral {
        for mount in coordinator.mounts where !mount.store.isReadOnly {
          begun.append(
            (mount, try coordinator.beginning(mount.index) { try $0.beginWriting(isShared: true) }))
        }
      }
    } catch {
      for (_, session) in begun { try? session.rollback() }
      throw error
    }
    mounts = begun
  }

  // MARK: Contexts

  /// Lets a context take part: it reads what the transaction has written, and its saves belong to the
  /// transaction.
  ///
  /// A context that takes part already stays as it is. For a child the topmost context of its chain takes
  /// part, which it reads from and whose save reaches the stores.
  ///
  /// - Throws: `context-mismatch` for a context of another coordinator.
  public func join(_ context: ManagedObjectContext) throws {
    let root = context.rootContext
    guard root.coordinator === coordinator else {
      throw GraphStoreError(
        .contextMismatch,
        "\(context.nameForMessages) cannot take part in a transaction of another coordinator's stores.",
        remedy: "Begin a transaction of the context's own coordinator.")
    }
    guard root.transaction !== self else { return }
    contexts.append(root)
    root.queue.sync { root.transaction = self }
  }

  package var openSessions: [any ReadSession] { mounts.map(\.session) }

  /// The session of a store; nil where the store is only read.
  func session(_ index: Int32) -> (any WriteSession)? {
    mounts.first { $0.mount.index == index }?.session
  }

  /// The session of a store that is to be written.
  ///
  /// - Throws: `no-store` for a store that was added after the transaction had begun.
  func writing(_ mount: Mount) throws -> any WriteSession {
    if let session = session(mount.index) { return session }
    throw GraphStoreError(
      .noStore, "\(mount.store.path) was added after the transaction had begun, which does not write it.",
      remedy: "Add stores before a transaction begins.")
  }

  /// Records that a context has saved.
  func recordSave(by context: ManagedObjectContext) {
    if !savers.contains(where: { $0 === context }) { savers.append(context) }
  }

  /// The number of a save that is to be posted when the transaction is committed.
  func numberSave() -> Int {
    saveCount += 1
    return saveCount
  }

  /// Keeps a save that other contexts merge when the transaction is committed.
  func keepForRelay(_ changes: SavedChanges, number: Int) { relayedSaves.append((number, changes)) }

  /// Records metadata that a save has written, which are pending no longer once the transaction is committed.
  func recordMetadata(_ written: PendingMetadata.Written?) {
    if let written { writtenMetadata.append(written) }
  }

  // MARK: Parts

  /// Makes several saves a part of the transaction that is rolled back alone when the body throws.
  ///
  /// All contexts that have saved in the transaction are reset then.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let (metadataBefore, savesBefore) = (writtenMetadata, saveCount)
    for (_, session) in mounts { try session.setSavepoint() }
    do {
      let result = try body()
      for (_, session) in mounts { try session.releaseSavepoint() }
      return result
    } catch {
      for (_, session) in mounts { try? session.rollbackToSavepoint() }
      for (mount, _) in mounts { mount.store.rowCache.invalidateOverlay() }
      writtenMetadata = metadataBefore
      relayedSaves.removeAll { $0.number > savesBefore }
      for context in contexts { context.onQueue { $0.discardUndeliveredSaves(after: savesBefore) } }
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
  ///
  /// - Throws: what committing throws; `incomplete-save` where it fails after another store has committed.
  ///   The transaction has ended then: the other stores are rolled back, and the contexts that have saved are
  ///   reset.
  package func commit() throws {
    var written = 0
    // While the stores are locked, so that places follow each other as the commits do (CTX-276).
    let place = relayedSaves.isEmpty ? nil : coordinator.saveRelay.reservePlace(for: nil)
    do {
      for (_, session) in mounts { try session.checkCommit() }
      for (_, session) in mounts {
        try session.commit()
        written += 1
      }
    } catch  where written > 0 {
      try endIncomplete(written, error)
    }
    publish(mounts[...])
    savers = []
    let contexts = contexts
    end()
    for written in writtenMetadata { coordinator.endPendingMetadata(written) }
    for context in contexts { context.onQueue { $0.deliverPendingSaves() } }
    if let place { coordinator.saveRelay.post(relayedSaves.map(\.changes), at: place) }
  }

  private func endIncomplete(_ written: Int, _ cause: any Error) throws -> Never {
    let error = coordinator.incompleteSave(
      written: mounts[..<written].map(\.mount), unwritten: mounts[written...].map(\.mount), cause)
    publish(mounts[..<written])
    mounts.removeFirst(written)
    try? rollback()
    throw error
  }

  private func publish(_ written: ArraySlice<(mount: Mount, session: any WriteSession)>) {
    for (mount, _) in written { mount.store.rowCache.publishOverlay() }
    coordinator.recordSave()
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
        context.onQueue { $0.forgetUnchangedValues() }
      }
      for child in children { child.onQueue { $0.forgetUnchangedValues() } }
    }
    for context in contexts { context.onQueue { $0.discardUndeliveredSaves() } }
    resetSavers()
    mounts = []
    end()
    if let failure { throw failure }
  }

  /// The contexts that read through those that take part.
  private var children: [ManagedObjectContext] {
    coordinator.contexts.all.filter { child in
      child.parent != nil && contexts.contains { $0 === child.rootContext }
    }
  }

  private func resetSavers() {
    let contexts = savers
    savers = []
    for context in contexts { context.onQueue { $0.discardEverything() } }
  }

  private func end() {
    for context in contexts { context.transaction = nil }
    contexts = []
    coordinator.endTransaction(self)
  }
}

extension PersistentStoreCoordinator {
  /// Makes several saves one: either all of them reach the stores or none.
  ///
  /// Saves of the passed contexts, and of those that ``StoreTransaction/join(_:)``, are savepoints of one
  /// transaction, and their fetches are read through it. Other contexts read the state that was committed
  /// before and do not wait; if one of them saves meanwhile, it waits for the transaction's end as long as
  /// the stores' time-out says. When the body throws, everything is rolled back and the contexts that saved
  /// in it are reset. Where one of the contexts takes part in a transaction already, this one is a part of
  /// that, rolled back alone.
  ///
  /// ```swift
  /// try coordinator.transaction(with: context) { _ in
  ///   try context.save()
  ///   employee.salary += 1_000
  ///   try context.save()
  /// }
  /// ```
  ///
  /// - Throws: `store-timeout` where another transaction or save lasts too long; `context-mismatch` for a
  ///   context of another coordinator; and what the body throws.
  public func transaction<Result>(
    with contexts: ManagedObjectContext..., body: (StoreTransaction) throws -> Result
  ) throws -> Result {
    if let open = contexts.lazy.compactMap(\.rootContext.transaction).first {
      return try open.savepoint {
        for context in contexts { try open.join(context) }
        return try body(open)
      }
    }
    let transaction = try beginTransaction()
    // Its reads and writes meanwhile belong to a request in progress.
    return try ThreadRole.current.running(blockOf: transaction) {
      do {
        for context in contexts { try transaction.join(context) }
        let result = try body(transaction)
        try transaction.commit()
        return result
      } catch {
        try? transaction.rollback()
        throw error
      }
    }
  }

  /// Opens a transaction for callers whose steps are not within one function; they commit it or take it back.
  package func beginTransaction() throws -> StoreTransaction {
    let transaction = try StoreTransaction(self)
    openTransaction.withLock { $0 = transaction }
    return transaction
  }

  /// The transaction that is open.
  package var currentTransaction: StoreTransaction? { openTransaction.withLock(\.self) }

  func endTransaction(_ transaction: StoreTransaction) {
    openTransaction.withLock { if $0 === transaction { $0 = nil } }
  }
}
