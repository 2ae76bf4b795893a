import GraphStorePredicates

extension ModelDefinition {
  /// The position of an entity in ``entities``; nil for a name that is none.
  public func index(ofEntity name: String) -> Int? { entities.firstIndex { $0.name == name } }

  /// Sets a stored fetch request under a name; a present one is replaced in place, nil removes it.
  public mutating func setFetchRequestTemplate(_ request: FetchRequestDefinition?, forName name: String) {
    let place = fetchRequests.firstIndex { $0.name == name }
    switch (request, place) {
    case (var request?, _):
      request.name = name
      if let place { fetchRequests[place] = request } else { fetchRequests.append(request) }
    case (nil, let place?): fetchRequests.remove(at: place)
    case (nil, nil): return
    }
  }

  /// The names of a configuration's entities; those of all entities for nil.
  ///
  /// - Throws: ``ModelLookupError`` with the names that exist.
  public func entities(forConfigurationName name: String?) throws(ModelLookupError) -> [String] {
    guard let name else { return entities.map(\.name) }
    guard let configuration = configurations.first(where: { $0.name == name }) else {
      throw ModelLookupError(.configuration, named: name, available: configurations.map(\.name))
    }
    return configuration.entities
  }

  /// Sets the entities of a configuration, which is made if there is none of the name.
  ///
  /// - Throws: ``ModelLookupError`` for an entity that is not one of this model; nothing is changed then.
  public mutating func setEntities(
    _ names: [String], forConfigurationName name: String
  ) throws(ModelLookupError) {
    let known = Set(entities.map(\.name))
    for entity in names where !known.contains(entity) {
      throw ModelLookupError(.entity, named: entity, available: entities.map(\.name))
    }
    if let place = configurations.firstIndex(where: { $0.name == name }) {
      configurations[place].entities = names
    } else {
      configurations.append(ConfigurationDefinition(name, entities: names))
    }
  }

  /// The names of an entity's direct sub-entities, in order.
  public func subentities(of name: String) -> [String] { entities.filter { $0.parent == name }.map(\.name) }

  /// Makes entities the direct sub-entities of another; those that were and are not named have no parent
  /// afterwards.
  ///
  /// - Throws: `model-unknown-entity` for a name that is no entity, with the nearest one; `model-bad-value`
  ///   for an entity that has another parent. Nothing is changed then.
  public mutating func setSubentities(_ names: [String], of parent: String) throws(ModelError) {
    var places: [Int] = []
    for name in names + [parent] {
      guard let place = index(ofEntity: name) else { throw ModelError([unknownEntity(name)]) }
      places.append(place)
    }
    for place in places.dropLast() {
      if let other = entities[place].parent, other != parent {
        throw ModelError([
          ModelProblem(
            .badValue, at: ModelPath().item("entities", place).key("parent"), value: parent,
            message: "\(entities[place].name) has the parent \(other), and an entity has one parent.",
            remedy: "Take it from \(other) first.")
        ])
      }
    }
    for place in entities.indices where entities[place].parent == parent { entities[place].parent = nil }
    for place in places.dropLast() { entities[place].parent = parent }
  }

  private func unknownEntity(_ name: String) -> ModelProblem {
    ModelProblem(
      .unknownEntity, at: ModelPath().key("entities"), value: name,
      message: "There is no entity \"\(name)\" in the model.",
      suggestion: NearestNames.names(near: name, among: entities.map(\.name)).first)
  }
}
