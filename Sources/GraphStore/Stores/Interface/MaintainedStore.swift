import GraphStorePredicates

/// A store whose file wants care now and then: a log that is written into it, space that is given back, and
/// statistics for its planner.
package protocol MaintainedStore: PersistentStore {
  /// Writes the log into the file, as far as others let it.
  ///
  /// - Throws: `read-only-store`, `no-store`; what SQLite says of the file.
  func checkpoint(_ mode: CheckpointMode) throws -> CheckpointResult
  /// Writes the whole file anew, without free pages.
  ///
  /// - Throws: as ``checkpoint(_:)``; `store-timeout` where another connection writes, `disk-full`.
  func vacuum() throws
  /// Gathers the statistics by which statements are planned.
  ///
  /// - Throws: as ``vacuum()``.
  func analyze() throws
  /// The settings that hold on a connection, by name.
  func effectivePragmas() throws -> [String: Value]
}

/// Mode of writing the log beside a store into its file.
///
/// ```swift
/// let result = try coordinator.persistentStores[0].checkpoint(.truncate)
/// print(result.isBlocked ? "somebody reads or writes" : "the log is empty")
/// ```
public enum CheckpointMode: String, CaseIterable, Sendable {
  /// Writes what nobody else needs in the log, and waits for nobody.
  case passive
  /// Waits for the writer and for readers of former states, and writes all of it.
  case full
  /// As ``full``; then waits for all readers of the log, so that the next save begins it anew.
  case restart
  /// As ``restart``, and makes the log's file empty.
  case truncate
}

/// Result of writing the log beside a store into its file.
///
/// ```swift
/// let result = try coordinator.persistentStores[0].checkpoint()
/// print(result.pagesMoved, "of", result.pagesInLog, "pages of the log are in the file")
/// ```
public struct CheckpointResult: Hashable, Sendable {
  /// The number of pages in the log; 0 after ``CheckpointMode/truncate``, and for a store without a log.
  public let pagesInLog: Int
  /// How many of them are in the store's file now.
  public let pagesMoved: Int
  /// Whether another connection kept it from doing all that was asked, for longer than the store's time-out.
  public let isBlocked: Bool
}
