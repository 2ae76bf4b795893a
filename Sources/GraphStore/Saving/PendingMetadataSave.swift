/// The part of a save that writes waiting metadata to stores of which it changes no objects (STO-113).
///
/// Everything is written before any of it becomes final.
final class PendingMetadataSave {
  private let coordinator: PersistentStoreCoordinator
  private let transaction: StoreTransaction?
  private var parts: [(session: any WriteSession, written: PendingMetadata.Written)] = []

  /// Writes what waits for stores other than the one whose objects are saved.
  ///
  /// - Throws: what beginning and writing a transaction throws; nothing has been written then.
  init(_ context: ManagedObjectContext, besides saved: Int32?) throws {
    coordinator = context.coordinator
    transaction = context.transaction
    let pending = coordinator.pendingMetadata.withLock(\.self)
    guard !pending.isEmpty else { return }
    do {
      for mount in coordinator.mounts where mount.index != saved && !pending[mount.index].isEmpty {
        try write(mount)
      }
    } catch {
      takeBack()
      throw error
    }
  }

  private func write(_ mount: Mount) throws {
    guard let transaction else {
      let session = try mount.store.beginWriting(isShared: false)
      do {
        if let written = try coordinator.writePendingMetadata(mount.index, session) {
          return parts.append((session, written))
        }
        try session.rollback()
      } catch {
        try? session.rollback()
        throw error
      }
      return
    }
    guard let session = transaction.session(mount.index) else { throw coordinator.noStore() }
    try session.setSavepoint()
    do {
      if let written = try coordinator.writePendingMetadata(mount.index, session) {
        return parts.append((session, written))
      }
      try session.releaseSavepoint()
    } catch {
      try? session.rollbackToSavepoint()
      throw error
    }
  }

  /// Makes what was written final, or a part of the transaction that the context takes part in.
  ///
  /// - Throws: what committing throws; what was not committed goes on waiting.
  func commit() throws {
    while let (session, written) = parts.first {
      if let transaction {
        try session.releaseSavepoint()
        parts.removeFirst()
        transaction.recordMetadata(written)
      } else {
        do { try session.commit() } catch {
          takeBack()
          throw error
        }
        parts.removeFirst()
        coordinator.endPendingMetadata(written)
      }
    }
  }

  /// Takes back what is not final; it goes on waiting.
  func takeBack() {
    for (session, _) in parts {
      if transaction == nil { try? session.rollback() } else { try? session.rollbackToSavepoint() }
    }
    parts = []
  }
}
