#if PostgreSQL
import Foundation
import GraphStore

/// Inquiry about a commit during which the connection was lost.
struct PostgreSQLCommitInquiry {
  let store: PostgreSQLStore
  let transaction: String

  var attempts = 20

  /// Returns where the transaction was committed.
  ///
  /// - Throws: `store-save-failed` where it was not; `commit-unknown` where nobody says.
  func run(after failure: PostgreSQLError) throws {
    for attempt in 0..<attempts {
      if attempt > 0 { Thread.sleep(forTimeInterval: 0.1) }
      switch try? status() {
      case "committed": return
      case "aborted":
        throw GraphStoreError(
          .storeSaveFailed, "\(store.path): the connection was lost before the commit.",
          remedy: "Save again; nothing was written.", underlying: failure)
      default: continue
      }
    }
    throw GraphStoreError(
      .commitUnknown,
      "\(store.path): the connection was lost during the commit, and it is not known whether the save is done.",
      remedy:
        "Once the server answers again, ask it SELECT pg_xact_status('\(transaction)'): committed means that the "
        + "save is done, aborted that it is not.",
      underlying: failure)
  }

  private func status() throws -> String? {
    let connection = try store.pool.open()
    defer { connection.close() }
    let answer = try connection.run([.once("SELECT pg_xact_status('\(transaction)'::xid8)")])[0]
    return try answer.step() ? answer.string(at: 0) : nil
  }
}
#endif
