import GraphStore
import Foundation
import GraphStoreReports

@testable import GraphStoreCommands

/// Runs until it is interrupted, which it brings about itself with the signal that Ctrl-C sends.
final class InterruptibleExecutor: StatementExecutor {
  let status = ShellStatus(storeName: "slow")
  let formatNames: [String] = []
  let commandNames = ["wait"]

  let interruption = StatementInterruption()
  let timeAnswering = Duration.zero

  func execute(_ statement: ShellStatement, settings: ShellSettings) throws -> StatementOutcome {
    guard statement.words.first?.text == "wait" else { return StatementOutcome() }
    kill(getpid(), SIGINT)
    let deadline = Date().addingTimeInterval(20)
    while !interruption.isAsked, Date() < deadline { usleep(1000) }
    try interruption.check()
    return StatementOutcome()
  }

  func beginScript() throws {}
  func commitScript() throws {}
  func rollbackScript() throws {}
  func begin() throws {}
  var policy = SaveConflictPolicy.error
  let tracedKinds: Set<TraceKind> = []
  func refresh(_ ids: [String]) throws -> [String] { ids }
  func commit() throws -> CommitOutcome { CommitOutcome() }
  func rollback() throws {}
  func pendingObjects() throws -> [String] { [] }
  func failuresOfSave() throws -> [String] { [] }
  func printEntities(settings: ShellSettings) throws {}
  func printSchema(entity: String?, settings: ShellSettings) throws {}
  func help(for topic: String) -> String? { nil }

  func diagnostic(for error: any Error) -> Diagnostic {
    error as? Diagnostic ?? Diagnostic(code: "unclassified", message: "\(error)")
  }
}
