import GraphStore

/// Rule on values that the model requires and objects lack.
enum RequiredWithoutDefaultRule: StoreRule {
  static let rule = ModelRule.requiredWithoutDefault

  static func check(_ entity: StoredEntity, report: inout LintReport) throws {
    for place in entity.attributes where !place.attribute.isOptional && place.attribute.defaultValue.isNull {
      guard let source = place.source else {
        report.add(
          at: place.path,
          "\(place.attribute) is new, mandatory and without default, and the store has \(entity.phrase(entity.count))."
        )
        continue
      }
      let missing = try entity.count(where: .compare(.key(source.name), .equal, .constant(Value.null)))
      guard missing > 0 else { continue }
      report.add(
        at: place.path,
        "\(place.attribute) is mandatory and without default, and \(missing) of \(entity.phrase(entity.count)) lack it."
      )
    }
    try checkRelationships(of: entity, report: &report)
  }

  private static func checkRelationships(of entity: StoredEntity, report: inout LintReport) throws {
    let own = entity.entity.ownProperties.compactMap { $0 as? RelationshipDescription }
    for (position, relationship) in own.enumerated()
    where relationship.requiresMember && !relationship.isTransient {
      let path = entity.path.item("relationships", position)
      let remedy = "Make the relationship optional, or give every object a \(relationship.destination) first."
      guard let source = entity.property(for: relationship) as? RelationshipDescription, !source.isTransient
      else {
        report.add(
          at: path, "\(relationship) is new and mandatory, and the store has \(entity.phrase(entity.count)).",
          remedy: remedy)
        continue
      }
      let isEmpty: QueryPredicate =
        source.isToMany
        ? .compare(keyPath(source.name, "count"), .equal, .constant(0))
        : .compare(.key(source.name), .equal, .constant(Value.null))
      let missing = try entity.count(where: isEmpty)
      guard missing > 0 else { continue }
      report.add(
        at: path, "\(relationship) is mandatory, and \(missing) of \(entity.phrase(entity.count)) have none.",
        remedy: remedy)
    }
  }

  private static func keyPath(_ name: String, _ collectionOperator: String) -> QueryExpression {
    QueryExpression(.keyPath(QueryKeyPath(steps: [.key(name), .collectionOperator(collectionOperator)])))
  }
}

/// Rule on values outside of limits: they came in where limits were not checked, or are older than the
/// limits.
enum ValuesBreakLimitsRule: StoreRule {
  static let rule = ModelRule.valuesBreakLimits

  static func check(_ entity: StoredEntity, report: inout LintReport) throws {
    for place in entity.attributes {
      guard let source = place.source, source.type == place.attribute.type else { continue }
      for (predicate, limit) in conditions(of: place.attribute, named: source.name) {
        let count = try entity.count(where: predicate)
        guard count > 0 else { continue }
        report.add(
          at: place.path,
          "\(count) of \(entity.phrase(entity.count)) have a \(place.attribute.name) \(limit).")
      }
    }
  }

  /// What values that break a limit satisfy, and how they break it.
  private static func conditions(
    of attribute: AttributeDescription, named name: String
  ) -> [(predicate: QueryPredicate, limit: String)] {
    let key = QueryExpression.key(name)
    let length = QueryExpression.keys(name, "length")
    var conditions: [(QueryPredicate, String)] = []
    if let minimum = attribute.minimum {
      conditions.append((.compare(key, .less, .constant(minimum)), "below the minimum"))
    }
    if let maximum = attribute.maximum {
      conditions.append((.compare(key, .greater, .constant(maximum)), "above the maximum"))
    }
    if let least = attribute.minLength {
      conditions.append((.compare(length, .less, .constant(least)), "shorter than \(least) characters"))
    }
    if let greatest = attribute.maxLength {
      conditions.append(
        (.compare(length, .greater, .constant(greatest)), "longer than \(greatest) characters"))
    }
    if let pattern = attribute.pattern {
      let matches = QueryPredicate.compare(key, .matches, .constant(pattern))
      let isThere = QueryPredicate.compare(key, .notEqual, .constant(Value.null))
      conditions.append((.and([isThere, .not(matches)]), "that does not match the pattern \(pattern)"))
    }
    return conditions
  }
}

/// Rule on attributes that no object has a value for.
enum AlwaysNilRule: StoreRule {
  static let rule = ModelRule.alwaysNil
  /// With fewer objects nothing can be said.
  static let least = 20

  static func check(_ entity: StoredEntity, report: inout LintReport) throws {
    guard entity.count >= least else { return }
    for place in entity.attributes where place.attribute.isOptional && place.attribute.type != .composite {
      guard let source = place.source else { continue }
      let missing = try entity.count(where: .compare(.key(source.name), .equal, .constant(Value.null)))
      guard missing == entity.count else { continue }
      report.add(at: place.path, "None of \(entity.phrase(entity.count)) has a \(place.attribute.name).")
    }
  }
}

/// Rule on text that reads as numbers or dates throughout.
enum TextLooksTypedRule: StoreRule {
  static let rule = ModelRule.textLooksTyped
  /// With fewer values nothing can be said.
  static let least = 20

  /// No leading zeros: a number with them is a label, such as a postal code.
  private static let kinds = [
    (word: "number", pattern: #"-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?"#),
    (word: "date", pattern: #"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}.*)?"#),
  ]

  static func check(_ entity: StoredEntity, report: inout LintReport) throws {
    guard entity.count >= least else { return }
    for place in entity.attributes where place.attribute.type == .string {
      guard let source = place.source, source.type == .string else { continue }
      let key = QueryExpression.key(source.name)
      let count = try entity.count(where: .compare(key, .notEqual, .constant(Value.null)))
      guard count >= least else { continue }
      for kind in kinds {
        let matching = try entity.count(where: .compare(key, .matches, .constant(kind.pattern)))
        guard matching == count else { continue }
        report.add(at: place.path, "All \(count) values of \(place.attribute) read as a \(kind.word).")
      }
    }
  }
}
