/// A record's own entity, by its position in the model, and its key.
struct ObjectKey: Hashable, Sendable {
  var entity: Int
  var key: Int64
}
