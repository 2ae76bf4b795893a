/// A typed name of a to-many relationship, for subclasses that read and change it without looking its name up.
///
/// ```swift
/// final class Department: ManagedObject {
///   static let employees = ToManyKey<Set<Employee>>("employees")
///   var employees: Set<Employee> { get { self[Self.employees] } set { self[Self.employees] = newValue } }
/// }
/// ```
///
/// An ordered relationship is read as an `OrderedSet`. The relationship's place is remembered for the entity last
/// used, so that finding it costs no dictionary.
public final class ToManyKey<Members: MemberCollection>: @unchecked Sendable {
  /// The relationship's name.
  public let name: String
  /// Identity of the layout in the high half, then the property's number.
  @safe @exclusivity(unchecked) @usableFromInline var place: UInt64 = 0

  /// Names a to-many relationship.
  @inlinable
  public init(_ name: String) { self.name = name }
}
