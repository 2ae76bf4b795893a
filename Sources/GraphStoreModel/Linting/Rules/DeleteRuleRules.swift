/// A deletion that leaves objects behind which cannot be saved (MDL-344).
enum NullifyIntoMandatoryRule: LintRule {
  static let rule = ModelRule(
    "nullify-into-mandatory", "A relationship with delete rule nullify has a mandatory inverse.",
    reason: "Deleting takes from the objects at the other end what they cannot be saved without.",
    remedy:
      "Make the delete rule cascade if they belong to the deleted object, deny if they must go first, or the inverse optional."
  )

  static func check(_ model: LintedModel, report: inout LintReport) {
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

/// A delete rule that leaves references to deleted objects (MDL-345).
enum NoActionRule: LintRule {
  static let rule = ModelRule(
    "no-action", "A relationship with an inverse has delete rule noAction.",
    reason: "Deleting leaves the other end with references to objects that are gone.",
    remedy: "Make the delete rule nullify, unless the program mends the other end itself.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, relationship) in model.relationships.enumerated()
    where relationship.definition.deleteRule == .noAction {
      guard let inverse = model.inverse(of: position) else { continue }
      report.add(
        at: relationship.path,
        "Deleting \(NullifyIntoMandatoryRule.article(model.name(relationship.entity))) leaves \(inverse.label) leading to it."
      )
    }
  }
}

/// Objects that forbid each other's deletion, so that none of them can ever be deleted alone.
enum DenyRingRule: LintRule {
  static let rule = ModelRule(
    "deny-ring", "Relationships with delete rule deny lead in a ring and cannot be emptied one by one.",
    reason: "None of the objects can be deleted before the others; all of them must go in one save.",
    remedy: "Make the delete rule of one of them nullify or cascade.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    let pairs = Set(model.relationships.indices.filter { isPair($0, in: model) })
    for position in pairs.sorted() {
      guard let other = model.inverses[position], position <= other else { continue }
      let relationship = model.relationships[position]
      let names =
        position == other
        ? "\(relationship.label), its own inverse,"
        : "\(relationship.label) and \(model.relationships[other].label)"
      report.add(
        at: relationship.path,
        "\(names) both deny: of two objects that are linked neither can be deleted before the other.")
    }
    checkRings(in: model, besides: pairs, report: &report)
  }

  private static func isPair(_ position: Int, in model: LintedModel) -> Bool {
    model.relationships[position].definition.deleteRule == .deny
      && model.inverse(of: position)?.definition.deleteRule == .deny
  }

  /// Rings of relationships that must have a value: these cannot be emptied first.
  private static func checkRings(
    in model: LintedModel, besides pairs: Set<Int>, report: inout LintReport
  ) {
    let positions = model.relationships.indices.filter { position in
      let definition = model.relationships[position].definition
      return definition.deleteRule == .deny && definition.requiresMember && !pairs.contains(position)
    }
    let graph = RelationshipGraph(positions, in: model)
    let components = graph.components()
    var reported: Set<Int> = []
    for (node, position) in positions.enumerated() where !reported.contains(components[node]) {
      guard let cycle = graph.cycle(through: node) else { continue }
      reported.insert(components[node])
      let way = cycle.map(\.label).joined(separator: " → ")
      report.add(
        at: model.relationships[position].path,
        "Each of these denies deletion and is mandatory: \(way). Objects that form a ring cannot be deleted one by one."
      )
    }
  }
}
