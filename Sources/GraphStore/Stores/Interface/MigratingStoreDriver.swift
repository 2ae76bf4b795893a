import Foundation
import GraphStoreModel

/// Driver of stores in no file that can be migrated: it alters a store, or makes the migrated one beside it,
/// which takes its place at once.
package protocol MigratingStoreDriver: StoreDriver {
  /// Begins to exchange a store for another one.
  ///
  /// - Parameter isLocking: Whether other writers wait until the end of the exchange; readers go on.
  /// - Throws: `store-not-found`, `store-corrupt`, `no-model`; `read-only-store`, `store-permission`,
  ///   `store-timeout`.
  func beginExchange(_ path: String, isLocking: Bool, timeout: Duration) throws -> any StoreExchange
  /// What others have added to the tables of a store, in words: columns, indexes, triggers and the like,
  /// which an exchange leaves behind.
  func additions(toStoreAt path: String, timeout: Duration) throws -> [String]
}

/// Exchange of a store for another one, of which nobody else sees anything before it is committed.
package protocol StoreExchange: AnyObject {
  /// The metadata of the old store.
  var metadata: StoreMetadata { get }

  /// Makes sure that a new store can be made and put in the place of the old one.
  ///
  /// - Throws: `store-permission`.
  func checkRights() throws
  /// Makes the new store of what a block writes.
  ///
  /// - Parameter history: What becomes of the history that the old store keeps; nil where it begins anew.
  /// - Throws: `not-supported`, `constraint-conflict`, `store-corrupt`; what the block throws.
  func fill(
    _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm,
    history: HistoryTranslation?, _ body: (any WriteSession) throws -> Void
  ) throws
  /// Alters the store itself, where that is all that steps need, and they need nobody's rows.
  ///
  /// - Parameters:
  ///   - steps: What each step changes.
  ///   - keepsFormer: Whether a copy of the store as it was is kept.
  /// - Returns: The numbers of objects by the names of the entities; nil where nothing was altered, and the
  ///   new store is to be filled.
  /// - Throws: `store-timeout`.
  func alter(
    _ steps: [StoreAlteration], history: HistoryTranslation?, keepsFormer: Bool
  ) throws -> [String: Int]?
  /// Puts the new store in the place of the old one.
  ///
  /// - Parameter keepsFormer: Whether the old one is kept under another address; it is too where others have
  ///   made something of it that keeps it from being removed.
  /// - Returns: That address, or the one of a copy of the store that was altered; nil where nothing is kept.
  /// - Throws: `store-timeout` where others use the old store; `commit-unknown`.
  func commit(keepsFormer: Bool) throws -> String?
  /// Leaves everything as it was, unless it is committed.
  func end()
}

/// Change of a store from one version of its model to the next.
package struct StoreAlteration {
  /// What the store holds before, and what then.
  package let source, destination: StoredEntities
  /// Which entities and properties continue others.
  package let pairing: ModelPairing
}

/// Names that entities and properties have in a migrated store, by those that the records of its history
/// have.
package struct HistoryTranslation: Sendable {
  /// An entity, and what it was.
  package struct Entity: Sendable {
    package let new: String
    package let old: String
    /// The new names of its properties, by the old ones.
    package let properties: [String: String]
  }

  /// The entities that were there before.
  package let entities: [Entity]
}
