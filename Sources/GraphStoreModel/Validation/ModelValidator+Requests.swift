import GraphStorePredicates

extension ModelValidator {
  private static let fetchedVariables: Set<String> = ["FETCH_SOURCE", "FETCHED_PROPERTY"]

  mutating func checkFetchedProperty(
    _ property: FetchedPropertyDefinition, at path: ModelPath
  ) -> RequestParts {
    var parts = RequestParts()
    checkNotNegative(property.limit, at: path.key("limit"))
    let destination =
      hasProblem(at: path.key("entity")) ? nil : entity(named: property.entity, at: path.key("entity"))
    if let text = property.predicate {
      parts.predicate = parsePredicate(text, at: path.key("predicate"), entity: destination)
      let variables = parts.predicate.map { PredicateParts($0).variables } ?? []
      for name in variables where !Self.fetchedVariables.contains(name) {
        report(
          .badExpression, at: path.key("predicate"), value: text,
          "The fetched property \(property.name) knows the variables $FETCH_SOURCE and $FETCHED_PROPERTY, "
            + "not $\(name).")
      }
    }
    parts.sortDescriptors = parseSort(property.sort, at: path, entity: destination)
    return parts
  }

  mutating func checkFetchRequestNames() {
    var names: [String: Int] = [:]
    for (position, request) in definition.fetchRequests.enumerated() {
      let path = ModelPath().item("fetchRequests", position).key("name")
      guard !hasProblem(at: path) else { continue }
      checkFreeName(request.name, at: path)
      if let first = names[request.name] {
        report(
          .duplicateName, at: path, value: request.name,
          "The name \"\(request.name)\" is already used by fetchRequests[\(first)].")
      } else {
        names[request.name] = position
      }
    }
  }

  mutating func checkFetchRequest(_ request: FetchRequestDefinition, at path: ModelPath) -> RequestParts {
    var parts = RequestParts()
    checkNotNegative(request.limit, at: path.key("limit"))
    checkNotNegative(request.offset, at: path.key("offset"))
    checkNotNegative(request.batchSize, at: path.key("batchSize"))
    checkResultType(request, at: path)
    let entity =
      hasProblem(at: path.key("entity")) ? nil : entity(named: request.entity, at: path.key("entity"))
    parts.predicate = request.predicate.flatMap {
      parsePredicate($0, at: path.key("predicate"), entity: entity)
    }
    parts.having = request.having.flatMap { parsePredicate($0, at: path.key("having")) }
    let results = Set(request.properties.map(\.name))
    parts.sortDescriptors = parseSort(request.sort, at: path, entity: entity, results: results)
    guard let entity else { return parts }
    checkResults(request, of: entity, at: path)
    for (position, name) in request.prefetch.enumerated() {
      checkKeyPath(
        name, of: entity, at: path.item("prefetch", position), code: .unknownProperty, relationshipsOnly: true
      )
    }
    return parts
  }

  /// Checks the keys of results and groups, and that results have names of their own.
  private mutating func checkResults(_ request: FetchRequestDefinition, of entity: Int, at path: ModelPath) {
    var expressions: Set<String> = []
    var names: Set<String> = []
    for (position, property) in request.properties.enumerated() {
      let place = path.item("properties", position)
      if let expression = property.expression {
        _ = parseExpression(expression, at: place.key("expression"), entity: entity)
        expressions.insert(property.name)
        if property.type == .undefined || property.type == .composite || property.type == .transformable {
          report(
            .badValue, at: place.key("type"), value: property.type?.rawValue,
            "A computed value is none of this type.")
        }
      } else {
        checkKeyPath(property.name, of: entity, at: place, code: .unknownProperty)
      }
      if !names.insert(property.name).inserted {
        report(
          .duplicateName, at: place, value: property.name,
          "\"\(property.name)\" is already the name of another result.")
      }
    }
    for (position, name) in request.groupBy.enumerated() where !expressions.contains(name) {
      checkKeyPath(name, of: entity, at: path.item("groupBy", position), code: .unknownProperty)
    }
  }

  private mutating func checkResultType(_ request: FetchRequestDefinition, at path: ModelPath) {
    guard request.resultType != .dictionaries, !hasProblem(at: path.key("resultType")) else { return }
    let allowsProperties = request.resultType == .objects
    let misplaced: [(isThere: Bool, key: String)] = [
      (!request.properties.isEmpty && !allowsProperties, "properties"),
      (!request.groupBy.isEmpty, "groupBy"), (request.having != nil, "having"),
      (request.distinct, "distinct"),
    ]
    for entry in misplaced where entry.isThere {
      report(
        .notApplicable, at: path.key(entry.key),
        "\"\(entry.key)\" has a meaning with \"resultType\": \"dictionaries\" only.")
    }
  }

  private mutating func checkNotNegative(_ number: Int, at path: ModelPath) {
    if number < 0 { report(.badValue, at: path, value: String(number), "This number cannot be negative.") }
  }

  mutating func checkConfigurations() {
    var names: [String: Int] = [:]
    for (position, configuration) in definition.configurations.enumerated() {
      let path = ModelPath().item("configurations", position)
      if !hasProblem(at: path.key("name")) {
        checkFreeName(configuration.name, at: path.key("name"))
        if let first = names[configuration.name] {
          report(
            .duplicateName, at: path.key("name"), value: configuration.name,
            "The name \"\(configuration.name)\" is already used by configurations[\(first)].")
        } else {
          names[configuration.name] = position
        }
      }
      var members: Set<String> = []
      for (number, name) in configuration.entities.enumerated() {
        let place = path.item("entities", number)
        guard !hasProblem(at: place), entity(named: name, at: place) != nil else { continue }
        if !members.insert(name).inserted {
          report(.duplicateName, at: place, value: name, "\"\(name)\" is already in the configuration.")
        }
      }
    }
  }
}
