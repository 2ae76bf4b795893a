/// An index that stores do without (MDL-288).
enum IndexLeftOutRule: LintRule {
  static let rule = ModelRule(
    "index-left-out", "An index of type rtree is in the model, and stores are made without it.",
    reason: "Fetches give the same results and read more rows than the index promises.",
    remedy: "Add an index of type binary for what is searched most.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
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
