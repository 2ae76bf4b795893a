/// The version of a record as a store has just written it.
struct RecordVersion: Sendable {
  /// The position of the root entity in the model.
  var root: Int
  var key: Int64
  var version: Int64
}
