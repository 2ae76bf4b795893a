/// What a drawing of a model shows, whatever it is drawn with: boxes for entities, and each relationship once for both
/// directions.
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
  /// - Parameter chosen: entities to draw with their neighbours and the lines from them; none for the whole model. The
  ///   neighbours are ancestors, direct sub-entities, and what relationships lead to or come from, inherited ones included.
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
