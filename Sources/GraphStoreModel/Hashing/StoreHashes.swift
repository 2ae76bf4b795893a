import Foundation
import GraphStorePredicates

/// The version hashes that a store's metadata records.
struct StoreHashes {
  /// The hashes by the entities' names; empty where the metadata records none.
  let byEntity: [String: Data]

  init(_ metadata: [String: Value]) {
    guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"] else {
      byEntity = [:]
      return
    }
    byEntity = hashes.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
  }
}
