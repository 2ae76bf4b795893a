/// Pairings from each model to the next, on the way from an old model to a new one.
struct PairingHistory {
  /// Records of the way about the parts of the new model, by their positions.
  struct Recorded {
    /// The positions of old parts by those of the new ones that continue them in every model.
    var known: [Int: Int] = [:]
    /// For parts that claim what another one got on the way: the position of that other one.
    var rivals: [Int: Int] = [:]
  }

  /// From the old model on; empty where no model is between the two.
  private let pairings: [ModelPairing]

  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    through versions: [ManagedObjectModel]
  ) {
    let models = [source] + versions + [destination]
    pairings =
      versions.isEmpty ? [] : zip(models, models.dropFirst()).map { ModelPairing(from: $0, to: $1) }
  }

  /// The way's records about the new entities.
  func entities(of destination: ManagedObjectModel) -> Recorded {
    var recorded = Recorded()
    for entity in destination.entities {
      recorded.known[entity.index] = origin(of: entity)?.index
      recorded.rivals[entity.index] = rival(of: entity)?.index
    }
    return recorded
  }

  /// The way's records about the properties of a new entity, where that continues an old one.
  func properties(of entity: EntityDescription, from origin: EntityDescription) -> Recorded {
    var recorded = Recorded()
    guard self.origin(of: entity) === origin else { return recorded }
    for property in entity.properties {
      recorded.known[property.number] = self.origin(of: property, in: entity)?.number
      recorded.rivals[property.number] = rival(of: property, in: entity)?.number
    }
    return recorded
  }

  private func origin(of entity: EntityDescription) -> EntityDescription? {
    guard !pairings.isEmpty else { return nil }
    var found: EntityDescription? = entity
    for pairing in pairings.reversed() { found = found.flatMap(pairing.source(of:)) }
    return found
  }

  private func origin(of property: PropertyDescription, in entity: EntityDescription) -> PropertyDescription?
  {
    guard !pairings.isEmpty else { return nil }
    var (found, owner): (PropertyDescription?, EntityDescription?) = (property, entity)
    for pairing in pairings.reversed() {
      guard let newer = found, let newOwner = owner else { return nil }
      (found, owner) = (pairing.source(of: newer, in: newOwner), pairing.source(of: newOwner))
    }
    return found
  }

  // MARK: Rivals

  /// The new entity that got what an entity claims as well; the entity itself where that is not there any
  /// more.
  private func rival(of entity: EntityDescription) -> EntityDescription? {
    var found = entity
    for (stage, pairing) in pairings.enumerated().reversed() {
      if let rival = pairing.rival(of: found) {
        var successor: EntityDescription? = rival
        for next in pairings[(stage + 1)...] { successor = successor.flatMap(next.destination(of:)) }
        return successor ?? entity
      }
      guard let former = pairing.source(of: found) else { return nil }
      found = former
    }
    return nil
  }

  /// The new property that got what a property claims as well; the property itself where that is not there
  /// any more.
  private func rival(of property: PropertyDescription, in entity: EntityDescription) -> PropertyDescription? {
    var (found, owner) = (property, entity)
    for (stage, pairing) in pairings.enumerated().reversed() {
      if let rival = pairing.rival(of: found, in: owner) {
        return successor(of: rival, in: owner, from: stage + 1) ?? property
      }
      guard let former = pairing.source(of: found, in: owner), let formerOwner = pairing.source(of: owner)
      else { return nil }
      (found, owner) = (former, formerOwner)
    }
    return nil
  }

  /// The successor in the new model of a property on the way.
  private func successor(
    of property: PropertyDescription, in entity: EntityDescription, from stage: Int
  ) -> PropertyDescription? {
    var (found, owner) = (property, entity)
    for pairing in pairings[stage...] {
      guard let next = pairing.destination(of: found, in: owner),
        let nextOwner = pairing.destination(of: owner)
      else { return nil }
      (found, owner) = (next, nextOwner)
    }
    return found
  }
}
