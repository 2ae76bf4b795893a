import GraphStore
import GraphStoreReports

extension CommandSession {
  /// Runs one command so that one that fails leaves no unsaved change of its own behind.
  func run(_ command: some ExecutableCommand) throws -> ExitCode {
    hasChanged = false
    consent = 1
    timeAnswering = .zero
    // What other processes have saved since the last statement is seen by the next.
    if isShared, savePolicy == .everyCommand { present?.readAnew() }
    present?.history.begin()
    renewTrace()
    // Of all statements a session tells itself, of one that asks for it what a command tells.
    let isTimed = settings.showsTime && (!isShared || isStatementTimed)
    let timing = isTimed ? CommandTiming(openContext?.coordinator) : nil
    defer { if let timing { report(timing) } }
    Diagnostics.sqlLevel = settings.sqlLevel
    Diagnostics.migrationLevel = settings.migrationLevel
    do {
      try confirmOutput()
      let code = try executed(command)
      advise(queried: command.queriedEntity)
      try present?.history.end(isSaved: savePolicy == .everyCommand)
      return code
    } catch {
      rollBackCommand()
      // Whatever failed first: it was to be stopped.
      throw interruption.isAsked ? StatementInterruption.failure : error
    }
  }

  /// The exit code of a command; one whose result a person did not want to see to its end has done its work.
  private func executed(_ command: some ExecutableCommand) throws -> ExitCode {
    do { return try command.execute(in: self) } catch is Pager.Left { return .success }
  }

  /// Takes the unsaved changes of the running command back.
  func rollBackCommand() {
    guard let present else { return }
    guard isShared else { return present.context.rollback() }
    // Whatever the statement was stopped by, what takes it back is not.
    interruption.hold { present.history.takeBack(in: present.context) }
  }
}
