/// Entity-relationship diagram of a model, independent of the format it is drawn in: boxes for entities, and
/// each relationship once for both directions.
package struct ModelDiagram {
  /// The model.
  package let model: ManagedObjectModel
  /// The boxes, in the order of the model.
  package let boxes: [DiagramBox]
  /// The lines between boxes, in the order of the model.
  package let lines: [DiagramLine]
  /// The fetched properties between boxes, in the order of the model.
  package let fetchedProperties: [FetchedPropertyDescription]
  private let drawn: Set<EntityDescription>

  /// Chooses what is drawn.
  ///
  /// - Parameter chosen: entities to draw with their neighbours and the lines from them; none for the whole
  ///   model. The neighbours are ancestors, direct sub-entities, and the other ends of relationships,
  ///   inherited ones included.
  package init(
    _ model: ManagedObjectModel, around chosen: [EntityDescription] = [], showsAttributes: Bool = true
  ) {
    self.model = model
    let lines = DiagramLine.all(in: model)
    let fetched = model.entities.flatMap { entity in
      entity.ownProperties.compactMap { $0 as? FetchedPropertyDescription }
    }
    guard !chosen.isEmpty else {
      boxes = model.entities.map { DiagramBox($0, showsAttributes: showsAttributes) }
      self.lines = lines
      fetchedProperties = fetched
      drawn = Set(model.entities)
      return
    }
    let centres = Set(chosen.flatMap { Array(sequence(first: $0, next: \.superentity)) })
    let shownLines = lines.filter { centres.contains($0.left) || centres.contains($0.right) }
    let shownFetched = fetched.filter { centres.contains($0.entity) }
    var shown = centres.union(chosen.flatMap(\.subentities))
    for line in shownLines { shown.formUnion([line.left, line.right]) }
    for property in shownFetched { shown.insert(property.destination) }
    boxes = model.entities.filter(shown.contains).map { DiagramBox($0, showsAttributes: showsAttributes) }
    self.lines = shownLines
    fetchedProperties = shownFetched
    drawn = shown
  }

  /// The parent of a box's entity, if it is drawn as well.
  package func parent(of box: DiagramBox) -> EntityDescription? {
    box.entity.superentity.flatMap { drawn.contains($0) ? $0 : nil }
  }
}

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
    of constraint: [PropertyDescription], besides attribute: AttributeDescription
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
