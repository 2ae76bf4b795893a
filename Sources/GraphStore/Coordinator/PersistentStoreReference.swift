import Foundation
import GraphStorePredicates

/// A store that a coordinator has mounted.
///
/// It is a value that any thread may use. Two are equal where they stand for the same mounting; a store that was removed
/// and added again is another one. It keeps its coordinator, but not the store's file, open.
public struct PersistentStoreReference: Sendable {
  let mount: Mount
  let owner: PersistentStoreCoordinator

  /// The absolute path of its file, as it was opened.
  public var path: String { mount.store.path }

  /// The configuration of the model whose entities it holds; nil for all entities.
  public var configurationName: String? { mount.store.entities.configuration }

  /// Whether it is open for reading only.
  public var isReadOnly: Bool { mount.store.isReadOnly }
}

extension PersistentStoreReference: Hashable {
  /// Whether two stand for the same mounting.
  public static func == (left: Self, right: Self) -> Bool {
    left.mount.index == right.mount.index && left.owner === right.owner
  }

  /// Hashes the mounting.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(mount.index)
    hasher.combine(ObjectIdentifier(owner))
  }
}
