import Foundation

/// The place of a store that is being filled, where it appears when it is whole: a path, or an address on a
/// server, for which it is filled in a file first.
struct FilledPlace {
  /// The path or the address.
  let place: String
  /// The path; nil for an address.
  private let file: StoreDestination?
  private let timeout: Duration

  /// - Throws: `store-exists` for a place that is in use, but for an empty file; what keeps a store from
  /// being made there.
  init(_ place: String, timeout: Duration) throws {
    self.timeout = timeout
    guard let address = ServerAddress(place) else {
      let file = try StoreDestination(place, from: nil, isReplacing: false, timeout: timeout)
      (self.file, self.place) = (file, file.path)
      return
    }
    (file, self.place) = (nil, address.text)
    guard try !Self.hasStore(address, timeout) else {
      throw GraphStoreError(
        .storeExists, "There is a store at \(address.text) already.", remedy: "Choose another address.")
    }
  }

  private static func hasStore(_ address: ServerAddress, _ timeout: Duration) throws -> Bool {
    do {
      _ = try StoreRegistry.metadata(at: address.text, timeout: timeout)
      return true
    } catch let error as GraphStoreError where error.code == .storeNotFound {
      return false
    }
  }

  /// Makes an empty file, beside the path or in the folder for such files.
  func makeTemporary() throws -> TemporaryStore {
    guard let file else {
      let folder = FileManager.default.temporaryDirectory.path
      return try TemporaryStore(beside: folder + "/graphstore.db")
    }
    TemporaryStore.removeLeftovers(beside: file.path)
    let temporary = try TemporaryStore(beside: file.path)
    temporary.takeUsualMode()
    return temporary
  }

  /// Puts a finished store there.
  func take(_ store: TemporaryStore) throws {
    if let file {
      try file.place(store)
    } else if let type = ServerAddress(place)?.type {
      _ = try StoreConversion(to: type, .refused, timeout: timeout).run(store.path, to: place)
    }
  }
}
