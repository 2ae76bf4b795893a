extension ManagedObjectModel {
  /// Texts by `Entity/E`, `Property/P/Entity/E`, `Property/P` and `ErrorString/TEXT`.
  public var localizationDictionary: [String: String] { definition.localization }

  /// An entity's name as people read it; its plain name where no text is given.
  public func localizedName(of entity: EntityDescription) -> String {
    guard !definition.localization.isEmpty else { return entity.name }
    return definition.localization["Entity/\(entity.name)"] ?? entity.name
  }

  /// A property's name as people read it: looked up under the entity, its ancestors, then without entity.
  public func localizedName(of property: PropertyDescription, in entity: EntityDescription) -> String {
    let texts = definition.localization
    guard !texts.isEmpty else { return property.name }
    var current: EntityDescription? = entity
    while let place = current {
      if let text = texts["Property/\(property.name)/Entity/\(place.name)"] { return text }
      current = place.superentity
    }
    return texts["Property/\(property.name)"] ?? property.name
  }

  /// A message of a rule as people read it.
  public func localizedErrorText(_ text: String) -> String {
    definition.localization["ErrorString/\(text)"] ?? text
  }
}
