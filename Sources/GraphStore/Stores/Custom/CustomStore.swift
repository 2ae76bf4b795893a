import Foundation
import GraphStorePredicates

/// Store of a type that a program has written: what stores that hold everything in memory, and those that
/// answer requests, have in common.
///
/// A type conforms to ``AtomicStore``, and is registered by
/// ``PersistentStoreCoordinator/registerStoreType(_:as:)``. The library makes an instance for each store that
/// is added, and never touches the store's location itself.
///
/// ```swift
/// struct EmptyStore: AtomicStore {
///   init(_ opening: StoreOpening) {}
///   func load() -> AtomicStoreContent? { nil }
///   func save(_ save: AtomicStoreSave) {}
/// }
///
/// let empty = StoreType(rawValue: "Empty")
/// try PersistentStoreCoordinator.registerStoreType(EmptyStore.self, as: empty)
/// print(PersistentStoreCoordinator.registeredStoreTypes.contains(empty))  // true
/// ```
public protocol CustomStore: Sendable {
  /// Makes the store of a location; nothing is read yet.
  ///
  /// - Throws: what is wrong with the location, or with the options.
  init(_ opening: StoreOpening) throws

  /// Tells the store, once, that a coordinator has mounted it.
  func didAdd(to coordinator: PersistentStoreCoordinator)

  /// Tells the store, once, that a coordinator is about to unmount it; its last request has ended.
  ///
  /// A coordinator that is released without ``PersistentStoreCoordinator/close()`` just releases the store.
  func willRemove(from coordinator: PersistentStoreCoordinator)

  /// Reads the metadata of a store that is not open, without reading its objects.
  ///
  /// By default it throws `request-unsupported`.
  static func metadata(at url: URL) async throws -> [String: Value]

  /// Writes the metadata of a store that is not open, without reading its objects.
  ///
  /// By default it throws `request-unsupported`.
  static func setMetadata(_ metadata: [String: Value], at url: URL) async throws
}

extension CustomStore {
  /// Does nothing.
  public func didAdd(to coordinator: PersistentStoreCoordinator) {}

  /// Does nothing.
  public func willRemove(from coordinator: PersistentStoreCoordinator) {}

  /// - Throws: `request-unsupported`.
  public static func metadata(at url: URL) async throws -> [String: Value] {
    throw GraphStoreError.unsupported("The metadata of a store that is not open cannot be read", by: self)
  }

  /// - Throws: `request-unsupported`.
  public static func setMetadata(_ metadata: [String: Value], at url: URL) async throws {
    throw GraphStoreError.unsupported("The metadata of a store that is not open cannot be set", by: self)
  }
}

extension GraphStoreError {
  /// The failure of a request that a type of stores which a program has written does not know.
  static func unsupported(_ problem: String, by store: any CustomStore.Type) -> GraphStoreError {
    GraphStoreError(
      .requestUnsupported, "\(problem): \(store) does not know that.",
      remedy: "Open the store, and use its coordinator and contexts.")
  }
}
