import GraphStore

/// Values that came in where limits were not looked at, or that are older than the limits.
enum ValuesBreakLimitsRule: StoreRule {
  static let rule = ModelRule.valuesBreakLimits

  static func look(at entity: StoredEntity, _ report: inout StoreLintReport) throws {
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
