extension ModelComparison {
  /// Origins of the values of a new property.
  struct Origins {
    /// The old properties, each once.
    var properties: [PropertyDescription] = []
    /// Concrete entities that have objects already and did not have the property.
    var newcomers: [EntityDescription] = []
    /// Whether objects of any kind are there already.
    var isOld = false
  }

  /// Records what became of the properties that a new entity declares, and which its old one lost.
  mutating func compareProperties(of entity: EntityDescription) {
    for property in entity.ownProperties where !(property is FetchedPropertyDescription) {
      let origins = origins(of: property)
      if origins.properties.isEmpty {
        if origins.isOld { add(property, to: entity, newcomers: origins.newcomers) }
      } else {
        let start = changes.count
        for origin in origins.properties {
          let first = changes.count
          compare(origin, property, origins: origins)
          if !hasValues(origin, property) { allow(from: first) }
        }
        if !isRefused(from: start) { add(property, toNewcomers: origins.newcomers) }
      }
    }
    if let source = pairing.source(of: entity) { removeProperties(of: source, under: entity.name) }
  }

  /// Whether there may be objects that had a property and have another instead.
  private func hasValues(_ origin: PropertyDescription, _ property: PropertyDescription) -> Bool {
    concreteSuccessors(of: property).contains { pairing.source(of: property, in: $0) === origin }
  }

  /// Whether there may be objects of an entity that continue.
  func isContinuedIn(_ source: EntityDescription) -> Bool {
    !source.isAbstract && pairing.destination(of: source)?.isAbstract == false
  }

  private func origins(of property: PropertyDescription) -> Origins {
    var origins = Origins()
    for entity in property.entity.family {
      guard pairing.source(of: entity) != nil else { continue }
      origins.isOld = true
      if let origin = pairing.source(of: property, in: entity) {
        if !origins.properties.contains(origin) { origins.properties.append(origin) }
      } else if !entity.isAbstract, pairing.source(of: entity)?.isAbstract == false {
        origins.newcomers.append(entity)
      }
    }
    return origins
  }

  /// Records the properties that objects of an old entity lose, unless an entity above it loses them as well.
  private mutating func removeProperties(of source: EntityDescription, under name: String) {
    for property in source.properties where !(property is FetchedPropertyDescription) {
      guard isLost(property, in: source), !isMoved(property) else { continue }
      let ancestors = sequence(first: source, next: \.superentity).dropFirst()
      if ancestors.contains(where: { $0.isKind(of: property.entity) && isLost(property, in: $0) }) {
        continue
      }
      record(
        .removed, subject: ModelText.subject(property), of: name, name: property.name,
        old: ModelText.describe(property),
        effect: lossOf(property, in: source), remedy: renamingRemedy(for: property, in: source))
    }
  }

  /// Whether objects of an old entity are there in the new model, but do not have the property.
  private func isLost(_ property: PropertyDescription, in source: EntityDescription) -> Bool {
    pairing.destination(of: source) != nil && pairing.destination(of: property, in: source) == nil
  }

  /// Whether some of the entities that had the property have it from another entity now.
  private func isMoved(_ property: PropertyDescription) -> Bool {
    let home = pairing.destination(of: property.entity)
    return property.entity.family.contains {
      pairing.destination(of: property, in: $0).map { $0.entity !== home } == true
    }
  }

  private func lossOf(
    _ property: PropertyDescription, in source: EntityDescription
  ) -> ModelChange.Effect {
    if property.isTransient { return .none }
    let losers = source.family.filter { isContinuedIn($0) && isLost(property, in: $0) }
    if losers.isEmpty { return .lossless }
    guard let relationship = property as? RelationshipDescription else {
      return .lossy("its values are left behind")
    }
    guard let inverse = relationship.inverse, inverse !== relationship,
      let survivor = pairing.destination(of: inverse, in: inverse.entity) as? RelationshipDescription,
      losers.allSatisfy({ pairing.destination(of: $0)?.isKind(of: survivor.destination) == true })
    else { return .lossy("its links are left behind") }
    return relationship.isOrdered
      ? .lossy("the order of its members is left behind") : .lossless
  }

  /// A hint at the only property of the same kind that was added to the entity.
  private func renamingRemedy(for property: PropertyDescription, in source: EntityDescription) -> String? {
    guard let entity = pairing.destination(of: source) else { return nil }
    let added = entity.properties.filter {
      pairing.source(of: $0, in: entity) == nil && isAlike(property, $0)
    }
    let removed = source.properties.filter {
      pairing.destination(of: $0, in: source) == nil && isAlike($0, property)
    }
    guard let successor = added.first, added.count == 1, removed.count == 1 else { return nil }
    return "If it became \(successor.name), give \(successor.name) "
      + "\"renamingIdentifier\": \"\(property.name)\"."
  }

  private func isAlike(_ left: PropertyDescription, _ right: PropertyDescription) -> Bool {
    switch (left, right) {
    case (let left as AttributeDescription, let right as AttributeDescription):
      return left.type == right.type
    case (let left as RelationshipDescription, let right as RelationshipDescription):
      return left.isToMany == right.isToMany && isSame(left.destination, right.destination)
    default: return false
    }
  }

  /// Whether two entities, each of either model, are one and the same.
  private func isSame(_ left: EntityDescription, _ right: EntityDescription) -> Bool {
    let left = left.model === old ? pairing.destination(of: left) : left
    let right = right.model === old ? pairing.destination(of: right) : right
    return left != nil && left === right
  }

  private func isRefused(from start: Int) -> Bool {
    changes[start...].contains { if case .refused = $0.effect { true } else { false } }
  }

  /// Records a property that objects get because their entity got a new ancestor, where they would lack a
  /// value.
  private mutating func add(_ property: PropertyDescription, toNewcomers newcomers: [EntityDescription]) {
    let effect = additionOf(property, newcomers)
    guard let entity = newcomers.first, case .refused = effect else { return }
    record(
      .added, subject: ModelText.subject(property), of: entity.name, name: property.name,
      new: ModelText.describe(property), effect: effect, remedy: ModelText.additionRemedy(property))
  }

  private mutating func add(
    _ property: PropertyDescription, to entity: EntityDescription, newcomers: [EntityDescription]
  ) {
    var effect = additionOf(property, newcomers)
    var remedy: String?
    if case .refused = effect { remedy = ModelText.additionRemedy(property) }
    let pairing = pairing
    let rivals = concreteSuccessors(of: property).compactMap { pairing.rival(of: property, in: $0) }
    if !property.isTransient, let rival = rivals.first {
      effect = .refused(ModelText.claim(rival.name, property.name, oneOld: "property"))
      remedy = ModelText.claimRemedy(property.renamingIdentifier)
    }
    record(
      .added, subject: ModelText.subject(property), of: entity.name, name: property.name,
      new: ModelText.describe(property), effect: effect, remedy: remedy)
  }

  /// The effect of adding a property to entities that have objects.
  func additionOf(
    _ property: PropertyDescription, _ newcomers: [EntityDescription]
  ) -> ModelChange.Effect {
    if property.isTransient { return .none }
    if newcomers.isEmpty { return .lossless }
    switch property {
    case let attribute as AttributeDescription: return ModelText.addition(attribute)
    case let relationship as RelationshipDescription: return addition(relationship)
    default: return .none
    }
  }

  private func addition(_ relationship: RelationshipDescription) -> ModelChange.Effect {
    if let inverse = relationship.inverse, inverse !== relationship,
      pairing.source(of: inverse, in: inverse.entity)?.isTransient == false
    {
      // The links are there already, on the other side.
      if relationship.requiresMember {
        return .conditional("every object must have a member behind \(inverse)")
      }
      return relationship.isToMany ? .lossless : .conditional("one object at most may point to each")
    }
    return relationship.requiresMember
      ? .refused("objects that exist already would lack its members") : .lossless
  }

  private mutating func compare(
    _ origin: PropertyDescription, _ property: PropertyDescription, origins: Origins
  ) {
    let home = pairing.source(of: property.entity)
    let isMoved = home !== origin.entity
    let isRenamed = origin.name != property.name
    if isMoved {
      recordMove(origin, property, origins: origins)
    } else if isRenamed {
      record(
        .renamed, subject: ModelText.subject(property), of: property.entity.name, name: property.name,
        old: origin.name,
        new: property.name, effect: isStored(origin, property) ? .lossless : .none)
    }
    switch (origin, property) {
    case (let origin as AttributeDescription, let property as AttributeDescription):
      compare(
        origin, property, definitions: (origin.definition, property.definition),
        path: property.name, of: property.entity.name, isRenamed: isRenamed)
    case (let origin as RelationshipDescription, let property as RelationshipDescription):
      compare(origin, property, isRenamed: isRenamed)
    default:
      let effect = effectOfKind(origin, property)
      var remedy: String?
      if case .refused = effect { remedy = Self.mappingRemedy }
      record(
        .changed, subject: ModelText.subject(property), of: property.entity.name, name: property.name,
        key: "kind",
        old: ModelText.subject(origin).rawValue, new: ModelText.subject(property).rawValue,
        effect: effect, remedy: remedy)
    }
  }

  /// The effect of an attribute becoming a relationship, or the reverse: of two that are stored one would
  /// have to become the other, else one is left behind or one is added.
  private func effectOfKind(
    _ origin: PropertyDescription, _ property: PropertyDescription
  ) -> ModelChange.Effect {
    switch (origin.isTransient, property.isTransient) {
    case (true, true): .none
    case (false, false): .refused(Self.otherKind)
    case (false, true):
      .lossy("its \(origin is RelationshipDescription ? "links" : "values") are left behind")
    case (true, false): additionOf(property, concreteSuccessors(of: property))
    }
  }

  /// The concrete entities that have a property, and objects from before.
  func concreteSuccessors(of property: PropertyDescription) -> [EntityDescription] {
    property.entity.concreteFamily.filter { pairing.source(of: $0)?.isAbstract == false }
  }

  static let otherKind = "an attribute and a relationship hold different things"

  func isStored(_ old: PropertyDescription, _ new: PropertyDescription) -> Bool {
    !old.isTransient || !new.isTransient
  }

  private mutating func recordMove(
    _ origin: PropertyDescription, _ property: PropertyDescription, origins: Origins
  ) {
    var effect = ModelChange.Effect.none
    var remedy: String?
    if isStored(origin, property) {
      effect = effectOfMove(origin, property, origins: origins)
      if case .refused = effect { remedy = ModelText.additionRemedy(property) }
    }
    record(
      .moved, subject: ModelText.subject(property), of: property.entity.name, name: property.name,
      old: origin.description, new: property.description, effect: effect, remedy: remedy)
  }

  private func effectOfMove(
    _ origin: PropertyDescription, _ property: PropertyDescription, origins: Origins
  ) -> ModelChange.Effect {
    let types = Set(origins.properties.map { ($0 as? AttributeDescription)?.type })
    if types.count > 1 {
      return .refused(ModelText.differentTypes(origins.properties))
    }
    let addition = additionOf(property, origins.newcomers)
    if case .refused = addition { return addition }
    let losers = origin.entity.family.filter {
      isContinuedIn($0) && pairing.destination(of: origin, in: $0) == nil
    }
    guard !losers.isEmpty, !origin.isTransient else { return .lossless }
    return .lossy("values of \(losers.map(\.name).joined(separator: ", ")) are left behind")
  }
}
