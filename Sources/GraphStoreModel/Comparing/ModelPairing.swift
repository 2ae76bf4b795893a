/// Correspondence of the entities and properties of a new model with those of an old one.
///
/// Entities and stored properties are paired by renaming identifier before name, properties within paired
/// entities and inherited ones included. Nothing is taken for renamed without an identifier. The models live
/// as long as this does.
///
/// ```swift
/// let pairing = ModelPairing(from: old, to: new)
/// for entity in new.entities { print(entity.name, "was", pairing.source(of: entity)?.name ?? "not there") }
/// ```
public struct ModelPairing: Sendable {
  /// The old model.
  public let source: ManagedObjectModel
  /// The new model.
  public let destination: ManagedObjectModel
  private let entities: NamePairing
  /// By the position of the new entity; nil for one without an old one.
  private let properties: [NamePairing?]

  /// Pairs two models. Costs time in proportion to the number of properties, inherited ones counted in each
  /// entity.
  ///
  /// - Parameters:
  ///   - source: The old model.
  ///   - destination: The new model.
  ///   - versions: Models between the two, in their order. Renames from one to the next count one after the
  ///     other; what one of them lacks is paired as if they were not there.
  public init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    through versions: [ManagedObjectModel] = []
  ) {
    self.source = source
    self.destination = destination
    let history = PairingHistory(from: source, to: destination, through: versions)
    let entities = NamePairing(
      old: source.entities.map { NamePairing.Item(name: $0.name, identifier: $0.renamingIdentifier) },
      new: destination.entities.map { NamePairing.Item(name: $0.name, identifier: $0.renamingIdentifier) },
      recorded: history.entities(of: destination))
    properties = destination.entities.map { entity in
      entities.sources[entity.index].map { position in
        let origin = source.entities[position]
        return NamePairing(
          old: origin.properties.map(Self.item), new: entity.properties.map(Self.item),
          recorded: history.properties(of: entity, from: origin))
      }
    }
    self.entities = entities
  }

  /// The old entity that a new one continues, nil for one that was added.
  public func source(of entity: EntityDescription) -> EntityDescription? {
    entities.sources[entity.index].map { source.entities[$0] }
  }

  /// The new entity that an old one became, nil for one that was removed.
  public func destination(of entity: EntityDescription) -> EntityDescription? {
    entities.destinations[entity.index].map { destination.entities[$0] }
  }

  /// The old property that a new one continues in objects of a new entity, which has it itself or by
  /// inheritance; nil for one that was added, and for fetched properties.
  public func source(
    of property: PropertyDescription, in entity: EntityDescription
  ) -> PropertyDescription? {
    guard let origin = source(of: entity), !(property is FetchedPropertyDescription),
      let position = properties[entity.index]?.sources[property.number]
    else { return nil }
    return origin.properties[position]
  }

  /// The new property that an old one became in objects of an old entity, nil for one that was removed.
  public func destination(
    of property: PropertyDescription, in entity: EntityDescription
  ) -> PropertyDescription? {
    guard let target = destination(of: entity), !(property is FetchedPropertyDescription),
      let position = properties[target.index]?.destinations[property.number]
    else { return nil }
    return target.properties[position]
  }

  /// The new entity that got the old one which `entity` claims as well.
  func rival(of entity: EntityDescription) -> EntityDescription? {
    entities.winners[entity.index].map { destination.entities[$0] }
  }

  /// The new property that got the old one which `property` claims as well.
  func rival(of property: PropertyDescription, in entity: EntityDescription) -> PropertyDescription? {
    properties[entity.index]?.winners[property.number].map { entity.properties[$0] }
  }

  /// The pairing of the properties of two entities, whether one continues the other or a mapping takes them
  /// for that.
  func properties(from source: EntityDescription, to destination: EntityDescription) -> NamePairing {
    if self.source(of: destination) === source, let known = properties[destination.index] { return known }
    return NamePairing(old: source.properties.map(Self.item), new: destination.properties.map(Self.item))
  }

  /// Fetched properties hold no data and are paired by name elsewhere: here their names cannot meet
  /// another's.
  static func item(_ property: PropertyDescription) -> NamePairing.Item {
    let isFetched = property is FetchedPropertyDescription
    return NamePairing.Item(
      name: isFetched ? "\u{0}" + property.name : property.name,
      identifier: isFetched ? "\u{0}" + property.name : property.renamingIdentifier)
  }
}
