extension StoreBackup {
  /// Copies a store to a free path while programs, this one too, go on reading and writing it.
  ///
  /// The copy has what the store holds at one moment, with what is still in its write-ahead log and with its
  /// external data, in files of its own; it is checked, made durable, and appears at its path at once, so
  /// that nothing is there if the process ends before. It has the UUID of the store: a coordinator takes one
  /// of both. Any thread may call it. It costs the time of reading and writing the file once, and as much
  /// room on the disk.
  ///
  /// ```swift
  /// let backup = try StoreBackup.make(ofStoreAt: "hr.db", at: "hr-copy.db")
  /// print(backup.objectCount, "objects in", backup.byteCount, "bytes")
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - destination: The path of the copy: nothing is there, or an empty file. At the address of a server it
  ///     is a store of the server's type, and the copy of a store on a server is a SQLite store at a path, as
  ///     by ``make(ofStoreAt:at:type:model:timeout:)``.
  ///   - isOneFile: Whether values with external storage are written into the file of the copy, which then
  ///     has no folder beside it; nothing else differs.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: What is wrong with the store, from `store-not-found` to `store-corrupt`; `store-exists`;
  ///   `migration-destination` for a path in a folder that is not there, or with the same folder of external
  ///   data as another store; `store-timeout`, `store-permission`, `disk-full`; for one file
  ///   `external-data-missing`, and `no-model` for a store that carries no model and has such values. Nothing
  ///   is left behind then.
  @discardableResult
  public static func make(
    ofStoreAt path: String, at destination: String, isOneFile: Bool = false,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> StoreBackupResult {
    try copy(path, to: destination, .refused, isOneFile: isOneFile, timeout: timeout)
  }

  /// Copies a store of any type to a path, or to an address, where it becomes one of the server's type.
  static func copy(
    _ path: String, of type: StoreType? = nil, to destination: String, _ present: PresentStore,
    isOneFile: Bool = false, timeout: Duration
  ) throws -> StoreBackupResult {
    if let server = ServerAddress(destination)?.type {
      return try StoreConversion(to: server, present, timeout: timeout).run(path, to: destination)
    }
    return try StoreRegistry.asking(type, at: path) { driver in
      try driver.copy(path, to: destination, present, isOneFile: isOneFile, timeout: timeout)
    }
  }
}
