import ArgumentParser

/// A command that does something: every leaf of the command tree.
///
/// The same command runs from the shell of the system, in a script and at the prompt of a session.
protocol ExecutableCommand: ParsableCommand {
  var shared: SharedOptions { get }
  var short: ShortOptions { get }

  /// Takes the command's options over settings that come from the environment or from a session.
  func adjust(_ settings: inout CommandSettings) throws

  /// Whether the command deals with interrupts itself.
  var takesSignals: Bool { get }

  /// Does it.
  /// - Returns: the exit code where it is neither 0 nor that of an error.
  func execute(in session: CommandSession) throws -> ExitCode
}

extension ExecutableCommand {
  var takesSignals: Bool { false }

  func adjust(_ settings: inout CommandSettings) throws {
    try settings.take(shared)
    settings.take(short)
  }
}

/// A command that prints records.
protocol RecordCommand: ExecutableCommand {
  var output: OutputOptions { get }
}

extension RecordCommand {
  func adjust(_ settings: inout CommandSettings) throws {
    try settings.take(shared)
    settings.take(short)
    try settings.take(output)
  }
}
