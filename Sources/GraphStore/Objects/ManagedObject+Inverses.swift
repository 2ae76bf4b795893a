extension ManagedObject {
  /// Reads what a change of a one-to-one relationship writes to, so that nothing fails once it has begun.
  final func realizePartners(
    _ old: ManagedObject?, _ new: ManagedObject?, of relationship: RelationshipLayout
  ) throws {
    guard relationship.inverse >= 0 else { return }
    if let old, !old.layout.relationships[relationship.inverse].isToMany { try old.realize() }
    guard let new, !new.layout.relationships[relationship.inverse].isToMany else { return }
    try new.realize()
    try new.object(of: new.layout.relationships[relationship.inverse])?.realize()
  }

  /// Takes the object out of the inverse at its former destination and enters it at the new one.
  final func moveInverse(
    of relationship: RelationshipLayout, from old: ManagedObject?, to new: ManagedObject?
  ) throws {
    if let old { try old.unlinkInverse(self, relationship) }
    guard let new else { return }
    let inverse = new.layout.relationships[relationship.inverse]
    if inverse.isToMany {
      new.recordMembership(of: inverse) { $0.add(self) }
      return
    }
    try new.prepareChange(of: new.layout.properties[inverse.number])
    if let partner = try new.object(of: inverse), partner !== self,
      try partner.object(of: relationship) === new
    {
      try partner.prepareChange(of: partner.layout.properties[relationship.number])
      partner.writeReference(nil, of: relationship)
    }
    new.writeReference(self, of: inverse)
  }

  /// Takes `source`, which points here through a relationship, out of the inverse.
  final func unlinkInverse(_ source: ManagedObject, _ relationship: RelationshipLayout) throws {
    if state.contains(.detached) { return }
    let inverse = layout.relationships[relationship.inverse]
    if inverse.isToMany {
      recordMembership(of: inverse) { $0.remove(source) }
    } else if try object(of: inverse) === source {
      try prepareChange(of: layout.properties[inverse.number])
      writeReference(nil, of: inverse)
    }
  }
}
