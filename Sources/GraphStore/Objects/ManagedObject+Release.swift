import CGraphStoreShims

extension ManagedObject {
  /// Whether nobody holds the object any more and its deinitialisers are running: nothing may keep it then.
  final var isBeingReleased: Bool {
    // What is listed is held by the context.
    if state.contains(.listed) { return false }
    return unsafe gs_is_deallocating(Unmanaged.passUnretained(self).toOpaque())
  }

  /// Throws where nobody holds the object any more: a change of it could not be kept (FLT-209).
  ///
  /// - Throws: `object-invalidated`.
  final func checkHeld() throws {
    // What a fault sets that is realised for a last look is its own alone.
    guard isBeingReleased, !state.contains(.awakening) else { return }
    throw GraphStoreError(
      .objectInvalidated,
      "\(objectID.shortForm) is being released and takes no changes: a deinit can keep nothing of its object.",
      remedy: "Change it before its last holder lets go of it.", entity: entity.name, objectID: objectID)
  }
}
