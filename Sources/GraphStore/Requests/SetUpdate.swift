/// An update of all records that a request selects, to values that are the same for all.
struct SetUpdate {
  /// The records, as identifiers; without an order and a window.
  let request: StoreRequest
  /// The values, in a row of the entity that the request names.
  let values: Row
  /// The properties, and the elements of composite attributes among ``EntityLayout/fields``.
  let changed: PropertySet
  /// What the changes are written with: their author and time.
  let save: SaveRequest
}

extension SetUpdate {
  /// The properties alone, without elements of composite attributes.
  var properties: PropertySet { values.layout.properties(among: changed) }
}
