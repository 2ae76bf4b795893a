import GraphStorePredicates

/// Save of an atomic store: everything that it holds from now on, and what has changed of it.
///
/// A store that writes itself anew takes ``content``; one with a place for each object looks at what was
/// inserted, updated and deleted.
///
/// ```swift
/// struct DrawerStore: AtomicStore {
///   let folder: URL
///
///   init(_ opening: StoreOpening) { folder = opening.url }
///   func load() -> AtomicStoreContent? { nil }
///
///   func save(_ save: AtomicStoreSave) throws {
///     func file(_ id: NodeIdentifier) -> URL { folder.appending(path: "\(id.entity)-\(id.reference)") }
///     for id in save.inserted + save.updated { try JSONEncoder().encode(save.node(id)).write(to: file(id)) }
///     for id in save.deleted { try FileManager.default.removeItem(at: file(id)) }
///   }
/// }
/// ```
public struct AtomicStoreSave: Sendable {
  /// The metadata, all of which is to be kept.
  public let metadata: [String: Value]
  /// The objects that are new, by entity tree and in the order in which they were made.
  public let inserted: [NodeIdentifier]
  /// The objects that were there, and of which a value, a link or a place has changed.
  public let updated: [NodeIdentifier]
  /// The objects that are gone.
  public let deleted: [NodeIdentifier]
  private let objects: NodeWriter

  /// The differences of a state to the one that was saved last.
  init(_ objects: NodeWriter, from former: NodeWriter?, metadata: [String: Value]) {
    (self.objects, self.metadata) = (objects, metadata)
    let difference = StateDifference(from: former?.content.state, to: objects.content.state)
    inserted = difference.inserted.map { objects.identifier($0) }
    updated = difference.updated.map { objects.identifier($0) }
    deleted = difference.deleted.map { objects.identifier($0) }
  }

  /// All objects, by entity in the order of the model, then by age.
  ///
  /// - Throws: `external-data-missing` for a value in a file that is gone.
  public var nodes: [StoreNode] {
    get throws { try objects.nodes() }
  }

  /// All objects, with the metadata.
  ///
  /// - Throws: as ``nodes``.
  public var content: AtomicStoreContent {
    get throws { AtomicStoreContent(metadata: metadata, nodes: try nodes) }
  }

  /// One of the objects.
  ///
  /// - Throws: `object-not-found` for one that the store does not hold any more; as ``nodes``.
  public func node(_ id: NodeIdentifier) throws -> StoreNode {
    guard let node = try objects.node(id) else {
      throw GraphStoreError(
        .objectNotFound, "The store does not hold \(id).", remedy: "Ask for objects that are not deleted.",
        entity: id.entity)
    }
    return node
  }
}
