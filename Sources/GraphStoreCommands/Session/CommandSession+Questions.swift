import Foundation

extension CommandSession {
  /// Whether a person can be asked.
  var isPersonAtTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether a person can be asked before a change.
  var asksPerson: Bool { isPersonAtTerminal && !settings.answersYes }

  /// Asks, within a change, before more objects are changed than were agreed to, where a person sits at the terminal.
  ///
  /// Elsewhere naming the objects is consent enough. A single object is changed without a question.
  ///
  /// - Parameter extent: how many objects are concerned, cascades included.
  func confirm(_ action: String, extent: Int, showing lines: @autoclosure () -> [String] = []) throws {
    guard asksPerson, extent > consent else { return }
    throw UnansweredQuestion(action: action, lines: lines(), extent: extent)
  }

  /// Asks a question that a change has come to, and notes the answer.
  ///
  /// - Throws: `not-confirmed`, `interrupted`.
  func ask(_ question: UnansweredQuestion) throws {
    try confirm(question.action, showing: question.lines)
    consent = question.extent
  }

  /// Asks a person before something is done, where one sits at the terminal.
  func confirm(_ action: String, showing lines: [String] = []) throws {
    guard asksPerson else { return }
    if settings.neverAsks {
      throw Diagnostic(
        code: "not-confirmed", message: "\(action) was not confirmed, and --no-input forbids to ask",
        hints: ["repeat the command with --yes"], exitCode: .notConfirmed)
    }
    let start = ContinuousClock.now
    defer { timeAnswering += start.duration(to: .now) }
    try interruption.check()
    // What was typed before the question was there is no answer to it.
    tcflush(STDIN_FILENO, TCIFLUSH)
    try writeError((lines + ["\(action)? [y/N] "]).joined(separator: "\n"))
    let answer = try Answer.read(interruption)?.trimmingCharacters(in: .whitespaces).lowercased()
    // Ctrl-D leaves the cursor behind the question.
    if answer == nil { try writeError("\n") }
    guard answer == "y" || answer == "yes" else {
      throw Diagnostic(
        code: "not-confirmed", message: "not confirmed; nothing was changed", exitCode: .notConfirmed)
    }
  }

  private func writeError(_ text: String) throws {
    let output = OutputBuffer(descriptor: STDERR_FILENO, path: nil)
    output.append(text)
    try output.flush()
  }

  /// Refuses what needs `--yes` where nobody can be asked.
  func requireConsent(for action: String) throws {
    guard !isPersonAtTerminal, !settings.answersYes else { return }
    throw Diagnostic(
      code: "not-confirmed", message: "\(action) needs --yes where nobody can be asked",
      hints: ["repeat the command with --yes, or select objects with --where"], exitCode: .notConfirmed)
  }
}
