import OrderedCollections

/// A collection in which a ``ToManyKey`` reads the members of a relationship: a `Set`, or for one with an order an
/// `OrderedSet`.
public protocol MemberCollection {
  /// The class of the members.
  associatedtype Member: ManagedObject
  /// Whether the relationship has to be ordered.
  static var isOrdered: Bool { get }
  /// Makes a collection of members of which none comes twice.
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
