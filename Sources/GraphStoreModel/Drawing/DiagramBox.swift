/// An entity in a drawing.
package struct DiagramBox {
  /// An attribute in a box.
  package struct Row {
    /// The attribute.
    package let attribute: AttributeDescription
    /// Whether its values are unique by themselves.
    package let isUnique: Bool
    /// Words about it, such as `required`, in a fixed order.
    package let notes: [String]

    /// The notes, and `unique` among them where it is.
    package var words: [String] {
      guard isUnique else { return notes }
      return notes.first == "required" ? ["required", "unique"] + notes.dropFirst() : ["unique"] + notes
    }
  }

  /// The entity.
  package let entity: EntityDescription
  /// Its own attributes, and inherited ones that it makes unique.
  package let rows: [Row]

  init(_ entity: EntityDescription, showsAttributes: Bool) {
    self.entity = entity
    guard showsAttributes else {
      rows = []
      return
    }
    let inherited = Set(entity.ownUniquenessConstraints.joined().filter { $0.entity !== entity })
    rows = entity.attributes.filter { $0.entity === entity || inherited.contains($0) }
      .map { Self.row($0, in: entity) }
  }

  /// The first few names, so that a drawing stays in proportion to its model.
  private static func names(
    of constraint: [AttributeDescription], besides attribute: AttributeDescription
  ) -> String {
    let shown = constraint.prefix(mostNames + 1).filter { $0 !== attribute }.prefix(mostNames).map(\.name)
    let more = constraint.count - 1 - shown.count
    return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  private static let mostNames = 8

  private static func row(_ attribute: AttributeDescription, in entity: EntityDescription) -> Row {
    let constraints = entity.ownUniquenessConstraints.filter { $0.contains(attribute) }
    var notes: [String] = []
    if !attribute.isOptional { notes.append("required") }
    for constraint in constraints where constraint.count > 1 {
      notes.append("unique with \(names(of: constraint, besides: attribute))")
    }
    if attribute.entity !== entity { notes.append("inherited") }
    if attribute.isTransient { notes.append("transient") }
    if let derivation = attribute.derivation { notes.append("= \(derivation)") }
    if !attribute.elements.isEmpty {
      let elements = attribute.elements.map { "\($0.name) \($0.type.rawValue)" }
      notes.append("of \(elements.joined(separator: ", "))")
    }
    return Row(attribute: attribute, isUnique: constraints.contains { $0.count == 1 }, notes: notes)
  }
}
