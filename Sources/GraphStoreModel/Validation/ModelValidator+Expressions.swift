import GraphStorePredicates

extension ModelValidator {
  /// Parses a predicate and checks its keys against an entity, when there is one.
  mutating func parsePredicate(_ text: String, at path: ModelPath, entity: Int? = nil) -> QueryPredicate? {
    guard !hasProblem(at: path) else { return nil }
    do {
      let predicate = try QueryPredicate(parsing: text)
      if let entity { check(PredicateParts(predicate), text, of: entity, at: path) }
      return predicate
    } catch {
      report(error, text, at: path)
      return nil
    }
  }

  /// Parses an expression and checks its keys against an entity.
  mutating func parseExpression(_ text: String, at path: ModelPath, entity: Int) -> QueryExpression? {
    guard !hasProblem(at: path) else { return nil }
    do {
      let expression = try QueryExpression(parsing: text)
      check(PredicateParts(expression), text, of: entity, at: path)
      return expression
    } catch {
      report(error, text, at: path)
      return nil
    }
  }

  /// Parses the sort keys of a request and checks them against an entity.
  ///
  /// - Parameter results: The names of the results, by which dictionaries are sorted too.
  mutating func parseSort(
    _ keys: [String], at path: ModelPath, entity: Int?, results: Set<String> = []
  ) -> [QuerySortDescriptor] {
    keys.enumerated().compactMap { position, text -> QuerySortDescriptor? in
      let place = path.item("sort", position)
      guard !hasProblem(at: place) else { return nil }
      do throws(QueryPredicateError) {
        let descriptor = try QuerySortDescriptor(parsing: text)
        let isResult =
          descriptor.keyPath.plainKeys.map { results.contains($0.joined(separator: ".")) } ?? false
        if let entity, descriptor.isComputed {
          check(PredicateParts(descriptor.expression), text, of: entity, at: place)
        } else if let entity, !isResult {
          check(descriptor.keyPath.steps, text, of: entity, at: place, offset: nil)
        }
        return descriptor
      } catch {
        report(error, text, at: place)
        return nil
      }
    }
  }

  /// Checks a key path that is written as plain text.
  mutating func checkKeyPath(
    _ text: String, of entity: Int, at path: ModelPath, code: ModelProblem.Code,
    relationshipsOnly: Bool = false
  ) {
    guard !hasProblem(at: path) else { return }
    let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let steps = keys.map { key -> QueryKeyPath.Step in
      key.hasPrefix("@") ? .collectionOperator(String(key.dropFirst())) : .key(key)
    }
    check(steps, text, of: entity, at: path, offset: nil, relationshipsOnly: relationshipsOnly)
  }

  private mutating func report(_ error: QueryPredicateError, _ text: String, at path: ModelPath) {
    report(
      .badExpression, at: path, value: text, error.message, suggestion: error.suggestions.first,
      remedy: error.hint, offset: error.offset)
  }

  private mutating func check(_ parts: PredicateParts, _ text: String, of entity: Int, at path: ModelPath) {
    for part in parts.paths {
      check(part.steps, text, of: entity, at: path, offset: part.offset, coversSubentities: true)
    }
  }

  private mutating func check(
    _ steps: [QueryKeyPath.Step], _ text: String, of entity: Int, at path: ModelPath, offset: Int?,
    relationshipsOnly: Bool = false, coversSubentities: Bool = false
  ) {
    var position = entity
    var elements: [AttributeDefinition]?
    for step in steps {
      guard case .key(let key) = step else {
        if case .variable = step { return }
        continue
      }
      if let known = elements {
        guard let element = known.first(where: { $0.name == key }) else {
          reportKey(
            key, message: "There is no element", among: known.map(\.name), text: text, at: path,
            offset: offset)
          return
        }
        guard let inner = continuation(of: element) else { return }
        elements = inner
        continue
      }
      if key == "objectID" || key == "entity" || key == "self" || key == "SELF" { return }
      switch property(key, of: position) ?? (coversSubentities ? subentityProperty(key, of: position) : nil) {
      case .relationship(let relationship, _):
        guard let destination = entityPositions[relationship.destination] else { return }
        position = destination
      case .attribute(let attribute) where !relationshipsOnly:
        guard let inner = continuation(of: attribute) else { return }
        elements = inner
      case .fetchedProperty where !relationshipsOnly:
        report(
          .badExpression, at: path, value: text,
          "\"\(key)\" is a fetched property and cannot be used in a predicate or sort.", offset: offset)
        return
      default:
        let owner = definition.entities[position].name
        reportKey(
          key, message: relationshipsOnly ? "\(owner) has no relationship" : "\(owner) has no property",
          among: relationshipsOnly ? relationshipNames(of: position) : propertyNames(of: position),
          text: text,
          at: path, offset: offset)
        return
      }
    }
  }

  private func relationshipNames(of entity: Int) -> [String] {
    propertyNames(of: entity).filter { name in
      if case .relationship = property(name, of: entity) { true } else { false }
    }
  }

  /// The elements that may follow an attribute in a key path; nil when what follows cannot be judged.
  private func continuation(of attribute: AttributeDefinition) -> [AttributeDefinition]? {
    attribute.type == .transformable || attribute.type == .undefined ? nil : attribute.elements
  }

  private mutating func reportKey(
    _ key: String, message: String, among names: [String], text: String, at path: ModelPath, offset: Int?
  ) {
    report(
      .unknownProperty, at: path, value: text, "\(message) \"\(key)\".",
      suggestion: nearest(to: key, among: names), offset: offset)
  }
}
