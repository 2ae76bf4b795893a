import Foundation
import GraphStorePredicates

/// An entity: the kind of an object, with its properties, its parent and its sub-entities.
///
/// Descriptions are made by ``ManagedObjectModel``, never change afterwards, and may be used from any thread.
/// An entity holds its ancestors and its properties, but not its model: one that outlives it finds the
/// others, and the model, in an equal model that is made for it then. Within a model an entity is one object,
/// so identity distinguishes entities.
///
/// ```swift
/// let entity = try model.entity(named: "Employee")
/// print(entity.attributes.map(\.name), entity.relationships.map(\.name))
/// print(entity.superentity?.name ?? "at the top", entity.property(named: "salary")?.isOptional ?? true)
/// ```
public final class EntityDescription: Sendable {
  /// The name.
  public let name: String
  /// The position in ``ManagedObjectModel/entities``.
  public let index: Int
  /// The name under which a class is registered for objects of this entity.
  public let className: String?
  /// Whether the entity has no objects of its own.
  public let isAbstract: Bool
  /// The entity's name in the version before; its name where none is specified.
  public let renamingIdentifier: String
  /// A text that changes the version hash and nothing else.
  public let versionHashModifier: String?
  /// User information: anything that a program keeps with it.
  public let userInfo: [String: JSONValue]

  /// The parent.
  public let superentity: EntityDescription?
  /// All properties by number: inherited ones first, from the root down, then the own attributes,
  /// relationships and fetched properties, each in the order of the file.
  public let properties: [PropertyDescription]
  /// All attributes, inherited ones first.
  public let attributes: [AttributeDescription]
  /// All relationships, inherited ones first.
  public let relationships: [RelationshipDescription]
  /// All fetched properties, inherited ones first.
  public let fetchedProperties: [FetchedPropertyDescription]
  /// The number of the first property that the entity declares itself.
  public let ownPropertyStart: Int
  /// All properties by name.
  public let propertiesByName: [String: PropertyDescription]
  /// The indexes the entity declares itself.
  public let indexes: [IndexDescription]
  /// The uniqueness constraints, of attributes and to-one relationships, those of the ancestors first.
  public let uniquenessConstraints: [[PropertyDescription]]
  /// The uniqueness constraints the entity declares itself.
  public let ownUniquenessConstraints: [[PropertyDescription]]

  /// The entity at the top of the tree; nil for this one, which cannot hold itself.
  private let otherRoot: EntityDescription?
  /// The positions of the entity and of all sub-entities below in ``ManagedObjectModel/entitiesDepthFirst``.
  package let familyRange: Range<Int>
  let reference: WeakModelReference
  private let hash = VersionHash.Cache()

  init(_ definition: EntityDefinition, index: Int, parts: EntityParts, reference: WeakModelReference) {
    name = definition.name
    self.index = index
    className = definition.className
    isAbstract = definition.isAbstract
    renamingIdentifier = definition.renamingIdentifier ?? definition.name
    versionHashModifier = definition.versionHashModifier
    userInfo = definition.userInfo
    superentity = parts.superentity
    properties = parts.properties
    attributes = parts.attributes
    relationships = parts.relationships
    fetchedProperties = parts.fetchedProperties
    ownPropertyStart = parts.ownPropertyStart
    propertiesByName = parts.propertiesByName
    indexes = parts.indexes
    ownUniquenessConstraints = parts.ownUniquenessConstraints
    uniquenessConstraints = (superentity?.uniquenessConstraints ?? []) + parts.ownUniquenessConstraints
    otherRoot = parts.superentity.map { $0.otherRoot ?? $0 }
    familyRange = parts.familyRange
    self.reference = reference
  }

  /// The model.
  public var model: ManagedObjectModel { reference.model }

  /// The entity without parent at the top of the tree.
  public var rootEntity: EntityDescription { otherRoot ?? self }

  /// All sub-entities below, depth first.
  public var descendants: [EntityDescription] {
    familyRange.count == 1 ? [] : Array(model.entitiesDepthFirst[familyRange.dropFirst()])
  }

  /// The direct sub-entities, in the order of the file.
  public var subentities: [EntityDescription] { descendants.filter { $0.superentity?.index == index } }

  /// 32 bytes made of what affects storage: SHA-256 over a text that is the same on every machine and in
  /// every release.
  ///
  /// The text has one line an item, `key value`, each ending with a line feed. Strings are JSON strings,
  /// hashes lower-case hexadecimal, and an absent value is `-`. That of an entity:
  ///
  /// ```
  /// entity "NAME"
  /// abstract true|false
  /// parent HASH
  /// property HASH          for each own stored property, by the bytes of their names
  /// constraint ["A","B"]   for each own constraint, names and constraints sorted by their bytes
  /// modifier "TEXT"
  /// ```
  ///
  /// That of an attribute has the keys `attribute`, `optional`, `modifier`, `type`, `derivation`, and
  /// `element` with the hash of each element of a composite; that of a relationship `relationship`,
  /// `optional`, `modifier`, `destination`, `inverse`, `many`, `ordered`, `minimum` and `maximum`.
  ///
  /// A hash is made when it is first asked for, and kept.
  public var versionHash: Data { Data(digest) }

  /// The bytes of the version hash.
  var digest: [UInt8] {
    hash.bytes { VersionHash.text(of: self) }
  }

  /// The entity itself and all sub-entities below, depth first.
  public var family: [EntityDescription] { [self] + descendants }

  /// The properties that the entity declares itself.
  public var ownProperties: ArraySlice<PropertyDescription> { properties[ownPropertyStart...] }

  /// The property of a name, nil if there is none. Costs one look-up.
  public func property(named name: String) -> PropertyDescription? { propertiesByName[name] }

  /// The attribute of a name, nil if there is none.
  public func attribute(named name: String) -> AttributeDescription? {
    propertiesByName[name] as? AttributeDescription
  }

  /// The relationship of a name, nil if there is none.
  public func relationship(named name: String) -> RelationshipDescription? {
    propertiesByName[name] as? RelationshipDescription
  }

  /// Whether there is a to-many on the path of keys from the end of a path from an object of the entity;
  /// properties of sub-entities count.
  package func leadsToMany(_ keys: [String], behind path: [String] = []) -> Bool {
    var owner = self
    for (position, key) in (path + keys).enumerated() {
      guard
        let relationship = owner.relationship(named: key)
          ?? owner.descendants.lazy.compactMap({ $0.relationship(named: key) }).first
      else { return false }
      if relationship.isToMany, position >= path.count { return true }
      owner = relationship.destination
    }
    return false
  }

  /// All attributes by name.
  public var attributesByName: [String: AttributeDescription] {
    Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0) })
  }

  /// All relationships by name.
  public var relationshipsByName: [String: RelationshipDescription] {
    Dictionary(uniqueKeysWithValues: relationships.map { ($0.name, $0) })
  }

  /// Whether this is `entity` or one of its sub-entities. Costs two comparisons.
  public func isKind(of entity: EntityDescription) -> Bool {
    reference.identity == entity.reference.identity && entity.familyRange.contains(familyRange.lowerBound)
  }

  /// The relationships whose destination is exactly `entity`.
  public func relationships(forDestination entity: EntityDescription) -> [RelationshipDescription] {
    relationships.filter { $0.destination === entity }
  }

  /// The concrete entities among this one and its sub-entities.
  public var concreteFamily: [EntityDescription] { family.filter { !$0.isAbstract } }
}

extension EntityDescription: Hashable, CustomStringConvertible {
  /// Whether both are the same description.
  public static func == (left: EntityDescription, right: EntityDescription) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The name.
  public var description: String { name }
}

/// Parts that an entity is built of besides its definition.
struct EntityParts {
  var superentity: EntityDescription?
  var properties: [PropertyDescription] = []
  var attributes: [AttributeDescription] = []
  var relationships: [RelationshipDescription] = []
  var fetchedProperties: [FetchedPropertyDescription] = []
  var ownPropertyStart = 0
  var propertiesByName: [String: PropertyDescription] = [:]
  var indexes: [IndexDescription] = []
  var ownUniquenessConstraints: [[PropertyDescription]] = []
  var familyRange = 0..<1
}

extension EntityDescription: ValueConvertible {
  /// The entity's name, with which `entity` is compared.
  public var queryValue: Value { .string(name) }
}
