import GraphStoreModel

/// Gathers what a save has to look at again of the relationships of the records that it deletes.
struct PhantomChecks {
  private(set) var checks: [SaveRequest.PhantomCheck] = []
  private var positions: [ObjectIdentifier: Int] = [:]
  /// The entity last noted, and its relationships that admit phantoms.
  private var last: (plan: EntityPlan, relationships: [RelationshipPlan])?

  mutating func note(_ object: ManagedObject) {
    for relationship in relationships(of: object.plan) {
      let position = position(of: relationship)
      checks[position].owners.append(object.key)
      // The rows of a table of pairs are taken out after the check.
      guard let state = object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship,
        !state.removed.isEmpty
      else { continue }
      checks[position].removed[object.key] = Set(state.removed.elements.map(\.key))
    }
  }

  private mutating func relationships(of plan: EntityPlan) -> [RelationshipPlan] {
    if let last, last.plan === plan { return last.relationships }
    let found = plan.relationships.filter(\.admitsPhantoms)
    last = (plan, found)
    return found
  }

  private mutating func position(of relationship: RelationshipPlan) -> Int {
    let identifier = ObjectIdentifier(relationship.description)
    if let known = positions[identifier] { return known }
    positions[identifier] = checks.count
    checks.append(SaveRequest.PhantomCheck(relationship: relationship))
    return checks.count - 1
  }
}
