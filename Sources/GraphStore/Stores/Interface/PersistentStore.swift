import Dispatch
import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Interface of a store to its coordinator, whatever keeps its records.
///
/// A store may be used from any thread. It is read and written by sessions: several that read, each with a
/// snapshot of its own, beside one that writes.
package protocol PersistentStore: AnyObject, Sendable {
  var scope: StoreIdentity { get }
  var layout: ModelLayout { get }
  var rowCache: RowCache { get }
  var isReadOnly: Bool { get }
  /// Findings of opening it that prevent nothing.
  var warnings: [StoreWarning] { get }
  /// The type of the store, for people.
  var typeName: String { get }
  /// The absolute path of its file; of a store without one, what messages call it.
  var path: String { get }
  /// The options it was opened with.
  var options: StoreOptions { get }
  /// Whether it is kept in a file.
  var isInFile: Bool { get }
  /// The location of the store; of a file with symbolic links resolved.
  var url: URL { get }
  /// The entities that it holds.
  var entities: StoredEntities { get }
  /// Whether Core Data made it: it then records Core Data's hashes, and has the values of derived attributes.
  var isMadeByCoreData: Bool { get }

  /// The store that a program has written, and that is told when it is mounted; nil for the library's own.
  var customStore: (any CustomStore)? { get }

  /// The files beside the store that hold values with external storage: how many, and their size in bytes;
  /// nil where it has none by its model or its type.
  var externalData: (files: Int, bytes: Int)? { get }
  /// The size of what is stored, in bytes, with the files beside a store's; 0 where it is kept in memory.
  func byteCount() throws -> Int
  /// The mode in which the store keeps a transaction until it is committed, in the words of its type; nil
  /// where there is none.
  func journalMode() throws -> String?
  /// Another handle of what the store holds, with a row cache of its own, as another process has it.
  func sharing() -> any PersistentStore
  /// The store at the path to which its file was moved, with its identity and row cache.
  ///
  /// - Throws: `not-supported` for a store without a file; `store-open` where another store is there.
  func reopened(at path: String) throws -> any PersistentStore
  /// Records that the store of ``reopened(at:)`` has replaced another handle: files beside the store's are
  /// looked for at the new path from now on.
  func didMove()

  /// Whether it runs batch requests.
  var runsBatchRequests: Bool { get }
  /// Whether it orders members by the list of all of them, and keeps no order values.
  var ordersByLists: Bool { get }
  /// The log of the records that contexts use; nil for a store that does not want to know.
  var registrations: RegistrationLog? { get }

  /// Whether a former state can be read beside newer ones.
  var keepsGenerations: Bool { get }
  /// Begins a session that stays at the present state; nil where the store keeps none.
  ///
  /// - Throws: `query-generation-unavailable` where as many are open as may be; what beginning to read
  ///   throws.
  func beginGeneration() throws -> (any GenerationSession)?
  /// The size of the write-ahead log, and how many sessions stay at former states, because of which it cannot
  /// shrink; nil for a store without such a log.
  var writeAheadLog: (bytes: Int, generations: Int)? { get }

  /// Bytes that are others once anybody has committed, also in another run of the program; nil where there
  /// are none.
  var contentState: Data? { get }

  /// Whether a transaction of the store's history was written through this handle of it.
  func hasWritten(transaction number: Int64) -> Bool
  /// Watches for commits to the store by anybody, of other processes too; nil for a store that others cannot
  /// write.
  ///
  /// - Parameter onCommit: Called after a commit, or after several, on a thread of the watch's own.
  func watch(_ onCommit: @escaping @Sendable () -> Void) throws -> (any StoreWatch)?

  /// Makes a session that reads, and has yet to begin.
  func makeSession(_ use: ReadUse) -> any ReadSession
  /// Begins the one transaction that writes, and waits for another one to end.
  ///
  /// - Parameter isShared: Whether several saves are to be one, whose rows other contexts see after the
  ///   commit.
  /// - Throws: `store-timeout`, `read-only-store`, `store-replaced`; `no-store` once the store is closed.
  func beginWriting(isShared: Bool) throws -> any WriteSession
  /// Ends what the store is doing and lets nothing but a rollback begin, or lets it work again.
  func setStopped(_ isStopped: Bool)

  /// The number of statements it has run, by their kinds.
  var statementCounts: StatementCounts { get }
  /// Ends the store once the sessions that are open have ended; none begins any more.
  func close()
  /// Waits until no session is open, and ends the store.
  ///
  /// - Throws: `store-timeout` where one is open for too long; the store then keeps working.
  func closeWhenUnused() throws

  /// Reserves the store for a block: from now on only sessions that it allows begin, and all others wait; nil
  /// lets all begin again.
  func setExclusiveAccess(_ use: ExclusiveAccess?)
  /// Waits until no session is open but the passed ones; one that no other session has to wait for need not
  /// have ended.
  ///
  /// - Throws: `store-timeout`.
  func waitUntilUnused(but own: [any ReadSession], until deadline: DispatchTime) throws
  /// Evaluates a condition while no session can begin or end, where none is open but the passed ones; false
  /// where others are.
  func isUnused(but own: [any ReadSession], and condition: () -> Bool) -> Bool
}

extension PersistentStore {
  package var customStore: (any CustomStore)? { nil }

  package var externalData: (files: Int, bytes: Int)? { nil }

  package func byteCount() throws -> Int { (RegularFile.size(path) ?? 0) + (externalData?.bytes ?? 0) }

  package func journalMode() throws -> String? { nil }

  package var runsBatchRequests: Bool { true }

  package var ordersByLists: Bool { false }

  package var registrations: RegistrationLog? { nil }

  package var keepsGenerations: Bool { false }

  package func beginGeneration() throws -> (any GenerationSession)? { nil }

  package var writeAheadLog: (bytes: Int, generations: Int)? { nil }

  package func hasWritten(transaction number: Int64) -> Bool { false }
  package var contentState: Data? { nil }

  package func watch(_ onCommit: @escaping @Sendable () -> Void) throws -> (any StoreWatch)? { nil }

  package func reopened(at path: String) throws -> any PersistentStore {
    throw GraphStoreError.immovable(self, path)
  }

  package func didMove() {}

  package var url: URL { URL(fileURLWithPath: ResolvedPath.of(path)) }

  /// Begins a read transaction.
  ///
  /// - Throws: as ``ReadSession/begin()``.
  package func beginReading(_ use: ReadUse) throws -> any ReadSession {
    let session = makeSession(use)
    try session.begin()
    return session
  }

  /// Reads within a session of its own.
  package func read<Result>(_ use: ReadUse = [], _ body: (any ReadSession) throws -> Result) throws -> Result
  {
    let session = try beginReading(use)
    defer { session.endReading() }
    return try body(session)
  }

  /// Writes within a transaction of its own.
  package func write<Result>(_ body: (any WriteSession) throws -> Result) throws -> Result {
    let session = try beginWriting(isShared: false)
    do {
      let result = try body(session)
      try session.commit()
      return result
    } catch {
      try? session.rollback()
      throw error
    }
  }
}

extension GraphStoreError {
  /// The failure of moving a store without a file, or out of files.
  package static func immovable(_ store: any PersistentStore, _ place: String) -> GraphStoreError {
    GraphStoreError(
      .notSupported, "\(store.path) cannot be moved to \(place).",
      remedy: "Only stores that are kept in files lie anywhere, and only in files.")
  }
}
