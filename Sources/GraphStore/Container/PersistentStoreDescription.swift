import Foundation
import GraphStorePredicates

/// Where a store lies and how it is opened: what a ``PersistentContainer`` loads.
///
/// It is a value; changing a copy, or one that was loaded already, changes no store.
public struct PersistentStoreDescription: Sendable {
  /// Tells descriptions apart whose properties change.
  final class Identity: Sendable {}

  let identity = Identity()
  /// The type that the store has to have; nil for that of the file, and SQLite for a new one.
  public var type: StoreType? = .sqlite
  /// The store's file.
  public var url: URL
  /// The configuration of the model whose entities the store holds; nil for all entities.
  public var configuration: String?
  /// Whether the store is opened on a private queue, where its completion runs too.
  public var shouldAddStoreAsynchronously = false
  /// The stages by which a store of another version is migrated when it is loaded; nil plans a way (MIG-231).
  public var stagedMigrationManager: StagedMigrationManager?
  /// All options by name, those with a property of their own among them.
  ///
  /// What they have to be is checked when the store is loaded: see ``StoreOptionKey``.
  public var options: [String: Value] = [:]

  /// Describes a SQLite store of all entities that can be written and is added synchronously.
  public init(url: URL) { self.url = url }

  /// Whether the store may not be written; nothing in its folder changes then.
  public var isReadOnly: Bool {
    get { options[StoreOptionKey.readOnly.rawValue] == .bool(true) }
    set { options[StoreOptionKey.readOnly.rawValue] = newValue ? .bool(true) : nil }
  }

  /// Whether a store of another version of the model is migrated when it is loaded; true unless something else is said
  /// (MIG-022).
  public var shouldMigrateStoreAutomatically: Bool {
    get { options[StoreOptionKey.migrateAutomatically.rawValue] != .bool(false) }
    set { options[StoreOptionKey.migrateAutomatically.rawValue] = newValue ? nil : .bool(false) }
  }

  /// Whether mappings are inferred for that where none is written; true unless something else is said (MIG-022).
  public var shouldInferMappingModelAutomatically: Bool {
    get { options[StoreOptionKey.inferMappingAutomatically.rawValue] != .bool(false) }
    set { options[StoreOptionKey.inferMappingAutomatically.rawValue] = newValue ? nil : .bool(false) }
  }

  /// How long a request waits for a lock held by somebody else; five seconds unless something else is said, zero for not
  /// waiting at all.
  public var timeout: Duration {
    get {
      switch options[StoreOptionKey.timeout.rawValue] {
      case .int(let seconds): .seconds(seconds)
      case .double(let seconds) where seconds.magnitude <= 1e12: .seconds(seconds)
      default: StoreOptions.defaultTimeout
      }
    }
    set {
      options[StoreOptionKey.timeout.rawValue] =
        newValue == StoreOptions.defaultTimeout ? nil : .double(newValue / .seconds(1))
    }
  }
}
