import GraphStoreModel
import OrderedCollections

/// Links are restored end by end, as they were recorded. Changes that were not recorded of one end (a refresh
/// has dropped them, an object had left) are completed here: no link leads to a missing object, and both ends
/// of each link that has changed agree (CTX-150, REL-067).
extension UndoRun {
  /// A link, seen from one of its ends.
  struct Link: Hashable {
    let owner: ManagedObject
    /// The position of the owner's relationship.
    let ordinal: Int
    let other: ManagedObject

    var relationship: RelationshipLayout { owner.layout.relationships[ordinal] }
    var inverse: RelationshipLayout { other.layout.relationships[relationship.inverse] }
  }

  /// The links with an inverse whose former state a reversal has; for an object that returns, all that it
  /// has.
  func links(claimedBy reversal: ObjectReversal) -> [Link] {
    let (object, layout) = (reversal.object, reversal.object.layout)
    var links: [Link] = []
    func add(_ ordinal: Int, _ other: ManagedObject) {
      guard layout.relationships[ordinal].inverse >= 0 else { return }
      links.append(Link(owner: object, ordinal: ordinal, other: other))
    }
    for case (let place, .destination(let other?)) in reversal.values {
      add(layout.leaves[place].relationship, other)
    }
    for (ordinal, log) in reversal.members { for entry in log.entries { add(ordinal, entry.object) } }
    guard case .comes = reversal.presence else { return links }
    guard let removedObject = manager.removedObjects[object], object.state.contains(.detached) else {
      return links + self.links(of: object)
    }
    for (ordinal, members) in removedObject.members { for member in members { add(ordinal, member) } }
    for (ordinal, destination) in removedObject.destinations { add(ordinal, destination) }
    return links
  }

  /// The links with an inverse that an object is known to have, or to have lost since the last save.
  func links(of object: ManagedObject) -> [Link] {
    object.layout.relationships.filter { $0.inverse >= 0 }.flatMap { relationship in
      let others =
        relationship.isToMany
        ? members(of: relationship, of: object)
        : object.knownDestination(relationship.ordinal).map { [$0] } ?? []
      return others.map { Link(owner: object, ordinal: relationship.ordinal, other: $0) }
    }
  }

  private func members(of relationship: RelationshipLayout, of object: ManagedObject) -> [ManagedObject] {
    guard let state = object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship else {
      return []
    }
    return (state.members?.elements ?? []) + state.removed.elements
  }

  /// Loads the rows that hold the other ends of links.
  func loadOtherEnds(of links: [Link]) throws {
    let faults = links.filter { !$0.inverse.isToMany && $0.other.context === context }.map(\.other)
      .filter { $0.state.contains(.fault) }
    try context.loadRows(of: faults.filter { $0.block == nil })
    for fault in faults where fault.block != nil { try fault.realize() }
  }

  // MARK: What is not there

  /// Whether links can lead to an object.
  private func isHere(_ object: ManagedObject) -> Bool {
    object.state.isDisjoint(with: [.detached, .invalidated]) && !missing.contains(object)
      && !isLeaving(object)
  }

  /// The object that links to an absent object are to lead to: the registered one of its record, or one that
  /// can be restored.
  func representative(for object: ManagedObject) -> ManagedObject {
    if isHere(object) { return object }
    let known = context.registry.object(object.layout, key: object.key, store: object.storeIndex)
    if let known, known !== object, isHere(known) { return known }
    return manager.removedObjects.object(of: RecordKey(object), in: object.key > 0 ? object.storeIndex : 0)
      ?? object
  }

  /// Postpones a reversal until an object that can be restored returns; for another object it is dropped.
  mutating func postpone(_ reversal: ObjectReversal, until absent: ManagedObject) {
    guard manager.removedObjects[absent] != nil else { return }
    let postponement = Postponement(of: reversal, until: absent)
    postponements.append(postponement)
    manager.removedObjects.postpone(postponement)
  }

  /// A former value without an object that is not here: what leads to that waits for it.
  mutating func present(
    _ value: ObjectReversal.FormerValue, at place: Int, of object: ManagedObject
  ) -> ObjectReversal.FormerValue {
    guard case .destination(let destination?) = value else { return value }
    let representative = representative(for: destination)
    if isHere(representative) { return .destination(representative) }
    var reversal = ObjectReversal(object)
    reversal.values = [(place, .destination(representative))]
    postpone(reversal, until: representative)
    return .destination(nil)
  }

  /// A log without objects that are not here: those that were members become that when they return.
  mutating func present(_ log: MembershipLog, of ordinal: Int, _ object: ManagedObject) -> MembershipLog {
    if log.entries.allSatisfy({ isHere($0.object) }) { return log }
    let members = object.toMany(object.layout.relationships[ordinal])
    var present: [MembershipLog.Entry] = []
    for entry in log.entries {
      if isHere(entry.object) || !members.wasMember(entry, isUnsaved: false) {
        present.append(entry)
      } else {
        postponeMember(representative(for: entry.object), ordinal, of: object, order: log.order)
      }
    }
    return MembershipLog(present, as: log)
  }

  private mutating func postponeMember(
    _ member: ManagedObject, _ ordinal: Int, of object: ManagedObject, order: [ManagedObject]?
  ) {
    var reversal = ObjectReversal(object)
    reversal.members = [(ordinal, MembershipLog(of: member, isMember: true, order: order))]
    postpone(reversal, until: member)
  }

  /// Removes links of a returned object to objects that are not here, and postpones them until those return.
  mutating func postponeLinks(of object: ManagedObject) {
    for relationship in object.layout.relationships {
      let ordinal = relationship.ordinal
      if let state = object.relationshipIfTouched(ordinal) as? ToManyRelationship {
        let members = state.members?.elements ?? []
        for member in members where !isHere(member) {
          postponeMember(
            representative(for: member), ordinal, of: object, order: relationship.isOrdered ? members : nil)
        }
        state.drop { !isHere($0) }
      } else if let destination = object.knownDestination(ordinal), !isHere(destination),
        object.state.contains(.ownsRow), let place = object.layout.place(of: relationship)
      {
        guard
          case .destination(let representative) = present(.destination(destination), at: place, of: object)
        else {
          continue
        }
        object.writeReference(representative, of: relationship)
      }
    }
  }

  /// The reversal that waited for an object, without to-ones that lead elsewhere meanwhile.
  func withoutTakenPlaces(_ late: ObjectReversal) -> ObjectReversal {
    var late = late
    late.values.removeAll { place, value in
      guard case .destination(let wanted?) = value else { return false }
      let relationship = late.object.layout.relationships[late.object.layout.leaves[place].relationship]
      let present = try? late.object.storedObject(of: relationship)
      return present.map { $0 !== wanted && isHere($0) } ?? false
    }
    return late
  }

  // MARK: Both ends

  /// Reversal that makes the other end of a link agree with this one; nil where it does.
  ///
  /// A partner that has got another one by what was not recorded keeps it, and this end is cleared.
  func completion(of link: Link) -> ObjectReversal? {
    let (owner, other) = (link.owner, link.other)
    guard other.isPresent, !isLeaving(other) else { return nil }
    let known = other.leads(to: owner, by: link.inverse)
    guard owner.isPresent, !isLeaving(owner) else {
      return known == true ? withdrawal(of: link) : nil
    }
    guard let isLinked = owner.leads(to: other, by: link.relationship) else { return nil }
    if known == isLinked {
      // The record is to be written again, and with it the link, which makes the other end a changed object
      // as any new one does.
      guard isLinked, owner.state.contains(.inserted), other.countAsJoined(owner, link.inverse) else {
        return nil
      }
      return reversal(of: other, link.inverse, to: owner, isLinked: true)
    }
    if known == nil, !owner.hasChangedLink(to: other, by: link.relationship, isLinked) { return nil }
    if !isLinked { return reversal(of: other, link.inverse, to: owner, isLinked: false) }
    let isTaken = !link.inverse.isToMany && (try? other.storedObject(of: link.inverse))?.isPresent == true
    return isTaken
      ? reversal(of: owner, link.relationship, to: other, isLinked: false)
      : reversal(of: other, link.inverse, to: owner, isLinked: true)
  }

  /// Reversal that cuts the link to an object that has been removed, unless the link denies that, or deleting
  /// the record, which is done again, has left it where it was.
  private func withdrawal(of link: Link) -> ObjectReversal? {
    let (owner, relationship) = (link.owner, link.relationship)
    if isUnsaved, owner.key > 0, relationship.deleteRule == .noAction { return nil }
    if !owner.state.contains(.inserted), isDenied(owner, relationship) { return nil }
    return reversal(of: link.other, link.inverse, to: owner, isLinked: false)
  }

  private func reversal(
    of object: ManagedObject, _ relationship: RelationshipLayout, to other: ManagedObject, isLinked: Bool
  ) -> ObjectReversal? {
    var reversal = ObjectReversal(object)
    if relationship.isToMany {
      reversal.members = [(relationship.ordinal, MembershipLog(of: other, isMember: isLinked))]
    } else {
      guard !object.isFault, object.currentRow != nil, let place = object.layout.place(of: relationship)
      else { return nil }
      reversal.values = [(place, .destination(isLinked ? other : nil))]
    }
    return reversal
  }
}

extension ObjectReversal {
  /// Makes the reversal that adds a returned object as a member again.
  init(of membership: RemovedObject.Membership, _ member: ManagedObject) {
    self.init(membership.owner)
    members = [
      (membership.ordinal, MembershipLog(of: member, isMember: true, order: membership.order))
    ]
  }
}

extension MembershipLog {
  /// The log of which taking back makes one object a member, or none.
  fileprivate init(of object: ManagedObject, isMember: Bool, order: [ManagedObject]? = nil) {
    let entry = Entry(
      object: object, wasMember: isMember, wasAdded: false, wasRemoved: false, isJoining: !isMember)
    self.init([entry], order: order, wasReordered: false)
  }
}

extension EntityLayout {
  /// The position of a to-one among the leaves.
  fileprivate func place(of relationship: RelationshipLayout) -> Int? {
    leaves.firstIndex { $0.kind == .toOne && $0.relationship == relationship.ordinal }
  }
}

extension ManagedObject {
  /// Whether a relationship leads to an object, as far as that is known without reading anything.
  fileprivate final func leads(to other: ManagedObject, by relationship: RelationshipLayout) -> Bool? {
    if relationship.isToMany {
      return knows(other, of: relationship) ?? (state.contains(.inserted) ? false : nil)
    }
    guard let row = currentRow else { return nil }
    if knownDestination(relationship.ordinal) === other { return true }
    guard let reference = row.reference(relationship.slot) else { return false }
    return reference.key == other.key && reference.entity == other.layout.index
  }

  /// Whether a link to an object, which is there or not, was made or cut since the last save.
  fileprivate final func hasChangedLink(
    to other: ManagedObject, by relationship: RelationshipLayout, _ isLinked: Bool
  ) -> Bool {
    if relationship.isToMany {
      let members = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship
      return members?.added.contains(other) == true || members?.removed.contains(other) == true
    }
    if state.contains(.inserted) { return isLinked }
    guard let committed = committedRow?.reference(relationship.slot) else { return isLinked }
    return (committed.key == other.key && committed.entity == other.layout.index) != isLinked
  }

  /// Counts a member, whose record is to be written again, among those that have joined a to-many; false
  /// where it was counted, or the relationship is none.
  @discardableResult
  final func countAsJoined(
    _ member: ManagedObject, _ relationship: RelationshipLayout
  ) -> Bool {
    (relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.countAsJoined(member) ?? false
  }
}
