#if PostgreSQL
import Foundation
import GraphStore

/// Inquiry about a commit during which the connection was lost.
///
/// A server that was killed meanwhile may have lost the transaction, and gives its number to another one:
/// that it has committed says nothing then.
struct PostgreSQLCommitInquiry {
  /// When the server was started, as an expression.
  static let serverStart = "pg_postmaster_start_time()::text"

  private enum Answer {
    case committed
    case aborted
    /// The number has committed, on a server that was started since.
    case restarted
  }

  let store: PostgreSQLStore
  let transaction: String
  /// When the server was started that had the transaction.
  let serverStart: String

  var attempts = 20

  /// Returns where the transaction was committed.
  ///
  /// - Throws: `store-save-failed` where it was not; `commit-unknown` where nobody says.
  func run(after failure: PostgreSQLError) throws {
    for attempt in 0..<attempts {
      if attempt > 0 { Thread.sleep(forTimeInterval: 0.1) }
      switch try? answer() {
      case .committed: return
      case .aborted:
        throw GraphStoreError(
          .storeSaveFailed, "\(store.path): the connection was lost before the commit.",
          remedy: "Save again; nothing was written.", underlying: failure)
      case .restarted:
        throw unknown(
          failure, remedy: "The server was started anew meanwhile: look whether what was saved is there.")
      case nil: continue
      }
    }
    throw unknown(
      failure,
      remedy:
        "Once the server answers again, ask it SELECT pg_xact_status('\(transaction)'): committed means that the "
        + "save is done, aborted that it is not; if it was started anew, look whether what was saved is there."
    )
  }

  private func unknown(_ failure: PostgreSQLError, remedy: String) -> GraphStoreError {
    GraphStoreError(
      .commitUnknown,
      "\(store.path): the connection was lost during the commit, and it is not known whether the save is done.",
      remedy: remedy, underlying: failure)
  }

  /// - Returns: Nil while the transaction is under way.
  private func answer() throws -> Answer? {
    let connection = try store.pool.open()
    defer { connection.close() }
    let start = try connection.run([.once("SELECT \(Self.serverStart)")])[0]
    let isSame = try start.step() && start.string(at: 0) == serverStart
    do {
      let status = try connection.run([.once("SELECT pg_xact_status('\(transaction)'::xid8)")])[0]
      guard try status.step() else { return nil }
      switch status.string(at: 0) {
      case "committed": return isSame ? .committed : .restarted
      case "aborted": return .aborted
      default: return nil
      }
    } catch let refusal as PostgreSQLError where refusal.state == "22023" {
      // The number was not given to any transaction yet: the server has lost it.
      return .aborted
    }
  }
}
#endif
