/// A to-one relationship that nothing leads back from (MDL-343).
enum MissingInverseRule: LintRule {
  static let rule = ModelRule(
    "missing-inverse", "A to-one relationship has no inverse.",
    reason: "When the object at the other end is deleted, the reference to it is left dangling.",
    remedy: "Give the destination a relationship back and name each as the other's \"inverse\".")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for relationship in model.relationships
    where !relationship.definition.isToMany && relationship.definition.inverse == nil {
      report.add(
        at: relationship.path,
        "\(relationship.label) leads to \(relationship.definition.destination) and has no inverse.",
        remedy: remedy(for: relationship, in: model))
    }
  }

  /// The remedy where there is just one relationship back that has no inverse either.
  static func remedy(for relationship: LintedModel.Relationship, in model: LintedModel) -> String? {
    guard let destination = relationship.destination else { return nil }
    let owner = model.name(relationship.entity)
    let candidates = model.definition.entities[destination].relationships.filter {
      $0.destination == owner && $0.inverse == nil
        && !(destination == relationship.entity && $0.name == relationship.definition.name)
    }
    let rivals = model.definition.entities[relationship.entity].relationships.filter {
      $0.destination == relationship.definition.destination && $0.inverse == nil
    }
    guard candidates.count == 1, rivals.count == 1 || destination == relationship.entity else { return nil }
    let other = candidates[0].name
    return
      "If \(model.name(destination)).\(other) is the way back, add \"inverse\": \"\(other)\" here and "
      + "\"inverse\": \"\(relationship.definition.name)\" there."
  }
}

/// A to-many relationship that nothing leads back from (MDL-343).
enum OneWayToManyRule: LintRule {
  static let rule = ModelRule(
    "one-way-to-many", "A to-many relationship has no inverse.",
    reason: "A member belongs to the last owner that it was given to, and no member knows whose it is.",
    remedy: "Give the destination a relationship back and name each as the other's \"inverse\".")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for relationship in model.relationships
    where relationship.definition.isToMany && relationship.definition.inverse == nil {
      report.add(
        at: relationship.path,
        "\(relationship.label) leads to many \(relationship.definition.destination) and has no inverse.",
        remedy: MissingInverseRule.remedy(for: relationship, in: model))
    }
  }
}

/// A many-to-many with an order.
enum OrderedManyToManyRule: LintRule {
  static let rule = ModelRule(
    "ordered-many-to-many", "A many-to-many relationship is ordered.",
    reason:
      "Each link keeps its place: it takes more room, every load sorts, and two writers who move members conflict.",
    remedy: "Drop \"ordered\", sort by an attribute, or make the link an entity that holds the position.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, relationship) in model.relationships.enumerated()
    where relationship.definition.isOrdered && relationship.definition.isToMany {
      guard let inverse = model.inverse(of: position), inverse.definition.isToMany else { continue }
      report.add(
        at: relationship.path,
        "\(relationship.label) is an ordered many-to-many, which costs a place for every link with \(inverse.label)."
      )
    }
  }
}

/// A to-many that can hold one object only.
enum ToManyOfOneRule: LintRule {
  static let rule = ModelRule(
    "to-many-of-one", "A to-many relationship may have at most one member.",
    reason: "It is a to-one in disguise: a set is loaded and kept where a reference would do.",
    remedy: "Take \"toMany\" away, or raise \"maxCount\".")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for relationship in model.relationships
    where relationship.definition.isToMany && relationship.definition.maxCount == 1 {
      report.add(at: relationship.path, "\(relationship.label) is to-many and may have one member only.")
    }
  }
}
