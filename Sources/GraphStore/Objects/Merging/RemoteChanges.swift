import Foundation

/// Changes that were made elsewhere, as a program lists them: by identifiers or by URIs.
struct RemoteChanges: Sendable {
  private enum Names {
    case identifiers(SavedIdentifiers)
    case uris(inserted: [URL], updated: [URL], deleted: [URL])
  }

  private let names: Names
  /// Tells the context that has saved from others; nil where the changes are of none.
  let origin: ContextQueue?

  init(_ changes: SavedChanges) {
    names = .identifiers(SavedIdentifiers(changes))
    origin = changes.origin
  }

  /// - Throws: `invalid-request` for keys of other groups.
  init(_ changes: [ManagedObjectContext.NotificationKey: [ManagedObjectID]]) throws {
    let groups = try Self.groups(changes)
    var identifiers = SavedIdentifiers()
    identifiers.inserted = Set(groups.inserted)
    identifiers.updated = Set(groups.updated)
    identifiers.deleted = Set(groups.deleted)
    names = .identifiers(identifiers)
    origin = nil
  }

  /// - Throws: `invalid-request` for keys of other groups.
  init(_ changes: [ManagedObjectContext.NotificationKey: [URL]]) throws {
    let groups = try Self.groups(changes)
    names = .uris(inserted: groups.inserted, updated: groups.updated, deleted: groups.deleted)
    origin = nil
  }

  private static func groups<Name>(
    _ changes: [ManagedObjectContext.NotificationKey: [Name]]
  ) throws -> (inserted: [Name], updated: [Name], deleted: [Name]) {
    var groups: (inserted: [Name], updated: [Name], deleted: [Name]) = ([], [], [])
    for (key, names) in changes {
      switch key {
      case .insertedObjects, .insertedObjectIDs: groups.inserted += names
      case .updatedObjects, .updatedObjectIDs, .refreshedObjects, .refreshedObjectIDs: groups.updated += names
      case .deletedObjects, .deletedObjectIDs: groups.deleted += names
      case .invalidatedObjects, .invalidatedAllObjects, .queryGeneration, .historyToken:
        throw GraphStoreError(
          .invalidRequest, "Changes under the key \"\(key.rawValue)\" cannot be merged.",
          remedy: "List identifiers or URIs as inserted, updated, deleted or refreshed.")
      }
    }
    return groups
  }

  /// The identifiers of a coordinator's records; URIs of stores that are not open there are left out.
  func identifiers(in coordinator: PersistentStoreCoordinator) -> SavedIdentifiers {
    switch names {
    case .identifiers(let identifiers): return identifiers
    case .uris(let inserted, let updated, let deleted):
      func converted(_ uris: [URL]) -> Set<ManagedObjectID> {
        Set(uris.compactMap { coordinator.managedObjectID(forURIRepresentation: $0) })
      }
      var identifiers = SavedIdentifiers()
      identifiers.inserted = converted(inserted)
      identifiers.updated = converted(updated)
      identifiers.deleted = converted(deleted)
      return identifiers
    }
  }
}
