import GraphStorePredicates

extension ModelValidator {
  static let derivationForms =
    "A derivation is a key path of to-one steps (name, department.name); canonical:, normalize:, lowercase: or "
    + "uppercase: of one; RELATIONSHIP.@count; RELATIONSHIP.ATTRIBUTE.@sum; or now()."

  mutating func checkDerivedAttribute(
    _ attribute: AttributeDefinition, at path: ModelPath, isElement: Bool
  ) {
    if isElement {
      report(.notApplicable, at: path.key("derivation"), "An element of a composite cannot be derived.")
      return
    }
    let misplaced: [(isThere: Bool, key: String)] = [
      (attribute.isTransient, "transient"), (attribute.defaultValue != nil, "default"),
      (attribute.minimum != nil, "min"), (attribute.maximum != nil, "max"),
      (attribute.minLength != nil, "minLength"), (attribute.maxLength != nil, "maxLength"),
      (attribute.pattern != nil, "pattern"), (attribute.externalStorage, "externalStorage"),
      (!attribute.validations.isEmpty, "validations"),
    ]
    for entry in misplaced where entry.isThere {
      report(.notApplicable, at: path.key(entry.key), "A derived attribute cannot have \"\(entry.key)\".")
    }
    guard let entity = position(ofEntityAt: path), let text = attribute.derivation else { return }
    let place = path.key("derivation")
    guard let derivation = Derivation(text) else {
      report(
        .badExpression, at: place, value: text, "\"\(text)\" is not a derivation.",
        remedy: Self.derivationForms)
      return
    }
    guard !hasProblem(at: path.key("type")) else { return }
    check(derivation, text, type: attribute.type, entity: entity, at: place)
  }

  private func position(ofEntityAt path: ModelPath) -> Int? {
    guard path.components.count > 1, case .index(let position) = path.components[1] else { return nil }
    return position
  }

  private mutating func check(
    _ derivation: Derivation, _ text: String, type: AttributeType, entity: Int, at path: ModelPath
  ) {
    if type == .composite || type == .undefined {
      return report(
        .badExpression, at: path, value: text, "A \(type.rawValue) attribute cannot be derived.",
        remedy: "Derive an attribute of another type.")
    }
    switch derivation {
    case .now:
      fit(type == .date, message: "now() needs a date attribute.", text: text, at: path)
    case .text(_, let keys):
      guard let source = derivationSource(keys, text, of: entity, at: path) else { return }
      fit(
        type == .string && source.type == .string,
        message: "A function of text needs a string attribute and a path to a string.", text: text, at: path)
    case .path(let keys):
      guard let source = derivationSource(keys, text, of: entity, at: path) else { return }
      fit(
        source.type == type, message: "The path leads to \(source.type.rawValue), not \(type.rawValue).",
        text: text,
        at: path)
    case .count(let name):
      guard toMany(name, text, of: entity, at: path) != nil else { return }
      fit(type.isInteger, message: "@count needs a whole-number attribute.", text: text, at: path)
    case .sum(let name, let key):
      guard let destination = toMany(name, text, of: entity, at: path),
        let source = derivationSource([key], text, of: destination, at: path)
      else { return }
      fit(
        type.isNumber && source.type.isNumber, message: "@sum needs number attributes.", text: text, at: path)
    }
  }

  private mutating func fit(_ condition: Bool, message: String, text: String, at path: ModelPath) {
    if !condition {
      report(.badExpression, at: path, value: text, message, remedy: "Change \"type\" or the derivation.")
    }
  }

  private mutating func toMany(
    _ name: String, _ text: String, of entity: Int, at path: ModelPath
  ) -> Int? {
    guard case .relationship(let relationship, _) = property(name, of: entity), relationship.isToMany else {
      report(
        .badExpression, at: path, value: text,
        "\(definition.entities[entity].name) has no to-many relationship \"\(name)\".",
        suggestion: nearest(to: name, among: propertyNames(of: entity).filter { $0 != name }))
      return nil
    }
    if relationship.isTransient {
      report(
        .badExpression, at: path, value: text, "A derivation cannot use \"\(name)\", which is transient.")
      return nil
    }
    return entityPositions[relationship.destination]
  }

  private mutating func derivationSource(
    _ keys: [String], _ text: String, of entity: Int, at path: ModelPath
  ) -> AttributeDefinition? {
    var position = entity
    for (step, key) in keys.enumerated() {
      let isLast = step == keys.count - 1
      switch property(key, of: position) {
      case .attribute(let attribute) where isLast:
        if attribute.derivation != nil || attribute.isTransient {
          report(
            .badExpression, at: path, value: text,
            "A derivation cannot use \"\(key)\", which is derived or transient.")
          return nil
        }
        return attribute
      case .relationship(let relationship, _) where !isLast && !relationship.isToMany:
        if relationship.isTransient {
          report(
            .badExpression, at: path, value: text, "A derivation cannot use \"\(key)\", which is transient.")
          return nil
        }
        guard let destination = entityPositions[relationship.destination] else { return nil }
        position = destination
      default:
        report(
          .badExpression, at: path, value: text,
          "\(definition.entities[position].name) has no \(isLast ? "attribute" : "to-one relationship") "
            + "\"\(key)\".",
          suggestion: nearest(to: key, among: propertyNames(of: position).filter { $0 != key }),
          remedy: Self.derivationForms)
        return nil
      }
    }
    return nil
  }
}
