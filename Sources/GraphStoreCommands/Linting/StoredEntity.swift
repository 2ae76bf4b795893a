import GraphStore

/// An entity of a model and what a store has of it.
struct StoredEntity {
  /// The entity of the model.
  let entity: EntityDescription
  /// The entity of the store's own model.
  let source: EntityDescription
  let path: ModelPath
  /// The number of objects, those of sub-entities included.
  let count: Int
  let context: ManagedObjectContext

  /// A stored attribute that the entity declares.
  struct Attribute {
    let attribute: AttributeDescription
    /// The attribute in the store's own model; nil where the store has none or another type.
    let source: AttributeDescription?
    let path: ModelPath
  }

  /// The stored attributes that the entity declares, without derived ones.
  var attributes: [Attribute] {
    entity.ownProperties.compactMap { $0 as? AttributeDescription }.enumerated().compactMap {
      position, attribute in
      guard !attribute.isTransient, !attribute.isDerived else { return nil }
      let known = property(for: attribute) as? AttributeDescription
      return Attribute(
        attribute: attribute, source: known.flatMap { $0.isTransient ? nil : $0 },
        path: path.item("attributes", position))
    }
  }

  /// The property of the store's own model that a property of the model continues.
  func property(for property: PropertyDescription) -> PropertyDescription? {
    source.property(named: property.renamingIdentifier) ?? source.property(named: property.name)
  }

  /// How many objects satisfy a condition.
  func count(where predicate: QueryPredicate) throws -> Int {
    try context.count(for: FetchRequest(entityName: source.name, predicate: predicate))
  }

  /// `1 Employee object`, `12 Employee objects`
  func phrase(_ count: Int) -> String { "\(count) \(entity.name) object\(count == 1 ? "" : "s")" }
}
