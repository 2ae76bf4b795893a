import GraphStoreModel
import GraphStorePredicates

/// Correspondence that written mappings state, where statements over sets can execute it.
///
/// That is so where each object keeps its key: one mapping makes the objects of an entity, of all objects of
/// another one, and no two make objects of one entity tree. Attributes are copied or constant, relationships
/// lead to the new objects of the old members, or to others made of the same object. Values that are copied
/// keep the rules that the old model had for them too (MIG-124). Everything else is migrated by objects:
/// policies, filters, other expressions, values with new rules.
struct WrittenPairing: MigrationPairing {
  private struct Place: Hashable {
    let entity: Int
    let property: ObjectIdentifier

    init(_ property: PropertyDescription, _ entity: EntityDescription) {
      self.entity = entity.index
      self.property = ObjectIdentifier(property)
    }
  }

  private var sources: [Int: EntityDescription] = [:]
  private var successors: [Int: [EntityDescription]] = [:]
  private var origins: [Place: PropertyDescription] = [:]
  private var constants: [Place: Value] = [:]
  private var twins: [Place: EntityDescription] = [:]
  /// Attributes whose values an expression states: a missing one stays missing (MIG-167).
  private var stated: Set<Place> = []
  private let mappings: [CheckedEntityMapping]
  /// The pairing of the elements of composite attributes.
  private let inference: ModelPairing

  /// - Returns: Nil where objects have to be read one by one.
  init?(_ parts: [CheckedMapping]) {
    guard parts.count == 1 else { return nil }
    inference = parts[0].pairing
    mappings = parts[0].entityMappings.filter { $0.source != nil && $0.destination != nil }
    for mapping in mappings {
      guard let source = mapping.source, let destination = mapping.destination, pair(source, destination),
        mapping.policyName == nil, mapping.filter == nil
      else { return nil }
    }
    guard keepsKeys else { return nil }
    for mapping in mappings {
      guard mapping.attributes.allSatisfy({ take($0, of: mapping) }) else { return nil }
    }
    guard sharesNoFiles else { return nil }
    for mapping in mappings {
      guard mapping.relationships.allSatisfy({ take($0, of: mapping) }) else { return nil }
    }
    guard fillsFamiliesAlike else { return nil }
  }

  // MARK: Entities

  private mutating func pair(_ source: EntityDescription, _ destination: EntityDescription) -> Bool {
    guard !destination.isAbstract, sources[destination.index] == nil else { return false }
    sources[destination.index] = source
    successors[source.index, default: []].append(destination)
    return true
  }

  /// Whether the objects of each new entity tree are made from one old one, each from another object.
  private var keepsKeys: Bool {
    var trees: [Int: EntityDescription] = [:]
    var taken: Set<[Int]> = []
    for mapping in mappings {
      guard let source = mapping.source, let root = mapping.destination?.rootEntity.index else { continue }
      guard trees[root].map({ $0 === source.rootEntity }) != false,
        taken.insert([root, source.index]).inserted
      else { return false }
      trees[root] = source.rootEntity
    }
    return true
  }

  // MARK: Attributes

  private mutating func take(_ mapping: CheckedAttributeMapping, of entity: CheckedEntityMapping) -> Bool {
    let attribute = mapping.attribute
    guard let destination = entity.destination, !attribute.isTransient, !attribute.isDerived else {
      return true
    }
    let place = Place(attribute, destination)
    switch mapping.value {
    case .derived: return true
    case .defaultValue: return isAllowed(attribute.defaultValue, attribute, in: destination)
    case .attribute(let origin):
      origins[place] = origin
      return !origin.isTransient && attribute.keepsRules(of: origin)
    case .expression(let expression):
      stated.insert(place)
      if let key = expression.keyOfSource {
        guard let origin = entity.source?.property(named: key) as? AttributeDescription, !origin.isTransient,
          origin.type == attribute.type, origin.allowsExternalStorage == attribute.allowsExternalStorage,
          attribute.keepsRules(of: origin)
        else { return false }
        origins[place] = origin
        return true
      }
      guard case .constant(let value) = expression.kind else { return false }
      let exact = value.isNull ? .null : value.exactly(as: attribute.type)
      constants[place] = exact
      return exact.map { isAllowed($0, attribute, in: destination) } ?? false
    }
  }

  private func isAllowed(
    _ value: Value, _ attribute: AttributeDescription, in entity: EntityDescription
  ) -> Bool {
    attribute.type != .composite && !attribute.constraints.checksPredicates
      && attribute.validate(value, in: entity).isEmpty
  }

  /// Whether no two attributes would get one file outside of the store, which the first to lose it would
  /// remove.
  private var sharesNoFiles: Bool {
    let external = origins.filter { ($0.value as? AttributeDescription)?.allowsExternalStorage == true }
    return external.allSatisfy { place, origin in
      external.filter { $0.value === origin && sources[$0.key.entity] === sources[place.entity] }.count == 1
    }
  }

  // MARK: Relationships

  private mutating func take(_ mapping: CheckedRelationshipMapping, of entity: CheckedEntityMapping) -> Bool {
    let relationship = mapping.relationship
    guard let source = entity.source, let destination = entity.destination, !relationship.isTransient else {
      return true
    }
    guard relationship.validations.isEmpty || keepsRules(mapping) else { return false }
    switch mapping.value {
    case .expression: return false
    case .empty:
      // Statements of its inverse are found from there.
      return mapping.isInferred && (!relationship.requiresMember || isFilled(byInverseOf: relationship))
    case .relationship(let origin):
      origins[Place(relationship, destination)] = origin
      return !origin.isTransient && keepsMembers(of: origin, in: relationship)
    case .objects(let name, let expression):
      guard let other = mappings.first(where: { $0.name == name }), let made = other.destination,
        made.isKind(of: relationship.destination), follows(relationship, in: made)
      else { return false }
      if case .variable("source") = expression.kind, other.source === source {
        return link(relationship, in: destination, toTwin: made)
      }
      guard let key = expression.keyOfSource,
        let origin = source.property(named: key) as? RelationshipDescription, !origin.isTransient,
        origin.destination.concreteFamily.allSatisfy({ $0 === other.source }),
        hasShape(of: origin, relationship)
      else { return false }
      origins[Place(relationship, destination)] = origin
      return true
    }
  }

  /// Whether all entities that inherit a relationship get its members from the same source: its inverse is
  /// filled for all of them at once.
  private var fillsFamiliesAlike: Bool {
    var origins: [ObjectIdentifier: ObjectIdentifier?] = [:]
    return mappings.allSatisfy { mapping in
      mapping.relationships.allSatisfy { stated in
        guard let destination = mapping.destination else { return true }
        let relationship = stated.relationship
        let origin =
          (source(of: relationship, in: destination) as AnyObject? ?? twin(of: relationship, in: destination))
          .map(ObjectIdentifier.init)
        let former = origins.updateValue(origin, forKey: ObjectIdentifier(relationship))
        return former.map { $0 == origin } ?? true
      }
    }
  }

  /// Whether every object that an old relationship may lead to becomes one that the new relationship may lead
  /// to.
  private func keepsMembers(of origin: RelationshipDescription, in relationship: RelationshipDescription)
    -> Bool
  {
    origin.destination.concreteFamily.allSatisfy { entity in
      successors[entity.index]?.contains { $0.isKind(of: relationship.destination) } == true
    }
  }

  private func keepsRules(_ mapping: CheckedRelationshipMapping) -> Bool {
    guard case .relationship(let origin) = mapping.value else { return false }
    return mapping.relationship.validations.map(\.text) == origin.validations.map(\.text)
  }

  /// Whether a mapping states or infers the inverse.
  private func isFilled(byInverseOf relationship: RelationshipDescription) -> Bool {
    mappings.contains { mapping in
      mapping.relationships.contains { other in
        guard other.relationship === relationship.inverse else { return false }
        if case .empty = other.value { return false }
        return true
      }
    }
  }

  /// Whether no mapping states the inverse of a relationship in the objects that it leads to.
  private func follows(_ relationship: RelationshipDescription, in destination: EntityDescription) -> Bool {
    guard let inverse = relationship.inverse else { return true }
    let mapping = mappings.first { $0.destination === destination }
    let back = mapping?.relationships.first { $0.relationship === inverse }
    guard let back, back.isInferred, case .empty = back.value else { return false }
    return true
  }

  /// Whether two relationships have equal numbers of members at both ends, in no order.
  private func hasShape(of old: RelationshipDescription, _ new: RelationshipDescription) -> Bool {
    func shape(_ relationship: RelationshipDescription) -> [Bool?] {
      [relationship.isToMany, relationship.inverse?.isToMany]
    }
    let isOrdered = [old, old.inverse, new, new.inverse].contains { $0?.isOrdered == true }
    return !isOrdered && shape(old) == shape(new)
  }

  private mutating func link(
    _ relationship: RelationshipDescription, in entity: EntityDescription, toTwin twin: EntityDescription
  ) -> Bool {
    let ends = [relationship, relationship.inverse].compactMap(\.self)
    guard relationship.inverse !== relationship, ends.contains(where: { !$0.isToMany }),
      !(relationship.isToMany && relationship.inverse == nil),
      ends.allSatisfy({ !$0.isOrdered && $0.minCount <= 1 })
    else { return false }
    twins[Place(relationship, entity)] = twin
    if let inverse = relationship.inverse { twins[Place(inverse, twin)] = entity }
    return true
  }

  // MARK: Answers

  func source(of entity: EntityDescription) -> EntityDescription? { sources[entity.index] }

  func destinations(of entity: EntityDescription) -> [EntityDescription] { successors[entity.index] ?? [] }

  func source(of property: PropertyDescription, in entity: EntityDescription) -> PropertyDescription? {
    origins[Place(property, entity)]
  }

  func source(
    ofElements path: [AttributeDescription], of new: AttributeDescription, in old: AttributeDescription
  ) -> [AttributeDescription]? { inference.source(ofElements: path, of: new, in: old) }

  func constant(of attribute: AttributeDescription, in entity: EntityDescription) -> Value? {
    constants[Place(attribute, entity)]
  }

  func putsDefault(into attribute: AttributeDescription, in entity: EntityDescription) -> Bool {
    !stated.contains(Place(attribute, entity))
  }

  func twin(of relationship: RelationshipDescription, in entity: EntityDescription) -> EntityDescription? {
    twins[Place(relationship, entity)]
  }

  var checksOldRules: Bool { true }
}

extension AttributeDescription {
  /// Whether what an old attribute's rules allow is allowed by this one's.
  fileprivate func keepsRules(of old: AttributeDescription) -> Bool {
    let rules = { (attribute: AttributeDescription) -> [String?] in
      [attribute.minimum?.shownText, attribute.maximum?.shownText, attribute.pattern]
        + [attribute.minLength, attribute.maxLength].map { $0.map(String.init) }
        + attribute.validations.map(\.text)
    }
    guard constraints.isEmpty || rules(self) == rules(old) else { return false }
    // Whether a composite one has a value is stored in no column of its own.
    if type == .composite, !isOptional, old.isOptional { return false }
    return elements.allSatisfy { element in
      old.elements.first { $0.name == element.name }.map(element.keepsRules) ?? false
    }
  }
}
