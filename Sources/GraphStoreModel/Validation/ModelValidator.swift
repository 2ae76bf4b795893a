import GraphStorePredicates

/// Semantic analysis of a definition as a whole: name resolution, checks, and what they parsed.
///
/// Every problem is recorded; checks that would only repeat one are skipped.
struct ModelValidator {
  /// Parsed predicate, sort keys and having clause.
  struct RequestParts {
    var predicate: QueryPredicate?
    var sortDescriptors: [QuerySortDescriptor] = []
    var having: QueryPredicate?
  }

  /// Parsed parts of an index; one expression for each element.
  struct IndexParts {
    var expressions: [QueryExpression?] = []
    var predicate: QueryPredicate?
  }

  /// A property and, of a relationship, the entity that defines it.
  enum PropertyPlace {
    case attribute(AttributeDefinition)
    case relationship(RelationshipDefinition, entity: Int)
    case fetchedProperty(FetchedPropertyDefinition)
  }

  /// Position of a property in the definition of its entity.
  enum PropertyPosition {
    case attribute(Int)
    case relationship(Int)
    case fetchedProperty(Int)
  }

  let definition: ModelDefinition
  /// The paths that the reader already found problems at.
  let problemPaths: Set<ModelPath>
  /// Whether patterns were compiled before, when the model was first read.
  let trustsPatterns: Bool
  var problems: [ModelProblem] = []

  /// The first entity of each name.
  var entityPositions: [String: Int] = [:]
  /// The parent of each entity; nil also for those in a cycle.
  var parents: [Int?] = []
  /// All entities, each after its parent.
  var parentsFirst: [Int] = []
  /// The own properties of each entity by name.
  var ownProperties: [[String: PropertyPosition]] = []
  var attributes: [[AttributeParts]] = []
  var relationshipValidations: [[[PropertyValidation]]] = []
  var fetchedProperties: [[RequestParts]] = []
  var indexes: [[IndexParts]] = []
  var templates: [RequestParts] = []
  private var suggestions = NameSuggestions()

  init(_ definition: ModelDefinition, problemPaths: Set<ModelPath> = [], trustsPatterns: Bool = false) {
    self.definition = definition
    self.problemPaths = problemPaths
    self.trustsPatterns = trustsPatterns
  }

  /// Runs all checks.
  mutating func check() {
    checkEntityNames()
    checkParents()
    collectProperties()
    checkPropertyNames()
    for (position, entity) in definition.entities.enumerated() {
      let path = ModelPath().item("entities", position)
      attributes.append(
        entity.attributes.indices.map {
          checkAttribute(entity.attributes[$0], at: path.item("attributes", $0))
        })
      relationshipValidations.append(
        entity.relationships.indices.map {
          checkRelationship(entity.relationships[$0], of: position, at: path.item("relationships", $0))
        })
      fetchedProperties.append(
        entity.fetchedProperties.enumerated().map {
          checkFetchedProperty($1, at: path.item("fetchedProperties", $0))
        })
      indexes.append(
        entity.indexes.enumerated().map { checkIndex($1, of: position, at: path.item("indexes", $0)) })
      checkIndexNames(entity, at: path)
      checkUniquenessConstraints(entity, position: position, at: path)
    }
    checkFetchRequestNames()
    templates = definition.fetchRequests.enumerated().map {
      checkFetchRequest($1, at: ModelPath().item("fetchRequests", $0))
    }
    checkConfigurations()
  }

  /// Whether the reader found a problem there. The path is made only where it found one anywhere.
  func hasProblem(at path: @autoclosure () -> ModelPath) -> Bool {
    !problemPaths.isEmpty && problemPaths.contains(path())
  }

  mutating func report(
    _ code: ModelProblem.Code, at path: ModelPath, value: String? = nil, _ message: String,
    suggestion: String? = nil, remedy: String? = nil, offset: Int? = nil
  ) {
    guard !hasProblem(at: path) else { return }
    problems.append(
      ModelProblem(
        code, at: path, value: value, message: message, suggestion: suggestion, remedy: remedy, offset: offset
      ))
  }

  /// The name that was probably meant, nil once there were many to look for.
  mutating func nearest(to name: String, among candidates: [String]) -> String? {
    suggestions.nearest(to: name, among: candidates)
  }

  /// Finds a property by name in an entity and its ancestors.
  func property(_ name: String, of entity: Int) -> PropertyPlace? {
    var position: Int? = entity
    while let current = position {
      if let place = ownProperties[current][name] { return property(at: place, in: current) }
      position = parents[current]
    }
    return nil
  }

  /// Finds a property by name in the sub-entities of an entity; a predicate may use one that they all agree
  /// on.
  func subentityProperty(_ name: String, of entity: Int) -> PropertyPlace? {
    for position in parentsFirst {
      guard let place = ownProperties[position][name] else { continue }
      var ancestor = parents[position]
      while let current = ancestor, current != entity { ancestor = parents[current] }
      if ancestor != nil { return property(at: place, in: position) }
    }
    return nil
  }

  private func property(at place: PropertyPosition, in entity: Int) -> PropertyPlace {
    switch place {
    case .attribute(let number): .attribute(definition.entities[entity].attributes[number])
    case .relationship(let number):
      .relationship(definition.entities[entity].relationships[number], entity: entity)
    case .fetchedProperty(let number):
      .fetchedProperty(definition.entities[entity].fetchedProperties[number])
    }
  }

  /// The names of all properties of an entity, inherited ones first.
  func propertyNames(of entity: Int) -> [String] {
    var chain = [entity]
    while let parent = parents[chain[chain.count - 1]] { chain.append(parent) }
    return chain.reversed().flatMap { position in
      let source = definition.entities[position]
      return source.attributes.map(\.name) + source.relationships.map(\.name)
        + source.fetchedProperties.map(\.name)
    }
  }

  /// The position of the entity of a name; records a problem when there is none.
  mutating func entity(named name: String, at path: @autoclosure () -> ModelPath) -> Int? {
    if let position = entityPositions[name] { return position }
    let suggestion = nearest(to: name, among: definition.entities.map(\.name))
    report(
      .unknownEntity, at: path(), value: name, "There is no entity \"\(name)\" in the model.",
      suggestion: suggestion)
    return nil
  }
}
