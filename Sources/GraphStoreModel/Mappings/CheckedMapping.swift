import GraphStorePredicates

/// A mapping that fits two models, with everything that it leaves out inferred.
///
/// The models live as long as this does.
///
/// ```swift
/// let checked = try CheckedMapping(mapping: mapping, from: old, to: new)
/// for entity in checked.entityMappings { print(entity.name, entity.kind, entity.isInferred) }
/// for loss in checked.losses { print(loss) }
/// ```
public struct CheckedMapping: Sendable {
  /// The model that is left.
  public var source: ManagedObjectModel { pairing.source }
  /// The model that is reached.
  public var destination: ManagedObjectModel { pairing.destination }
  /// The pairing of the destination with the source, by the models alone.
  package let pairing: ModelPairing
  /// The mapping as it was written, with ``MappingModel/entityMappings`` for what is written only.
  public let mapping: MappingModel
  /// The entity mappings in the order in which they run: written ones first, then inferred ones in the order
  /// of the destination, then those of entities that are left behind. Mappings between abstract entities are
  /// not among them: they make no objects, and what they state is in those of their sub-entities.
  public let entityMappings: [CheckedEntityMapping]
}

/// An entity mapping whose names and expressions fit both models.
///
/// ```swift
/// for entity in try CheckedMapping(mapping: mapping, from: old, to: new).entityMappings {
///   print(entity.source?.name ?? "nothing", "becomes", entity.destination?.name ?? "nothing")
///   print(entity.attributes.filter { !$0.isInferred }.map(\.attribute.name))
/// }
/// ```
public struct CheckedEntityMapping: Sendable {
  /// The name.
  public let name: String
  /// The entity whose objects are taken, those of sub-entities not included; nil for none.
  public let source: EntityDescription?
  /// The entity whose objects are made; nil where objects are left behind.
  public let destination: EntityDescription?
  /// The kind of the mapping.
  public let kind: EntityMapping.Kind
  /// Whether it was inferred, not written by hand.
  public let isInferred: Bool
  /// The filter that selects source objects; nil for all.
  public let filter: QueryPredicate?
  /// The name of the migration policy; nil for none.
  public let policyName: String?
  /// The mappings of all stored or transient attributes of the destination, inherited ones included.
  public let attributes: [CheckedAttributeMapping]
  /// The mappings of all relationships of the destination, inherited ones included.
  public let relationships: [CheckedRelationshipMapping]
  /// Anything that a program keeps with it.
  public let userInfo: [String: JSONValue]
}

/// Mapping of an attribute of a destination object.
public struct CheckedAttributeMapping: Sendable {
  /// Source of a value.
  public enum Source: Sendable {
    /// The default of the attribute, else nil.
    case defaultValue
    /// The value of an attribute of the source, converted exactly where the types differ; nil becomes the
    /// default where the attribute is mandatory.
    case attribute(AttributeDescription)
    /// The value of an expression; nil stays nil.
    case expression(QueryExpression)
    /// Nothing: the store derives it.
    case derived
  }

  /// The attribute of the destination.
  public let attribute: AttributeDescription
  /// The source of its value.
  public let value: Source
  /// The mappings of all elements where ``value`` is another composite attribute; else empty.
  public let elements: [CheckedAttributeMapping]
  /// Whether it was inferred, not written by hand.
  public let isInferred: Bool
  /// Anything that a program keeps with it.
  public let userInfo: [String: JSONValue]
}

/// Mapping of a relationship of a destination object.
public struct CheckedRelationshipMapping: Sendable {
  /// Source of members.
  public enum Source: Sendable {
    /// Nowhere by itself: it is empty, or follows from its inverse.
    case empty
    /// The objects that any mapping made for the members of a relationship of the source.
    case relationship(RelationshipDescription)
    /// The objects that one mapping made for the objects that an expression yields.
    case objects(ofMapping: String, from: QueryExpression)
    /// The value of an expression: destination objects.
    case expression(QueryExpression)
  }

  /// The relationship of the destination.
  public let relationship: RelationshipDescription
  /// The source of its members.
  public let value: Source
  /// Whether it was inferred, not written by hand.
  public let isInferred: Bool
  /// Anything that a program keeps with it.
  public let userInfo: [String: JSONValue]
}
