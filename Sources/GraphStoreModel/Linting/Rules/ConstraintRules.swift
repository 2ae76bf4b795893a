/// Two constraints that ask the same (MDL-298).
enum DuplicateConstraintRule: LintRule {
  static let rule = ModelRule(
    "duplicate-constraint", "Two uniqueness constraints of an entity are over the same properties.",
    reason: "Each is an index that every save maintains, and the second says nothing new.",
    remedy: "Remove one of them.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      var first: [Set<String>: Int] = [:]
      for (number, constraint) in entity.uniquenessConstraints.enumerated() where !constraint.isEmpty {
        if let earlier = first[Set(constraint)] {
          report.add(
            at: model.path(position).item("uniquenessConstraints", number),
            "\(entity.name) asks for unique \(constraint.joined(separator: ", ")) already in "
              + "uniquenessConstraints[\(earlier)].")
        } else {
          first[Set(constraint)] = number
        }
      }
    }
  }
}

/// A constraint that follows from another one.
enum ImpliedConstraintRule: LintRule {
  static let rule = ModelRule(
    "implied-constraint", "A uniqueness constraint follows from one over fewer of its attributes.",
    reason: "What is unique alone is unique together with anything; the index is maintained for nothing.",
    remedy: "Remove the wider constraint, or the narrower one if it asks too much.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      guard !entity.uniquenessConstraints.isEmpty else { continue }
      let known = model.lineage(of: position).flatMap { model.definition.entities[$0].uniquenessConstraints }
        .filter { !$0.isEmpty }.map { (names: $0, attributes: Set($0)) }
      for (number, constraint) in entity.uniquenessConstraints.enumerated() {
        let attributes = Set(constraint)
        guard let narrower = known.first(where: { $0.attributes.isStrictSubset(of: attributes) })?.names
        else {
          continue
        }
        report.add(
          at: model.path(position).item("uniquenessConstraints", number),
          "\(entity.name) asks for unique \(constraint.joined(separator: ", ")), which follows from unique "
            + "\(narrower.joined(separator: ", ")).")
      }
    }
  }
}

/// A constraint over several attributes of which one may be missing.
enum OptionalInConstraintRule: LintRule {
  static let rule = ModelRule(
    "optional-in-constraint", "A uniqueness constraint over several attributes has an optional one.",
    reason: "An object that lacks one of the values never conflicts, however equal the others are.",
    remedy: "Make it mandatory; an attribute with a default that stands for no value.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      for (number, constraint) in entity.uniquenessConstraints.enumerated() where constraint.count > 1 {
        for (step, name) in constraint.enumerated() {
          guard isOptional(model.property(name, of: position)) else { continue }
          report.add(
            at: model.path(position).item("uniquenessConstraints", number).index(step),
            "\(entity.name) objects without \(name) may be equal in "
              + "\(constraint.filter { $0 != name }.joined(separator: ", ")).")
        }
      }
    }
  }

  private static func isOptional(_ property: ModelValidator.PropertyPlace?) -> Bool {
    switch property {
    case .attribute(let attribute): attribute.isOptional
    case .relationship(let relationship, _): relationship.isOptional
    case .fetchedProperty, nil: false
    }
  }
}
