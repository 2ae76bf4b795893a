import GraphStore

/// Relationship that a schema tells, which may be the inverse of another.
struct SchemaRelationship {
  var owner: PlannedEntity
  var name: String
  var target: PlannedEntity
  var isToMany: Bool
  var isOptional: Bool
  /// Whether the objects are told within their owner, and belong to it.
  var isOwned: Bool
  var choice: Choice

  /// Adds relationships to their entities. Two that lead from one entity to another and back, and are the
  /// only ones that do, are inverses; all others get one.
  static func pair(_ relationships: [SchemaRelationship]) throws {
    var links = PlannedLinks()
    var done: Set<Int> = []
    for (position, relationship) in relationships.enumerated() where !done.contains(position) {
      let inverse = inverse(of: position, among: relationships)
      guard let inverse else {
        links.add(
          PlannedLinks.Link(
            owner: relationship.owner, name: relationship.name, target: relationship.target,
            isToMany: relationship.isToMany, isOptional: relationship.isOptional,
            hasManySources: !relationship.isOwned && !relationship.isToMany,
            isInverseOptional: !relationship.isOwned,
            deleteRule: relationship.isOwned ? .cascade : .nullify,
            inverseDeleteRule: relationship.isOptional || relationship.isOwned ? .nullify : .deny,
            choice: relationship.choice))
        continue
      }
      done.formUnion([position, inverse])
      add(relationship, inverseOf: relationships[inverse])
      add(relationships[inverse], inverseOf: relationship)
    }
    links.finish()
  }

  private static func inverse(of position: Int, among all: [SchemaRelationship]) -> Int? {
    let own = all[position]
    guard own.owner !== own.target, !own.isOwned else { return nil }
    let forth = all.indices.filter { all[$0].owner === own.owner && all[$0].target === own.target }
    let back = all.indices.filter { all[$0].owner === own.target && all[$0].target === own.owner }
    guard forth.count == 1, back.count == 1, !all[back[0]].isOwned else { return nil }
    return back[0]
  }

  private static func add(_ relationship: SchemaRelationship, inverseOf other: SchemaRelationship) {
    relationship.owner.relationships.append(
      RelationshipDefinition(
        relationship.name, to: relationship.target.name, inverse: other.name, isToMany: relationship.isToMany,
        isOptional: relationship.isOptional, deleteRule: other.isOptional ? .nullify : .deny))
    var choice = relationship.choice
    choice.type = "\(relationship.isToMany ? "to-many" : "to-one") \(relationship.target.name)"
    if relationship.isToMany { choice.isOptional = nil }
    choice.reason += "; inverse \(relationship.target.name).\(other.name), which leads back"
    relationship.owner.choices.append(choice)
  }
}
