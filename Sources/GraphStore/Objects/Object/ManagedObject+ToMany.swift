import GraphStoreModel

extension ManagedObject {
  /// The state of a to-many, made when first needed; a new object's is resolved and empty.
  final func toMany(_ relationship: RelationshipLayout) -> ToManyRelationship {
    if let known = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship { return known }
    let isResolved = state.contains(.inserted) || !relationship.isPersistent || state.contains(.inaccessible)
    let made = ToManyRelationship(isResolved: isResolved, isOrdered: relationship.isOrdered)
    setToMany(relationship.ordinal, made)
    return made
  }

  /// The members of a to-many, in order if it is ordered; the first call resolves it with one statement.
  final func members(of relationship: RelationshipLayout) throws -> [ManagedObject] {
    if isCut(relationship) {
      try checkUsable()
      return []
    }
    return try storedMembers(of: relationship).filter { !$0.state.contains(.propagated) }
  }

  /// The members of a to-many, also of an object whose deletion has been propagated.
  final func storedMembers(of relationship: RelationshipLayout) throws -> [ManagedObject] {
    try resolved(relationship).members?.elements ?? []
  }

  /// The state of a to-many, with its members.
  final func resolved(_ relationship: RelationshipLayout) throws -> ToManyRelationship {
    try checkUsable()
    let state = toMany(relationship)
    if !state.isResolved { try context?.resolve(relationship, of: [self]) }
    return state
  }

  /// Changes the membership on this side alone and notes the object as updated; the other side is the
  /// caller's. An object that has left its context has nothing to note.
  final func recordMembership(of relationship: RelationshipLayout, _ change: (ToManyRelationship) -> Bool) {
    if !state.isDisjoint(with: [.detached, .deletedElsewhere]) { return }
    let members = toMany(relationship)
    // Objects inserted in this event need no undo log.
    members.isLogged = !state.contains(.insertedInEvent)
    guard change(members) else { return }
    recordChange(of: layout.properties[relationship.number])
  }

  /// Adds members; those that belonged elsewhere through a to-one inverse leave there.
  final func add(_ objects: [ManagedObject], to relationship: RelationshipLayout) throws {
    if state.contains(.refaulting) { return }
    try checkChangeable()
    for object in objects { try checkDestination(object, of: relationship) }
    try loadOwners(of: objects, relationship)
    try reportingChanges {
      for object in objects { try add(object, to: relationship) }
    }
  }

  private func add(_ object: ManagedObject, to relationship: RelationshipLayout) throws {
    guard relationship.inverse >= 0 else { return recordMembership(of: relationship) { $0.add(object) } }
    let inverse = object.layout.relationships[relationship.inverse]
    guard inverse.isToMany else {
      if try object.object(of: inverse) === self { return }
      return try changingLink(of: relationship, with: object) { try object.setObject(self, of: inverse) }
    }
    if knowsLink(to: object, of: relationship) == true { return }
    recordMembership(of: relationship) { $0.add(object) }
    if object !== self || inverse.number != relationship.number { object.joinInverse(inverse, self) }
  }

  /// Reads the present owners of objects whose own row names them, with one statement (REL-103).
  private func loadOwners(of objects: [ManagedObject], _ relationship: RelationshipLayout) throws {
    guard relationship.inverse >= 0, let first = objects.first,
      !first.layout.relationships[relationship.inverse].isToMany
    else { return }
    try context?.loadRows(of: objects.filter(\.isFault))
  }

  /// Takes members out; removing one never deletes it.
  final func remove(_ objects: [ManagedObject], from relationship: RelationshipLayout) throws {
    if state.contains(.refaulting) { return }
    try checkChangeable()
    try loadOwners(of: objects, relationship)
    try reportingChanges {
      for object in objects { try remove(object, from: relationship) }
    }
  }

  private func remove(_ object: ManagedObject, from relationship: RelationshipLayout) throws {
    guard relationship.inverse >= 0 else { return recordMembership(of: relationship) { $0.remove(object) } }
    let inverse = object.layout.relationships[relationship.inverse]
    guard inverse.isToMany else {
      if try object.object(of: inverse) === self {
        try changingLink(of: relationship, with: object) { try object.setObject(nil, of: inverse) }
      }
      return
    }
    if knowsLink(to: object, of: relationship) == false { return }
    recordMembership(of: relationship) { $0.remove(object) }
    if object !== self || inverse.number != relationship.number { object.leaveInverse(inverse, self) }
  }

  /// Whether a link between to-manys is there; nil where neither end knows, or the ends do not agree. Where
  /// one end knows, a change that is none is noted on neither: noted on the end that has not been read, it
  /// would make a change of that end alone.
  private func knowsLink(to object: ManagedObject, of relationship: RelationshipLayout) -> Bool? {
    let inverse = object.layout.relationships[relationship.inverse]
    guard let own = knows(object, of: relationship) else { return object.knows(self, of: inverse) }
    return object.knows(self, of: inverse) == !own ? nil : own
  }

  /// Whether an object is a member of a to-many, as far as that is known without asking the store.
  final func knows(_ object: ManagedObject, of relationship: RelationshipLayout) -> Bool? {
    (relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.knows(object)
  }

  /// Makes the members exactly the passed ones, in their order if the relationship is ordered.
  final func setMembers(_ objects: [ManagedObject], of relationship: RelationshipLayout) throws {
    if state.contains(.refaulting) { return }
    try checkChangeable()
    for object in objects { try checkDestination(object, of: relationship) }
    try reportingChanges { try makeMembers(objects, of: relationship) }
  }

  private func makeMembers(_ objects: [ManagedObject], of relationship: RelationshipLayout) throws {
    let current = try members(of: relationship)
    let wanted = ObjectSet(objects)
    try remove(current.filter { !wanted.contains($0) }, from: relationship)
    let kept = ObjectSet(current)
    try add(wanted.elements.filter { !kept.contains($0) }, to: relationship)
    guard relationship.isOrdered, let present = toMany(relationship).members?.elements else { return }
    // Members that are to be deleted stay, behind the others: a denied deletion may be undone.
    let hidden = present.filter { $0.state.contains(.propagated) && !wanted.contains($0) }
    let shown = present.lazy.filter { !$0.state.contains(.propagated) }
    if shown.elementsEqual(wanted.elements, by: ===) { return }
    recordMembership(of: relationship) {
      $0.reorder(wanted.elements + hidden)
      return true
    }
  }
}

extension ManagedObject {
  /// Whether the object precedes another one of its context in the order of their identifiers (OBJ-115).
  final func precedes(_ other: ManagedObject) -> Bool {
    guard key > 0, other.key > 0, storeIndex == other.storeIndex else { return objectID < other.objectID }
    if layout.rootIndex != other.layout.rootIndex { return layout.rootIndex < other.layout.rootIndex }
    return key < other.key
  }
}

extension [ManagedObject] {
  /// The objects in the order of their identifiers, in which stores return them already.
  func sortedByIdentifier() -> [ManagedObject] {
    areOrderedBorrowed { $0.precedes($1) } ? self : sorted { $0.precedes($1) }
  }
}

/// The places of objects in ordered relationships, looked up once for each owner during a sort.
final class OrderKeyCache {
  private var byOwner: [ObjectIdentifier: [ObjectIdentifier: Int64]] = [:]

  /// The order value that an object has in a relationship of its owner, or will have once it is saved.
  func place(of object: ManagedObject, in owner: ManagedObject, _ relationship: RelationshipLayout) throws
    -> Int64?
  {
    if let places = byOwner[ObjectIdentifier(owner)] { return places[ObjectIdentifier(object)] }
    let members = try owner.members(of: relationship)
    let stored = owner.toMany(relationship).orderKeys
    let values = OrderKeys.assign(members.map { stored[ObjectIdentifier($0)] })
    var places: [ObjectIdentifier: Int64] = [:]
    places.reserveCapacity(members.count)
    for (member, value) in zip(members, values) { places[ObjectIdentifier(member)] = value }
    byOwner[ObjectIdentifier(owner)] = places
    return places[ObjectIdentifier(object)]
  }
}
