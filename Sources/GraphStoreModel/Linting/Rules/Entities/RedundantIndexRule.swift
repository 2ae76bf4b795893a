/// An index that another one serves as well (MDL-349).
enum RedundantIndexRule: LintRule {
  static let rule = ModelRule(
    "redundant-index", "An index is a leading part of another index or constraint of its entity.",
    reason: "Every save maintains it, and the other one answers the same searches.",
    remedy: "Remove it.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
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
      // Of two alike the second one is too much.
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
