import Foundation

extension CommandSession {
  /// Whether a person can be asked.
  var isPersonAtTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Asks before a change of several objects, where a person sits at the terminal.
  ///
  /// Elsewhere naming the objects is consent enough.
  func confirm(_ question: @autoclosure () -> String, showing lines: @autoclosure () -> [String] = []) throws
  {
    guard isPersonAtTerminal, !settings.answersYes else { return }
    if settings.neverAsks {
      throw Diagnostic(
        code: "not-confirmed", message: "\(question()) was not confirmed, and --no-input forbids to ask",
        hints: ["repeat the command with --yes"], exitCode: .notConfirmed)
    }
    let output = OutputBuffer(descriptor: STDERR_FILENO, path: nil)
    for line in lines() { output.append(line + "\n") }
    output.append("\(question())? [y/N] ")
    try output.flush()
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    guard answer == "y" || answer == "yes" else {
      throw Diagnostic(
        code: "not-confirmed", message: "not confirmed; nothing was changed", exitCode: .notConfirmed)
    }
  }

  /// Refuses what needs `--yes` where nobody can be asked.
  func requireConsent(for action: String) throws {
    guard !isPersonAtTerminal, !settings.answersYes else { return }
    throw Diagnostic(
      code: "not-confirmed", message: "\(action) needs --yes where nobody can be asked",
      hints: ["repeat the command with --yes, or select objects with --where"], exitCode: .notConfirmed)
  }
}
