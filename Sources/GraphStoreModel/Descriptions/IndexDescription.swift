import GraphStorePredicates

/// An index of an entity, resolved.
///
/// ```swift
/// for index in try model.entity(named: "Employee").indexes {
///   print(index.name, index.elements.map(\.order), index.predicate ?? .constant(true))
/// }
/// ```
public struct IndexDescription: Sendable {
  /// One element of an index.
  public struct Element: Sendable {
    /// Subject of an index's element.
    public enum Subject: Sendable {
      /// A stored attribute or a to-one relationship.
      case property(PropertyDescription)
      /// An element of a composite attribute, with the attributes on the way to it.
      case element([AttributeDescription])
      /// An expression.
      case expression(QueryExpression)
    }

    /// The subject of the element.
    public let subject: Subject
    /// The order.
    public let order: IndexDefinition.Element.Order
    /// The kind of index.
    public let kind: IndexDefinition.Element.Kind
  }

  /// The name.
  public let name: String
  /// The elements, in order.
  public let elements: [Element]
  /// The predicate of a partial index.
  public let predicate: QueryPredicate?
}
