/// A chain of cascades that returns to the entity where it began, over objects that have more than one owner.
///
/// A tree cascades from its root down and stays within the deleted part, since each object has one owner; that is no loop.
enum CascadeLoopRule: LintRule {
  static let rule = ModelRule(
    "cascade-loop", "A chain of cascades returns to its start over objects without an owner of their own.",
    reason: "One deletion may spread through the loop to every object that is connected.",
    remedy: "Make one delete rule of the chain nullify or deny.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
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
