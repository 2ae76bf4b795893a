import Dispatch
import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Synchronization

/// A store of a program's own type as the coordinator has it: requests become questions to the store, and its
/// nodes become rows.
final class IncrementalPersistentStore: PersistentStore {
  let base: any IncrementalStore
  let capabilities: IncrementalStoreCapabilities
  let caller: StoreCaller
  let turns: StoreTurns
  let scope: StoreIdentity
  let layout: ModelLayout
  let rowCache: RowCache
  let entities: StoredEntities
  let options: StoreOptions
  let path: String
  private let type: StoreType
  private let references: NodeReferenceTable
  private let storedMetadata: Mutex<StoreMetadata>
  private let registrationLog = Mutex<RegistrationLog?>(nil)
  private let byName: [String: Int]

  /// Makes a store of one that has told its metadata.
  init(
    _ base: any IncrementalStore, _ metadata: StoreMetadata, _ entities: StoredEntities, layout: ModelLayout,
    path: String, _ options: StoreOptions, label: StoreLabel? = nil
  ) {
    self.base = base
    capabilities = base.capabilities
    self.entities = entities
    self.layout = layout
    self.path = path
    self.options = options
    type = StoreType(rawValue: metadata.string(StoreMetadata.Key.type) ?? "")
    caller = StoreCaller(name: path, timeout: options.timeout)
    turns = StoreTurns(name: path, timeout: options.timeout)
    references = NodeReferenceTable.shared(by: metadata.identifier)
    scope = StoreIdentity(
      metadata.identifier, model: layout.model, label: label, references: references, takesAnyReference: true)
    rowCache = RowCache(layout)
    storedMetadata = Mutex(metadata)
    byName = Dictionary(uniqueKeysWithValues: layout.entities.map { ($0.entity.name, $0.index) })
    guard capabilities.contains(.registrations) else { return }
    registrationLog.withLock { $0 = RegistrationLog { [weak self] in self?.tellRegistrations() } }
  }

  /// Another handle of the same store, with a row cache of its own.
  private convenience init(sharing other: IncrementalPersistentStore) {
    self.init(
      other.base, other.metadata, other.entities, layout: other.layout, path: other.path, other.options,
      label: other.scope.label)
  }

  // MARK: Description

  var isReadOnly: Bool { options.isReadOnly }
  var warnings: [StoreWarning] { [] }
  var typeName: String { type.rawValue }
  var isInFile: Bool { false }
  var isMadeByCoreData: Bool { false }
  var url: URL { URL(string: path) ?? URL(fileURLWithPath: path) }
  var runsBatchRequests: Bool { false }
  var ordersByLists: Bool { true }
  var registrations: RegistrationLog? { registrationLog.withLock(\.self) }

  /// One for each call of the store (DGN-067).
  var statementCounts: StatementCounts {
    var counts = StatementCounts()
    counts.other = caller.callCount
    return counts
  }

  var metadata: StoreMetadata {
    get { storedMetadata.withLock(\.self) }
    set { storedMetadata.withLock { $0 = newValue } }
  }

  func sharing() -> any PersistentStore { IncrementalPersistentStore(sharing: self) }

  // MARK: Sessions

  func makeSession(_ use: ReadUse) -> any ReadSession { IncrementalReadSession(self) }

  func beginWriting(isShared: Bool) throws -> any WriteSession {
    guard !isReadOnly else {
      throw GraphStoreError(
        .readOnlyStore, "\(path) was opened for reading only.", remedy: "Open it for writing.")
    }
    try caller.checkStopped()
    return try IncrementalWriteSession(self, isShared: isShared)
  }

  func setStopped(_ isStopped: Bool) { caller.setStopped(isStopped) }

  func close() {
    turns.close()
    end()
  }

  func closeWhenUnused() throws {
    try turns.closeWhenUnused()
    end()
  }

  private func end() {
    let base = base
    Task(executorPreference: StoreExecutor.shared) { await base.close() }
  }

  func setExclusiveAccess(_ use: ExclusiveAccess?) { turns.setExclusiveAccess(use) }

  func waitUntilUnused(but own: [any ReadSession], until deadline: DispatchTime) throws {
    try turns.waitUntilUnused(but: identities(own), until: deadline)
  }

  func isUnused(but own: [any ReadSession], and condition: () -> Bool) -> Bool {
    turns.isUnused(but: identities(own), and: condition)
  }

  private func identities(_ sessions: [any ReadSession]) -> Set<ObjectIdentifier> {
    Set(sessions.compactMap { ($0.stored as? IncrementalSession).map(ObjectIdentifier.init) })
  }

  // MARK: Registrations

  /// Tells the store which records have come into use and gone out of it.
  private func tellRegistrations() {
    Task(executorPreference: StoreExecutor.shared) { [base, registrations, self] in
      guard let (registered, unregistered) = registrations?.take() else { return }
      if !registered.isEmpty { await base.didRegister(registered.map { self.identifier($0.root, $0.key) }) }
      if !unregistered.isEmpty {
        await base.didUnregister(unregistered.map { self.identifier($0.root, $0.key) })
      }
    }
  }
}

// MARK: - Identifiers

extension IncrementalPersistentStore {
  /// The name that the store has for a record.
  func identifier(_ entity: Int, _ key: Int64) -> NodeIdentifier {
    let entity = layout.entities[entity].entity
    return NodeIdentifier(entity: entity.name, reference: scope.reference(of: key, entity))
  }

  /// The record of a name.
  ///
  /// - Throws: `store-corrupt` for an entity that the model does not have.
  func record(_ identifier: NodeIdentifier) throws -> ObjectKey {
    guard let entity = byName[identifier.entity] else {
      throw GraphStoreError(
        .storeCorrupt, "\(path) names \(identifier), of an entity that the model does not have.",
        remedy: "Let the store name entities of the model.", entity: identifier.entity)
    }
    return ObjectKey(
      entity: entity, key: key(of: identifier.reference, ofTree: layout.entities[entity].rootIndex))
  }

  func key(of reference: NodeReference, ofTree root: Int) -> Int64 {
    references.key(of: reference, in: layout.entities[root].entity.name)
  }

  /// The error of a node that is not what it should be.
  func faulty(
    _ record: ObjectKey, _ problem: String, property: String? = nil, value: Value? = nil
  ) -> GraphStoreError {
    let id = ManagedObjectID(scope: scope, entityIndex: record.entity, key: record.key)
    return GraphStoreError(
      .storeCorrupt, "\(path): \(id.shortForm) \(problem).",
      remedy: "Let the store give nodes as the model has them.", entity: id.entity.name, property: property,
      objectID: id, value: value)
  }

  /// The error of an answer that does not fit what was asked.
  func wrongAnswer(_ problem: String, entity: EntityDescription) -> GraphStoreError {
    GraphStoreError(
      .storeCorrupt, "\(path) has been asked for \(entity.name), and \(problem).",
      remedy: "Let the store answer what it is asked.", entity: entity.name)
  }
}

extension GraphStoreError {
  /// The failure of a request of a kind that a type of store does not know.
  ///
  /// - Parameters:
  ///   - work: The request, as the subject of a sentence.
  ///   - way: What can be done instead, as a sentence.
  package static func unsupportedRequest(_ work: String, of type: String, instead way: String)
    -> GraphStoreError
  {
    GraphStoreError(.requestUnsupported, "\(work) is not known to stores of type \(type).", remedy: way)
  }
}
