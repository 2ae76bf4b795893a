import Foundation
import GraphStore
import GraphStoreReports

/// Rows of a history, as a result: one a change, and one for a transaction without any.
struct HistoryRows {
  let format: OutputFormat

  /// So many transactions are in memory at a time.
  private static let pageSize = 500

  /// The result of a request, read page by page: a long history takes no more memory than a short one.
  ///
  /// Its outcome is the token to continue from.
  func task(
    _ request: PersistentHistoryChangeRequest, in session: CommandSession, _ context: ManagedObjectContext
  ) -> RecordSequence<PersistentHistoryToken> {
    RecordSequence(names: names) { record in
      var page = request
      var left = request.fetchLimit > 0 ? request.fetchLimit : Int.max
      while true {
        page.fetchLimit = min(left, Self.pageSize)
        let history = try context.execute(page)
        for row in history.transactions.lazy.flatMap(rows) { try record(row) }
        left -= history.transactions.count
        if history.transactions.count < page.fetchLimit || left == 0 { return history.token }
        try session.interruption.check()
        page = page.continuing(after: history.token)
      }
    }
  }

  private var showsOrigin: Bool { format != .table }
  private var showsToken: Bool { format == .ndjson }

  private var names: [String] {
    ["transaction", "time", "author"] + (showsOrigin ? ["context", "program", "process"] : [])
      + (showsToken ? ["token"] : []) + ["change", "object", "properties", "tombstone"]
  }

  private func rows(_ transaction: PersistentHistoryTransaction) -> [[Value]] {
    guard let changes = transaction.changes, let last = changes.last else {
      return [row(transaction, nil, isLast: true)]
    }
    return changes.map { row(transaction, $0, isLast: $0.changeID == last.changeID) }
  }

  /// - Parameter isLast: Whether it is the last row of the transaction: only who has read that can go on
  ///   after it.
  private func row(
    _ transaction: PersistentHistoryTransaction, _ change: PersistentHistoryChange?, isLast: Bool
  ) -> [Value] {
    func text(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
    var row: [Value] = [
      .int(transaction.transactionNumber), .date(transaction.timestamp), text(transaction.author),
    ]
    if showsOrigin {
      row += [
        text(transaction.contextName), .string(transaction.bundleID), .string(transaction.processID),
      ]
    }
    if showsToken { row.append(isLast ? .string("\(transaction.token)") : .null) }
    row += [
      text(change.map { "\($0.changeType)" }), text(change.map { "\($0.changedObjectID)" }),
      properties(change), change?.tombstone.map { .dictionary($0) } ?? .null,
    ]
    return row
  }

  private func properties(_ change: PersistentHistoryChange?) -> Value {
    guard let names = change?.updatedProperties?.map(\.name) else { return .null }
    return format.namesKeysOfRecords
      ? .list(names.map { .string($0) }) : .string(names.joined(separator: ", "))
  }

  /// Appends a line of JSON with a token.
  static func append(_ token: PersistentHistoryToken, to output: OutputBuffer) {
    output.append("{\"token\":\"\(token)\"}\n")
  }

  // MARK: Following

  /// Prints what is committed, until the process is interrupted.
  func follow(
    _ request: PersistentHistoryChangeRequest, in session: CommandSession, _ context: ManagedObjectContext
  ) throws -> ExitCode {
    var request = request
    let commits = try CommitSignal(context.coordinator)
    while true {
      let token = try session.write(
        default: .ndjson, flushesEveryRow: true, task(request, in: session, context))
      session.settings.showsHeader = false
      request = request.continuing(after: token)
      _ = try commits.wait { try session.interruption.check() }
    }
  }
}
