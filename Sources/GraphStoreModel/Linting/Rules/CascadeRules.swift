/// Two ends that delete each other (MDL-346).
enum CascadeBothWaysRule: LintRule {
  static let rule = ModelRule(
    "cascade-both-ways", "A relationship and its inverse both have delete rule cascade, and one is to-many.",
    reason: "Deleting one member deletes the other end and with it all the other members.",
    remedy: "Keep cascade on the side that owns the other, and make the other side nullify.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, relationship) in model.relationships.enumerated() {
      guard let other = model.inverses[position], position <= other, isMet(at: position, in: model) else {
        continue
      }
      let inverse = model.relationships[other]
      let pair =
        position == other
        ? "\(relationship.label), its own inverse, cascades to many:"
        : "\(relationship.label) and \(inverse.label) cascade both ways:"
      report.add(at: relationship.path, "\(pair) deleting one object deletes all that are connected with it.")
    }
  }

  /// Whether the relationship at a position is an end of such a pair.
  static func isMet(at position: Int, in model: LintedModel) -> Bool {
    guard let inverse = model.inverse(of: position) else { return false }
    let relationship = model.relationships[position]
    return relationship.definition.deleteRule == .cascade && inverse.definition.deleteRule == .cascade
      && (relationship.definition.isToMany || inverse.definition.isToMany)
  }
}

/// A chain of cascades that returns to the entity where it began, over objects that have more than one owner.
///
/// A tree cascades from its root down and stays within the deleted part, since each object has one owner;
/// that is no loop.
enum CascadeLoopRule: LintRule {
  static let rule = ModelRule(
    "cascade-loop", "A chain of cascades returns to its start over objects without an owner of their own.",
    reason: "One deletion may spread through the loop to every object that is connected.",
    remedy: "Make one delete rule of the chain nullify or deny.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    let positions = model.relationships.indices.filter {
      model.relationships[$0].definition.deleteRule == .cascade
        && !CascadeBothWaysRule.isMet(at: $0, in: model)
    }
    let graph = RelationshipGraph(positions, in: model)
    let components = graph.components()
    var reported: Set<Int> = []
    for (node, position) in positions.enumerated() where !reported.contains(components[node]) {
      guard sharesItsDestination(position, in: model), let cycle = graph.cycle(through: node) else {
        continue
      }
      reported.insert(components[node])
      let way = cycle.map(\.label).joined(separator: " → ")
      let first = model.name(model.relationships[position].entity)
      report.add(
        at: model.relationships[position].path,
        "Deleting \(NullifyIntoMandatoryRule.article(first)) cascades back to \(first): \(way).")
    }
  }

  /// Whether an object at the other end may belong to several objects.
  private static func sharesItsDestination(_ position: Int, in model: LintedModel) -> Bool {
    model.inverse(of: position)?.definition.isToMany ?? true
  }
}

/// A cascade that takes objects from others.
enum CascadeIntoSharedRule: LintRule {
  static let rule = ModelRule(
    "cascade-into-shared", "A relationship with delete rule cascade leads to objects that others share.",
    reason: "What the deleted object shares with others is deleted although they still use it.",
    remedy: "Make the delete rule nullify, or the inverse to-one if each object has one owner only.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, relationship) in model.relationships.enumerated()
    where relationship.definition.deleteRule == .cascade {
      guard let inverse = model.inverse(of: position), inverse.definition.isToMany,
        !CascadeBothWaysRule.isMet(at: position, in: model)
      else { continue }
      report.add(
        at: relationship.path,
        "Deleting \(NullifyIntoMandatoryRule.article(model.name(relationship.entity))) deletes "
          + "\(relationship.definition.destination) objects through \(relationship.definition.name) that others have "
          + "too, since \(inverse.label) is to-many.")
    }
  }
}
