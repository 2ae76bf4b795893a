/// Identifier of an object within its store: its entity, and the reference by which the store knows it.
///
/// Two objects of one entity tree never have the same reference.
///
/// ```swift
/// let department = NodeIdentifier(entity: "Department", reference: "tools")
/// let ada = NodeIdentifier(entity: "Employee", reference: 1)
/// let node = StoreNode(id: ada, toOne: ["department": department])
/// ```
public struct NodeIdentifier: Hashable, Sendable, Codable {
  /// The name of the object's own entity.
  public var entity: String
  /// The reference.
  public var reference: NodeReference

  /// An identifier.
  public init(entity: String, reference: NodeReference) {
    (self.entity, self.reference) = (entity, reference)
  }
}

extension NodeIdentifier: CustomStringConvertible {
  /// `Employee/p12`: the short form of the object's identifier.
  public var description: String { "\(entity)/p\(reference)" }
}
