/// The version of a record as a store has just written it.
struct RecordVersion: Sendable {
  /// The position of the root entity in the model.
  var root: Int
  var key: Int64
  var version: Int64
}

/// What a store has given records in a save.
struct WrittenValues {
  /// The new versions of the records whose versions alone were to rise.
  var versions: [RecordVersion] = []
  /// Derived values that have changed, and those of all changed records.
  var derived: [DerivedValue] = []
}
