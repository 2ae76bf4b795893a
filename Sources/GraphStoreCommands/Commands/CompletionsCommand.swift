import ArgumentParser
import GraphStoreReports

/// `graphstore completions bash|zsh|fish`
struct CompletionsCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print a completion script for a shell.",
    discussion: """
      The script asks graphstore itself for what fits: commands, options, and of the store at hand, or the one that the line \
      names, entities, key paths, fetch requests and ids.

      graphstore completions bash \\
        >~/.local/share/bash-completion/completions/graphstore
      """)

  /// The shells there are scripts for.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash
    case zsh
    case fish
  }

  @Argument(help: "bash, zsh or fish.") var shell: Shell?
  /// The line up to the cursor, which the scripts ask about.
  @Option(parsing: .unconditional, help: .hidden) var line: String?
  @OptionGroup var options: CommandOptions

  /// The command as the scripts run it, without the package's parser, which takes longer than an answer; nil
  /// for other words.
  static func asked(_ words: [String]) -> CompletionsCommand? {
    guard words.count == 3, words[1] == "--line" else { return nil }
    var command = CompletionsCommand()
    command.shell = nil
    command.line = words[2]
    command.options = .plain
    return command
  }

  func validate() throws {
    guard (shell == nil) != (line == nil) else {
      throw ValidationError("completions takes the name of a shell: bash, zsh or fish.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    if let line {
      let candidates = LineCompletion(session).candidates(for: line)
      if !candidates.isEmpty { try session.print([candidates.joined(separator: "\n")]) }
    } else if let shell {
      try session.print([CompletionScript.text(for: shell)])
    }
    return .success
  }
}
