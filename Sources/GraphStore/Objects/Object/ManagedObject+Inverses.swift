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
    if let old {
      let inverse = old.layout.relationships[relationship.inverse]
      if inverse.isToMany {
        old.leaveInverse(inverse, self)
      } else {
        try old.unlinkInverse(self, relationship)
      }
    }
    guard let new else { return }
    let inverse = new.layout.relationships[relationship.inverse]
    if inverse.isToMany { return new.joinInverse(inverse, self) }
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
    if !state.isDisjoint(with: [.detached, .deletedElsewhere]) { return }
    let inverse = layout.relationships[relationship.inverse]
    if inverse.isToMany {
      recordMembership(of: inverse) { $0.remove(source) }
    } else if try object(of: inverse) === source {
      try prepareChange(of: layout.properties[inverse.number])
      writeReference(nil, of: inverse)
    }
  }

  // MARK: To-many inverses

  /// Enters an object at the other end of a change, by the mutators that the class declares if there are some
  /// (REL-068).
  final func joinInverse(_ inverse: RelationshipLayout, _ object: ManagedObject) {
    runMutator(of: inverse, with: object) { try $0.add(self, [object]) }
    recordMembership(of: inverse) { $0.add(object) }
  }

  /// Takes an object out at the other end of a change, by the mutators that the class declares if there are
  /// some (REL-068).
  final func leaveInverse(_ inverse: RelationshipLayout, _ object: ManagedObject) {
    runMutator(of: inverse, with: object) { try $0.remove(self, [object]) }
    recordMembership(of: inverse) { $0.remove(object) }
  }

  /// Changes a link from this end, whose mutators are not called for that.
  @inline(__always)
  final func changingLink(
    of relationship: RelationshipLayout, with object: ManagedObject, _ change: () throws -> Void
  ) rethrows {
    guard let context, context.classes.declaresMutators else { return try change() }
    context.unsaved.mutatedLinks.append(MutatedLink(self, relationship, object))
    defer { context.unsaved.mutatedLinks.removeLast() }
    try change()
  }

  /// Runs what a class declares for a change of the other end, which is carried out whatever that does. Its
  /// own change of this relationship is the same link from this end: for that no mutator of the other end is
  /// called again.
  ///
  /// An error is kept for the next save: the change that has begun is not left half done.
  @inline(__always)
  private final func runMutator(
    of inverse: RelationshipLayout, with object: ManagedObject, _ call: (RelationshipMutators) throws -> Void
  ) {
    guard let context, context.classes.declaresMutators, !context.unsaved.isTakingChanges else { return }
    runDeclaredMutator(of: inverse, with: object, in: context, call)
  }

  @inline(never)
  private final func runDeclaredMutator(
    of inverse: RelationshipLayout, with object: ManagedObject, in context: ManagedObjectContext,
    _ call: (RelationshipMutators) throws -> Void
  ) {
    let link = MutatedLink(self, inverse, object)
    guard !context.unsaved.mutatedLinks.contains(link),
      let mutators = declarations?.mutators[inverse.description.name], state.isDisjoint(with: .detached)
    else { return }
    // The link as the mutator's own change sees it, and as the change that has led here does.
    let links = [link, MutatedLink(object, object.layout.relationships[inverse.inverse], self)]
    context.unsaved.mutatedLinks += links
    defer { context.unsaved.mutatedLinks.removeLast(links.count) }
    deferring { try call(mutators) }
  }
}

/// A link that a declared mutator is changing, from one of its ends.
struct MutatedLink: Equatable {
  private let owner: ObjectIdentifier
  private let relationship: Int
  private let other: ObjectIdentifier

  init(_ owner: ManagedObject, _ relationship: RelationshipLayout, _ other: ManagedObject) {
    self.owner = ObjectIdentifier(owner)
    self.relationship = relationship.number
    self.other = ObjectIdentifier(other)
  }
}

extension ManagedObject {
  /// The objects at the other end of a relationship that are known without reading anything.
  ///
  /// - Parameter includesFormer: Whether those are among them that the record is stored with, and unsaved
  ///   changes have cut off.
  final func knownDestinations(
    of relationship: RelationshipLayout, includingFormer includesFormer: Bool = false
  ) -> [ManagedObject] {
    guard relationship.isToMany else { return knownDestination(of: relationship, includesFormer) }
    guard let members = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship else { return [] }
    let present = members.members?.elements ?? members.added.elements
    return includesFormer ? ObjectSet(present + members.removed.elements).elements : present
  }

  private final func knownDestination(
    of relationship: RelationshipLayout, _ includesFormer: Bool
  ) -> [ManagedObject] {
    let known = knownDestination(relationship.ordinal)
    if let known, !includesFormer { return [known] }
    let rows = [currentRow, includesFormer ? extra?.committed : nil].compactMap(\.self)
    let named = rows.compactMap { $0.reference(relationship.slot) }
      .compactMap { context?.registered($0, storeIndex) }
      .filter { relationship.leads(to: $0.layout) }
    return ObjectSet(named + (known.map { [$0] } ?? [])).elements
  }
}
