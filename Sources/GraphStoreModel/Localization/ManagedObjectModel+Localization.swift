extension ManagedObjectModel {
  /// Texts by `Entity/E`, `Property/P/Entity/E`, `Property/P` and `ErrorString/TEXT`, in the language in force.
  ///
  /// They are those of the model file; over them, key by key, those of the strings file beside it
  /// (`CompanyModel.strings` for `Company.json`), and over these those of the language's folder
  /// (`de.lproj/CompanyModel.strings`). Strings files are read when the first text is needed. Texts that are set in code
  /// win over all files: take a ``copy()``, set its `localization`, and make a model of it.
  public var localizationDictionary: [String: String] { localization.entries }

  /// The strings files that cannot be read; the same are told to ``ModelWarning`` once.
  public var localizationFindings: [ModelProblem] { localization.findings }

  /// An entity's name as people read it; its plain name where no text is given.
  public func localizedName(of entity: EntityDescription) -> String {
    localization.entries["Entity/\(entity.name)"] ?? entity.name
  }

  /// A property's name as people read it: looked up under the entity, its ancestors, then without entity.
  public func localizedName(of property: PropertyDescription, in entity: EntityDescription) -> String {
    let texts = localization.entries
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
    localization.entries["ErrorString/\(text)"] ?? text
  }
}
