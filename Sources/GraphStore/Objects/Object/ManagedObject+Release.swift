import CGraphStoreShims

extension ManagedObject {
  /// Whether the object has no reference any more and its deinitialisers are running: nothing may retain it
  /// then.
  final var isBeingReleased: Bool {
    // Listed objects are held by the context.
    if state.contains(.listed) { return false }
    return unsafe gs_is_deallocating(Unmanaged.passUnretained(self).toOpaque())
  }

  /// Throws where the object has no reference any more: a change of it could not be kept (FLT-209).
  ///
  /// - Throws: `object-invalidated`.
  final func checkHeld() throws {
    // Values set by a fault that is realised in its last hook stay its own.
    guard isBeingReleased, !state.contains(.awakening) else { return }
    throw GraphStoreError(
      .objectInvalidated,
      "\(objectID.shortForm) is being released and takes no changes: a deinit can keep nothing of its object.",
      remedy: "Change it before its last holder lets go of it.", entity: entity.name, objectID: objectID)
  }
}

/// Releases objects one after the other where releasing one would release the next, and so on down a chain as
/// deep as the graph: the outermost release empties the list, inner ones only add to it.
final class IterativeReleaseQueue {
  private var waiting: [AnyObject?] = []

  /// Removes the objects from a list and releases them.
  static func release(_ objects: inout [AnyObject?]) {
    let cell = unsafe gs_thread_drop_list()!
    if let list = unsafe cell.pointee {
      unsafe Unmanaged<IterativeReleaseQueue>.fromOpaque(list).takeUnretainedValue().waiting.append(
        contentsOf: objects)
      objects = []
      return
    }
    let list = IterativeReleaseQueue()
    swap(&list.waiting, &objects)
    unsafe cell.pointee = unsafe Unmanaged.passUnretained(list).toOpaque()
    while !list.waiting.isEmpty { list.waiting.removeLast() }
    unsafe cell.pointee = nil
  }
}
