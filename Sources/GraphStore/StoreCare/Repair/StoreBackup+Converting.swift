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
    guard StoreType.detected(at: path) != type else {
      return try make(ofStoreAt: path, at: destination, timeout: timeout)
    }
    return try StoreConversion(to: type, .refused, model: model, timeout: timeout)
      .run(path, to: destination)
  }
}
