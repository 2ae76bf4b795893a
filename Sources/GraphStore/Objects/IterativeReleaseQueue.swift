import CGraphStoreShims

/// Lets go of objects one after the other where letting go of one would let go of the next, and so on down a chain
/// as deep as the graph: the outermost release empties the list, inner ones only add to it.
final class IterativeReleaseQueue {
  private var waiting: [AnyObject?] = []

  /// Takes the objects out of a list and lets go of them.
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
