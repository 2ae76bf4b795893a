import GraphStoreReports

/// Runner of scripts: one transaction, rolled back at the first error unless the options say otherwise.
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
  /// - Returns: the exit code, which is 2 where nothing failed and a statement answered "no"; every error has
  ///   been shown.
  func run(_ reader: ScriptReader) -> Int32 {
    let isTransaction = options.usesTransaction && !options.keepsGoing
    let before = dispatcher.changeCount
    let unfinished = Unfinished(executor.status)
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
        leave(isTransaction, before)
        return code
      }
      try requireEnd(of: unfinished)
      if isTransaction { try executor.commitScript() }
    } catch {
      let code = dispatcher.report(error, in: progress.failed, insideScript: true)
      undo(isTransaction, progress: progress, before: before)
      return code.rawValue
    }
    guard progress.failures > 0 else { return dispatcher.answer.rawValue }
    if !dispatcher.style.isJSON {
      dispatcher.output.errorLine(
        "\(progress.failures) of \(progress.failures + progress.succeeded) statements failed")
    }
    return ExitCode.partial.rawValue
  }

  /// Runs a script within a session or another script. It is a transaction of its own unless one is open
  /// already.
  func read(_ reader: ScriptReader) throws -> StatementDispatcher.Step {
    let wasInTransaction = executor.status.isInTransaction
    let isTransaction = !dispatcher.isInScript && !wasInTransaction
    let before = dispatcher.changeCount
    let unfinished = Unfinished(executor.status)
    if isTransaction {
      try executor.beginScript()
      dispatcher.isInScript = true
    }
    defer { if isTransaction { dispatcher.isInScript = false } }
    var progress = Progress()
    do {
      let step = try runStatements(reader, &progress)
      if isTransaction, case .leave(let code) = step, code != 0 {
        leave(true, before)
        return step
      }
      try requireEnd(of: unfinished)
      if isTransaction { try executor.commitScript() }
      return step
    } catch {
      let code = dispatcher.report(error, in: progress.failed, insideScript: true)
      if isTransaction { undo(true, progress: progress, before: before) }
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
        try executor.interruption.check()
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

  private func requireEnd(of unfinished: Unfinished) throws {
    if let error = unfinished.error(at: executor.status) { throw error }
  }

  private func abandon(_ isTransaction: Bool) throws {
    if isTransaction {
      try executor.rollbackScript()
    } else if executor.status.isUnfinished {
      try executor.rollbackEverything()
    }
  }

  /// Ends a script by `.exit` with a code other than 0: it has failed by its own judgement, and nothing of it
  /// is saved.
  private func leave(_ isTransaction: Bool, _ before: Int) {
    let pending = executor.status.unsavedCount
    guard rollBack(isTransaction), !dispatcher.style.isJSON else { return }
    if isTransaction {
      if dispatcher.changeCount > before { sayNothingSaved(before) }
    } else if pending > 0 {
      dispatcher.output.errorLine(
        "\(pending.counted("unsaved change")) rolled back")
    }
  }

  private func undo(_ isTransaction: Bool, progress: Progress, before: Int) {
    guard rollBack(isTransaction), !dispatcher.style.isJSON else { return }
    if isTransaction {
      sayNothingSaved(before)
    } else if progress.succeeded > 0 {
      dispatcher.output.errorLine(
        "stopped after \(progress.succeeded.counted("earlier statement"))")
    }
  }

  private func rollBack(_ isTransaction: Bool) -> Bool {
    do {
      try abandon(isTransaction)
      return true
    } catch {
      dispatcher.report(error, in: nil, insideScript: true)
      return false
    }
  }

  /// Only statements that changed something have anything to take back.
  private func sayNothingSaved(_ before: Int) {
    let count = dispatcher.changeCount - before
    let earlier = count.counted("earlier statement")
    dispatcher.output.errorLine("nothing was saved" + (count > 0 ? " (\(earlier) rolled back)" : ""))
  }
}
