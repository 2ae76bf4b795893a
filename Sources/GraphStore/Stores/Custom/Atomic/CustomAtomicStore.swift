import Dispatch
import Foundation
import GraphStoreModel

/// A store in memory whose state a type that a program has written loads and saves.
final class CustomAtomicStore: PersistentStore {
  private let base: InMemoryStore
  private let store: any AtomicStore
  private let type: StoreType
  /// The location, as messages call it.
  let path: String

  init(_ base: InMemoryStore, _ store: any AtomicStore, _ type: StoreType, path: String) {
    (self.base, self.store, self.type, self.path) = (base, store, type, path)
  }

  var customStore: (any CustomStore)? { store }
  var typeName: String { type.rawValue }
  var url: URL { LocationText.url(path) }
  var isInFile: Bool { false }
  var isReadOnly: Bool { options.isReadOnly }
  var scope: StoreIdentity { base.scope }
  var layout: ModelLayout { base.layout }
  var rowCache: RowCache { base.rowCache }
  var warnings: [StoreWarning] { [] }
  var options: StoreOptions { base.options }
  var entities: StoredEntities { base.entities }
  var isMadeByCoreData: Bool { false }
  var statementCounts: StatementCounts { base.statementCounts }

  func sharing() -> any PersistentStore {
    CustomAtomicStore(InMemoryStore(sharing: base), store, type, path: path)
  }

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
