import Foundation
import GraphStore
import Synchronization

/// An incremental store that keeps its records in the process, for any model, by nothing but the public
/// interface; it can be told to lack capabilities, to decline parts of queries, to be slow and to fail, and
/// lists the calls that it gets.
final class ShelfStore: IncrementalStore {
  /// A call, as far as tests ask for it.
  enum Call: Hashable, Sendable {
    case metadata
    case fetch(entity: String, output: IncrementalStoreQuery.Output, parts: IncrementalStoreQuery.Parts)
    case nodes(Int)
    case members(String, owners: Int)
    case references(Int)
    case save
    case close
  }

  /// Behaviour that tests change.
  struct Behaviour: Sendable {
    var capabilities: IncrementalStoreCapabilities = .all
    /// What it declines, although its capabilities have it.
    var declined: IncrementalStoreQuery.Parts = []
    /// Whether references are texts.
    var hasTexts = false
    /// Called at the beginning of each call, which may take its time.
    var onCall: @Sendable (Call) async throws -> Void = { _ in }
    /// Changes nodes before they are given.
    var onNode: @Sendable (inout IncrementalStoreNode) -> Void = { _ in }
    /// Changes references before they are given.
    var onReferences: @Sendable (inout [NodeReference]) -> Void = { _ in }
  }

  let model: ManagedObjectModel
  let uuid = UUID()
  private let behaviour: Mutex<Behaviour>
  private let state = Mutex(ShelfState())
  private let log = Mutex<[Call]>([])
  private let changes = Mutex<[IncrementalStoreChanges]>([])
  private let inUse = Mutex<Set<NodeIdentifier>>([])
  /// The identifiers that the coordinator has for records, with which predicates name them.
  private let identify = Mutex<(@Sendable (NodeIdentifier) -> ManagedObjectID?)?>(nil)

  init(_ model: ManagedObjectModel, _ behaviour: Behaviour = Behaviour()) {
    self.model = model
    self.behaviour = Mutex(behaviour)
  }

  // MARK: What tests see and change

  var calls: [Call] { log.withLock(\.self) }
  var savedChanges: [IncrementalStoreChanges] { changes.withLock(\.self) }
  var recordsInUse: Set<NodeIdentifier> { inUse.withLock(\.self) }
  var nodes: [IncrementalStoreNode] { state.withLock { $0.inOrder } }

  func forgetCalls() { log.withLock { $0 = [] } }

  func change(_ body: (inout Behaviour) -> Void) { behaviour.withLock { body(&$0) } }

  /// Changes a record as another program does.
  func change(_ identifier: NodeIdentifier, _ body: (inout IncrementalStoreNode) -> Void) {
    state.withLock { state in
      guard var node = state.node(place(identifier)) else { return }
      body(&node)
      node.version += 1
      state.put(node, place(identifier))
    }
  }

  /// Takes a record out, and leaves what refers to it as it is.
  func remove(_ identifier: NodeIdentifier) { state.withLock { $0.remove(place(identifier)) } }

  func use(_ identify: @escaping @Sendable (NodeIdentifier) -> ManagedObjectID?) {
    self.identify.withLock { $0 = identify }
  }

  private func begin(_ call: Call) async throws {
    log.withLock { $0.append(call) }
    try await behaviour.withLock(\.onCall)(call)
  }

  private func place(_ identifier: NodeIdentifier) -> ShelfState.Place {
    let root = model.entitiesByName[identifier.entity]?.rootEntity.name ?? identifier.entity
    return ShelfState.Place(root: root, reference: identifier.reference)
  }

  private func given(_ node: IncrementalStoreNode) -> IncrementalStoreNode {
    var node = node
    behaviour.withLock(\.onNode)(&node)
    return node
  }

  // MARK: The store

  var capabilities: IncrementalStoreCapabilities { behaviour.withLock(\.capabilities) }

  func loadMetadata() async throws -> [String: Value] {
    try await begin(.metadata)
    return ["NSStoreUUID": .string(uuid.uuidString), "NSStoreType": .string("Shelf"), "shelf": .int(1)]
  }

  func fetch(_ query: IncrementalStoreQuery) async throws -> IncrementalStoreAnswer {
    var parts: IncrementalStoreQuery.Parts = []
    if query.predicate != nil { parts.insert(.predicate) }
    if !query.sortDescriptors.isEmpty { parts.insert(.sort) }
    if query.fetchLimit > 0 || query.fetchOffset > 0 { parts.insert(.window) }
    try await begin(.fetch(entity: query.entity.name, output: query.output, parts: parts))
    let declined = behaviour.withLock(\.declined).intersection(parts)
    guard declined.isEmpty else { return .unsupported(declined) }
    let found = try ShelfSearch(state.withLock(\.self), model, identify.withLock(\.self)).matches(query)
    switch query.output {
    case .nodes: return .nodes(found.map(given))
    case .identifiers: return .identifiers(found.map(\.identifier))
    case .count: return .count(found.count)
    }
  }

  func nodes(for identifiers: [NodeIdentifier]) async throws -> [IncrementalStoreNode] {
    try await begin(.nodes(identifiers.count))
    return state.withLock { state in identifiers.compactMap { state.node(place($0)) } }.map(given)
  }

  func members(_ query: IncrementalStoreMemberQuery) async throws -> IncrementalStoreMembers {
    try await begin(.members(query.relationship.name, owners: query.owners.count))
    let state = state.withLock(\.self)
    var lists: [NodeIdentifier: [NodeIdentifier]] = [:]
    var nodes: [NodeIdentifier: IncrementalStoreNode] = [:]
    let found = state.members(of: query.relationship, owners: query.owners.map(place))
    for owner in query.owners {
      let members = (found[place(owner)] ?? []).compactMap(state.node)
      lists[owner] = members.map(\.identifier)
      if query.wantsNodes { for node in members { nodes[node.identifier] = given(node) } }
    }
    return IncrementalStoreMembers(lists, nodes: Array(nodes.values))
  }

  func permanentReferences(
    for insertions: [IncrementalStoreInsertion]
  ) async throws -> [NodeReference] {
    try await begin(.references(insertions.count))
    let (hasTexts, change) = behaviour.withLock { ($0.hasTexts, $0.onReferences) }
    var references = state.withLock { state in
      insertions.map { state.nextReference(ofTree: $0.entity.rootEntity.name, hasTexts: hasTexts) }
    }
    change(&references)
    return references
  }

  func save(_ changes: IncrementalStoreChanges) async throws {
    try await begin(.save)
    self.changes.withLock { $0.append(changes) }
    try state.withLock { state in
      var changed = state
      let stale =
        (changes.deleted.map { ($0.identifier, $0.version) }
        + changes.locked.map { ($0.identifier, $0.version) }
        + changes.updated.map { ($0.identifier, $0.version) })
        .filter { changed.node(place($0.0))?.version != $0.1 }.map(\.0)
      guard stale.isEmpty else { throw IncrementalStoreConflict(stale) }
      for node in changes.inserted { changed.put(node, place(node.identifier)) }
      for update in changes.updated {
        guard var node = changed.node(place(update.identifier)) else { continue }
        node.version += 1
        node.values.merge(update.values) { $1 }
        for (name, destination) in update.destinations { node.destinations[name] = destination }
        changed.put(node, place(update.identifier))
      }
      for record in changes.deleted { changed.delete(place(record.identifier)) }
      for links in changes.links { changed.change(links, place) }
      state = changed
    }
  }

  func didRegister(_ identifiers: [NodeIdentifier]) async {
    inUse.withLock { $0.formUnion(identifiers) }
  }

  func didUnregister(_ identifiers: [NodeIdentifier]) async {
    inUse.withLock { $0.subtract(identifiers) }
  }

  func close() async { log.withLock { $0.append(.close) } }
}
