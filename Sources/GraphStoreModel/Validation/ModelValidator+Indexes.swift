import GraphStorePredicates

extension ModelValidator {
  mutating func checkIndexNames(_ entity: EntityDefinition, at path: ModelPath) {
    var names: [String: Int] = [:]
    for (position, index) in entity.indexes.enumerated() {
      let place = path.item("indexes", position).key("name")
      guard !hasProblem(at: place) else { continue }
      checkName(index.name, at: place)
      if let first = names[index.name] {
        report(
          .duplicateName, at: place, value: index.name,
          "The name \"\(index.name)\" is already used by \(path.item("indexes", first)).")
      } else {
        names[index.name] = position
      }
    }
  }

  mutating func checkIndex(_ index: IndexDefinition, of entity: Int, at path: ModelPath) -> IndexParts {
    var parts = IndexParts()
    if index.elements.isEmpty, !hasProblem(at: path.key("elements")) {
      report(.badValue, at: path.key("elements"), "An index needs at least one element.")
    }
    let spatial = index.elements.count { $0.kind == .rtree }
    if spatial > 0, spatial < index.elements.count {
      report(
        .badValue, at: path.key("elements"), "Elements of type rtree and binary cannot be mixed in one index."
      )
    } else if spatial > 5 {
      report(.badValue, at: path.key("elements"), "An index of type rtree has at most five elements.")
    }
    for (position, element) in index.elements.enumerated() {
      let place = path.item("elements", position)
      parts.expressions.append(checkElement(element, of: entity, at: place))
    }
    if let text = index.predicate {
      parts.predicate = parsePredicate(text, at: path.key("where"), entity: entity)
      let refused = parts.predicate.flatMap { RowExpression($0, of: entity, in: self).refused }
      reportOutside(refused, text, at: path.key("where"))
    }
    return parts
  }

  private mutating func checkElement(
    _ element: IndexDefinition.Element, of entity: Int, at path: ModelPath
  ) -> QueryExpression? {
    switch (element.property, element.expression) {
    case (let property?, nil):
      checkIndexed(property, isSpatial: element.kind == .rtree, of: entity, at: path.key("property"))
      return nil
    case (nil, let text?):
      let expression = parseExpression(text, at: path.key("expression"), entity: entity)
      let refused = expression.flatMap { RowExpression($0, of: entity, in: self).refused }
      reportOutside(refused, text, at: path.key("expression"))
      return expression
    default:
      if !hasProblem(at: path.key("property")), !hasProblem(at: path.key("expression")) {
        report(.badValue, at: path, "An element of an index has either \"property\" or \"expression\".")
      }
      return nil
    }
  }

  private mutating func reportOutside(_ refused: String?, _ text: String, at path: ModelPath) {
    guard let refused else { return }
    report(
      .badExpression, at: path, value: text, "An index cannot have \(refused).",
      remedy: "Use stored attributes of the entity itself, constants, and functions of these.")
  }

  private mutating func checkIndexed(_ name: String, isSpatial: Bool, of entity: Int, at path: ModelPath) {
    let keys = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    switch property(keys[0], of: entity) {
    case nil:
      report(
        .unknownProperty, at: path, value: name,
        "\(definition.entities[entity].name) has no property \"\(keys[0])\".",
        suggestion: nearest(to: keys[0], among: propertyNames(of: entity)))
    case .attribute(let attribute):
      var current = attribute
      for key in keys.dropFirst() {
        guard let element = current.elements.first(where: { $0.name == key }) else {
          report(
            .unknownProperty, at: path, value: name, "\"\(current.name)\" has no element \"\(key)\".",
            suggestion: nearest(to: key, among: current.elements.map(\.name)))
          return
        }
        current = element
      }
      if current.isTransient || attribute.isTransient {
        report(.notApplicable, at: path, value: name, "\"\(name)\" is transient and cannot be indexed.")
      } else if current.type == .composite {
        report(
          .notApplicable, at: path, value: name, "A composite is indexed by its elements.",
          remedy: current.elements.first.map { "Write \"\(name).\($0.name)\"." })
      } else if isSpatial, !current.type.isNumber {
        report(.badValue, at: path, value: name, "Elements of type rtree are numbers; \"\(name)\" is not.")
      }
    case .relationship(let relationship, _):
      if relationship.isToMany || relationship.isTransient || keys.count > 1 {
        report(
          .notApplicable, at: path, value: name,
          "An index holds stored attributes and to-one relationships of the entity itself.")
      } else if isSpatial {
        report(.badValue, at: path, value: name, "Elements of type rtree are numbers; \"\(name)\" is not.")
      }
    case .fetchedProperty:
      report(.notApplicable, at: path, value: name, "A fetched property cannot be indexed.")
    }
  }

  mutating func checkUniquenessConstraints(_ entity: EntityDefinition, position: Int, at path: ModelPath) {
    for (number, constraint) in entity.uniquenessConstraints.enumerated() {
      let place = path.item("uniquenessConstraints", number)
      guard !hasProblem(at: place) else { continue }
      if constraint.isEmpty {
        report(.badValue, at: place, "A uniqueness constraint needs at least one attribute.")
      }
      var names: Set<String> = []
      for (step, name) in constraint.enumerated() where !hasProblem(at: place.index(step)) {
        checkUnique(name, of: position, at: place.index(step))
        if !names.insert(name).inserted {
          report(
            .duplicateName, at: place.index(step), value: name, "\"\(name)\" is already in the constraint.")
        }
      }
    }
  }

  private mutating func checkUnique(
    _ name: String, of entity: Int, at path: @autoclosure () -> ModelPath
  ) {
    guard let property = property(name, of: entity) else {
      report(
        .unknownProperty, at: path(), value: name,
        "\(definition.entities[entity].name) has no attribute \"\(name)\".",
        suggestion: nearest(to: name, among: propertyNames(of: entity)))
      return
    }
    let attribute: AttributeDefinition
    switch property {
    case .attribute(let found): attribute = found
    case .relationship(let relationship, _) where !relationship.isToMany && !relationship.isTransient: return
    case .relationship, .fetchedProperty:
      report(
        .notApplicable, at: path(), value: name,
        "A uniqueness constraint holds stored attributes and to-one relationships; \"\(name)\" is neither.")
      return
    }
    let reason: String? =
      if attribute.isTransient {
        "transient"
      } else if attribute.derivation != nil {
        "derived"
      } else if [.transformable, .composite].contains(attribute.type) {
        "of type \(attribute.type.rawValue)"
      } else if attribute.externalStorage {
        "kept outside the store"
      } else {
        nil
      }
    if let reason {
      report(.notApplicable, at: path(), value: name, "\"\(name)\" is \(reason) and cannot be unique.")
    }
  }
}
