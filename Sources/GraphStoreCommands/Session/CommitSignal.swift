import Dispatch
import GraphStore
import GraphStoreReports

/// Signal that something was committed to the open stores, for a command that waits for it.
final class CommitSignal {
  private let semaphore = DispatchSemaphore(value: 0)
  private let watch: CommitWatch

  init(_ coordinator: PersistentStoreCoordinator) throws {
    watch = try coordinator.watchCommits { [semaphore] in semaphore.signal() }
  }

  /// Waits for a commit, or until a deadline.
  ///
  /// - Parameter check: Asked now and then whether to go on waiting; what it throws ends the wait.
  /// - Returns: Whether there was one.
  func wait(until deadline: DispatchTime = .distantFuture, checking check: () throws -> Void) throws -> Bool {
    while true {
      try check()
      let next = min(DispatchTime.now() + .milliseconds(500), deadline)
      if semaphore.wait(timeout: next) == .success {
        // Several commits are one.
        while semaphore.wait(timeout: .now()) == .success {}
        return true
      }
      if DispatchTime.now() >= deadline { return false }
    }
  }
}

extension CommandSession {
  /// - Throws: `usage` within a transaction of the session: it sees no commit of others, and may keep them
  ///   from writing.
  func requireCommits(of coordinator: PersistentStoreCoordinator, for command: String) throws {
    guard coordinator.currentTransaction != nil else { return }
    throw Diagnostic(
      code: "usage", message: "\(command) waits for commits, which a transaction keeps from being seen",
      hints: ["commit the transaction first; run a script with --no-transaction"], exitCode: .usage)
  }
}
