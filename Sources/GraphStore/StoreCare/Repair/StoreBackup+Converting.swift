import Foundation
import GraphStoreModel

extension StoreBackup {
  /// Writes everything that a store holds into a new one of another type, while programs go on using it.
  ///
  /// The new store has what the store holds at one moment: its objects with their numbers, values, links and
  /// places, its UUID, its model and the metadata of programs. It has no history, and versions of rows begin
  /// at 1. It appears when it is whole, and its objects are counted. Any thread may call it. It costs the
  /// time of reading and writing each object once; memory is flat between stores in SQLite's files, and that
  /// of all objects where a document is read or written.
  ///
  /// ```swift
  /// let backup = try StoreBackup.make(ofStoreAt: "hr.db", at: "hr.json", type: .json)
  /// print(backup.objectCount, "objects in", backup.byteCount, "bytes")
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - destination: The path of the new one: nothing is there, or an empty file.
  ///   - type: The type of the new one. That of the store makes a copy of its file.
  ///   - model: The model of a store that carries none.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: What is wrong with the store, from `store-not-found` to `store-corrupt`; `no-model`,
  ///   `store-exists`, `migration-destination`, `store-type-unknown`, `external-data-missing`,
  ///   `constraint-conflict` for objects that break a constraint of the model; `store-timeout`,
  ///   `store-permission`, `disk-full`. Nothing is left of the new store then.
  @discardableResult
  public static func make(
    ofStoreAt path: String, at destination: String, type: StoreType, model: ManagedObjectModel? = nil,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> StoreBackupResult {
    let options = StoreOptions(isReadOnly: true, timeout: timeout)
    let store = try StoreRegistry.open(path, options, model.map(WantedEntities.model) ?? .carried)
    defer { store.close() }
    guard store.typeName != type.rawValue else {
      return try make(ofStoreAt: path, at: destination, timeout: timeout)
    }
    let driver = try StoreRegistry.driver(ofNew: type, at: destination)
    try driver.checkCopying(from: store, to: destination)
    let count = try store.read(.severalStatements) { source in
      try write(source, of: store, at: destination, driver)
      return try store.objectCount(in: source)
    }
    do {
      return try checked(destination, count: count, timeout: timeout, driver)
    } catch {
      // What is not whole is no backup, and its fault is the store's.
      try? driver.destroy(destination, isForced: true, timeout: timeout)
      guard let error = error as? GraphStoreError, error.code == .storeCorrupt else { throw error }
      throw GraphStoreError(
        .storeCorrupt, "\(path) has what no store of type \(type.rawValue) can hold: \(error.message)",
        remedy: "Check the store, and repair it first.", underlying: error)
    }
  }

  private static func write(
    _ source: any ReadSession, of store: any PersistentStore, at destination: String,
    _ driver: any StoreDriver
  ) throws {
    var form = NewStoreForm(layout: store.layout)
    form.identifier = store.scope.identifier
    form.paired = try store.relationshipsWithSharedMembers(source)
    let options = StoreOptions(timeout: store.options.timeout, configuration: store.entities.configuration)
    try driver.create(destination, options, store.layout.model, form) { target in
      try StoreTransfer(
        source: source, target: target, layouts: store.layout.entities, entities: store.entities
      ).run()
    }
  }

  /// Reads the new store, and counts its objects.
  private static func checked(
    _ destination: String, count: Int, timeout: Duration, _ driver: any StoreDriver
  ) throws -> StoreBackupResult {
    let options = StoreOptions(isReadOnly: true, timeout: timeout)
    let new = try driver.open(destination, options, .carried, StoreUse())
    defer { new.close() }
    let found = try new.objectCount()
    guard found == count else { throw GraphStoreError.wrongCopy("it has \(found) of \(count) objects") }
    return StoreBackupResult(
      path: destination, objectCount: count,
      byteCount: (RegularFile.size(destination) ?? 0) + (new.externalData?.bytes ?? 0), missingFileCount: 0,
      replacedStore: nil)
  }
}
