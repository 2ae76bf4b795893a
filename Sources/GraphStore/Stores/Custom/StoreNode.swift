import GraphStorePredicates

/// Object of a store as a value: what a store that a program has written reads and writes.
///
/// Whatever has no value is left out. `Codable` keeps every value exactly, so that an encoder of any kind
/// will do for a store of one's own.
///
/// ```swift
/// let ada = StoreNode(
///   id: NodeIdentifier(entity: "Employee", reference: 1),
///   values: ["name": .string("Ada"), "salary": .decimal(82_000)],
///   toOne: ["department": NodeIdentifier(entity: "Department", reference: 1)])
/// print(ada.id, ada.values["name"] ?? .null)
/// ```
public struct StoreNode: Identifiable, Hashable, Sendable {
  /// The identifier.
  public var id: NodeIdentifier
  /// The values of attributes by name: those of transformable ones as bytes, of composite ones as
  /// dictionaries of their elements.
  public var values: [String: Value]
  /// The destinations of to-one relationships by name.
  public var toOne: [String: NodeIdentifier]
  /// The members of to-many relationships by name, in their order where they have one.
  public var toMany: [String: [NodeIdentifier]]
  /// How often the object was changed, by which conflicts are found; nil where the store does not record it.
  public var version: Int64?

  /// An object.
  public init(
    id: NodeIdentifier, values: [String: Value] = [:], toOne: [String: NodeIdentifier] = [:],
    toMany: [String: [NodeIdentifier]] = [:], version: Int64? = nil
  ) {
    (self.id, self.values, self.toOne, self.toMany, self.version) = (id, values, toOne, toMany, version)
  }
}

extension StoreNode: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, version, values, toOne, toMany
  }

  /// Writes what is there.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encodeIfPresent(version, forKey: .version)
    try container.encode(values.mapValues(CodedValue.init), forKey: .values)
    if !toOne.isEmpty { try container.encode(toOne, forKey: .toOne) }
    if !toMany.isEmpty { try container.encode(toMany, forKey: .toMany) }
  }

  /// Reads what ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(NodeIdentifier.self, forKey: .id),
      values: try container.decode([String: CodedValue].self, forKey: .values).mapValues(\.value),
      toOne: try container.decodeIfPresent([String: NodeIdentifier].self, forKey: .toOne) ?? [:],
      toMany: try container.decodeIfPresent([String: [NodeIdentifier]].self, forKey: .toMany) ?? [:],
      version: try container.decodeIfPresent(Int64.self, forKey: .version))
  }
}
