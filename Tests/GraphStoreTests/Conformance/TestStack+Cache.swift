@testable import GraphStore

extension TestStack {
  /// The number of rows in the cache of the first store (FLT-065).
  var cachedRows: Int { coordinator.mounts[0].store.rowCache.count }
}

extension ManagedObjectContext {
  /// Lets the row cache of the first store forget the rows of the first thousand keys.
  func forgetCachedRows() {
    for root in coordinator.layout.entities.indices {
      mounts[0].store.rowCache.forget(root, Array(1...1000))
    }
  }
}
