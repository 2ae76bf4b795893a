import GraphStoreModel
import GraphStorePredicates

/// One requested key path of a fetch that returns fields, and the column where its value stands.
struct SQLField: Sendable {
  /// The key path as it was asked for.
  var keyPath: String
  /// What the value is.
  var kind: Kind
  /// Index of its first column in the statement.
  var column: Int

  /// What the value of a field is and how it is decoded.
  enum Kind: Sendable {
    /// An attribute; the column holds its stored form.
    case attribute(AttributeDescription)
    /// A to-one: the column holds the key and the next one the entity number, or NULL where the
    /// destination's own number counts.
    case toOne(RelationshipDescription)
    /// A whole number: `@count`.
    case count
    /// The object itself; the column holds its key, the next one its entity number.
    case objectID
    /// An object; the column holds its key, the next one its entity number, or NULL where it is of the entity's own table.
    case object(EntityDescription)
    /// A value that the statement computes.
    case computed(ComputedValue)
    /// A value that the statement cannot give; it is read from the object.
    case inMemory
  }
}

/// A value that a statement computes, and how it is decoded.
struct ComputedValue: Sendable {
  var type: ExpressionType
  /// Whether it is a sum, which is 0 of its type over nothing, and of integers has to fit 64 bits.
  var isSum = false
  /// The place of the sum in its text.
  var range: SourceRange?
}
