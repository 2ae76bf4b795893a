/// The wish of a context to see one state of its stores, and the state that was chosen for it.
struct GenerationPin {
  /// The state; nil until the next read, which chooses the newest (CTX-337).
  var generation: QueryGeneration?
  /// Whether the context reads the newest state at the moment, since a save compares with it (CTX-349).
  var isSuspended = false
  /// Whether rows that faults have may be of other states, so that they are dropped at the next read.
  var hasOtherRows: Bool
}
