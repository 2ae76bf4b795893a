/// Pairings from each model to the next, on the way from an old model to a new one.
struct PairingHistory {
  /// From the old model on; empty where no model lies between the two.
  private let pairings: [ModelPairing]

  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    through versions: [ManagedObjectModel]
  ) {
    let models = [source] + versions + [destination]
    pairings =
      versions.isEmpty ? [] : zip(models, models.dropFirst()).map { ModelPairing(from: $0, to: $1) }
  }

  /// The positions of old entities by those of the new ones that continue them in every model.
  func entities(of destination: ManagedObjectModel) -> [Int: Int] {
    var known: [Int: Int] = [:]
    for entity in destination.entities { known[entity.index] = origin(of: entity)?.index }
    return known
  }

  /// The positions of old properties by those of the new ones that continue them in every model.
  func properties(of entity: EntityDescription, from origin: EntityDescription) -> [Int: Int] {
    guard self.origin(of: entity) === origin else { return [:] }
    var known: [Int: Int] = [:]
    for property in entity.properties {
      known[property.number] = self.origin(of: property, in: entity)?.number
    }
    return known
  }

  private func origin(of entity: EntityDescription) -> EntityDescription? {
    guard !pairings.isEmpty else { return nil }
    var found: EntityDescription? = entity
    for pairing in pairings.reversed() { found = found.flatMap(pairing.source(of:)) }
    return found
  }

  private func origin(of property: PropertyDescription, in entity: EntityDescription) -> PropertyDescription?
  {
    var (found, owner): (PropertyDescription?, EntityDescription?) = (property, entity)
    for pairing in pairings.reversed() {
      guard let newer = found, let newOwner = owner else { return nil }
      (found, owner) = (pairing.source(of: newer, in: newOwner), pairing.source(of: newOwner))
    }
    return found
  }
}
