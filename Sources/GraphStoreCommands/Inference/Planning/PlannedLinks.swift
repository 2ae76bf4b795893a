import GraphStore

/// Relationships of planned entities, to which inverses are found once all other names are given.
struct PlannedLinks {
  /// A relationship.
  struct Link {
    var owner: PlannedEntity
    var name: String
    var target: PlannedEntity
    var isToMany: Bool
    var isOrdered = false
    var isOptional: Bool
    /// Whether several objects may lead to one.
    var hasManySources: Bool
    var isInverseOptional = true
    var deleteRule: DeleteRule = .nullify
    var inverseDeleteRule: DeleteRule = .nullify
    /// The name that the inverse is to have; nil for one that is made.
    var inverseName: String?
    var choice: Choice
  }

  private var links: [Link] = []

  mutating func add(_ link: Link) { links.append(link) }

  /// Adds all relationships and their inverses to their entities.
  mutating func finish() {
    for link in links { finish(link) }
    links = []
  }

  private func finish(_ link: Link) {
    let inverse = link.target.names.name(forRelationship: link.inverseName ?? inverseName(of: link))
    link.owner.relationships.append(
      RelationshipDefinition(
        link.name, to: link.target.name, inverse: inverse, isToMany: link.isToMany, isOrdered: link.isOrdered,
        isOptional: link.isOptional, deleteRule: link.deleteRule))
    link.target.relationships.append(
      RelationshipDefinition(
        inverse, to: link.owner.name, inverse: link.name, isToMany: link.hasManySources,
        isOptional: link.hasManySources || link.isInverseOptional, deleteRule: link.inverseDeleteRule))
    var choice = link.choice
    choice.type = Self.words(isToMany: link.isToMany, link.target.name)
    if link.isToMany { choice.isOptional = nil }
    choice.reason += "; inverse \(link.target.name).\(inverse)"
    link.owner.choices.append(choice)
    link.target.choices.append(
      Choice(
        entity: link.target.name, property: inverse,
        type: Self.words(isToMany: link.hasManySources, link.owner.name),
        isOptional: link.hasManySources ? nil : link.isInverseOptional,
        reason: "the inverse of \(link.owner.name).\(link.name)"))
  }

  private static func words(isToMany: Bool, _ entity: String) -> String {
    "\(isToMany ? "to-many" : "to-one") \(entity)"
  }

  /// `employees` for `Employee.department`, and `employeesAsManager` for `Employee.manager`, where the plural
  /// alone would not say which of several is meant.
  private func inverseName(of link: Link) -> String {
    let owner = link.owner.name
    let base = link.hasManySources ? EntityNames.plural(owner) : EntityNames.singular(owner)
    let alike = links.filter { $0.owner === link.owner && $0.target === link.target }
    let usual = [EntityNames.singular(link.target.name), EntityNames.plural(link.target.name)]
    if link.owner !== link.target, alike.count == 1 || usual.contains(link.name) { return base }
    return base + "As" + link.name.prefix(1).uppercased() + link.name.dropFirst()
  }
}
