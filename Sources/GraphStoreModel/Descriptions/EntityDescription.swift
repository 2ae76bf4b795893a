import Foundation

/// An entity: the kind of an object, with its properties, its parent and its sub-entities.
///
/// Descriptions are made by ``ManagedObjectModel``, never change afterwards, and may be used from any thread. They do not
/// hold their model: one that outlives it finds the others, and the model, in an equal model that is made for it then.
/// Within a model an entity is one object, so identity tells entities apart.
public final class EntityDescription: @unchecked Sendable {
  /// The name.
  public let name: String
  /// The position in ``ManagedObjectModel/entities``.
  public let index: Int
  /// The name under which a class is registered for objects of this entity.
  public let className: String?
  /// Whether the entity has no objects of its own.
  public let isAbstract: Bool
  /// The entity's name in the version before; its name where none is given.
  public let renamingIdentifier: String
  /// A text that changes the version hash and nothing else.
  public let versionHashModifier: String?
  /// Anything a program noted.
  public let userInfo: [String: JSONValue]

  /// All properties by number: inherited ones first, from the root down, then the own attributes, relationships and
  /// fetched properties, each in the order of the file.
  @safe @exclusivity(unchecked) public internal(set) var properties: [PropertyDescription] = []
  /// All attributes, inherited ones first.
  @safe @exclusivity(unchecked) public internal(set) var attributes: [AttributeDescription] = []
  /// All relationships, inherited ones first.
  @safe @exclusivity(unchecked) public internal(set) var relationships: [RelationshipDescription] = []
  /// All fetched properties, inherited ones first.
  @safe @exclusivity(unchecked) public internal(set) var fetchedProperties: [FetchedPropertyDescription] = []
  /// The number of the first property that the entity declares itself.
  @safe @exclusivity(unchecked) public internal(set) var ownPropertyStart = 0
  /// All properties by name.
  @safe @exclusivity(unchecked) public internal(set) var propertiesByName: [String: PropertyDescription] = [:]
  /// The indexes the entity declares itself.
  @safe @exclusivity(unchecked) public internal(set) var indexes: [IndexDescription] = []
  /// The uniqueness constraints, those of the ancestors first.
  @safe @exclusivity(unchecked) public internal(set) var uniquenessConstraints: [[AttributeDescription]] = []
  /// The uniqueness constraints the entity declares itself.
  @safe @exclusivity(unchecked) public internal(set) var ownUniquenessConstraints: [[AttributeDescription]] =
    []
  /// The direct sub-entities, in the order of the file.
  @safe @exclusivity(unchecked) public internal(set) var subentities: [EntityDescription] = []
  /// All sub-entities below, depth first.
  @safe @exclusivity(unchecked) public internal(set) var descendants: [EntityDescription] = []
  /// The version hash; written and read where the model's hashes are made.
  @safe @exclusivity(unchecked) var digest: [UInt8] = []
  let origin: ModelOrigin
  @safe @exclusivity(unchecked) unowned var parentReference: EntityDescription?
  @safe @exclusivity(unchecked) unowned var modelReference: ManagedObjectModel?
  @safe @exclusivity(unchecked) unowned var rootReference: EntityDescription?
  /// The position in a depth-first walk of all trees, and the end of the part of the walk that is this entity's family.
  @safe @exclusivity(unchecked) var walkStart = 0
  @safe @exclusivity(unchecked) var walkEnd = 0

  init(_ definition: EntityDefinition, index: Int, origin: ModelOrigin) {
    self.origin = origin
    name = definition.name
    self.index = index
    className = definition.className
    isAbstract = definition.isAbstract
    renamingIdentifier = definition.renamingIdentifier ?? definition.name
    versionHashModifier = definition.versionHashModifier
    userInfo = definition.userInfo
  }

  /// The model.
  public var model: ManagedObjectModel { origin.isModelAlive ? modelReference! : origin.successor }

  /// The parent.
  public var superentity: EntityDescription? {
    origin.isModelAlive ? parentReference : counterpart.superentity
  }

  /// The same entity in the successor of a model that is gone.
  private var counterpart: EntityDescription { origin.successor.entities[index] }

  /// 32 bytes made of what affects storage: SHA-256 over a text that is the same on every machine and in every release.
  ///
  /// The text has one line an item, `key value`, each ending with a line feed. Strings are JSON strings, hashes lower-case
  /// hexadecimal, and an absent value is `-`. That of an entity:
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
  /// That of an attribute has the keys `attribute`, `optional`, `modifier`, `type`, `derivation`, and `element` with the hash
  /// of each element of a composite; that of a relationship `relationship`, `optional`, `modifier`, `destination`,
  /// `inverse`, `many`, `ordered`, `minimum` and `maximum`.
  ///
  /// The hashes of the whole model are made when the first one is asked for, and kept.
  public var versionHash: Data {
    guard origin.isModelAlive else { return counterpart.versionHash }
    model.makeHashes()
    return Data(digest)
  }

  /// The entity without parent at the top of the tree.
  public var rootEntity: EntityDescription {
    origin.isModelAlive ? rootReference ?? self : counterpart.rootEntity
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

  /// Whether there is a to-many on the way that keys go from where a path from an object of the entity ends; properties
  /// of sub-entities count.
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
    origin.identity == entity.origin.identity && walkStart >= entity.walkStart && walkStart < entity.walkEnd
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
