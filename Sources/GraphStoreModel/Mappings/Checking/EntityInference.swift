/// Inference of how the properties of one entity become those of another (MIG-063, MIG-075 to MIG-091).
struct EntityInference {
  let judgement: ModelComparison
  let source: EntityDescription
  let destination: EntityDescription
  /// Whether mandatory attributes without a value are left to the check of the data (MIG-104).
  let allowsMissingValues: Bool
  private let pairs: NamePairing
  /// The refusals of the requested properties.
  private(set) var refusals: [InferenceRefusal] = []

  init(
    from source: EntityDescription, to destination: EntityDescription, judgement: ModelComparison,
    allowsMissingValues: Bool
  ) {
    self.source = source
    self.destination = destination
    self.judgement = judgement
    self.allowsMissingValues = allowsMissingValues
    pairs = judgement.pairing.properties(from: source, to: destination)
  }

  /// The property of the source that a property of the destination continues.
  func origin(of property: PropertyDescription) -> PropertyDescription? {
    pairs.sources[property.number].map { source.properties[$0] }
  }

  // MARK: Attributes

  mutating func map(_ attribute: AttributeDescription) -> CheckedAttributeMapping {
    guard !attribute.isDerived else { return CheckedAttributeMapping(attribute, .derived) }
    guard !attribute.isTransient else { return CheckedAttributeMapping(attribute, .defaultValue) }
    switch origin(of: attribute) {
    case nil:
      refuseRival(of: attribute)
      return add(attribute, at: attribute.name)
    case let origin as AttributeDescription where !origin.isTransient:
      return convert(origin, to: attribute, at: attribute.name)
    case let origin? where origin is AttributeDescription || origin.isTransient:
      return add(attribute, at: attribute.name)
    case let origin?:
      refuseKind(origin, attribute)
      return CheckedAttributeMapping(attribute, .defaultValue)
    }
  }

  private mutating func add(
    _ attribute: AttributeDescription, at path: String
  ) -> CheckedAttributeMapping {
    if case .refused(let reason) = ModelText.addition(attribute) {
      refuse(
        attribute, at: path, new: ModelText.describe(attribute), reason: reason,
        remedy: ModelText.additionRemedy(attribute))
    }
    return CheckedAttributeMapping(attribute, .defaultValue)
  }

  private mutating func convert(
    _ old: AttributeDescription, to new: AttributeDescription, at path: String
  ) -> CheckedAttributeMapping {
    if case .refused(let reason) = ModelComparison.effectOfType(old.type, new.type) {
      refuse(
        new, at: path, old: old.type.rawValue, new: new.type.rawValue, reason: reason,
        remedy: ModelComparison.typeRemedy)
      return CheckedAttributeMapping(new, .defaultValue)
    }
    let lacksValues = old.isOptional && !new.isOptional && !ModelText.hasDefault(new)
    if lacksValues, !allowsMissingValues {
      refuse(
        new, at: path, old: "optional", new: "required", reason: ModelComparison.missingValues,
        remedy: ModelComparison.defaultRemedy)
    }
    return CheckedAttributeMapping(new, .attribute(old), elements: elements(of: old, as: new, at: path))
  }

  private mutating func elements(
    of old: AttributeDescription, as new: AttributeDescription, at path: String
  ) -> [CheckedAttributeMapping] {
    guard new.type == .composite else { return [] }
    let pairs = NamePairing(old: old.elements.map(\.nameItem), new: new.elements.map(\.nameItem))
    return new.elements.enumerated().map { position, element in
      let place = "\(path).\(element.name)"
      if let origin = pairs.sources[position] { return convert(old.elements[origin], to: element, at: place) }
      if let rival = pairs.winners[position].map({ new.elements[$0] }) {
        refuseClaim(of: element, against: rival, thing: "element", at: place)
      }
      return add(element, at: place)
    }
  }

  // MARK: Relationships

  /// - Parameter isReached: Whether a written mapping makes objects of the relationship's destination of
  ///   those that an old relationship leads to.
  mutating func map(
    _ relationship: RelationshipDescription, isReached: (RelationshipDescription) -> Bool
  ) -> CheckedRelationshipMapping {
    guard !relationship.isTransient else { return CheckedRelationshipMapping(relationship, .empty) }
    switch origin(of: relationship) {
    case nil:
      refuseRival(of: relationship)
      return add(relationship)
    case let origin as RelationshipDescription where !origin.isTransient:
      let effect = judgement.effectOfDestination(origin.destination, relationship.destination)
      if case .refused(let reason) = effect, !isReached(origin) {
        refuse(
          relationship, at: relationship.name, old: origin.destination.name,
          new: relationship.destination.name,
          reason: reason, remedy: ModelComparison.mappingRemedy)
      }
      return CheckedRelationshipMapping(relationship, .relationship(origin))
    case let origin? where origin is RelationshipDescription || origin.isTransient:
      return add(relationship)
    case let origin?:
      refuseKind(origin, relationship)
      return CheckedRelationshipMapping(relationship, .empty)
    }
  }

  private mutating func add(_ relationship: RelationshipDescription) -> CheckedRelationshipMapping {
    if case .refused(let reason) = judgement.additionOf(relationship, [destination]) {
      refuse(
        relationship, at: relationship.name, new: ModelText.describe(relationship), reason: reason,
        remedy: ModelText.additionRemedy(relationship))
    }
    return CheckedRelationshipMapping(relationship, .empty)
  }

  // MARK: Refusals

  private mutating func refuseRival(of property: PropertyDescription) {
    guard let rival = pairs.winners[property.number].map({ destination.properties[$0] }) else { return }
    refuseClaim(of: property, against: rival, thing: "property", at: property.name)
  }

  private mutating func refuseClaim(
    of property: PropertyDescription, against rival: PropertyDescription, thing: String, at path: String
  ) {
    refuse(
      property, at: path, reason: ModelText.claim(rival.name, property.name, oneOld: thing),
      remedy: ModelText.claimRemedy(property.renamingIdentifier))
  }

  private mutating func refuseKind(_ old: PropertyDescription, _ new: PropertyDescription) {
    refuse(
      new, at: new.name, old: ModelText.subject(old).rawValue, new: ModelText.subject(new).rawValue,
      reason: ModelComparison.otherKind, remedy: ModelComparison.mappingRemedy)
  }

  private mutating func refuse(
    _ property: PropertyDescription, at path: String, old: String? = nil, new: String? = nil, reason: String,
    remedy: String
  ) {
    // An abstract entity has no objects that anything could go wrong with.
    guard !source.isAbstract, !destination.isAbstract else { return }
    refusals.append(
      InferenceRefusal(
        entity: property.entity.name, property: path, old: old, new: new, reason: reason, remedy: remedy))
  }
}

extension AttributeDescription {
  var nameItem: NamePairing.Item { NamePairing.Item(name: name, identifier: renamingIdentifier) }
}

extension CheckedAttributeMapping {
  /// Makes an inferred mapping.
  init(
    _ attribute: AttributeDescription, _ value: Source, elements: [CheckedAttributeMapping] = []
  ) {
    self.init(attribute: attribute, value: value, elements: elements, isInferred: true, userInfo: [:])
  }
}

extension CheckedRelationshipMapping {
  /// Makes an inferred mapping.
  init(_ relationship: RelationshipDescription, _ value: Source) {
    self.init(relationship: relationship, value: value, isInferred: true, userInfo: [:])
  }
}
