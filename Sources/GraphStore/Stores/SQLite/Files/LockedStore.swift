import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// Store that is migrated, replaced or removed, kept from other writers until it is released (MIG-262).
final class LockedStore {
  /// The path without symbolic links.
  let path: String
  /// The header of the store.
  let header: StoreHeader
  private let timeout: Duration
  private var connection: SQLiteConnection?
  /// The file, which this process records as open while it is locked.
  private var identity: FileIdentity?
  /// A copy that is read instead, of a store whose folder cannot be written.
  private let copy: TemporaryStore?
  /// Asked while locks are waited for.
  private let isCancelled: () -> Bool

  /// The path from which it is read.
  var readingPath: String { copy?.path ?? path }

  /// Takes the lock of a writer; of a store that may not be written a copy is made.
  ///
  /// - Parameters:
  ///   - isReplaced: Whether another store is going to replace it, or it is going to be removed.
  ///   - minds: Whether what keeps it from being written by the library, such as triggers, matters: not where
  ///     nothing of it is kept.
  ///   - other: The path beside which a copy is made.
  ///   - isCancelled: Asked while locks are waited for.
  /// - Throws: ``Cancelled``; ``Replaced`` where another process has replaced it by another store
  ///   while the lock was waited for; `store-in-use` where this process has it open; `read-only-store` for
  ///   one that triggers or a history keep from being written; `store-permission`, `store-timeout`, and what
  ///   is wrong with the path.
  init(
    _ path: String, isReplaced: Bool, mindsObstacles minds: Bool = true, beside other: String,
    timeout: Duration, isCancelled: @escaping () -> Bool = { false }
  ) throws {
    let path = ResolvedPath.of(path)
    self.isCancelled = isCancelled
    self.path = path
    self.timeout = timeout
    if isReplaced, OpenStores.contains(path) { throw Self.inUse(path) }
    do {
      guard isReplaced || RegularFile.isWritable(path) else {
        let reading = try SQLiteConnection.openForReading(path, busyTimeout: timeout)
        defer { reading.close() }
        header = try Self.header(reading, path)
        copy = try TemporaryStore(beside: ResolvedPath.of(other))
        try Self.fill(copy, from: reading, path)
        return
      }
      let (connection, header) = try Self.locked(
        path, isReplaced: isReplaced, minds, timeout: timeout, isCancelled: isCancelled)
      self.header = header
      copy = nil
      if connection.hasFileMoved {
        connection.close()
        throw Replaced()
      }
      self.connection = connection
      identity = FileIdentity(path)
      if let identity { OpenStores.enter(identity) }
      if isReplaced { StoreReplacement(path: path).removeSecondNames() }
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  deinit { release() }

  /// Takes the lock of a writer.
  ///
  /// While another process has the lock, the file is not open here, so that another process that migrates it
  /// can replace it (MIG-285).
  private static func locked(
    _ path: String, isReplaced: Bool, _ mindsObstacles: Bool, timeout: Duration, isCancelled: () -> Bool
  ) throws -> (SQLiteConnection, StoreHeader) {
    let deadline = ContinuousClock.now + timeout
    while true {
      let (connection, header) = try SQLiteStore.connect(path, StoreOptions(timeout: timeout))
      do {
        if isReplaced, mindsObstacles { try checkReplaceable(connection, header, path) }
        if isReplaced { try SQLiteStore.checkWritable(connection, path) }
        connection.busyTimeout = .zero
        try connection.begin(.immediate)
        connection.busyTimeout = timeout
        return (connection, header)
      } catch let failure as SQLiteError where failure.category == .busy && ContinuousClock.now < deadline {
        connection.close()
        if isCancelled() { throw Cancelled() }
        usleep(10_000)
      } catch {
        connection.close()
        throw error
      }
    }
  }

  private static func checkReplaceable(
    _ connection: SQLiteConnection, _ header: StoreHeader, _ path: String
  ) throws {
    if let obstacle = StoreWarning.obstacle(header, path: path) {
      throw GraphStoreError(
        .readOnlyStore, "\(obstacle.message) It is not replaced.",
        remedy: "Migrate it to another place.")
    }
  }

  /// The file that was locked is not at the path any more.
  struct Replaced: Error {}

  /// Waiting for locks was cancelled.
  struct Cancelled: Error {}

  /// Lets others use the store again.
  func release() {
    guard let connection else { return }
    self.connection = nil
    try? connection.rollback()
    connection.close()
    if let identity { OpenStores.leave(identity) }
    identity = nil
  }

  private static func header(_ connection: SQLiteConnection, _ path: String) throws -> StoreHeader {
    do {
      return try StoreHeader.read(connection).get()
    } catch is StoreHeader.Problem {
      _ = try SQLiteProbe.probe(path).metadata(path: path)
      throw GraphStoreError(.notAStore, "\(path) is no store.", remedy: "See to the path.")
    }
  }

  private static func fill(_ copy: TemporaryStore?, from reading: SQLiteConnection, _ path: String) throws {
    guard let copy else { return }
    let destination = try SQLiteConnection(path: copy.path, mode: .readWrite)
    defer { destination.close() }
    try reading.copy(into: destination)
    try ExternalDataFolder(besideStoreAt: path).link(into: ExternalDataFolder(besideStoreAt: copy.path))
  }

  /// Copies the store with its external data.
  ///
  /// - Parameter newIdentifier: The identifier of the copy, so that both can be open at once (MIG-274); nil
  ///   for that of the store.
  /// - Throws: `disk-full`, `store-permission`.
  func copy(to store: TemporaryStore, newIdentifier: UUID?) throws {
    do {
      let reading = try SQLiteConnection.openForReading(readingPath, busyTimeout: timeout)
      defer { reading.close() }
      try Self.fill(store, from: reading, readingPath)
      if let newIdentifier { try setIdentifier(newIdentifier, of: store) }
      try store.finish()
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  private func setIdentifier(_ identifier: UUID, of store: TemporaryStore) throws {
    let copy = try SQLiteConnection(path: store.path, mode: .readWrite)
    defer { copy.close() }
    var metadata = header.metadata
    metadata.identifier = identifier
    try SQLiteLayout.writeMetadata(copy, metadata)
  }

  // MARK: Replacing

  /// Runs a body while no other connection has the file open, whose log has been folded into it and removed
  /// (MIG-267); then the store is released.
  ///
  /// - Throws: As ``lockExclusively()``, and what the body throws.
  func whileExclusive<Result>(_ body: () throws -> Result) throws -> Result {
    defer { release() }
    try lockExclusively()
    return try body()
  }

  /// Waits until no other connection has the file open, and folds its log into it, until the store is
  /// released.
  ///
  /// The lock of the writer, which the transaction has from the first read on, is not released: a process
  /// that waits for it finds that the file was replaced (MIG-262, MIG-269).
  ///
  /// - Throws: ``Replaced`` where another process has replaced it by another store; ``Cancelled``;
  ///   `store-timeout`, `disk-full`, `sqlite`, `store-save-failed`.
  func lockExclusively() throws {
    guard let connection else { return }
    do {
      try waitUntilAlone {
        try foldLog()
        try connection.lockFile()
      }
      if connection.hasFileMoved { throw Replaced() }
      try removeLog(connection)
    } catch let failure as SQLiteError {
      throw connection.hasFileMoved ? Replaced() : GraphStoreError(failure, path: path)
    }
  }

  /// Locks a store that is going to be removed.
  ///
  /// - Throws: As ``lockExclusively()``; `store-replaced` where another file is at the path.
  func lockForRemoval() throws {
    do { try lockExclusively() } catch is Replaced {
      throw GraphStoreError.replacedMeanwhile(path)
    }
  }

  /// Folds the log in by another connection, since the own one is amid its transaction.
  private func foldLog() throws {
    let other = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: .zero)
    defer { other.close() }
    try other.foldLog(.beside)
  }

  /// Removes the log, which is folded in, before another store can be taken for the one that it belongs to.
  private func removeLog(_ connection: SQLiteConnection) throws {
    connection.setKeepsLog(true)
    for suffix in ["-wal", "-shm", "-journal"] {
      guard unsafe unlink(path + suffix) == 0 || errno == ENOENT else {
        throw GraphStoreError.unwritten(path + suffix, errno)
      }
    }
    let failure = FolderEntries.flush(beside: path)
    guard failure == 0 else { throw GraphStoreError.unwritten(path, failure) }
  }

  /// Tries again until no other connection has a lock, until the time-out: leaving the log does not wait by
  /// itself.
  private func waitUntilAlone(_ body: () throws -> Void) throws {
    let deadline = ContinuousClock.now + timeout
    while true {
      do {
        return try body()
      } catch let failure as SQLiteError where failure.category == .busy && ContinuousClock.now < deadline {
        if isCancelled() { throw Cancelled() }
        usleep(10_000)
      }
    }
  }

  static func inUse(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeInUse, "\(path) is open in this process, and is to be replaced or removed.",
      remedy: "Remove the store from its coordinator first.")
  }
}
