#if PostgreSQL
import Foundation
import GraphStore

/// Signal of commits to a store, for those who wait for them at any connection to its database, and the lock
/// of those who write.
///
/// Whoever waits holds a lock, by which those who have committed know that they have to tell: a transaction
/// that tells is one that others wait for. They look once their commit can be seen, so that whoever begins to
/// wait after the look has seen it.
struct PostgreSQLCommitSignal: Sendable {
  private let channel: String
  /// The number of the lock that those who wait hold together.
  private let waiters: Int64
  /// The number of the lock that all who write hold together, from before their first look at the store on.
  private let writers: Int64
  /// Has a history begin and end, and the store be exchanged, only before or after the transaction; this does
  /// not hinder other writers.
  let holdForWriting: String
  /// Whether somebody waits for commits.
  let looking: String

  /// - Parameter schema: The schema of the store, of which copies have the same identifier.
  init(_ identifier: UUID, schema: String) {
    channel = "graphstore_" + identifier.uuidString.lowercased().replacing("-", with: "")
    waiters = unsafe withUnsafeBytes(of: identifier.uuid) { unsafe $0.loadUnaligned(as: Int64.self) }
    // FNV-1a, which is the same in every process.
    let hash = schema.utf8.reduce(UInt64(14_695_981_039_346_656_037)) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    writers = waiters ^ Int64(bitPattern: hash)
    holdForWriting = "SELECT pg_advisory_xact_lock_shared(\(writers))"
    looking =
      "SELECT CASE WHEN pg_try_advisory_lock(\(waiters)) THEN NOT pg_advisory_unlock(\(waiters)) ELSE TRUE END"
  }

  // MARK: Writing

  /// Waits for all who may be writing, and holds up others; whoever only reads goes on. Who changes the
  /// tables of the store takes it before all other locks, as writers do.
  var holdForChanging: String { "SELECT pg_advisory_xact_lock(\(writers))" }

  // MARK: Committing

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
}
#endif
