import GraphStorePredicates

/// Everything that an atomic store holds.
///
/// `Codable` keeps every value exactly, so that an encoder of any kind will do for a form of one's own:
///
/// ```swift
/// let content = AtomicStoreContent(
///   metadata: StoreMetadataKey.metadata(type: StoreType(rawValue: "Notebook"), identifier: UUID()),
///   nodes: [StoreNode(id: NodeIdentifier(entity: "Employee", reference: 1))])
/// let bytes = try JSONEncoder().encode(content)
/// print(try JSONDecoder().decode(AtomicStoreContent.self, from: bytes) == content)  // true
/// ```
public struct AtomicStoreContent: Hashable, Sendable {
  /// The metadata, of which ``StoreMetadataKey/type`` and ``StoreMetadataKey/identifier`` have to be there.
  ///
  /// Data that the library has not written need no more. The library adds the model, its hashes, and the
  /// highest numbers that it has given; a store gives back what it was given.
  public var metadata: [String: Value]
  /// All objects, in any order. Of a relationship with an inverse one end is enough; a list of members that
  /// is there is complete.
  public var nodes: [StoreNode]

  /// Content.
  public init(metadata: [String: Value], nodes: [StoreNode]) {
    (self.metadata, self.nodes) = (metadata, nodes)
  }
}

extension AtomicStoreContent: Codable {
  private enum CodingKeys: String, CodingKey {
    case metadata, nodes
  }

  /// Writes metadata, then objects.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(metadata.mapValues(CodedValue.init), forKey: .metadata)
    try container.encode(nodes, forKey: .nodes)
  }

  /// Reads what ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      metadata: try container.decode([String: CodedValue].self, forKey: .metadata).mapValues(\.value),
      nodes: try container.decode([StoreNode].self, forKey: .nodes))
  }
}
