import Foundation
import GraphStore
import GraphStoreReports

/// Rows of a history, as a result: one a change, and one for a transaction without any.
struct HistoryRows {
  let format: OutputFormat

  func task(_ transactions: [PersistentHistoryTransaction]) -> PropertyTables {
    PropertyTables(tables: transactions.flatMap(tables), format: format)
  }

  private func tables(_ transaction: PersistentHistoryTransaction) -> [PropertyTable] {
    guard let changes = transaction.changes, let last = changes.last else {
      return [table(transaction, nil, isLast: true)]
    }
    return changes.map { table(transaction, $0, isLast: $0.changeID == last.changeID) }
  }

  /// - Parameter isLast: Whether it is the last row of the transaction: only who has read that can go on
  ///   after it.
  private func table(
    _ transaction: PersistentHistoryTransaction, _ change: PersistentHistoryChange?, isLast: Bool
  ) -> PropertyTable {
    var table = PropertyTable()
    table.add("transaction", .int(transaction.transactionNumber))
    table.add("time", .date(transaction.timestamp))
    table.add("author", transaction.author.map { .string($0) } ?? .null)
    if format != .table { addOrigin(transaction, isLast: isLast, to: &table) }
    table.add("change", change.map { .string("\($0.changeType)") } ?? .null)
    table.add("object", change.map { .string("\($0.changedObjectID)") } ?? .null)
    table.add("properties", properties(change))
    table.add("tombstone", change?.tombstone.map { .dictionary($0) } ?? .null)
    return table
  }

  private func addOrigin(
    _ transaction: PersistentHistoryTransaction, isLast: Bool, to table: inout PropertyTable
  ) {
    table.add("context", transaction.contextName.map { .string($0) } ?? .null)
    table.add("program", .string(transaction.bundleID))
    table.add("process", .string(transaction.processID))
    if format == .ndjson { table.add("token", isLast ? .string("\(transaction.token)") : .null) }
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
      let history = try context.execute(request)
      if !history.transactions.isEmpty {
        try session.write(default: .ndjson, flushesEveryRow: true, task(history.transactions))
        session.settings.showsHeader = false
      }
      request = request.continuing(after: history.token)
      _ = try commits.wait { try session.interruption.check() }
    }
  }
}
