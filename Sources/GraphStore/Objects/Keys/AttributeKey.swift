import CGraphStoreShims
import GraphStorePredicates

/// A typed name of an attribute of a class, for subclasses that read and write without looking names up, and
/// for conditions that the compiler checks (``TypedExpression``).
///
/// ```swift
/// final class Employee: ManagedObject {
///   enum Keys { static let salary = AttributeKey<Employee, Int64>("salary") }
///   var salary: Int64 { get { self[Keys.salary] ?? 0 } set { self[Keys.salary] = newValue } }
/// }
/// ```
///
/// A key belongs to its owner: an object of another class does not take it. A subclass has keys of its own
/// for what it inherits, as generated code writes them; `(manager as Employee)[Employee.Keys.salary]` does
/// without.
///
/// The property's number is remembered for the entity last used, so that access costs no dictionary. A key
/// that is a constant of its type, as above, is part of the program's data: nothing runs to make it.
public final class AttributeKey<Owner: ManagedObject, Element: AttributeValue>: @unchecked Sendable {
  /// The attribute's name in the model.
  public let propertyName: String
  /// Identity of the layout in the high half, then the property's kind, its number and its slot.
  @safe @exclusivity(unchecked) @usableFromInline var place: UInt64 = 0

  /// Names an attribute.
  @inlinable
  public init(_ propertyName: String) { self.propertyName = propertyName }
}

extension AttributeKey {
  /// The cached slot for the entity last used.
  @inlinable
  @inline(__always)
  var knownPlace: UInt64 { unsafe gs_load_relaxed(&place) }
}

extension AttributeKey: TypedExpression {
  /// The attribute of the object under test.
  public var queryPath: QueryPath { QueryPath(propertyName) }

  /// One value for each object of the owner.
  public typealias PathScope = SingleValue<Owner>
  /// The type of the values.
  public typealias PathResult = Element
}
