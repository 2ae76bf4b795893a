import Dispatch
import Foundation
import GraphStoreModel

/// A store that is in memory as a whole, and in one document: read on opening, and written anew by each
/// commit that changes something.
///
/// It is a store in memory whose state outlives the process: the document is written first, and where that
/// fails the committed state stays what it was.
final class DocumentStore: PersistentStore {
  /// What it holds.
  let base: InMemoryStore
  let file: AtomicStoreFile
  let format: any AtomicStoreFormat
  let isReadOnly: Bool

  init(_ base: InMemoryStore, _ file: AtomicStoreFile, _ format: any AtomicStoreFormat, isReadOnly: Bool) {
    (self.base, self.file, self.format, self.isReadOnly) = (base, file, format, isReadOnly)
  }

  var typeName: String { format.type.rawValue }
  var path: String { file.path }
  var isInFile: Bool { true }
  var scope: StoreIdentity { base.scope }
  var layout: ModelLayout { base.layout }
  var rowCache: RowCache { base.rowCache }
  var warnings: [StoreWarning] { [] }
  var options: StoreOptions { base.options }
  var entities: StoredEntities { base.entities }
  var isMadeByCoreData: Bool { (try? !base.database.snapshot().metadata.isOurs) ?? false }
  var statementCounts: StatementCounts { base.statementCounts }
  var contentState: Data? { file.contentState }

  func sharing() -> any PersistentStore {
    DocumentStore(InMemoryStore(sharing: base), file, format, isReadOnly: isReadOnly)
  }

  func reopened(at path: String) throws -> any PersistentStore {
    throw GraphStoreError(
      .notSupported,
      "\(self.path) cannot be moved to \(path): stores of type \(format.type) are not moved while they are open.",
      remedy: "Remove it from the coordinator, move its file, and add it again.")
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
