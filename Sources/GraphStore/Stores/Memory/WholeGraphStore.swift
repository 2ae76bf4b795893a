import Dispatch
import GraphStoreModel

/// Store that is in memory as a whole, and whose state is kept elsewhere: reading, writing and waiting are
/// those of the store in memory.
protocol WholeGraphStore: PersistentStore {
  /// What it holds.
  var base: InMemoryStore { get }
}

extension WholeGraphStore {
  var scope: StoreIdentity { base.scope }
  var layout: ModelLayout { base.layout }
  var rowCache: RowCache { base.rowCache }
  var warnings: [StoreWarning] { [] }
  var options: StoreOptions { base.options }
  var entities: StoredEntities { base.entities }
  var statementCounts: StatementCounts { base.statementCounts }

  func makeSession(_ use: ReadUse) -> any ReadSession { base.makeSession(use) }

  func beginWriting(isShared: Bool) throws -> any WriteSession {
    guard !isReadOnly else {
      throw GraphStoreError(
        .readOnlyStore, "\(path) was opened for reading only.", remedy: "Open it for writing.")
    }
    return try base.beginWriting(isShared: isShared)
  }

  func setStopped(_ isStopped: Bool) { base.setStopped(isStopped) }
  func close() { base.close() }
  func closeWhenUnused() throws { try base.closeWhenUnused() }
  func setExclusiveAccess(_ use: ExclusiveAccess?) { base.setExclusiveAccess(use) }

  func waitUntilUnused(but own: [any ReadSession], until deadline: DispatchTime) throws {
    try base.waitUntilUnused(but: own, until: deadline)
  }

  func isUnused(but own: [any ReadSession], and condition: () -> Bool) -> Bool {
    base.isUnused(but: own, and: condition)
  }
}
