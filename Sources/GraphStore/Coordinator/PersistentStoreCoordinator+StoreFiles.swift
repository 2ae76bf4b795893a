import Foundation

extension PersistentStoreCoordinator {
  /// Makes the store at a location a copy of another one, so that at every instant the location holds one
  /// complete store, the old one or the copy.
  ///
  /// The copy is filled beside the destination, checked, and renamed into its place; it has what is in the
  /// source's write-ahead log, its external data, and its UUID. The source is only read, and whoever has it
  /// open goes on. Nobody may have the destination open; its log and its external data go with it, and there
  /// need not be a store. Any thread may call it. It costs the time of reading and writing the source once,
  /// and as much room on the disk.
  ///
  /// ```swift
  /// try PersistentStoreCoordinator.replacePersistentStore(
  ///   at: URL(fileURLWithPath: "hr.db"), with: URL(fileURLWithPath: "hr.db.1.backup"))
  /// ```
  ///
  /// - Parameters:
  ///   - destination: The file of the store that is replaced.
  ///   - source: The file of the store that is copied.
  ///   - type: The type that the source has to have; nil for any type.
  ///   - timeout: How long it waits for locks that other processes hold.
  /// - Throws: What is wrong with the source, from `store-not-found` to `store-corrupt`;
  ///   `store-type-mismatch`, `store-type-unknown`; `store-in-use` where this process has the destination
  ///   open, `store-timeout` where another one has; `not-a-store` for a destination that is something else;
  ///   `migration-destination` for one that is the source itself, is in a folder that is not there, or has
  ///   the same folder of external data; `store-permission`, `disk-full`. The destination is as it was then.
  public static func replacePersistentStore(
    at destination: URL, with source: URL, type: StoreType? = nil,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    let path = LocationText.of(source)
    let place = LocationText.of(destination)
    if StoreRegistry.keepsFiles(type, at: path) {
      if ServerAddress(place) == nil { try checkIsFile(destination) }
      try checkIsFile(source)
    }
    try checkType(type, at: path)
    _ = try StoreBackup.copy(path, of: type, to: place, .replaced, timeout: timeout)
  }

  /// Removes the store at a location: its file, the files of its log, and its external data.
  ///
  /// Nobody may have it open. Where there is no store it removes what is left of one, and that is no error;
  /// ended in the midst, it has left the whole store or none. Any thread may call it.
  ///
  /// - Parameters:
  ///   - url: The store's file.
  ///   - type: The type that the file has to have; nil for any type.
  ///   - forceDestroy: Whether a file that is no readable store is removed too.
  ///   - timeout: How long it waits for locks that other processes hold.
  /// - Throws: `store-in-use` where this process has the store open, `store-timeout` where another one has;
  ///   `not-a-store`, `store-corrupt` for a file that is no readable store; `store-type-mismatch`,
  ///   `store-type-unknown`, `store-permission`. Nothing has changed then.
  public static func destroyPersistentStore(
    at url: URL, type: StoreType? = nil, forceDestroy: Bool = false,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    let path = LocationText.of(url)
    if StoreRegistry.keepsFiles(type, at: path) { try checkIsFile(url) }
    if !forceDestroy { try checkType(type, at: path) }
    try StoreRegistry.asking(type, at: path) { driver in
      try driver.destroy(path, isForced: forceDestroy, timeout: timeout)
    }
  }

  private static func checkIsFile(_ url: URL) throws {
    guard url.isFileURL else {
      throw GraphStoreError(
        .notSupported, "\(LocationText.of(url)) is no file.",
        remedy: "Give the file of the store; what is in memory goes with its coordinator.")
    }
  }
}
