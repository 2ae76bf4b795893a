import Foundation
import GraphStoreModel
import GraphStorePredicates

extension PersistentStoreCoordinator {
  /// The metadata of a store as the program has them: what the file holds, changed by what waits for a save.
  ///
  /// It costs a statement. Any thread may call it.
  ///
  /// - Throws: `no-store`, `unknown-store`, and what reading throws.
  public func metadata(for store: PersistentStoreReference) throws -> [String: Value] {
    try metadata(of: try mounted(store))
  }

  /// The metadata of the first store, as ``metadata(for:)`` returns them.
  public func metadata() throws -> [String: Value] {
    guard let mount = mounts.first else { throw noStore() }
    return try metadata(of: mount)
  }

  /// Sets the metadata of a store: the next save of a context of this coordinator writes them, also one of a
  /// context without changes.
  ///
  /// The keys that begin with `NSStore`, `NSPersistence`, `_NS` and `_GS` are the store's own; they may be
  /// left out, and stay as they are. All other keys that are left out are removed. Should another program
  /// change the metadata meanwhile, the save merges key by key: what was set or removed here counts, all else
  /// is what the file has. A save that fails writes nothing, and leaves the metadata waiting for the next.
  ///
  /// Any thread may call it; it reads the store's metadata.
  ///
  /// ```swift
  /// let store = coordinator.persistentStores[0]
  /// var metadata = try coordinator.metadata(for: store)
  /// metadata["kMDItemKeywords"] = .list([.string("staff")])
  /// try coordinator.setMetadata(metadata, for: store)
  /// try context.save()
  /// ```
  ///
  /// - Throws: `metadata-reserved` for another value of a key of the store's own; `metadata-invalid`, with
  ///   the key path, for a value that a property list cannot hold; `read-only-store`; `no-store`,
  ///   `unknown-store`. Nothing is set then.
  public func setMetadata(_ metadata: [String: Value], for store: PersistentStoreReference) throws {
    let mount = try mounted(store)
    guard !mount.store.isReadOnly else { throw readOnlyStore(mount.store) }
    let changes = try StoreMetadata.changes(from: try self.metadata(of: mount), to: metadata)
    pendingMetadata.withLock { $0.add(changes, mount.index) }
  }

  private func metadata(of mount: Mount) throws -> [String: Value] {
    var values = try mount.store.read { try $0.metadata() }
    for (key, value) in pendingMetadata.withLock({ $0[mount.index] }) { values[key] = value }
    return values
  }
}

extension PersistentStoreReference {
  /// Whether metadata that were set wait for a save.
  public var hasUnsavedMetadata: Bool { !owner.pendingMetadata.withLock { $0[mount.index].isEmpty } }
}

// MARK: By location

extension PersistentStoreCoordinator {
  /// Reads the metadata of the store at a location, which is not opened for work.
  ///
  /// It reads the file, a log beside it included as far as the permissions allow; no file is made or changed.
  /// It takes one SELECT. Any thread may call it, beside other users of the store.
  ///
  /// - Parameters:
  ///   - url: The store's file.
  ///   - type: The type that the file has to have; nil for any type.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: `store-type-mismatch`, `store-type-unknown`; what is wrong with the location, from
  ///   `store-not-found` to `store-corrupt`.
  public static func metadataForPersistentStore(
    at url: URL, type: StoreType? = nil, timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> [String: Value] {
    let path = LocationText.of(url)
    guard StoreRegistry.keepsFiles(type, at: path) else {
      return try StoreRegistry.metadata(of: type, at: path, timeout: timeout).all
    }
    try checkType(type, at: path)
    return try StoreRegistry.metadata(at: path, timeout: timeout).all
  }

  /// Sets the metadata of the store at a location at once, in one transaction.
  ///
  /// Keys of the store's own may be left out, and stay as they are; other keys that are left out are removed.
  /// A program that has the store mounted sees it when it reads the metadata again.
  ///
  /// - Parameters:
  ///   - metadata: All values that programs are to find.
  ///   - url: The store's file.
  ///   - type: The type that the file has to have; nil for any type.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: `metadata-reserved`, `metadata-invalid`, `read-only-store`, `store-permission`,
  ///   `store-timeout`, and as ``metadataForPersistentStore(at:type:timeout:)``; nothing is written then.
  public static func setMetadata(
    _ metadata: [String: Value], forPersistentStoreAt url: URL, type: StoreType? = nil,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    let path = LocationText.of(url)
    let keepsFiles = StoreRegistry.keepsFiles(type, at: path)
    if keepsFiles { try checkType(type, at: path) }
    try StoreRegistry.asking(keepsFiles ? nil : type, at: path) { driver in
      try driver.changeMetadata(at: path, timeout: timeout) { stored in
        try StoreMetadata.changes(from: stored, to: metadata)
      }
    }
  }

  /// Sets, or with nil removes, some metadata of the store at a path at once, and leaves all others.
  package static func changeMetadata(
    _ changes: [String: Value?], at path: String, timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    try StoreRegistry.asking(nil, at: path) {
      try $0.changeMetadata(at: path, timeout: timeout) { _ in changes }
    }
  }

  /// A file of unknown type is reported by the code that reads it.
  static func checkType(_ type: StoreType?, at path: String) throws {
    if RegularFile.exists(path) { _ = try StoreType.resolved(type, at: path) }
  }
}
