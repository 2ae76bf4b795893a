extension ModelComparison {
  mutating func compare(_ source: EntityDescription, _ entity: EntityDescription) {
    let isRenamed = source.name != entity.name
    if isRenamed {
      record(
        .renamed, subject: .entity, of: entity.name, old: source.name, new: entity.name, effect: .lossless)
    }
    compareParents(source, entity)
    let fields = ComparedField.differences(
      source.definition.comparedFields, entity.definition.comparedFields)
    for field in fields where !(isRenamed && field.key == "renamingIdentifier") {
      record(
        .changed, subject: .entity, of: entity.name, key: field.key, old: field.old, new: field.new,
        effect: effect(ofKey: field.key, entity))
    }
    compareOrder(source, entity)
  }

  private func effect(ofKey key: String, _ entity: EntityDescription) -> ModelChange.Effect {
    switch key {
    case "abstract":
      entity.isAbstract ? .conditional("no object may be of exactly this entity") : .lossless
    case "versionHashModifier": .lossless
    default: .none
    }
  }

  private mutating func compareParents(_ source: EntityDescription, _ entity: EntityDescription) {
    let expected = source.superentity.flatMap { pairing.destination(of: $0) }
    guard expected !== entity.superentity || (source.superentity == nil) != (entity.superentity == nil)
    else { return }
    var effect = ModelChange.Effect.lossless
    var remedy: String?
    if let stranger = otherTree(than: source, under: entity.rootEntity) {
      effect = .refused(ModelText.newAncestor(source, stranger))
      remedy = Self.mappingRemedy
    } else if let relationship = relationshipLost(by: source, entity) {
      effect = .lossy("links of \(relationship) to its objects are left behind")
    }
    record(
      .changed, subject: .entity, of: entity.name, key: "parent", old: source.superentity?.name,
      new: entity.superentity?.name, effect: effect, remedy: remedy)
  }

  /// A relationship that led to objects of the entity as members of a family that it has left.
  private func relationshipLost(
    by source: EntityDescription, _ entity: EntityDescription
  ) -> RelationshipDescription? {
    guard isContinuedIn(source) else { return nil }
    for owner in old.entities where owner.family.contains(where: isContinuedIn) {
      for case let relationship as RelationshipDescription in owner.ownProperties
      where !relationship.isTransient && source.isKind(of: relationship.destination) {
        let successor = pairing.destination(of: relationship, in: owner) as? RelationshipDescription
        if let successor, !entity.isKind(of: successor.destination) { return relationship }
      }
    }
    return nil
  }

  /// An entity whose objects were in another tree than those of `source`, where objects of both now are in
  /// the tree of `root`.
  private func otherTree(
    than source: EntityDescription, under root: EntityDescription
  ) -> EntityDescription? {
    let origins = root.family.compactMap { pairing.source(of: $0) }.filter { !$0.isAbstract }
    guard Set(origins.map(\.rootEntity)).count > 1 else { return nil }
    return origins.first { $0.rootEntity !== source.rootEntity }
  }

  /// The order of properties that the same entity declares in both models.
  private mutating func compareOrder(_ source: EntityDescription, _ entity: EntityDescription) {
    func order(_ kind: PropertyDescription.Type) -> (old: [String], new: [String]) {
      let old = source.ownProperties.filter { type(of: $0) == kind }.compactMap { property -> String? in
        if property is FetchedPropertyDescription { return property.name }
        return pairing.destination(of: property, in: source)?.name
      }
      return (old, entity.ownProperties.filter { type(of: $0) == kind }.map(\.name))
    }
    let kinds: [(String, PropertyDescription.Type)] = [
      ("attributes", AttributeDescription.self), ("relationships", RelationshipDescription.self),
      ("fetchedProperties", FetchedPropertyDescription.self),
    ]
    for (key, kind) in kinds {
      let names = order(kind)
      recordOrder(.entity, of: entity.name, key: key, old: names.old, new: names.new)
    }
  }

  mutating func add(_ entity: EntityDescription) {
    let rival = pairing.rival(of: entity)
    let source = rival.flatMap { pairing.source(of: $0) }
    if let rival, let source {
      record(
        .added, subject: .entity, of: entity.name, new: ModelText.describe(entity),
        effect: .refused(ModelText.claim(rival.name, entity.name, to: source.name)),
        remedy: ModelText.claimRemedy(entity.renamingIdentifier))
    } else {
      record(.added, subject: .entity, of: entity.name, new: ModelText.describe(entity), effect: .lossless)
    }
  }

  mutating func remove(_ entity: EntityDescription) {
    record(
      .removed, subject: .entity, of: entity.name, old: ModelText.describe(entity),
      effect: entity.isAbstract ? .lossless : .lossy("its objects are left behind"),
      remedy: successor(of: entity).map {
        "If it became \($0.name), give \($0.name) \"renamingIdentifier\": \"\(entity.name)\"."
      })
  }

  /// The added entity that declares exactly the properties of a removed one.
  private func successor(of entity: EntityDescription) -> EntityDescription? {
    let names = Set(entity.ownProperties.map(\.name))
    guard !names.isEmpty else { return nil }
    return new.entities.first {
      pairing.source(of: $0) == nil && Set($0.ownProperties.map(\.name)) == names
    }
  }

  static let mappingRemedy = "Write a mapping for this step."
}
