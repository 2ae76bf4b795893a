/// A typed name of a to-many relationship of a class, for subclasses that read and change it without looking its name up,
/// and for conditions that the compiler checks: `Keys.employees.any.salary > 50_000`.
///
/// ```swift
/// final class Department: ManagedObject {
///   enum Keys { static let employees = ToManyKey<Department, Set<Employee>>("employees") }
///   var employees: Set<Employee> { get { self[Keys.employees] } set { self[Keys.employees] = newValue } }
/// }
/// ```
///
/// An ordered relationship is read as an `OrderedSet`. The relationship's place is remembered for the entity last
/// used, so that finding it costs no dictionary.
public final class ToManyKey<Owner: ManagedObject, Members: MemberCollection>: @unchecked Sendable {
  /// The relationship's name in the model.
  public let propertyName: String
  /// Identity of the layout in the high half, then the property's number.
  @safe @exclusivity(unchecked) @usableFromInline var place: UInt64 = 0

  /// Names a to-many relationship.
  @inlinable
  public init(_ propertyName: String) { self.propertyName = propertyName }
}

extension ToManyKey: ToManySteps {
  /// The members of each object of the owner.
  public typealias PathScope = SingleValue<Owner>
  /// The class of the members.
  public typealias PathDestination = Members.Member

  /// The relationship of the object under test.
  public var queryPath: QueryPath { QueryPath(propertyName) }
}
