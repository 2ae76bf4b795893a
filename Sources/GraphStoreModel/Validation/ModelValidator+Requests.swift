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
          "A fetched property knows the variables $FETCH_SOURCE and $FETCHED_PROPERTY, not $\(name).")
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
    parts.sortDescriptors = parseSort(request.sort, at: path, entity: entity)
    guard let entity else { return parts }
    for (key, names) in [("properties", request.properties), ("groupBy", request.groupBy)] {
      for (position, name) in names.enumerated() {
        checkKeyPath(name, of: entity, at: path.item(key, position), code: .unknownProperty)
      }
    }
    for (position, name) in request.prefetch.enumerated() {
      checkKeyPath(
        name, of: entity, at: path.item("prefetch", position), code: .unknownProperty, relationshipsOnly: true
      )
    }
    return parts
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
