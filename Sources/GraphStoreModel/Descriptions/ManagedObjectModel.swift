import Foundation

/// A model: the entities that exist, what they hold, and how they relate.
///
/// A model is made from a ``ModelDefinition``, checked as a whole, and never changes afterwards, so any
/// thread may use it at any time. To change one, take its ``definition``, change that, and make a new model.
///
/// ```swift
/// let model = try ManagedObjectModel(contentsOf: "Company.graphmodel.json")
/// for entity in model.entities { print(entity.name, entity.properties.map(\.name)) }
/// let employee = try model.entity(named: "Employee")
/// ```
public final class ManagedObjectModel: Sendable {
  /// The name.
  public let name: String
  /// The definition that the model was made from.
  public let definition: ModelDefinition
  /// Core Data's identification of the model, for a compiled model whose package lists that; nil for every
  /// other.
  ///
  /// A new SQLite store of such a model carries these hashes and the compiled model, as one that Core Data
  /// has made, unless the model has what Core Data keeps in a form that is not known here: derived and
  /// composite attributes, indexes of expressions and of ranges.
  public let coreDataVersion: CoreDataVersion?
  /// The entities, in the order of the file.
  public let entities: [EntityDescription]
  /// The entities by their exact names.
  public let entitiesByName: [String: EntityDescription]
  /// The stored fetch requests, in the order of the file.
  public let fetchRequestTemplates: [FetchRequestTemplate]
  /// The stored fetch requests by name.
  public let fetchRequestTemplatesByName: [String: FetchRequestTemplate]
  /// The trees of entities, each parent before its sub-entities and these in the order of the file.
  let entitiesDepthFirst: [EntityDescription]
  let entitiesByConfiguration: [String: [EntityDescription]]
  let localization: ModelLocalization

  /// Checks a definition and makes a model of it.
  ///
  /// - Throws: ``ModelError`` with every problem of the definition.
  public convenience init(_ definition: ModelDefinition) throws(ModelError) {
    var validator = ModelValidator(definition)
    validator.check()
    guard validator.problems.isEmpty else {
      throw ModelError(ModelProblem.inDocumentOrder(validator.problems))
    }
    self.init(validator, name: nil)
  }

  /// Makes a model of a definition that was checked and has no problems.
  ///
  /// - Parameters:
  ///   - name: its name where the definition has none.
  ///   - texts: the source of its localized texts; nil for the definition's own.
  ///   - predecessor: the reference to a model that is gone, which it replaces.
  ///   - coreDataVersion: what Core Data knows it by.
  init(
    _ validator: ModelValidator, name: String?, texts: [ModelLocalization.Source]? = nil,
    predecessor: WeakModelReference? = nil, coreDataVersion: CoreDataVersion? = nil
  ) {
    self.coreDataVersion = coreDataVersion
    self.name = validator.definition.name ?? name ?? "Model"
    definition = validator.definition
    let texts = texts ?? [ModelLocalization.Source(texts: validator.definition.localization)]
    let reference = WeakModelReference(definition, name: self.name, texts: texts, predecessor: predecessor)
    let parts = ModelBuilder.build(validator, reference: reference)
    entities = parts.entities
    entitiesDepthFirst = parts.entitiesDepthFirst
    entitiesByName = Dictionary(uniqueKeysWithValues: parts.entities.map { ($0.name, $0) })
    fetchRequestTemplates = parts.templates
    fetchRequestTemplatesByName = Dictionary(uniqueKeysWithValues: parts.templates.map { ($0.name, $0) })
    entitiesByConfiguration = parts.configurations
    localization = ModelLocalization(texts)
    reference.bind(to: self)
  }

  /// The identifiers for people; none of them decides compatibility.
  public var versionIdentifiers: [String] { definition.versionIdentifier.map { [$0] } ?? [] }

  /// User information: anything that a program keeps with it.
  public var userInfo: [String: JSONValue] { definition.userInfo }

  /// Whether objects of an entity with a `className` need the class that it names, see
  /// ``ModelDefinition/requiresClasses``.
  public var requiresClasses: Bool { definition.requiresClasses }

  /// The names of the configurations, in the order of the file.
  public var configurations: [String] { definition.configurations.map(\.name) }

  /// The entity of a name.
  ///
  /// - Throws: ``ModelLookupError`` with the nearest names.
  public func entity(named name: String) throws(ModelLookupError) -> EntityDescription {
    guard let entity = entitiesByName[name] else {
      throw ModelLookupError(.entity, named: name, available: entities.map(\.name))
    }
    return entity
  }

  /// The entities of a configuration; all for nil.
  ///
  /// - Throws: ``ModelLookupError`` with the names that exist.
  public func entities(
    forConfigurationName name: String?
  ) throws(ModelLookupError) -> [EntityDescription] {
    guard let name else { return entities }
    guard let members = entitiesByConfiguration[name] else {
      throw ModelLookupError(.configuration, named: name, available: configurations)
    }
    return members
  }

  /// The configurations that have exactly the entities of some names, in the order of the file.
  package func configurations(ofEntitiesNamed names: Set<String>) -> [String] {
    configurations.filter { Set((entitiesByConfiguration[$0] ?? []).map(\.name)) == names }
  }
}

extension ManagedObjectModel {
  /// A definition to edit: everything that the model is made of, with the localized texts in force, those of
  /// strings files among them.
  ///
  /// The definition and the model have nothing in common. ``init(_:)`` makes a new model of what became of
  /// it.
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
      throw ModelLookupError(.template, named: name, available: fetchRequestTemplates.map(\.name))
    }
    return template
  }
}
