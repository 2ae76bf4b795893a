/// Something that keeps itself current with the objects of one context.
protocol ContextObserver: AnyObject {
  /// The context's unsaved changes are about to be written, and are no longer listed afterwards.
  func contextWillSave() throws
  /// An object gives up its values for those of the store.
  func contextDidRefresh(_ object: ManagedObject)
  /// The context lets go of changes or objects without listing which.
  func contextDidChangeWholesale()
}

/// The followers of a context, none of which it keeps alive.
struct ContextObservers {
  private struct Weak {
    weak var follower: (any ContextObserver)?
  }

  private var followers: [Weak] = []

  mutating func add(_ follower: any ContextObserver) {
    followers.removeAll { $0.follower == nil }
    followers.append(Weak(follower: follower))
  }

  func contextWillSave() throws {
    for weak in followers { try weak.follower?.contextWillSave() }
  }

  func contextDidRefresh(_ object: ManagedObject) {
    for weak in followers { weak.follower?.contextDidRefresh(object) }
  }

  func contextDidChangeWholesale() {
    for weak in followers { weak.follower?.contextDidChangeWholesale() }
  }
}
