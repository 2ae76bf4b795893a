import Foundation
import GraphStoreReports

extension CommandSession {
  /// Whether a person can be asked.
  var isPersonAtTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether a person can be asked before a change.
  var asksPerson: Bool { isPersonAtTerminal && !settings.answersYes }

  /// Asks, within a change, before more objects are changed than were agreed to, where a person sits at the
  /// terminal.
  ///
  /// Elsewhere naming the objects is consent enough. A single object is changed without a question.
  ///
  /// - Parameter extent: how many objects are concerned, cascades included.
  func confirm(_ action: String, extent: Int, showing lines: @autoclosure () -> [String] = []) throws {
    guard asksPerson, extent > consent else { return }
    throw UnansweredQuestion(action: action, lines: lines(), extent: extent)
  }

  /// Asks a question that a change has come to, and records the consent.
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
    let columns = errorTerminal.columns
    let broken = lines.flatMap { LineBreaking.lines($0, columns: columns) }
    try writeError((broken + ["\(action)? [y/N] "]).joined(separator: "\n"))
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
  ///
  /// - Parameters:
  ///   - lines: What would be done.
  ///   - alternative: What can be done in place of giving it.
  func requireConsent(
    for action: String, showing lines: [String] = [], or alternative: String? = nil
  ) throws {
    guard !isPersonAtTerminal, !settings.answersYes else { return }
    throw Diagnostic(
      code: "not-confirmed", message: "\(action) needs --yes where nobody can be asked", details: lines,
      hints: ["repeat the command with --yes" + (alternative.map { ", or \($0)" } ?? "")],
      exitCode: .notConfirmed)
  }
}

/// Question to a person that a change has come to, thrown out of the transaction: it is asked once nothing is
/// locked.
struct UnansweredQuestion: Error {
  /// What is to be done, in words that a question mark can follow.
  var action: String
  /// What is shown before it.
  var lines: [String]
  /// How many objects are concerned.
  var extent: Int
}

/// Reader of a person's answer.
enum Answer {
  /// Waits for a line of standard input, without its newline; nil at the end of the input.
  ///
  /// - Throws: `interrupted`, once somebody asks for it.
  static func read(_ interruption: StatementInterruption) throws -> String? {
    var line: [UInt8] = []
    while true {
      var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // The signal may have reached another thread, so that nothing ends the wait but the clock.
      let count = unsafe poll(&waiting, 1, 50)
      try interruption.check()
      if count == 0 || (count < 0 && errno == EINTR) { continue }
      var byte: UInt8 = 0
      let got = unsafe Foundation.read(STDIN_FILENO, &byte, 1)
      if got < 0 && errno == EINTR { continue }
      if got <= 0 { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }
}
