import Foundation
import GraphStore

/// Read-eval-print loop of the interactive shell: prompt, read, run, until the person leaves.
final class ShellSession {
  private let dispatcher: StatementDispatcher
  private let lines: any LineReading
  private let history: ShellHistory
  private let banner: String?
  private var lexer = ShellLexer()
  private var entry = ""

  /// The lines of the block that is open.
  var openLines: [String] { entry.isEmpty ? [] : entry.components(separatedBy: "\n") }

  private var executor: any StatementExecutor { dispatcher.executor }
  private var output: ShellOutput { dispatcher.output }

  /// - Parameter banner: printed first; nil for none.
  init(
    dispatcher: StatementDispatcher, lines: any LineReading, history: ShellHistory, banner: String? = nil
  ) {
    self.dispatcher = dispatcher
    self.lines = lines
    self.history = history
    self.banner = banner
    dispatcher.settings.isInteractive = true
    dispatcher.history = { [history] in history.entries }
    dispatcher.remember = { [history, lines] entry in
      if history.add(entry) { lines.remember(entry) }
    }
  }

  /// The line that greets: `graphstore 0.1.0 · hr.db · model HR v1 · 10 044 objects.  .help for help, …`
  ///
  /// - Parameter isUTF8: Whether the terminal shows more than ASCII.
  static func banner(version: String, status: ShellStatus, isUTF8: Bool = true) -> String {
    var parts = ["graphstore \(version)", status.storeFile]
    if let model = status.modelName { parts.append("model \(model)") }
    if let count = status.objectCount {
      parts.append("\(count.grouped) object\(count == 1 ? "" : "s")")
    }
    return parts.joined(separator: isUTF8 ? " · " : " - ") + ".  .help for help, Ctrl-D to leave."
  }

  /// Runs the lines of the RC file, then what is typed.
  /// - Returns: the exit code: 0 unless `.exit` gives another, 128 and more for a signal.
  func run(rcFile: ScriptReader? = nil) -> Int32 {
    SignalInbox.shared.catchSignals(SignalInbox.lasting)
    defer { SignalInbox.shared.releaseSignals(SignalInbox.lasting) }
    if let banner { output.line(banner) }
    if let rcFile, let code = runRCFile(rcFile) { return code }
    while true {
      let prompt = lexer.opener.map(ShellPrompt.continuation) ?? .ready(executor.status)
      switch lines.readLine(prompt: prompt) {
      case .line(let text):
        if let code = accept(text) { return code }
      case .interrupted:
        lexer.reset()
        entry = ""
      case .endOfInput:
        if let code = leave(with: 0) { return code }
      case .terminated(let signal):
        return end(signal)
      }
    }
  }

  // MARK: Statements

  private func accept(_ text: String) -> Int32? {
    entry += entry.isEmpty ? text : "\n" + text
    var statements: [ShellStatement] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      statements += lexer.feed(line)
    }
    waiting += statements
    guard lexer.opener == nil else { return nil }
    if history.add(entry) { lines.remember(entry) }
    entry = ""
    defer { waiting = [] }
    return runWaiting()
  }

  /// Statements of a pasted text whose last block is still open.
  private var waiting: [ShellStatement] = []

  /// Runs statements up to the first error.
  private func runWaiting() -> Int32? {
    for statement in waiting {
      let (step, signal) = run(statement)
      if let signal { return end(signal) }
      switch step {
      case .next?: continue
      case .leave(let code)?:
        if let code = leave(with: code) { return code }
        return nil
      case nil where dispatcher.settings.bails: return nil
      case nil: continue
      }
    }
    return nil
  }

  /// - Returns: what comes next, nil after an error; and the signal that asks the program to end.
  private func run(_ statement: ShellStatement) -> (StatementDispatcher.Step?, Int32?) {
    let interruption = executor.interruption
    let fatal = FatalSignal()
    defer { interruption.clear() }
    let step = SignalInbox.shared.whileRunning { signal in
      if signal == SIGINT, ForegroundProcess.isRunning { return }
      if signal != SIGINT { fatal.set(signal) }
      // The terminal has shown ^C where the cursor was.
      if signal == SIGINT, !interruption.isAsked, isatty(STDERR_FILENO) == 1 {
        unsafe write(STDERR_FILENO, "\n", 1)
      }
      interruption.ask()
    } _: { () -> StatementDispatcher.Step? in
      do {
        return try dispatcher.run(statement)
      } catch {
        dispatcher.report(error, in: statement, insideScript: false)
        return nil
      }
    }
    return (step, fatal.signal)
  }

  private func runRCFile(_ reader: ScriptReader) -> Int32? {
    while true {
      var statement: ShellStatement?
      do {
        statement = try reader.next()
        guard let statement else { return nil }
        if case .leave(let code) = try dispatcher.run(statement) { return code }
      } catch {
        dispatcher.report(error, in: statement, insideScript: true)
        return nil
      }
    }
  }

  // MARK: Leaving

  private func end(_ signal: Int32) -> Int32 {
    try? executor.rollbackEverything()
    return 128 + signal
  }

  /// Asks what becomes of unsaved changes; nil means to stay.
  private func leave(with code: Int32) -> Int32? {
    let status = executor.status
    guard status.unsavedCount > 0 else {
      if status.isUnfinished { try? executor.rollbackEverything() }
      return code
    }
    output.line(status.unsavedText + ".")
    let question = ShellPrompt(text: "[c]ommit, [r]ollback, [k]eep working, or Ctrl-D again to discard: ")
    while true {
      switch lines.readLine(prompt: question) {
      case .line(let answer):
        switch answer.trimmingCharacters(in: .whitespaces).lowercased() {
        case "c", "commit": return commit() ? code : nil
        case "r", "rollback": return discard() ? code : nil
        case "k", "keep": return nil
        default: continue
        }
      case .interrupted: return nil
      case .endOfInput: return discard() ? code : nil
      case .terminated(let signal): return end(signal)
      }
    }
  }

  private func commit() -> Bool {
    attempt { try dispatcher.commitAll() }
  }

  private func discard() -> Bool {
    attempt { try executor.rollbackEverything() }
  }

  private func attempt(_ action: () throws -> Void) -> Bool {
    do {
      try action()
      return true
    } catch {
      dispatcher.report(error, in: nil, insideScript: false)
      return false
    }
  }
}
