import Foundation
import GraphStoreSQLite

/// Store that is migrated, kept from other writers until it is let go of (MIG-262).
final class MigrationSource {
  /// The path without symbolic links.
  let path: String
  /// What it says of itself.
  let header: StoreHeader
  private let timeout: Duration
  private var connection: SQLiteConnection?
  /// The file, of which this process takes note as long as it is locked.
  private var identity: FileIdentity?
  /// A copy that is read instead, of a store whose folder cannot be written.
  private let copy: TemporaryStore?
  private let version: Int64
  /// Asked while locks are waited for.
  private let isCancelled: () -> Bool

  /// Where it is read.
  var readingPath: String { copy?.path ?? path }

  /// Takes the lock of a writer; of a store that may not be written a copy is made.
  ///
  /// - Parameters:
  ///   - isReplaced: Whether another store is going to take its place.
  ///   - other: The path beside which a copy is made.
  ///   - isCancelled: Asked while locks are waited for.
  /// - Throws: ``MigrationCancellation``; ``Replaced`` where another process has put another store in its place while the lock was waited for;
  ///   `store-in-use` where this process has it open; `read-only-store` for one that triggers or a history keep
  ///   from being written; `store-permission`, `store-timeout`, and what is wrong with the path.
  init(
    _ path: String, isReplaced: Bool, beside other: String, timeout: Duration,
    isCancelled: @escaping () -> Bool = { false }
  ) throws {
    let path = ResolvedPath.of(path)
    self.isCancelled = isCancelled
    self.path = path
    self.timeout = timeout
    if isReplaced, OpenStores.contains(path) { throw Self.inUse(path) }
    do {
      guard isReplaced || RegularFile.isWritable(path) else {
        let reading = try SQLiteLayout.openForReading(path, busyTimeout: timeout)
        defer { reading.close() }
        header = try Self.header(reading, path)
        copy = try TemporaryStore(beside: ResolvedPath.of(other))
        version = 0
        try Self.fill(copy, from: reading, path)
        return
      }
      let (connection, header) = try Self.locked(
        path, isReplaced: isReplaced, timeout: timeout, isCancelled: isCancelled)
      self.header = header
      copy = nil
      if connection.hasFileMoved {
        connection.close()
        throw Replaced()
      }
      version = try connection.int64("PRAGMA data_version") ?? 0
      self.connection = connection
      identity = FileIdentity(path)
      if let identity { OpenStores.enter(identity) }
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  deinit { release() }

  /// Takes the lock of a writer.
  ///
  /// While somebody else has it the file is not open here, so that another process that migrates it can replace it (MIG-285).
  private static func locked(
    _ path: String, isReplaced: Bool, timeout: Duration, isCancelled: () -> Bool
  ) throws -> (SQLiteConnection, StoreHeader) {
    let deadline = ContinuousClock.now + timeout
    while true {
      let (connection, header) = try SQLiteStore.connect(path, StoreOptions(timeout: timeout))
      do {
        if isReplaced { try checkReplaceable(connection, header, path) }
        connection.busyTimeout = .zero
        try connection.begin(.immediate)
        connection.busyTimeout = timeout
        return (connection, header)
      } catch let failure as SQLiteError where failure.category == .busy && ContinuousClock.now < deadline {
        connection.close()
        if isCancelled() { throw MigrationCancellation() }
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
        remedy: "Migrate it to another place: graphstore migrate apply --output PATH.")
    }
    try SQLiteStore.checkWritable(connection, path)
  }

  /// The file that was locked is not at the path any more.
  struct Replaced: Error {}

  /// Lets others write again.
  func release() {
    guard let connection else { return }
    try? connection.rollback()
    end(connection)
  }

  /// Closes the connection, and with it what waits for that.
  private func end(_ connection: SQLiteConnection) {
    self.connection = nil
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
  /// - Parameter newIdentifier: Whether the copy gets an identifier of its own, so that both can be open at once (MIG-274).
  /// - Throws: `disk-full`, `store-permission`.
  func copy(to store: TemporaryStore, newIdentifier: Bool) throws {
    do {
      let reading = try SQLiteLayout.openForReading(readingPath, busyTimeout: timeout)
      defer { reading.close() }
      try Self.fill(store, from: reading, readingPath)
      guard newIdentifier else { return }
      let copy = try SQLiteConnection(path: store.path, mode: .readWrite)
      defer { copy.close() }
      var metadata = header.metadata
      metadata.identifier = UUID()
      try SQLiteLayout.writeMetadata(copy, metadata)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  // MARK: Replacing

  /// Runs a body while nobody else reads or writes the file, whose log has been folded into it (MIG-267).
  ///
  /// It waits for readers. Between the lock of a writer and that of all there is an instant for another writer; one that
  /// came then is found, and nothing is replaced.
  ///
  /// - Throws: ``Replaced`` where another process has put another store in its place; `store-timeout`, and what the body throws.
  func whileExclusive(_ body: () throws -> Void) throws {
    guard let connection else { return }
    do {
      let usesLog = try connection.string("PRAGMA journal_mode") == "wal"
      try connection.rollback()
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      do {
        try waitUntilAlone { try lock(connection, usesLog: usesLog) }
        if connection.hasFileMoved { throw Replaced() }
        guard try connection.int64("PRAGMA data_version") == version else { throw Self.changed(path) }
        try body()
      } catch {
        let hasMoved = connection.hasFileMoved
        unlock(connection, usesLog: usesLog)
        throw hasMoved ? Replaced() : error
      }
      end(connection)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  private func lock(_ connection: SQLiteConnection, usesLog: Bool) throws {
    if usesLog {
      // Folding the log in tells a full disk from a lock, which leaving it does not.
      _ = try connection.int64("PRAGMA wal_checkpoint(TRUNCATE)")
      guard try connection.string("PRAGMA journal_mode = DELETE") == "delete" else {
        throw SQLiteError(code: .busy, message: "the database is locked")
      }
    }
    try connection.begin(.exclusive)
    try connection.rollback()
  }

  private func unlock(_ connection: SQLiteConnection, usesLog: Bool) {
    try? connection.execute("PRAGMA locking_mode = NORMAL")
    if usesLog { _ = try? connection.string("PRAGMA journal_mode = WAL") }
    end(connection)
  }

  /// Tries again until nobody else has a lock, as long as the time-out says: leaving the log does not wait by itself.
  private func waitUntilAlone(_ body: () throws -> Void) throws {
    let deadline = ContinuousClock.now + timeout
    while true {
      do {
        return try body()
      } catch let failure as SQLiteError where failure.category == .busy && ContinuousClock.now < deadline {
        if isCancelled() { throw MigrationCancellation() }
        usleep(10_000)
      }
    }
  }

  private static func changed(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeTimeout, "Another process wrote to \(path) in the moment of its replacement.",
      remedy: "Run the migration again; the store is as that process left it.")
  }

  private static func inUse(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeInUse, "\(path) is open in this process, and is to be replaced.",
      remedy: "Remove the store from its coordinator first.")
  }
}
