/// A deletion that leaves objects behind which cannot be saved (MDL-344).
enum NullifyIntoMandatoryRule: LintRule {
  static let rule = ModelRule(
    "nullify-into-mandatory", "A relationship with delete rule nullify has a mandatory inverse.",
    reason: "Deleting takes from the objects at the other end what they cannot be saved without.",
    remedy:
      "Make the delete rule cascade if they belong to the deleted object, deny if they must go first, or the inverse optional."
  )

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, relationship) in model.relationships.enumerated()
    where relationship.definition.deleteRule == .nullify {
      guard let inverse = model.inverse(of: position), inverse.definition.requiresMember else { continue }
      let need =
        inverse.definition.isToMany
        ? "needs at least \(inverse.definition.minCount) \(inverse.definition.minCount == 1 ? "object" : "objects")"
        : "is mandatory"
      report.add(
        at: relationship.path,
        "Deleting \(article(model.name(relationship.entity))) fails at save while \(relationship.label) is not empty, "
          + "since \(inverse.label) \(need).")
    }
  }

  static func article(_ noun: String) -> String {
    let isVowel = noun.first.map { "AEIOaeio".contains($0) } ?? false
    return (isVowel ? "an " : "a ") + noun
  }
}
