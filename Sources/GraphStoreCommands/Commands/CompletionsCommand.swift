import ArgumentParser
import GraphStoreReports

/// `graphstore completions bash|zsh|fish`
struct CompletionsCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print a completion script for a shell.",
    discussion: """
      graphstore completions bash \\
        >~/.local/share/bash-completion/completions/graphstore
      """)

  /// The shells there are scripts for.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash
    case zsh
    case fish
  }

  @Argument(help: "bash, zsh or fish.") var shell: Shell
  @OptionGroup var options: CommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    guard let shell = CompletionShell(rawValue: shell.rawValue) else { return .failure }
    try session.print([RootCommand.completionScript(for: shell)])
    return .success
  }
}
