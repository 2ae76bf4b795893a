import ArgumentParser
import GraphStore

/// Finds the command that arguments name.
///
/// The leaf that the first word names is parsed alone, which starts faster than the whole tree; the tree is asked for
/// help, for options in front of the command, and for the words of an error.
enum CommandParser {
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    guard let first = arguments.first, !first.hasPrefix("-") else {
      return try RootCommand.parseAsRoot(arguments)
    }
    if first == "help" { return try RootCommand.parseAsRoot(arguments) }
    guard var command = RootCommand.command(named: first) else {
      throw DiagnosticMapper.unknownCommand(first, among: RootCommand.commandNames)
    }
    var rest = arguments.dropFirst()
    let names = command.configuration.subcommands.map { $0._commandName }
    if !names.isEmpty {
      guard let second = rest.first, !second.hasPrefix("-") else {
        return try RootCommand.parseAsRoot(arguments)
      }
      guard let leaf = command.configuration.subcommands.first(where: { $0._commandName == second }) else {
        throw DiagnosticMapper.unknownCommand(second, among: names, parent: first)
      }
      command = leaf
      rest = rest.dropFirst()
    }
    if let leaf = try? leaf(command, Array(rest)), leaf is any ExecutableCommand { return leaf }
    return try RootCommand.parseAsRoot(arguments)
  }

  private static func leaf<Command: ParsableCommand>(
    _ type: Command.Type, _ arguments: [String]
  ) throws -> any ParsableCommand {
    try type.parseAsRoot(arguments)
  }
}
