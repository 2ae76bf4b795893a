@testable import GraphStore

extension TestStack {
  /// The number of rows in the cache of the first store (FLT-065).
  var cachedRows: Int { coordinator.stores[0].rowCache.count }
}
