import GraphStorePredicates

/// Record as an incremental store hands it over: values, what its to-one relationships lead to, and a
/// version.
///
/// ```swift
/// let node = IncrementalStoreNode(
///   NodeIdentifier(entity: "Employee", reference: 12), version: 3,
///   values: ["name": .string("Ada"), "salary": .int(82_000)],
///   destinations: ["department": NodeIdentifier(entity: "Department", reference: 2)])
/// ```
public struct IncrementalStoreNode: Sendable {
  /// The name of the record; its entity is the record's own.
  public var identifier: NodeIdentifier
  /// The version, from 0 on; with the capability ``IncrementalStoreCapabilities/versions`` each change raises
  /// it.
  public var version: Int64
  /// The values of attributes by name. Those that have none are left out or null; data of transformable
  /// attributes are the transformed bytes, and composite attributes are dictionaries.
  public var values: [String: Value]
  /// The records that to-one relationships lead to, by name; those that lead nowhere are left out.
  public var destinations: [String: NodeIdentifier]

  /// Makes a node.
  public init(
    _ identifier: NodeIdentifier, version: Int64 = 1, values: [String: Value],
    destinations: [String: NodeIdentifier] = [:]
  ) {
    self.identifier = identifier
    self.version = version
    self.values = values
    self.destinations = destinations
  }
}
