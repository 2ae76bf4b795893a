/// The deletions of a context since the last save: what is marked deleted, what delete rules have made of
/// that, and the propagation that is running.
struct DeletionState {
  /// Objects marked deleted, in the order of marking.
  var order: [ManagedObject] = []
  /// Objects whose deletion has not been propagated yet, in order of the calls.
  var pending: [ManagedObject] = []
  /// The cascades since the last save that have reached further objects than they were asked to delete, so
  /// that a deletion can be withdrawn with all its consequences (CTX-207).
  var cascades: [Cascade] = []
  /// New objects that have left the context with records that delete rules led on from, to come back with
  /// them.
  var removedObjects: [ManagedObject: RemovedObject] = [:]
  /// Whether deletions by others were merged since the last save, whose objects the next one detaches.
  var areMerged = false
  /// While a deletion is propagated: the objects that are being marked, whose hooks run.
  var wave: DeletionWave?
  /// The hooks of deletions that are running.
  var hooks = DeletionHooks()
  /// The coordinator's count of saves when delete rules were last applied.
  var propagationCommitNumber = 0
}
