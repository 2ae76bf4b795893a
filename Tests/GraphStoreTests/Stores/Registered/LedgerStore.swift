import Dispatch
import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Synchronization

@testable import GraphStore

/// A type of store that the library knows nothing of: its files begin with a word of their own, and the
/// records are kept in the process.
struct LedgerDriver: StoreDriver {
  static let beginning = Array("LEDGER 1\n".utf8)

  private static let kept = Mutex<[String: InMemoryStore]>([:])

  let type = StoreType(rawValue: "Ledger")

  func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: Self.beginning) }

  func isAlwaysNew(at path: String) -> Bool { false }

  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> any PersistentStore {
    let entities = try StoredEntities(model, configuration: options.configuration)
    let store = InMemoryStore(
      entities, layout: form.layout ?? ModelLayout(entities), options, rowCache: form.rowCache)
    try Data(Self.beginning).write(to: URL(fileURLWithPath: path))
    Self.kept.withLock { $0[path] = store }
    return LedgerStore(store, path: path)
  }

  func open(
    _ path: String, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse
  ) throws -> any PersistentStore {
    LedgerStore(InMemoryStore(sharing: try kept(path)), path: path)
  }

  func checkCopying(from source: any PersistentStore, to path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    throw GraphStoreError(.storeExists, "There is a ledger at \(path).", remedy: "Choose another path.")
  }

  func metadata(at path: String, timeout: Duration) throws -> StoreMetadata {
    try kept(path).database.snapshot().metadata
  }

  func changeMetadata(
    at path: String, timeout: Duration, _ changes: ([String: Value]) throws -> [String: Value?]
  ) throws {
    let store = try kept(path)
    try store.write { try $0.setMetadata(try changes(try $0.metadata())) }
  }

  func copy(
    _ source: String, to destination: String, _ present: PresentStore, isOneFile: Bool, timeout: Duration
  ) throws -> StoreBackupResult {
    throw GraphStoreError(.notSupported, "A ledger is not copied.", remedy: "Write another one.")
  }

  func destroy(_ path: String, isForced: Bool, timeout: Duration) throws {
    _ = Self.kept.withLock { $0.removeValue(forKey: path) }
    try FileManager.default.removeItem(atPath: path)
  }

  private func kept(_ path: String) throws -> InMemoryStore {
    guard let store = Self.kept.withLock({ $0[path] }) else {
      throw GraphStoreError(.storeNotFound, "There is no ledger at \(path).", remedy: "Make one.")
    }
    return store
  }
}

/// A store of that type.
private final class LedgerStore: PersistentStore {
  private let base: InMemoryStore
  let path: String

  init(_ base: InMemoryStore, path: String) {
    self.base = base
    self.path = path
  }

  var typeName: String { "Ledger" }
  var isInFile: Bool { true }
  var scope: StoreIdentity { base.scope }
  var layout: ModelLayout { base.layout }
  var rowCache: RowCache { base.rowCache }
  var isReadOnly: Bool { base.isReadOnly }
  var warnings: [StoreWarning] { base.warnings }
  var options: StoreOptions { base.options }
  var entities: StoredEntities { base.entities }
  var isMadeByCoreData: Bool { false }
  var statementCounts: StatementCounts { base.statementCounts }

  func sharing() -> any PersistentStore { LedgerStore(InMemoryStore(sharing: base), path: path) }
  func makeSession(_ use: ReadUse) -> any ReadSession { base.makeSession(use) }
  func beginWriting(isShared: Bool) throws -> any WriteSession { try base.beginWriting(isShared: isShared) }
  func setStopped(_ isStopped: Bool) { base.setStopped(isStopped) }
  func close() {}
  func closeWhenUnused() throws {}
  func setExclusiveAccess(_ use: ExclusiveAccess?) { base.setExclusiveAccess(use) }
  func waitUntilUnused(but own: [any ReadSession], until deadline: DispatchTime) throws {
    try base.waitUntilUnused(but: own, until: deadline)
  }
  func isUnused(but own: [any ReadSession], and condition: () -> Bool) -> Bool {
    base.isUnused(but: own, and: condition)
  }
}
