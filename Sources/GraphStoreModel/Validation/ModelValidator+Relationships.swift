import GraphStorePredicates

extension ModelValidator {
  mutating func checkRelationship(
    _ relationship: RelationshipDefinition, of entity: Int, at path: ModelPath
  ) -> [PropertyValidation] {
    let validations = checkValidations(relationship.validations, at: path)
    checkCounts(relationship, at: path)
    if relationship.isOrdered, !relationship.isToMany {
      report(
        .notApplicable, at: path.key("ordered"), "Only a to-many relationship can be ordered.",
        remedy: "Set \"toMany\" to true or remove it.")
    }
    guard !hasProblem(at: path.key("destination")),
      let destination = self.entity(named: relationship.destination, at: path.key("destination"))
    else { return validations }
    checkInverse(of: relationship, from: entity, to: destination, at: path)
    return validations
  }

  private mutating func checkCounts(_ relationship: RelationshipDefinition, at path: ModelPath) {
    let least = relationship.minCount
    let greatest = relationship.maxCount
    for (count, key) in [(least, "minCount"), (greatest, "maxCount")] where count < 0 {
      report(.badValue, at: path.key(key), value: String(count), "A count cannot be negative.")
    }
    guard least >= 0, greatest >= 0 else { return }
    guard relationship.isToMany else {
      if least > 1 {
        report(
          .badValue, at: path.key("minCount"), value: String(least),
          "A to-one relationship has a minimum of 0 or 1.", remedy: "Set \"toMany\" to true or remove it.")
      }
      if greatest > 1 {
        report(
          .badValue, at: path.key("maxCount"), value: String(greatest),
          "A to-one relationship has a maximum of 1.", remedy: "Set \"toMany\" to true or remove it.")
      }
      return
    }
    if greatest > 0, greatest < least {
      report(
        .badValue, at: path.key("maxCount"), value: String(greatest),
        "The maximum \(greatest) is below the minimum \(least).")
    }
  }

  private mutating func checkInverse(
    of relationship: RelationshipDefinition, from entity: Int, to destination: Int, at path: ModelPath
  ) {
    let owner = definition.entities[entity].name
    let target = definition.entities[inverseOwner(of: relationship, to: destination)]
    guard let name = relationship.inverse else {
      let pointing = target.relationships.first {
        $0.inverse == relationship.name && $0.destination == owner
      }
      if let pointing {
        report(
          .badInverse, at: path,
          "\(target.name).\(pointing.name) names \"\(relationship.name)\" as its inverse, but not the reverse.",
          remedy: "Add \"inverse\": \"\(pointing.name)\".")
      }
      return
    }
    guard !hasProblem(at: path.key("inverse")) else { return }
    guard let inverse = target.relationships.first(where: { $0.name == name }) else {
      if reportKind(ofInverse: name, in: destination, at: path.key("inverse")) { return }
      let back = target.relationships.filter { $0.destination == owner }.map(\.name)
      report(
        .badInverse, at: path.key("inverse"), value: name,
        "\(target.name) declares no relationship \"\(name)\".",
        suggestion: nearest(to: name, among: target.relationships.map(\.name))
          ?? (back.count == 1 ? back.first : nil))
      return
    }
    let end = entityPositions[inverse.destination].map { inverseOwner(of: inverse, to: $0) }
    if end != entity {
      report(
        .badInverse, at: path.key("inverse"), value: name,
        "\(target.name).\(name) leads to \(inverse.destination), not back to \(owner).",
        remedy: "Name another inverse here, or make \(owner) the destination there.")
    } else if inverse.inverse == nil {
      // The side that lacks the line is reported when its turn comes, unless it is this one.
      return
    } else if inverse.inverse != relationship.name {
      report(
        .badInverse, at: path.key("inverse"), value: name,
        "The inverse of \(target.name).\(name) is \"\(inverse.inverse ?? "")\", not \"\(relationship.name)\".",
        remedy: "Write \"inverse\": \"\(relationship.name)\" there or name another inverse here.")
    } else if relationship.isTransient != inverse.isTransient {
      report(
        .badInverse, at: path.key("inverse"), value: name,
        "A transient relationship needs a transient inverse; \(target.name).\(name) differs.",
        remedy: "Set \"transient\" alike on both sides.")
    }
  }

  /// Reports a property that cannot be an inverse at its position.
  ///
  /// - Returns: whether there is such a property.
  private mutating func reportKind(ofInverse name: String, in destination: Int, at path: ModelPath) -> Bool {
    let target = definition.entities[destination].name
    switch property(name, of: destination) {
    case nil: return false
    case .relationship(_, let ancestor):
      let declarer = definition.entities[ancestor].name
      report(
        .badInverse, at: path, value: name,
        "\(target) inherits \"\(name)\" from \(declarer), and an inverse is declared by the destination itself.",
        remedy: "Make \(declarer) the destination.")
    case .attribute:
      report(.badInverse, at: path, value: name, "\(target).\(name) is an attribute, not a relationship.")
    case .fetchedProperty:
      report(
        .badInverse, at: path, value: name, "\(target).\(name) is a fetched property, not a relationship.")
    }
    return true
  }

  /// The entity that declares the inverse: the destination, or the ancestor of it that a model of Xcode
  /// names.
  private func inverseOwner(of relationship: RelationshipDefinition, to destination: Int) -> Int {
    guard let name = relationship.xcode.text("inverseEntity"), let owner = entityPositions[name] else {
      return destination
    }
    var ancestor = parents[destination]
    while let current = ancestor, current != owner { ancestor = parents[current] }
    return ancestor ?? destination
  }
}
