/// Something that keeps itself current with the objects of one context.
protocol ContextObserver: AnyObject {
  /// The context's unsaved changes are about to be written, and are no longer listed afterwards.
  func contextWillSave() throws
  /// An object gives up its values for those of the store.
  func contextDidRefresh(_ object: ManagedObject)
  /// The context lets go of changes or objects without listing which.
  func contextDidChangeWholesale()
}

/// The observers of a context, none of which it keeps alive.
struct ContextObservers {
  private struct Weak {
    weak var observer: (any ContextObserver)?
  }

  private var observers: [Weak] = []

  mutating func add(_ observer: any ContextObserver) {
    observers.removeAll { $0.observer == nil }
    observers.append(Weak(observer: observer))
  }

  func contextWillSave() throws {
    for weak in observers { try weak.observer?.contextWillSave() }
  }

  func contextDidRefresh(_ object: ManagedObject) {
    for weak in observers { weak.observer?.contextDidRefresh(object) }
  }

  func contextDidChangeWholesale() {
    for weak in observers { weak.observer?.contextDidChangeWholesale() }
  }
}
