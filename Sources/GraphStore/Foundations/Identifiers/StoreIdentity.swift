import Foundation
import GraphStoreModel

/// Scope of identifiers: a store, or, for temporary ones, a coordinator.
package final class StoreIdentity: Sendable {
  /// The store's UUID; for temporary identifiers one made for the coordinator.
  package let identifier: UUID
  /// The UUID's text, in upper case: what the URIs of identifiers hold.
  package let uuid: String
  package let model: ManagedObjectModel
  /// The label of the store beside others; nil where it needs no name.
  package let label: StoreLabel?
  /// The references that the keys of its objects stand for; nil where keys are known to the store itself.
  package let references: NodeReferenceTable?
  /// Whether the store may have records that nobody has named yet, as one that is asked for them has.
  private let takesAnyReference: Bool

  package init(
    _ identifier: UUID, model: ManagedObjectModel, label: StoreLabel? = nil,
    references: NodeReferenceTable? = nil, takesAnyReference: Bool = false
  ) {
    self.identifier = identifier
    uuid = identifier.uuidString
    self.model = model
    self.label = label
    self.references = references
    self.takesAnyReference = takesAnyReference
  }

  /// The prefix of the short form of an identifier: `archive:`, or nothing where no other store can have one
  /// like it.
  package func prefix(ofEntityAt index: Int) -> String {
    guard let label, label.isAmbiguous[index] else { return "" }
    return label.name + ":"
  }

  /// What follows `p` in the forms of an identifier: the reference that a key stands for, else the key.
  package func reference(of key: Int64, _ entity: EntityDescription) -> NodeReference {
    references?.reference(of: key, in: entity.rootEntity.name) ?? .integer(key)
  }

  /// The key of what follows `p` in the forms of an identifier; nil where no record can have it.
  package func key(_ text: some StringProtocol, _ entity: EntityDescription) -> Int64? {
    guard let reference = NodeReference(uriText: text) else { return nil }
    if let references {
      let root = entity.rootEntity.name
      return takesAnyReference
        ? references.key(of: reference, in: root) : references.knownKey(of: reference, in: root)
    }
    guard case .integer(let key) = reference, StoredKey.keys.contains(key) else { return nil }
    return key
  }
}

/// Name of a store that is open beside others (STO-136).
package struct StoreLabel: Sendable {
  package let name: String
  /// The model that the store carries, which may be a part of the coordinator's.
  package let carriedModel: ManagedObjectModel
  /// By the entity's position in the coordinator's model, whether several stores hold the entity.
  package let isAmbiguous: [Bool]
}
