import Foundation

/// A program that shows long output screen by screen.
///
/// What is written to `descriptor` goes to the program. Wait with `finish` when all is written.
final class Pager {
  /// Where to write.
  let descriptor: Int32
  private let process: Process
  private let pipe: Pipe
  private var isFinished = false

  /// Starts the pager that the environment names, if one is wanted.
  ///
  /// - Returns: nil where output goes straight to its place: it is no terminal, the flag says so, `cat` or nothing is
  ///   named, or the program does not start. In `auto` the default `less -FIRX` leaves at once when all fits the screen.
  static func start(
    _ when: When, terminal: TerminalInfo, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Pager? {
    guard let command = command(when, terminal: terminal, environment: environment) else { return nil }
    return Pager(command: command)
  }

  /// The command line of the pager, or nil if none is wanted.
  static func command(_ when: When, terminal: TerminalInfo, environment: [String: String]) -> String? {
    switch when {
    case .never: return nil
    case .auto: guard terminal.isTerminal, environment["TERM"] != "dumb" else { return nil }
    case .always: break
    }
    let named = environment["GRAPHSTORE_PAGER"] ?? environment["PAGER"] ?? "less -FIRX"
    let command = named.trimmingCharacters(in: .whitespaces)
    return command.isEmpty || command == "cat" ? nil : command
  }

  private init?(command: String) {
    process = Process()
    pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = pipe
    do { try process.run() } catch { return nil }
    descriptor = pipe.fileHandleForWriting.fileDescriptor
  }

  /// Ends the output and waits until the user has left the pager.
  func finish() {
    guard !isFinished else { return }
    isFinished = true
    try? pipe.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  deinit {
    finish()
  }
}
