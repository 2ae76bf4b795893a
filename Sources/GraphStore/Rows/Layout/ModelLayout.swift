import GraphStoreModel
import Synchronization

/// The layouts of a model's entities, by the entities' position in the model.
package final class ModelLayout: Sendable {
  package let model: ManagedObjectModel
  package let entities: [EntityLayout]
  /// Whether a relationship of some entity denies deletions.
  package let hasDenyRules: Bool
  /// Whether rows of some entity have values that no store keeps.
  package let hasTransients: Bool
  /// Whether values of some entity may be stored in files of their own.
  package let hasExternalData: Bool
  /// The derived attributes, each once, where its entity declares it.
  package let derivedAttributes: [DerivedAttribute]
  /// Whether objects do not hold values that Core Data stores in forms of its own.
  private let leavesOutForeignForms: Bool

  private static let identities = Atomic<UInt32>(1)

  /// A layout for objects of a model in no store, which hold all that objects can hold.
  package convenience init(_ model: ManagedObjectModel) { self.init(StoredEntities(model)) }

  /// A layout for objects of a store.
  package init(_ stored: StoredEntities) {
    let model = stored.model
    self.model = model
    leavesOutForeignForms = stored.leavesOutForeignForms
    let first = Self.identities.add(UInt32(model.entities.count), ordering: .relaxed).oldValue
    entities = model.entities.map { EntityLayout($0, identity: first + UInt32($0.index), stored) }
    hasDenyRules = entities.contains { $0.has(.deny) }
    hasTransients = entities.contains { !$0.transients.isEmpty }
    derivedAttributes = stored.model.entities.flatMap(\.ownProperties).compactMap {
      ($0 as? AttributeDescription).flatMap(DerivedAttribute.init)
    }
    hasExternalData = entities.contains(where: \.hasExternalData)
  }

  /// Whether objects of these layouts hold what those of a store are to hold.
  package func fits(_ stored: StoredEntities) -> Bool {
    guard stored.leavesOutForeignForms != leavesOutForeignForms else { return true }
    return !model.entities.contains { entity in
      entity.attributes.contains(where: \.hasForeignForm)
    }
  }

  /// Whether records of an entity tree are nothing but their rows: no relationship leads from or to them, one
  /// and its inverse aside, and none of their values may be in a file.
  package func hasPlainRows(_ root: Int, besides relationship: RelationshipDescription? = nil) -> Bool {
    !entities.contains { entity in
      entity.rootIndex == root && entity.hasExternalData
        || entity.relationships.contains {
          (entity.rootIndex == root || entities[$0.destination].rootIndex == root)
            && $0.description !== relationship && $0.description !== relationship?.inverse
        }
    }
  }

  package func entity(named name: String) throws -> EntityLayout {
    entities[try model.entity(named: name).index]
  }
}

/// Uniqueness constraint: properties whose values no two objects of an entity and its sub-entities may share
/// (MDL-293).
package struct UniquenessConstraint: Hashable {
  /// The entity that declares it.
  package let declaring: EntityDescription
  /// Its position among those that the entity declares.
  package let position: Int

  package static func == (left: Self, right: Self) -> Bool {
    left.declaring === right.declaring && left.position == right.position
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(declaring))
    hasher.combine(position)
  }

  /// The names of its properties, as they were declared.
  package var names: [String] { declaring.ownUniquenessConstraints[position].map(\.name) }
}

extension EntityLayout {
  /// The constraints that bind objects of the entity: its own, then those of the entities above it.
  package var uniquenessConstraints: [UniquenessConstraint] {
    var found: [UniquenessConstraint] = []
    var declaring: EntityDescription? = entity
    while let entity = declaring {
      found += entity.ownUniquenessConstraints.indices.map {
        UniquenessConstraint(declaring: entity, position: $0)
      }
      declaring = entity.superentity
    }
    return found
  }

  /// The properties of a constraint, in the order of the entity's.
  package func properties(of constraint: UniquenessConstraint) -> [PropertyLayout] {
    let names = Set(constraint.names)
    return properties.filter { names.contains($0.name) }
  }
}
