import GraphStoreModel
import OrderedCollections

/// Live view of the members of a to-many: it shows every later change of the relationship, and changes nothing (REL-004).
///
/// Making one runs no statement; the first use of its count, its members, or whether an object is one reads them, with one
/// statement (FLT-037). It is used on the context's queue. What cannot be read is kept in the context as an error, which its
/// next save throws, and reads as empty; ``members()`` throws instead. Two views are equal if they are of the same
/// relationship of the same object.
public class RelationshipCollection: Sequence {
  let owner: ManagedObject
  let relationship: RelationshipLayout

  init(_ owner: ManagedObject, _ relationship: RelationshipLayout) {
    self.owner = owner
    self.relationship = relationship
  }

  /// The members as they are now: in their order if there is one, else by ascending identifier with unsaved objects last.
  ///
  /// - Throws: what reading them throws; `object-invalidated` once the object has left its context.
  public func members() throws -> [ManagedObject] {
    owner.checkQueue()
    let members = try owner.members(of: relationship)
    return relationship.isOrdered ? members : members.sortedByIdentifier()
  }

  /// The members as they are now, none where they cannot be read.
  var present: [ManagedObject] {
    owner.checkQueue()
    return owner.deferring { try owner.members(of: relationship) } ?? []
  }

  /// How many members there are.
  public var count: Int { present.count }

  /// Whether there are none.
  public var isEmpty: Bool { present.isEmpty }

  /// Whether an object is a member.
  public func contains(_ object: ManagedObject) -> Bool {
    owner.checkQueue()
    if owner.isCut(relationship) || object.state.contains(.propagated) { return false }
    return owner.deferring { try owner.resolved(relationship).hasMember(object) } ?? false
  }

  /// Iterates over the members that there are when it begins; changes made meanwhile do not disturb it (REL-028).
  public func makeIterator() -> IndexingIterator<[ManagedObject]> {
    (relationship.isOrdered ? present : present.sortedByIdentifier()).makeIterator()
  }
}

extension RelationshipCollection: Hashable {
  /// Whether both are of the same relationship of the same object.
  public static func == (left: RelationshipCollection, right: RelationshipCollection) -> Bool {
    left.owner === right.owner && left.relationship.number == right.relationship.number
  }

  /// Hashes the object and the relationship.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(owner))
    hasher.combine(relationship.number)
  }
}

extension RelationshipCollection: CustomStringConvertible {
  /// The object and the relationship; reads nothing.
  public var description: String { "\(owner.objectID.shortForm).\(relationship.description.name)" }
}

/// Live view of an unordered to-many, as ``ManagedObject/value(forKey:)`` gives it.
public class RelationshipSet: RelationshipCollection {
  /// The members as they are now; later changes do not alter the set.
  public var objects: Set<ManagedObject> { Set(present) }
}

/// Live view of an ordered to-many, as ``ManagedObject/value(forKey:)`` gives it.
public class RelationshipOrderedSet: RelationshipCollection {
  /// The members as they are now, in their order; later changes do not alter them.
  public var objects: OrderedSet<ManagedObject> { OrderedSet(uncheckedUniqueElements: present) }

  /// The place of a member, counted from 0; nil for an object that is none.
  public func firstIndex(of object: ManagedObject) -> Int? { present.firstIndex { $0 === object } }

  /// The member at a place.
  ///
  /// - Throws: `index-out-of-range`, and what reading the members throws.
  public func object(at index: Int) throws -> ManagedObject {
    let members = try members()
    guard members.indices.contains(index) else {
      throw owner.indexOutOfRange(index, count: members.count, of: relationship)
    }
    return members[index]
  }
}
