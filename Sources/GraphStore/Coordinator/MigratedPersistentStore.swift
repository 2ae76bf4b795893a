/// A store that was migrated to another place or type: what observers of a coordinator have to know of it.
///
/// ```swift
/// let observer = NotificationCenter.default.addObserver(
///   forName: PersistentStoreCoordinator.storesDidChange, object: coordinator, queue: nil
/// ) { change in
///   let key = PersistentStoreCoordinator.migratedStoresKey
///   for migrated in change.userInfo?[key] as? [MigratedPersistentStore] ?? [] {
///     print(migrated.former, "is now", migrated.store)
///   }
/// }
/// NotificationCenter.default.removeObserver(observer)
/// ```
public struct MigratedPersistentStore: Hashable, Sendable {
  /// The store that was mounted before; nothing can be done with it any more.
  public let former: PersistentStoreReference
  /// The store that is mounted in its stead.
  public let store: PersistentStoreReference

  /// The identifier that an object of the former store has now; nil for one of another store, and for the
  /// temporary one of an object that was not saved, which keeps it.
  ///
  /// It does no I/O, and does not check that the object exists.
  public func objectID(for former: ManagedObjectID) -> ManagedObjectID? {
    guard former.scope === self.former.mount.scope else { return nil }
    return ManagedObjectID(scope: store.mount.scope, entityIndex: former.entityIndex, key: former.key)
  }
}
