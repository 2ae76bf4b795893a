import Dispatch
import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// A store that keeps its rows in memory, as long as it is mounted (STO-080).
///
/// It answers requests itself, by evaluating predicates and sort descriptors over its rows in the
/// three-valued logic of stores (STO-051, STO-052). Requests are evaluated over the values it holds: an
/// object that some context has loaded, and that has older values, does not matter.
final class InMemoryStore: PersistentStore {
  /// Its name in messages.
  static let name = "The in-memory store"

  let scope: StoreIdentity
  let rowCache: RowCache
  let isReadOnly = false
  let warnings: [StoreWarning] = []
  let entities: StoredEntities
  let isMadeByCoreData = false
  let options: StoreOptions
  let database: InMemoryDatabase

  /// Makes a new, empty store.
  ///
  /// - Parameter rowCache: The row cache that it takes over from another store; nil for its own.
  init(
    _ entities: StoredEntities, layout: ModelLayout, _ options: StoreOptions, rowCache: RowCache? = nil
  ) {
    let metadata = StoreMetadata(type: .inMemory, entities)
    self.entities = entities
    self.options = options
    scope = StoreIdentity(metadata.identifier, model: layout.model)
    self.rowCache = rowCache ?? RowCache(layout, clock: nil)
    database = InMemoryDatabase(InMemorySchema(layout), metadata, timeout: options.timeout)
  }

  /// Makes a store of what a database holds.
  init(
    _ entities: StoredEntities, _ database: InMemoryDatabase, scope: StoreIdentity, _ options: StoreOptions,
    rowCache: RowCache? = nil
  ) {
    self.entities = entities
    self.options = options
    self.scope = scope
    self.database = database
    self.rowCache = rowCache ?? RowCache(database.schema.layout, clock: nil)
  }

  /// Works on what another store holds, with a row cache of its own, as another process does with a file.
  init(sharing other: InMemoryStore) {
    entities = other.entities
    options = other.options
    scope = other.scope
    database = other.database
    rowCache = RowCache(other.layout, clock: nil)
  }

  var layout: ModelLayout { database.schema.layout }
  var typeName: String { StoreType.inMemory.rawValue }
  var path: String { Self.name }
  /// `memory://` and its UUID (STO-033).
  var url: URL { URL(string: "memory://\(scope.uuid)") ?? URL(fileURLWithPath: "/dev/null") }
  var isInFile: Bool { false }
  var statementCounts: StatementCounts { StatementCounts() }

  func sharing() -> any PersistentStore { InMemoryStore(sharing: self) }

  func makeSession(_ use: ReadUse) -> any ReadSession { InMemoryReadSession(self) }

  func beginWriting(isShared: Bool) throws -> any WriteSession {
    try InMemoryWriteSession(self, isShared: isShared)
  }

  func setStopped(_ isStopped: Bool) { database.setStopped(isStopped) }

  func close() { database.close() }

  func closeWhenUnused() throws { try database.closeWhenUnused() }

  // MARK: Exclusive use

  func setExclusiveAccess(_ use: ExclusiveAccess?) { database.setExclusiveAccess(use) }

  /// Waits for the writer; readers have states of their own.
  func waitUntilUnused(but own: [any ReadSession], until deadline: DispatchTime) throws {
    if !isWriting(own) { try database.waitUntilUnused(until: deadline) }
  }

  func isUnused(but own: [any ReadSession], and condition: () -> Bool) -> Bool {
    database.isUnused(but: isWriting(own), and: condition)
  }

  /// Whether one of some sessions has the turn to write.
  private func isWriting(_ sessions: [any ReadSession]) -> Bool {
    sessions.contains { ($0 as? InMemoryWriteSession)?.store.database === database }
  }
}
