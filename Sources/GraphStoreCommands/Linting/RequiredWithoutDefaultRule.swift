import GraphStore

/// A value that the model requires and objects lack.
enum RequiredWithoutDefaultRule: StoreRule {
  static let rule = ModelRule.requiredWithoutDefault

  static func look(at entity: StoredEntity, _ report: inout StoreLintReport) throws {
    for place in entity.attributes where !place.attribute.isOptional && place.attribute.defaultValue.isNull {
      guard let source = place.source else {
        report.add(
          at: place.path,
          "\(place.attribute) is new, mandatory and without default, and the store has \(entity.phrase(entity.count))."
        )
        continue
      }
      let missing = try entity.count(where: .compare(.key(source.name), .equal, .constant(Value.null)))
      guard missing > 0 else { continue }
      report.add(
        at: place.path,
        "\(place.attribute) is mandatory and without default, and \(missing) of \(entity.phrase(entity.count)) lack it."
      )
    }
    try lookAtRelationships(of: entity, &report)
  }

  private static func lookAtRelationships(of entity: StoredEntity, _ report: inout StoreLintReport) throws {
    let own = entity.entity.ownProperties.compactMap { $0 as? RelationshipDescription }
    for (position, relationship) in own.enumerated()
    where relationship.requiresMember && !relationship.isTransient {
      let path = entity.path.item("relationships", position)
      let remedy = "Make the relationship optional, or give every object a \(relationship.destination) first."
      guard let source = entity.property(for: relationship) as? RelationshipDescription, !source.isTransient
      else {
        report.add(
          at: path, "\(relationship) is new and mandatory, and the store has \(entity.phrase(entity.count)).",
          remedy: remedy)
        continue
      }
      let isEmpty: QueryPredicate =
        source.isToMany
        ? .compare(keyPath(source.name, "count"), .equal, .constant(0))
        : .compare(.key(source.name), .equal, .constant(Value.null))
      let missing = try entity.count(where: isEmpty)
      guard missing > 0 else { continue }
      report.add(
        at: path, "\(relationship) is mandatory, and \(missing) of \(entity.phrase(entity.count)) have none.",
        remedy: remedy)
    }
  }

  private static func keyPath(_ name: String, _ collectionOperator: String) -> QueryExpression {
    QueryExpression(.keyPath(QueryKeyPath(steps: [.key(name), .collectionOperator(collectionOperator)])))
  }
}
