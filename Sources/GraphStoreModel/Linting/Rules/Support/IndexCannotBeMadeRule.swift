import GraphStorePredicates

/// An expression or condition of an index that does not fit the entity, so that no store can be made of the model.
enum IndexCannotBeMadeRule: LintRule {
  static let rule = ModelRule(
    "index-cannot-be-made", "An expression or condition of an index does not fit the types of its keys.",
    reason: "The model loads, and no store can be made of it.",
    remedy: "Mend the expression; `graphstore predicate check` explains conditions.", scope: .support)

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, entity) in (model.model?.entities ?? []).enumerated() {
      for (number, index) in entity.indexes.enumerated() {
        look(at: index, of: entity, at: model.path(position).item("indexes", number), &report)
      }
    }
  }

  private static func look(
    at index: IndexDescription, of entity: EntityDescription, at path: ModelPath, _ report: inout LintReport
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
