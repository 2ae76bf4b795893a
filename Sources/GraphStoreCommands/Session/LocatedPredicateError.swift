import GraphStore

/// A fault in a text of the command line that holds a predicate, sort keys or key paths.
struct LocatedPredicateError: Error {
  var error: QueryPredicateError
  /// The option the text was given by.
  var label: String
  var text: String
  /// The entity that the keys belong to.
  var entity: EntityDescription?
}
