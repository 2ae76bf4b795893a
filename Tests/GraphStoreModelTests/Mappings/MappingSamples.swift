import GraphStorePredicates

@testable import GraphStoreModel

/// Models and mappings for tests of mappings.
enum MappingSamples {
  /// Countries of continents, with moods.
  static let old = ModelDefinition(entities: [
    EntityDefinition(
      "Continent", attributes: [.init("code", .int16), .init("name", .string)],
      relationships: [.init("countries", to: "Country", inverse: "continent", isToMany: true)]),
    EntityDefinition(
      "Country", attributes: [.init("code", .int16), .init("name", .string), .init("note", .string)],
      relationships: [
        .init("continent", to: "Continent", inverse: "countries"),
        .init("moods", to: "Mood", inverse: "country", isToMany: true),
      ]),
    EntityDefinition(
      "Mood", attributes: [.init("rating", .int32)],
      relationships: [.init("country", to: "Country", inverse: "moods")]),
  ])

  /// Moods have a continent of their own, and countries the code of theirs.
  static let new = ModelDefinition(entities: [
    EntityDefinition(
      "Continent", attributes: [.init("code", .int16), .init("name", .string)],
      relationships: [
        .init("countries", to: "Country", inverse: "continent", isToMany: true),
        .init("moods", to: "Mood", inverse: "continent", isToMany: true),
      ]),
    EntityDefinition(
      "Country",
      attributes: [
        .init("code", .int16), .init("name", .string), .init("isoContinent", .int16, isOptional: false),
      ],
      relationships: [
        .init("continent", to: "Continent", inverse: "countries"),
        .init("moods", to: "Mood", inverse: "country", isToMany: true),
      ]),
    EntityDefinition(
      "Mood", attributes: [.init("rating", .int32)],
      relationships: [
        .init("country", to: "Country", inverse: "moods"),
        .init("continent", to: "Continent", inverse: "moods"),
      ]),
  ])

  static func models(
    _ old: ModelDefinition = old, _ new: ModelDefinition = new
  ) throws -> (old: ManagedObjectModel, new: ManagedObjectModel) {
    (try ManagedObjectModel(old), try ManagedObjectModel(new))
  }

  /// The text of a mapping file of entity mappings.
  static func file(_ entityMappings: String..., rest: String = "") -> String {
    "{\"source\":\"1\",\"destination\":\"2\"\(rest),\"entityMappings\":[\(entityMappings.joined(separator: ","))]}"
  }

  /// The mapping of countries, complete but for what `properties` says.
  static func country(_ properties: String = #""attributes":[{"name":"isoContinent","value":"1"}]"#) -> String
  {
    #"{"source":"Country","destination":"Country",\#(properties)}"#
  }

  /// The problems of a mapping file between two models as `code path`.
  static func problems(
    _ text: String, _ old: ModelDefinition = old, _ new: ModelDefinition = new
  ) throws -> [String] {
    try errors(text, old, new).map { "\($0.code) \($0.path)" }
  }

  /// The problems of a mapping file between two models.
  static func errors(
    _ text: String, _ old: ModelDefinition = old, _ new: ModelDefinition = new
  ) throws -> [ModelProblem] {
    let models = try models(old, new)
    do {
      let file = try MappingFile(Array(text.utf8))
      _ = try CheckedMapping.parts([file], from: models.old, to: models.new)
      return []
    } catch let error as ModelError {
      return error.problems
    }
  }

  /// The mapping of a file between two models.
  static func checked(
    _ text: String, _ old: ModelDefinition = old, _ new: ModelDefinition = new
  ) throws -> CheckedMapping {
    let models = try models(old, new)
    return try CheckedMapping(mapping: MappingModel(json: text.utf8), from: models.old, to: models.new)
  }

  /// The reasons why nothing can be inferred, as `path: reason`.
  static func refusals(
    _ old: ModelDefinition, _ new: ModelDefinition, mapping: MappingModel? = nil,
    configuration: String? = nil,
    allowsMissingValues: Bool = false
  ) throws -> [String] {
    let models = try models(old, new)
    do {
      _ = try CheckedMapping(
        mapping: mapping, from: models.old, to: models.new, configuration: configuration,
        allowsMissingValues: allowsMissingValues)
      return []
    } catch let error as InferenceError {
      return error.refusals.map { "\($0.path): \($0.reason)" }
    }
  }
}

extension CheckedMapping {
  /// The entity mappings, each as `name kind`.
  var summary: [String] { entityMappings.map { "\($0.name) \($0.kind.rawValue)" } }

  /// What gives the properties of an entity mapping their values, each as `name: source`.
  func properties(of name: String) -> [String] {
    guard let mapping = entityMappings.first(where: { $0.name == name }) else { return [] }
    return mapping.attributes.map { "\($0.attribute.name): \($0.value.text)" }
      + mapping.relationships.map { "\($0.relationship.name): \($0.value.text)" }
  }
}

extension CheckedAttributeMapping.Source {
  var text: String {
    switch self {
    case .defaultValue: "default"
    case .attribute(let attribute): attribute.description
    case .expression(let expression): "= \(expression)"
    case .derived: "derived"
    }
  }
}

extension CheckedRelationshipMapping.Source {
  var text: String {
    switch self {
    case .empty: "empty"
    case .relationship(let relationship): relationship.description
    case .objects(let mapping, let expression): "\(mapping) of \(expression)"
    case .expression(let expression): "= \(expression)"
    }
  }
}
