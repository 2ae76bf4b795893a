/// The write sessions of a save, one for each store that it writes: transactions of its own, or savepoints of
/// the transaction that the context takes part in.
struct SaveSessions {
  /// The write to one store.
  struct Step {
    let mount: Mount
    /// The objects; nil where only metadata waited for a save.
    let save: StoreSave?
    fileprivate let session: any WriteSession
    /// The metadata that waited for a save and were written by this one (STO-113).
    fileprivate var metadata: PendingMetadata.Written?
  }

  private let coordinator: PersistentStoreCoordinator
  private let transaction: StoreTransaction?
  private(set) var steps: [Step] = []

  /// Whether the context takes part in a transaction.
  var isNested: Bool { transaction != nil }

  /// Begins on every store that has objects or metadata to be written, in the order in which they were added.
  ///
  /// - Throws: what beginning one throws; none is open then.
  init(
    for saves: [StoreSave], of coordinator: PersistentStoreCoordinator,
    in transaction: StoreTransaction?
  ) throws {
    self.coordinator = coordinator
    self.transaction = transaction
    do {
      for (mount, save) in waiting(saves) {
        let session =
          try transaction?.writing(mount)
          ?? coordinator.beginning(mount.index) { try $0.beginWriting(isShared: false) }
        if isNested { try session.setSavepoint() }
        steps.append(Step(mount: mount, save: save, session: session))
      }
    } catch {
      for step in steps { rollBack(step) }
      throw error
    }
  }

  /// The stores that have something to be written, with the parts of those that have objects.
  private func waiting(_ saves: [StoreSave]) -> [(mount: Mount, save: StoreSave?)] {
    let pending = coordinator.pendingMetadata.withLock(\.self)
    if pending.isEmpty { return saves.map { ($0.mount, $0) } }
    return coordinator.mounts.compactMap { mount in
      let save = saves.first { $0.mount.index == mount.index }
      return save == nil && pending[mount.index].isEmpty ? nil : (mount, save)
    }
  }

  /// Writes to all stores; a failure takes everything back, and so do conflicts, all of which are found.
  ///
  /// - Returns: Whether everything was written.
  mutating func write() throws -> Bool {
    do {
      for position in steps.indices {
        let step = steps[position]
        do { try step.save?.write(step.session) } catch { throw failure(error, step) }
        steps[position].metadata = try coordinator.writePendingMetadata(step.mount.index, step.session)
      }
    } catch {
      rollBack(from: 0)
      throw error
    }
    guard steps.contains(where: { $0.save?.conflicts.isEmpty == false }) else { return true }
    rollBack(from: 0)
    return false
  }

  /// Makes everything durable, or a part of the transaction, store by store.
  ///
  /// - Returns: The steps that were committed, and the error of the next one. All others are rolled back.
  func end() -> (written: ArraySlice<Step>, failure: (any Error)?) {
    if !isNested, steps.count > 1 {
      for step in steps {
        do { try step.session.checkCommit() } catch {
          rollBack(from: 0)
          return ([], failure(error, step))
        }
      }
    }
    for (position, step) in steps.enumerated() {
      do {
        if isNested { try step.session.releaseSavepoint() } else { try step.session.commit() }
      } catch {
        rollBack(from: position)
        return (steps[..<position], failure(error, step))
      }
      if let transaction {
        transaction.recordMetadata(step.metadata)
      } else {
        coordinator.endPendingMetadata(step.metadata)
      }
    }
    return (steps[...], nil)
  }

  /// The error that kept a store from being written, in the words of a save (CTX-130).
  private func failure(_ error: any Error, _ step: Step) -> any Error {
    let named = step.save?.named(error) ?? error
    guard var failure = named as? GraphStoreError, failure.code == .sqlite, !failure.isInterruption else {
      return named
    }
    failure.code = .storeSaveFailed
    failure.number = GraphStoreError.Code.storeSaveFailed.number
    failure.remedy =
      "Nothing was written; save again once the cause is gone. Should it stay, check the store."
    return failure
  }

  private func rollBack(from position: Int) {
    for step in steps[position...] {
      step.save?.discard()
      rollBack(step)
    }
  }

  private func rollBack(_ step: Step) {
    if isNested { try? step.session.rollbackToSavepoint() } else { try? step.session.rollback() }
  }
}

extension PersistentStoreCoordinator {
  /// The failure of a save of which some stores have their part and others have not (STO-132).
  func incompleteSave(written: [Mount], unwritten: [Mount], _ cause: any Error) -> GraphStoreError {
    let lists = (written.map(\.store.path), unwritten.map(\.store.path))
    var error = GraphStoreError(
      .incompleteSave,
      "The save reached \(lists.0.joined(separator: ", ")), but not \(lists.1.joined(separator: ", ")).",
      remedy:
        "Changes to objects of the stores that were not written are still there: save again once the cause is "
        + "gone.",
      underlying: cause)
    error.details =
      lists.0.map { "written: \($0)" } + lists.1.map { "not written: \($0)" } + ["because: \(cause)"]
    error.writtenStores = written.map(reference)
    error.unwrittenStores = unwritten.map(reference)
    return error
  }
}
