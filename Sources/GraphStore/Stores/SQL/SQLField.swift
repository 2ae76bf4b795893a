import GraphStoreModel

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
    /// A value that the statement cannot give; it is read from the object.
    case inMemory
  }
}
