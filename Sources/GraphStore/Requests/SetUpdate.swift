import GraphStorePredicates

/// An update of all records that a request selects.
struct SetUpdate {
  /// A new value that each record has of its own: it is computed from the record as it was before.
  struct Computed {
    let property: PropertyLayout
    /// A checked expression.
    let expression: QueryExpression
  }

  /// The records, as identifiers; without an order and a window.
  let request: StoreRequest
  /// The values that are the same for all, in a row of the entity that the request names.
  let values: Row
  /// The others, none of which is a composite's.
  let computed: [Computed]
  /// All properties, and the elements of composite attributes among ``EntityLayout/fields``.
  let changed: PropertySet
  /// What the changes are written with: their author and time.
  let save: SaveRequest
  /// Whether somebody has to know which records they are.
  let needsKeys: Bool
}

/// What a store says of a write over a set.
enum SetOutcome {
  /// The changes, which are in no history yet.
  case records(CommitRecord)
  /// The number of records, of which nobody asked which they are.
  case count(Int)
}

extension SetUpdate {
  /// The properties alone, without elements of composite attributes.
  var properties: PropertySet { values.layout.properties(among: changed) }
}
