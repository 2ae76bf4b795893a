import GraphStorePredicates

/// An index that another one serves as well (MDL-349).
enum RedundantIndexRule: LintRule {
  static let rule = ModelRule(
    "redundant-index", "An index is a leading part of another index or constraint of its entity.",
    reason: "Every save maintains it, and the other one answers the same searches.",
    remedy: "Remove it.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      for (number, index) in entity.indexes.enumerated() where !index.elements.isEmpty {
        guard let other = other(for: index, at: number, entity: position, in: model) else { continue }
        report.add(
          at: model.path(position).item("indexes", number),
          "The index \(index.name) of \(entity.name) is served by \(other).")
      }
    }
  }

  private static func other(
    for index: IndexDefinition, at number: Int, entity position: Int, in model: LintedModel
  ) -> String? {
    let entity = model.definition.entities[position]
    for (place, wider) in entity.indexes.enumerated() where place != number {
      guard wider.predicate == index.predicate, wider.elements.starts(with: index.elements) else { continue }
      // Report the second of two equal indexes.
      if wider.elements.count > index.elements.count || place < number { return "the index \(wider.name)" }
    }
    guard index.predicate == nil else { return nil }
    let names = index.elements.map { $0.order == .ascending && $0.kind == .binary ? $0.property : nil }
    if let constraint = entity.uniquenessConstraints.first(where: {
      $0.map(Optional.some).starts(with: names)
    }) {
      return "the uniqueness constraint over \(constraint.joined(separator: ", "))"
    }
    if names.count == 1, let name = names[0],
      case .relationship(let relationship, _) = model.property(name, of: position), !relationship.isToMany
    {
      return "the index that every to-one relationship has"
    }
    return nil
  }
}

/// An index that stores do without (MDL-288).
enum IndexLeftOutRule: LintRule {
  static let rule = ModelRule(
    "index-left-out", "An index of type rtree is in the model, and stores are made without it.",
    reason: "Fetches give the same results and read more rows than the index promises.",
    remedy: "Add an index of type binary for what is searched most.", scope: .support)

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      for (number, index) in entity.indexes.enumerated() {
        guard index.elements.contains(where: { $0.kind == .rtree }) else { continue }
        report.add(
          at: model.path(position).item("indexes", number),
          "The index \(index.name) of \(entity.name) is of type rtree, which stores are made without.")
      }
    }
  }
}

/// An expression or condition of an index that does not fit the entity, so that no store can be made of the
/// model.
enum IndexCannotBeMadeRule: LintRule {
  static let rule = ModelRule(
    "index-cannot-be-made", "An expression or condition of an index does not fit the types of its keys.",
    reason: "The model loads, and no store can be made of it.",
    remedy: "Mend the expression.", scope: .support)

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in (model.model?.entities ?? []).enumerated() {
      for (number, index) in entity.indexes.enumerated() {
        check(index, of: entity, at: model.path(position).item("indexes", number), report: &report)
      }
    }
  }

  private static func check(
    _ index: IndexDescription, of entity: EntityDescription, at path: ModelPath, report: inout LintReport
  ) {
    let validator = PredicateTypeChecker(entity: entity)
    for (place, element) in index.elements.enumerated() {
      guard case .expression(let expression) = element.subject else { continue }
      do throws(QueryPredicateError) {
        _ = try validator.check(expression)
      } catch {
        report.add(
          at: path.item("elements", place).key("expression"),
          "The index \(index.name) of \(entity.name) cannot be made: \(error.message)", remedy: error.hint)
      }
    }
    for problem in index.predicate.map(validator.problems) ?? [] {
      report.add(
        at: path.key("where"),
        "The condition of the index \(index.name) of \(entity.name) cannot be used: \(problem.message)",
        remedy: problem.hint)
    }
  }
}
