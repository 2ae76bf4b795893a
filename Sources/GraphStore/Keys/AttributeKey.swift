import CGraphStoreShims

/// A typed name of an attribute, for subclasses that read and write without looking names up.
///
/// ```swift
/// final class Employee: ManagedObject {
///   static let salary = AttributeKey<Int64>("salary")
///   var salary: Int64 { get { self[Self.salary] ?? 0 } set { self[Self.salary] = newValue } }
/// }
/// ```
///
/// The property's number is remembered for the entity last used, so that access costs no dictionary. A key that is
/// a constant of its type, as above, is part of the program's data: nothing runs to make it.
public final class AttributeKey<Element: AttributeValue>: @unchecked Sendable {
  /// The attribute's name.
  public let name: String
  /// Identity of the layout in the high half, then the property's kind, its number and its slot.
  @safe @exclusivity(unchecked) @usableFromInline var place: UInt64 = 0

  /// Names an attribute.
  @inlinable
  public init(_ name: String) { self.name = name }
}

extension AttributeKey {
  /// What is remembered of the entity last used.
  @inlinable
  @inline(__always)
  var knownPlace: UInt64 { unsafe gs_load_relaxed(&place) }

  /// The property in the layout, or nil where the entity has no such attribute of that kind.
  @inline(__always)
  func attribute(in layout: EntityLayout) -> PropertyLayout? {
    unsafe InlineCache.property(&place, name: name, kinds: Element._attributeKinds, in: layout)
  }
}
