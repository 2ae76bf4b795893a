import GraphStoreModel
import OrderedCollections

/// Live view of the members of a to-many: it shows every later change of the relationship, and changes
/// nothing.
///
/// Making one runs no statement; the first use of its count, its members, or whether an object is one reads
/// them, with one statement. It is used on the context's queue. A failure to read is kept in the context as
/// an error, which its next save throws, and reads as empty; ``members()`` throws instead. Two views are
/// equal if they are of the same relationship of the same object.
///
/// ```swift
/// let employees = try department.value(forKey: "employees") as? RelationshipCollection
/// for member in try employees?.members() ?? [] { print(try member.value(forKey: "name") ?? "-") }
/// ```
public class RelationshipCollection: Sequence {
  let owner: ManagedObject
  let relationship: RelationshipLayout

  init(_ owner: ManagedObject, _ relationship: RelationshipLayout) {
    self.owner = owner
    self.relationship = relationship
  }

  /// The members as they are now: in their order if there is one, else by ascending identifier with unsaved
  /// objects last.
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

  /// The number of members.
  public var count: Int { present.count }

  /// Whether there are none.
  public var isEmpty: Bool { present.isEmpty }

  /// Whether an object is a member.
  public func contains(_ object: ManagedObject) -> Bool {
    owner.checkQueue()
    if owner.isCut(relationship) || object.state.contains(.propagated) { return false }
    return owner.deferring { try owner.resolved(relationship).hasMember(object) } ?? false
  }

  /// Iterates over the members that there are when it begins; changes made meanwhile do not disturb it.
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

/// Live view of an unordered to-many, as ``ManagedObject/value(forKey:)`` returns it.
///
/// ```swift
/// if let employees = try department.value(forKey: "employees") as? RelationshipSet {
///   print(employees.count, employees.contains(employee))
/// }
/// ```
public class RelationshipSet: RelationshipCollection {
  /// The members as they are now; later changes do not alter the set.
  public var objects: Set<ManagedObject> { Set(present) }
}

/// Live view of an ordered to-many, as ``ManagedObject/value(forKey:)`` returns it.
///
/// ```swift
/// if let members = try project.value(forKey: "members") as? RelationshipOrderedSet, !members.isEmpty {
///   print(try members.object(at: 0), members.firstIndex(of: employee) ?? -1)
/// }
/// ```
public class RelationshipOrderedSet: RelationshipCollection {
  /// The members as they are now, in their order; later changes do not alter them.
  public var objects: OrderedSet<ManagedObject> { OrderedSet(uncheckedUniqueElements: present) }

  /// The index of a member, counted from 0; nil for an object that is not a member.
  public func firstIndex(of object: ManagedObject) -> Int? { present.firstIndex { $0 === object } }

  /// The member at an index.
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

/// Members of a collection on the way of a key path.
struct MemberValues {
  let values: [Any?]
  let isOrdered: Bool

  init(values: [Any?], isOrdered: Bool) {
    self.values = values
    self.isOrdered = isOrdered
  }

  /// Nil for a value that is no collection.
  init?(_ value: Any) {
    switch value {
    case let view as RelationshipCollection:
      self.init(values: Array(view), isOrdered: view.relationship.isOrdered)
    case let objects as Set<ManagedObject>:
      self.init(values: Array(objects).sortedByIdentifier(), isOrdered: false)
    case let objects as [ManagedObject]: self.init(values: objects, isOrdered: true)
    case let members as Set<AnyHashable>: self.init(values: members.map { $0.base }, isOrdered: false)
    case let members as [Any?]: self.init(values: members, isOrdered: true)
    case let members as [Any]: self.init(values: members, isOrdered: true)
    default: return nil
    }
  }

  /// Brings what a key of the members needs into memory, with one statement an entity tree (OBJ-207); keys
  /// that fire nothing need nothing (FLT-031).
  func realize(for key: String) throws {
    let objects = values.compactMap { $0 as? ManagedObject }
    guard let context = objects.first?.context, !["self", "objectID", "entity"].contains(key) else { return }
    let own = objects.filter { $0.context === context }
    var toManys: [ObjectIdentifier: (RelationshipLayout, [ManagedObject])] = [:]
    for object in own {
      guard let property = object.layout.property(named: key), property.kind == .toMany else { continue }
      let relationship = object.layout.relationships[property.relationship]
      toManys[ObjectIdentifier(relationship.description), default: (relationship, [])].1.append(object)
    }
    for (relationship, owners) in toManys.values { try context.resolve(relationship, of: owners) }
    let firing = own.filter { $0.layout.property(named: key)?.kind != .toMany }
    if firing.contains(where: { $0.state.contains(.fault) }) { try context.realizeFaults(in: firing) }
  }

  /// A value as it is now: of a live view its members.
  static func plain(_ value: Any?) -> Any? {
    switch value {
    case let set as RelationshipSet: set.objects
    case let set as RelationshipOrderedSet: set.objects.elements
    default: value
    }
  }

  /// The values of the members: in a set without those that there are not, or in an array of the same order
  /// with them.
  func map(_ body: (Any?) throws -> Any?) throws -> Any {
    let ends = try values.map { Self.plain(try body($0)) }
    if isOrdered { return ends }
    return Set(ends.compactMap { $0 as? AnyHashable })
  }
}

/// A collection in which a ``ToManyKey`` reads the members of a relationship: a `Set`, or for one with an
/// order an `OrderedSet`.
public protocol MemberCollection {
  /// The class of the members.
  associatedtype Member: ManagedObject
  /// Whether the relationship has to be ordered.
  static var isOrdered: Bool { get }
  /// Makes a collection of members without duplicates.
  init(uniqueMembers: [Member])
  /// The members, in order if there is one.
  var members: [Member] { get }
}

extension Set: MemberCollection where Element: ManagedObject {
  /// False: a set has no order.
  public static var isOrdered: Bool { false }

  /// Makes a set of members.
  public init(uniqueMembers: [Element]) { self.init(uniqueMembers) }

  /// The members in the order of their identifiers, unsaved objects last.
  public var members: [Element] { sorted { $0.precedes($1) } }
}

extension OrderedSet: MemberCollection where Element: ManagedObject {
  /// True: the relationship has to be ordered.
  public static var isOrdered: Bool { true }

  /// Makes an ordered set of members.
  public init(uniqueMembers: [Element]) { self.init(uncheckedUniqueElements: uniqueMembers) }

  /// The members in their order.
  public var members: [Element] { elements }
}
