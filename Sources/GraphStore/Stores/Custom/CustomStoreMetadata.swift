import Foundation
import GraphStorePredicates

/// Metadata of a store that is not open, of a type that a program has written.
struct CustomStoreMetadata<Store: CustomStore> {
  let type: StoreType
  /// The location, a path or a URL.
  let place: String
  let timeout: Duration

  /// - Throws: `request-unsupported` where the type does not know them; `store-timeout`, `store-open`,
  ///   `store-type-mismatch`.
  func read() throws -> StoreMetadata {
    let url = LocationText.url(place)
    return try StoreMetadata(working { try await Store.metadata(at: url) }, of: type, at: place)
  }

  /// - Parameter changes: Returns values, or nil for keys to be removed, from the store's.
  func change(_ changes: ([String: Value]) throws -> [String: Value?]) throws {
    var metadata = try read()
    try metadata.setUserValues(try changes(metadata.all))
    let (url, values) = (LocationText.url(place), metadata.all)
    try working { try await Store.setMetadata(values, at: url) }
  }

  private func working<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    do {
      return try StoreWork.waiting(until: .now() + timeout.dispatchInterval, body) {
        GraphStoreError(
          .storeTimeout, "\(place) does not answer within \(timeout).",
          remedy: "Try again, or set a longer timeout.")
      }
    } catch let error as GraphStoreError {
      throw error
    } catch {
      throw GraphStoreError(
        .storeOpen, "The metadata of \(place) cannot be read or written: \(error)",
        remedy: "Mend the cause and try again.", underlying: error)
    }
  }
}
