/// One line from a person at a terminal.
protocol LineReading: AnyObject {
  /// Shows the prompt and waits. What was pasted may hold newlines.
  func readLine(prompt: ShellPrompt) -> LineInput

  /// Makes an entry reachable with the up arrow.
  func remember(_ entry: String)
}

/// What a person answered to a prompt.
enum LineInput: Hashable, Sendable {
  case line(String)
  /// Ctrl-C.
  case interrupted
  /// Ctrl-D on an empty line, or the terminal is gone.
  case endOfInput
  /// A signal asks the program to end.
  case terminated(signal: Int32)
}
