/// Runs scripts: one transaction, stopped and taken back at the first error unless the options say otherwise.
struct ScriptRunner {
  struct Options: Hashable, Sendable {
    /// Each statement is its own save; failures are counted.
    var keepsGoing = false
    /// False keeps what succeeded, and still stops.
    var usesTransaction = true
  }

  let dispatcher: StatementDispatcher
  var options = Options()

  private var executor: any StatementExecutor { dispatcher.executor }

  /// Runs a whole script.
  /// - Returns: the exit code; every error has been shown.
  func run(_ reader: ScriptReader) -> Int32 {
    let isTransaction = options.usesTransaction && !options.keepsGoing
    do {
      if isTransaction { try executor.beginScript() }
    } catch {
      return dispatcher.report(error, in: nil, insideScript: true).rawValue
    }
    dispatcher.isInScript = isTransaction
    defer { dispatcher.isInScript = false }
    var progress = Progress()
    let step: StatementDispatcher.Step
    do {
      step = try runStatements(reader, &progress)
      if case .leave(let code) = step, code != 0 {
        try abandon(isTransaction)
        return code
      }
      try requireEndOfTransaction()
      if isTransaction { try executor.commitScript() }
    } catch {
      let code = dispatcher.report(error, in: progress.failed, insideScript: true)
      undo(isTransaction, progress)
      return code.rawValue
    }
    guard progress.failures > 0 else { return 0 }
    if !dispatcher.style.isJSON {
      dispatcher.output.errorLine(
        "\(progress.failures) of \(progress.failures + progress.succeeded) statements failed")
    }
    return ExitCode.partial.rawValue
  }

  /// Runs a script within a session or another script. It is a transaction of its own unless one is open already.
  func read(_ reader: ScriptReader) throws -> StatementDispatcher.Step {
    let wasInTransaction = executor.status.isInTransaction
    let isTransaction = !dispatcher.isInScript && !wasInTransaction
    if isTransaction {
      try executor.beginScript()
      dispatcher.isInScript = true
    }
    defer { if isTransaction { dispatcher.isInScript = false } }
    var progress = Progress()
    do {
      let step = try runStatements(reader, &progress)
      if !wasInTransaction { try requireEndOfTransaction() }
      if isTransaction { try executor.commitScript() }
      return step
    } catch {
      let code = dispatcher.report(error, in: progress.failed, insideScript: true)
      if isTransaction { undo(true, progress) }
      throw ReportedFailure(exitCode: code)
    }
  }

  private struct Progress {
    var succeeded = 0
    var failures = 0
    var failed: ShellStatement?
  }

  private func runStatements(_ reader: ScriptReader, _ progress: inout Progress) throws
    -> StatementDispatcher.Step
  {
    while true {
      progress.failed = nil
      do {
        guard let statement = try reader.next() else { return .next }
        progress.failed = statement
        let step = try dispatcher.run(statement)
        if !statement.isDotCommand { progress.succeeded += 1 }
        if step != .next { return step }
      } catch  where options.keepsGoing {
        dispatcher.report(error, in: progress.failed, insideScript: true)
        progress.failures += 1
      }
    }
  }

  private func requireEndOfTransaction() throws {
    guard executor.status.isInTransaction else { return }
    throw ShellError(
      code: .unclosedTransaction, message: "the script ends between .begin and .commit", exitCode: .dataError,
      hint: "end it with .commit or .rollback")
  }

  private func abandon(_ isTransaction: Bool) throws {
    if isTransaction {
      try executor.rollbackScript()
    } else if executor.status.isInTransaction {
      try executor.rollback()
    }
  }

  private func undo(_ isTransaction: Bool, _ progress: Progress) {
    do {
      try abandon(isTransaction)
    } catch {
      dispatcher.report(error, in: nil, insideScript: true)
      return
    }
    let earlier = StatementDispatcher.counted(progress.succeeded, "earlier statement")
    guard !dispatcher.style.isJSON else { return }
    if isTransaction {
      let note = progress.succeeded > 0 ? " (\(earlier) rolled back)" : ""
      dispatcher.output.errorLine("nothing was saved" + note)
    } else if progress.succeeded > 0 {
      dispatcher.output.errorLine("stopped after \(earlier)")
    }
  }
}
