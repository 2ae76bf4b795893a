import GraphStorePredicates

/// An update of all records that a request selects.
package struct SetUpdate {
  /// A new value that each record has of its own: it is computed from the record as it was before.
  package struct Computed {
    package let property: PropertyLayout
    /// A checked expression.
    package let expression: QueryExpression
  }

  /// The records, as identifiers; without an order and a window.
  package let request: StoreRequest
  /// The values that are the same for all, in a row of the entity that the request names.
  package let values: Row
  /// The others, none of which is a composite's.
  package let computed: [Computed]
  /// All properties, and the elements of composite attributes among ``EntityLayout/fields``.
  package let changed: PropertySet
  /// What the changes are written with: their author and time.
  package let save: SaveRequest
  /// Whether somebody has to know which records they are.
  package let needsKeys: Bool
}

/// What a store says of a write over a set.
package enum SetOutcome {
  /// The changes, which are in no history yet.
  case records(CommitRecord)
  /// The number of records, of which nobody asked which they are.
  case count(Int)
}

extension SetUpdate {
  /// The properties alone, without elements of composite attributes.
  package var properties: PropertySet { values.layout.properties(among: changed) }
}
