/// An index of an entity as a model file describes it.
///
/// ```swift
/// let byName = IndexDefinition("byName", elements: [.init("name"), .init("badge", order: .descending)])
/// let employee = EntityDefinition(
///   "Employee", attributes: [AttributeDefinition("name", .string), AttributeDefinition("badge", .int32)],
///   indexes: [byName])
/// ```
public struct IndexDefinition: Hashable, Sendable {
  /// One element of an index: a property or an expression.
  public struct Element: Hashable, Sendable {
    /// The order of an element.
    public enum Order: String, CaseIterable, Hashable, Sendable {
      /// Least first.
      case ascending
      /// Greatest first.
      case descending
    }

    /// The kind of index an element asks for.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
      /// A sorted index.
      case binary
      /// An index for ranges in several dimensions.
      case rtree
    }

    /// The name of a property, or the key path of a composite's element.
    public var property: String?
    /// The text of an expression.
    public var expression: String?
    /// The order.
    public var order: Order
    /// The kind.
    public var kind: Kind

    /// Makes an element; exactly one of `property` and `expression` is passed.
    public init(
      _ property: String? = nil, expression: String? = nil, order: Order = .ascending, kind: Kind = .binary
    ) {
      self.property = property
      self.expression = expression
      self.order = order
      self.kind = kind
    }
  }

  /// The name, unique in the entity.
  public var name: String
  /// The elements, in order.
  public var elements: [Element]
  /// The predicate of a partial index.
  public var predicate: String?

  /// Makes an index from its parts.
  public init(_ name: String, elements: [Element], predicate: String? = nil) {
    self.name = name
    self.elements = elements
    self.predicate = predicate
  }
}
