import GraphStoreModel

/// Collects the checks that a save has to repeat on the relationships of the records that it deletes or
/// changes.
struct PhantomChecks {
  private(set) var checks: [SaveRequest.PhantomCheck] = []
  private var positions: [Target: Int] = [:]

  /// One check: deletions and changes are checked apart.
  private struct Target: Hashable {
    let relationship: ObjectIdentifier
    let cause: SaveRequest.PhantomCheck.Cause
  }

  mutating func add(deleted object: ManagedObject) {
    for relationship in object.layout.relationshipsWithPhantoms {
      let position = position(of: relationship, .deletion)
      checks[position].owners.append(object.key)
      // The rows of a table of pairs are removed after the check.
      guard let state = object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship,
        !state.removed.isEmpty
      else { continue }
      checks[position].removed[object.key] = Set(state.removed.elements.map(\.key))
    }
  }

  /// The partners of a row whose relationships change: an object that the context knows by an old row may be
  /// one.
  mutating func add(changed row: Row, key: Int64, _ changed: PropertySet, _ keys: PermanentKeyMap) {
    for relationship in row.layout.oneToOnes where changed.contains(relationship.number) {
      let position = position(of: relationship, .changeOfPartner)
      checks[position].owners.append(key)
      checks[position].partners[key] = row.reference(relationship.slot).map { keys[$0.key] } ?? 0
    }
  }

  private mutating func position(
    of relationship: RelationshipLayout, _ cause: SaveRequest.PhantomCheck.Cause
  ) -> Int {
    let target = Target(relationship: ObjectIdentifier(relationship.description), cause: cause)
    if let known = positions[target] { return known }
    positions[target] = checks.count
    checks.append(SaveRequest.PhantomCheck(relationship: relationship, cause: cause))
    return checks.count - 1
  }
}
