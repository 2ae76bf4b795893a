#if PostgreSQL
import Foundation
import GraphStore

/// Signal of commits to a store, for those who wait for them at any connection to its database.
///
/// Whoever waits holds a lock, by which those who commit know that they have to tell: a transaction that
/// tells is one that others wait for. Who begins to wait lets those first end who have looked before.
struct PostgreSQLCommitSignal: Sendable {
  private let channel: String
  /// The number of the lock that those who wait hold together.
  private let waiters: Int64
  /// The number of the lock that those hold together who are about to commit.
  private let committers: Int64

  init(_ identifier: UUID) {
    channel = "graphstore_" + identifier.uuidString.lowercased().replacing("-", with: "")
    (waiters, committers) = unsafe withUnsafeBytes(of: identifier.uuid) { bytes in
      (
        unsafe bytes.loadUnaligned(as: Int64.self),
        unsafe bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)
      )
    }
  }

  /// The number of the transaction, if it has written, and whether somebody waits for its commit.
  var looking: String {
    "SELECT pg_current_xact_id_if_assigned()::text, "
      + "CASE WHEN begun IS NULL THEN NULL WHEN pg_try_advisory_lock(\(waiters)) "
      + "THEN NOT pg_advisory_unlock(\(waiters)) ELSE TRUE END "
      + "FROM (SELECT pg_advisory_xact_lock_shared(\(committers))::text AS begun OFFSET 0) AS lock"
  }

  /// Tells of a commit.
  var telling: String { "NOTIFY \(channel)" }

  // MARK: Waiting

  var listening: String { "LISTEN \(channel)" }
  var unlistening: String { "UNLISTEN \(channel)" }

  /// The text of what is told to find out whether anything arrives.
  func trial() -> (text: String, statement: String) {
    let text = Self.trialPrefix + UUID().uuidString
    return (text, "NOTIFY \(channel), '\(text)'")
  }

  /// Whether a text that arrives tells of a commit.
  static func tellsOfCommit(_ text: String) -> Bool { !text.hasPrefix(trialPrefix) }

  private static let trialPrefix = "trial-"

  var beginWaiting: String { "SELECT pg_advisory_lock_shared(\(waiters))" }

  /// Waits for those who have looked before somebody waited.
  var passCommitters: String { "SELECT pg_advisory_xact_lock(\(committers))" }
}
#endif
