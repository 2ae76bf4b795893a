import Foundation

/// A batch request on its way through the stores: one transaction, or a part of the transaction that its
/// context takes part in, which is rolled back alone where the request fails.
///
/// What it has to read a context of its own reads within the transaction, so that unsaved changes of the
/// caller's play no part in it. That context makes objects for nothing but their setters.
final class BatchRun {
  /// The context of the request.
  let context: ManagedObjectContext
  /// The context that reads.
  let reader: ManagedObjectContext
  /// The time of the request, which is the same in all stores.
  let date = Date()
  private let isDry: Bool
  private var result: BatchResult
  private var transaction: StoreTransaction?

  init(_ context: ManagedObjectContext, _ resultType: BatchRequestResultType, isDry: Bool) {
    self.context = context
    self.isDry = isDry
    result = BatchResult(resultType)
    reader = ManagedObjectContext(context.coordinator, .ofItsOwn, isGuarded: false)
    (reader.functions, reader.locale) = (context.functions, context.locale)
  }

  /// Whether identifiers are asked for.
  var needsIdentifiers: Bool { result.resultType == .objectIDs }

  /// A request to a store that names the author and the time of this one.
  func makeSaveRequest() -> SaveRequest {
    var request = context.makeSaveRequest()
    request.date = date
    return request
  }

  // MARK: The transaction

  /// Writes stores.
  ///
  /// - Throws: `read-only-store` where one of them cannot be written; `incomplete-save` where one has got its
  ///   part and another could not be made durable. What else is thrown has changed nothing.
  func write(to mounts: [Mount], _ body: () throws -> Void) throws -> BatchResult {
    if let closed = mounts.first(where: \.store.isReadOnly) {
      throw context.coordinator.readOnlyStore(closed.store)
    }
    if let other = mounts.first(where: { !$0.store.runsBatchRequests }) {
      throw GraphStoreError.unsupportedRequest(
        "A batch request", of: other.store.typeName, instead: "Change objects of a context, and save it.")
    }
    if mounts.isEmpty { return result }
    if let open = context.rootContext.transaction {
      try writePart(of: open, to: mounts, body)
    } else {
      try writeAlone(body)
    }
    return result
  }

  private func writeAlone(_ body: () throws -> Void) throws {
    let transaction = try context.coordinator.beginTransaction()
    try ThreadRole.current.running(blockOf: transaction) {
      do {
        try reading(in: transaction, body)
        if isDry { try transaction.rollback() } else { try transaction.commit() }
      } catch {
        try? transaction.rollback()
        throw error
      }
    }
  }

  private func writePart(
    of transaction: StoreTransaction, to mounts: [Mount], _ body: () throws -> Void
  ) throws {
    var sessions: [any WriteSession] = []
    do {
      for mount in mounts {
        let session = try transaction.writing(mount)
        try session.setSavepoint()
        sessions.append(session)
      }
      try reading(in: transaction, body)
    } catch {
      try? rollBack(sessions, on: mounts)
      throw error
    }
    if isDry { return try rollBack(sessions, on: mounts) }
    for session in sessions { try session.releaseSavepoint() }
    context.coordinator.recordSave()
  }

  /// Takes back what was written since the savepoints, with the rows that were read meanwhile.
  private func rollBack(_ sessions: [any WriteSession], on mounts: [Mount]) throws {
    defer {
      for mount in mounts { mount.store.rowCache.invalidateOverlay() }
      context.coordinator.recordSave()
    }
    for session in sessions { try session.rollbackToSavepoint() }
  }

  private func reading(in transaction: StoreTransaction, _ body: () throws -> Void) throws {
    self.transaction = transaction
    reader.transaction = transaction
    defer {
      self.transaction = nil
      reader.transaction = nil
    }
    try body()
  }

  /// The session that writes a store.
  func session(_ mount: Mount) throws -> any WriteSession {
    guard let transaction else { throw context.coordinator.noStore() }
    return try transaction.writing(mount)
  }

  /// Whether it matters which records of an entity tree of a store are written, and not only how many: where
  /// their identifiers are asked for, a history names them, or some of the tree's rows are cached, of which
  /// those that do not change are to stay.
  func needsKeys(ofTree root: Int, on mount: Mount) throws -> Bool {
    try needsIdentifiers || session(mount).keepsHistory || mount.store.rowCache.knowsRows(of: root)
  }

  // MARK: The result

  /// Ends the part of a store of which nobody needs to know the records: has every row of the entity tree
  /// that somebody reads meanwhile read anew.
  func end(_ count: Int, ofTree root: Int, on mount: Mount) {
    mount.store.rowCache.recordWithdrawal(ofTree: root)
    result.count += count
  }

  /// Ends the part of a store: adds its changes to the history, has rows read anew, and counts its records.
  ///
  /// - Parameters:
  ///   - count: The number of records.
  ///   - objects: The records in the order of the result, where identifiers are asked for.
  func end(
    _ record: CommitRecord, on mount: Mount, count: Int, objects: @autoclosure () -> some Sequence<ObjectKey>
  ) throws {
    _ = try session(mount).recordHistory(of: record)
    let written = Dictionary(grouping: record.request.updates, by: \.row.layout.rootIndex)
    mount.store.rowCache.recordWithdrawals(
      record.withdrawn + written.map { ($0.key, $0.value.map(\.key)) })
    result.count += count
    guard needsIdentifiers else { return }
    result.objectIDs += objects().map { context.identifier($0, storeIndex: mount.index) }
  }
}

extension ManagedObjectContext {
  /// The part of a prepared fetch that one store answers.
  func prepared(_ fetch: PreparedFetch, on mount: Mount) -> PreparedFetch {
    PreparedFetch(request: fetch.request, entity: fetch.entity, mounts: [mount])
  }
}
