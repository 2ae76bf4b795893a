extension ModelComparison {
  mutating func compare(
    _ old: RelationshipDescription, _ new: RelationshipDescription, isRenamed: Bool
  ) {
    let entity = new.entity.name
    let isStored = isStored(old, new)
    if pairing.destination(of: old.destination) !== new.destination {
      let effect = isStored ? effectOfDestination(old, new) : .none
      var remedy: String?
      if case .refused = effect { remedy = Self.mappingRemedy }
      record(
        .changed, subject: .relationship, of: entity, name: new.name, key: "destination",
        old: old.destination.name,
        new: new.destination.name, effect: effect, remedy: remedy)
    }
    compareInverses(old, new, isStored: isStored)
    let fields = ComparedField.differences(
      old.definition.comparedFields, new.definition.comparedFields)
    for field in fields where !(isRenamed && field.key == "renamingIdentifier") {
      // Said by "toMany" already.
      if field.key == "maxCount", !new.isToMany || (!old.isToMany && new.maxCount == 0) { continue }
      let effect = isStored ? self.effect(ofKey: field.key, old, new) : .none
      var remedy: String?
      if case .refused = effect { remedy = "Make it optional, or \(ModelText.orMapping)" }
      record(
        .changed, subject: .relationship, of: entity, name: new.name, key: field.key, old: field.old,
        new: field.new,
        effect: effect, remedy: remedy)
    }
  }

  /// Whether links are kept: where both are stored. Else the key of that change has the effect.
  private static func keepsLinks(_ old: RelationshipDescription, _ new: RelationshipDescription) -> Bool {
    !old.isTransient && !new.isTransient
  }

  private func effectOfDestination(
    _ old: RelationshipDescription, _ new: RelationshipDescription
  ) -> ModelChange.Effect {
    Self.keepsLinks(old, new) ? effectOfDestination(old.destination, new.destination) : .lossless
  }

  func effectOfDestination(
    _ old: EntityDescription, _ new: EntityDescription
  ) -> ModelChange.Effect {
    let successor = pairing.destination(of: old)
    let origin = pairing.source(of: new)
    if let successor, successor.isKind(of: new) { return .lossless }
    if let origin, old.isKind(of: origin) { return .lossless }
    let isNarrower =
      successor.map { new.isKind(of: $0) } == true || origin.map { $0.isKind(of: old) } == true
    return isNarrower
      ? .conditional("every member must be of \(new.name)")
      : .refused("\(old.name) and \(new.name) are not of one family")
  }

  private mutating func compareInverses(
    _ old: RelationshipDescription, _ new: RelationshipDescription, isStored: Bool
  ) {
    let successor = old.inverse.flatMap { pairing.destination(of: $0, in: $0.entity) }
    if let inverse = new.inverse, inverse === successor { return }
    if old.inverse == nil, new.inverse == nil { return }
    var effect = ModelChange.Effect.none
    if isStored {
      effect = .lossless
      if !Self.keepsLinks(old, new) {
        effect = .lossless
      } else if let inverse = new.inverse, inverse !== new,
        pairing.source(of: inverse, in: inverse.entity) != nil
      {
        effect = .conditional("the links of both sides must agree")
      } else if let inverse = new.inverse, !inverse.isToMany {
        effect = .conditional("one object at most may point to each")
      }
    }
    record(
      .changed, subject: .relationship, of: new.entity.name, name: new.name, key: "inverse",
      old: old.inverse?.name,
      new: new.inverse?.name, effect: effect)
  }

  private func effect(
    ofKey key: String, _ old: RelationshipDescription, _ new: RelationshipDescription
  ) -> ModelChange.Effect {
    let effect = Self.effect(ofKey: key, old, new)
    if effect == .none || Self.keepsLinks(old, new) { return effect }
    guard key == "transient" else { return .lossless }
    return new.isTransient
      ? .lossy("its links are left behind") : additionOf(new, concreteSuccessors(of: new))
  }

  private static func effect(
    ofKey key: String, _ old: RelationshipDescription, _ new: RelationshipDescription
  ) -> ModelChange.Effect {
    switch key {
    case "toMany":
      return new.isToMany ? .lossless : .conditional("no object may have more than one member")
    case "ordered":
      return new.isOrdered || !new.isToMany
        ? .lossless : .lossy("the order of its members is left behind")
    case "optional":
      return new.requiresMember ? .conditional("every object must have a member") : .lossless
    case "transient": return .lossless
    case "minCount": return effectOfMinimum(old, new)
    case "maxCount":
      let isWider = new.maxCount == 0 || (old.maxCount > 0 && old.maxCount <= new.maxCount)
      return isWider ? .lossless : .conditional("no object may have more than \(new.maxCount) members")
    case "versionHashModifier": return .lossless
    default: return .none
    }
  }

  /// A least number is asked of objects that have members, and of all where the relationship is mandatory.
  private static func effectOfMinimum(
    _ old: RelationshipDescription, _ new: RelationshipDescription
  ) -> ModelChange.Effect {
    guard new.minCount > old.minCount, new.limitsRemoval else { return .lossless }
    let number = new.minCount == 1 ? "1 member" : "\(new.minCount) members"
    return .conditional(
      new.requiresMember
        ? "every object must have \(number) at least"
        : "every object must have no member or \(number) at least")
  }
}
