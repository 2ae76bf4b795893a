/// A deletion of all records that a request selects, of an entity tree that no relationship leads from or to,
/// and without values in files: nothing else is to be looked after.
package struct SetDeletion {
  /// The records, as identifiers.
  package let request: StoreRequest
}
