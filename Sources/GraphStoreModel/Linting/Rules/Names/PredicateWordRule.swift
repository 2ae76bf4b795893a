/// A property named like a word of the predicate language (MDL-065).
enum PredicateWordRule: LintRule {
  static let rule = ModelRule(
    "predicate-word", "A property is named like a word of the predicate language.",
    reason: "In a predicate the plain name is read as that word.",
    remedy: "Write #NAME in predicates, or choose another name.")

  private static let words: Set<String> = [
    "and", "or", "not", "in", "any", "all", "none", "some", "between", "contains", "like", "matches",
    "beginswith", "endswith", "first", "last", "size", "true", "false", "null", "nil", "subquery", "cast",
    "function", "truepredicate", "falsepredicate",
  ]

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      let path = model.path(position)
      var names = entity.attributes.enumerated().map { ($1.name, path.item("attributes", $0)) }
      names += entity.relationships.enumerated().map { ($1.name, path.item("relationships", $0)) }
      names += entity.fetchedProperties.enumerated().map { ($1.name, path.item("fetchedProperties", $0)) }
      for (name, place) in names where words.contains(name.lowercased()) {
        report.add(
          at: place.key("name"), "\(entity.name).\(name) is named like a word of the predicate language.",
          remedy: "Write #\(name) in predicates, or choose another name.")
      }
    }
  }
}
