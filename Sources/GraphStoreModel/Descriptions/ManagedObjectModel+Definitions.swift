extension ManagedObjectModel {
  /// A definition to edit: everything that the model is made of, with the localized texts in force, those of strings files
  /// among them.
  ///
  /// The definition and the model have nothing in common. ``init(_:)`` makes a new model of what became of it.
  public func copy() -> ModelDefinition {
    var copy = definition
    copy.name = name
    copy.localization = localizationDictionary
    return copy
  }

  /// The stored fetch request of a name; nil if there is none.
  public func fetchRequestTemplate(forName name: String) -> FetchRequestTemplate? {
    fetchRequestTemplatesByName[name]
  }

  /// The stored fetch request of a name.
  ///
  /// - Throws: ``ModelLookupError`` with the nearest names.
  public func fetchRequestTemplate(named name: String) throws(ModelLookupError) -> FetchRequestTemplate {
    guard let template = fetchRequestTemplatesByName[name] else {
      throw ModelLookupError(.template, name, available: fetchRequestTemplates.map(\.name))
    }
    return template
  }
}
