import Foundation
import Testing

@testable import GraphStoreCommands

/// A shell over a fake executor, in a process of its own at a pseudo-terminal: this test program, started
/// again.
enum TerminalSession {
  private static let variable = "GRAPHSTORE_TEST_SHELL"

  static var isChild: Bool { ProcessInfo.processInfo.environment[variable] != nil }

  /// Starts the shell and waits for its first prompt.
  static func start(
    home: String = "/nonexistent", environment: [String: String] = [:], prompt: String = "hr> ",
    size: (columns: UInt16, rows: UInt16) = (80, 24)
  ) throws -> PseudoTerminal {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var merged = ["TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": home, variable: "1"]
    merged["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    merged.merge(environment) { $1 }
    let terminal = try PseudoTerminal(
      program, ["--testing-library", "swift-testing", "--filter", "TerminalSessionChild"],
      environment: merged,
      size: size)
    try #require(terminal.expect(prompt), "\(terminal.transcript)")
    return terminal
  }

  /// Starts the shell from an interactive shell, which prompts with `@@@ `.
  static func startInJobControl() throws -> PseudoTerminal {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var environment = [
      "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PS1": "@@@ ", variable: "1",
    ]
    environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    let terminal = try PseudoTerminal("/bin/sh", ["-i"], environment: environment)
    terminal.send("'\(program)' --testing-library swift-testing --filter TerminalSessionChild\n")
    try #require(terminal.expect("hr> "), "\(terminal.transcript)")
    return terminal
  }

  /// What the child does instead of tests.
  static func run() -> Never {
    let executor = FakeExecutor()
    executor.onExecute = { statement in
      if statement.words[0].text == "sleep" { sleep(30) }
      ShellOutput.standard.line("ran <\(statement.text.replacingOccurrences(of: "\n", with: "|"))>")
    }
    var options = ShellOptions(style: .brief)
    options.version = "0.0.0"
    options.isColored = ProcessInfo.processInfo.environment["GRAPHSTORE_TEST_COLOR"] != nil
    exit(ShellLauncher.shell(executor: executor, completions: CompanyCompletions(), options: options))
  }
}

@Suite("The child process of the terminal tests", .enabled(if: TerminalSession.isChild))
struct TerminalSessionChild {
  @Test("Runs a shell until it ends")
  func run() {
    TerminalSession.run()
  }
}
