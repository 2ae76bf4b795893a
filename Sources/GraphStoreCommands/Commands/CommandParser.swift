import ArgumentParser
import GraphStore

/// Parser of command lines.
///
/// Commands that only read are read from plain command lines without the package's parser. Otherwise the leaf that the
/// first word names is parsed alone, which starts faster than the whole tree; the tree is asked for help, for options in
/// front of the command, and for the words of an error.
enum CommandParser {
  /// What arguments ask for.
  enum Request {
    case command(any ExecutableCommand)
    /// Help, and commands that only hold others, which print theirs.
    case help(any ParsableCommand)
    /// A page of the handbook.
    case topic(HelpTopic)
  }

  static func request(_ arguments: [String]) throws -> Request {
    if let command = plainCommand(arguments) { return .command(command) }
    if arguments.first == "help", let topic = try HelpTopic.asked(for: arguments.dropFirst()) {
      return .topic(topic)
    }
    let command = try parse(arguments)
    try checkOptions(of: command, in: arguments)
    guard let leaf = command as? any ExecutableCommand else { return .help(command) }
    return .command(leaf)
  }

  /// Refuses what the parser lets pass: an option that the command has nothing of, and a second value of one option.
  private static func checkOptions(of command: any ParsableCommand, in arguments: [String]) throws {
    // Asking the parser for a command's options costs as much as parsing.
    let count = arguments.count { $0.hasPrefix("-") }
    guard count > 0 else { return }
    lazy var options = command is RootCommand ? RootCommand.options : OptionTable(of: type(of: command))
    if command is any ExecutableCommand {
      // The root takes them too, wherever they stand, and nothing would come of them.
      if !(command is any StoreCommand) {
        try options.refuse(
          OptionTable(of: StoreArguments.self), in: arguments, because: "the command works without a store")
      }
      if !(command is any AskingCommand) {
        try options.refuse(
          OptionTable(of: ConsentOptions.self), in: arguments, because: "the command asks no questions")
      }
    }
    if count > 1 { try options.checkRepetition(arguments) }
  }

  /// The command of a plain command line; nil where the package's parser is needed.
  static func plainCommand(_ arguments: [String]) -> (any ExecutableCommand)? {
    switch arguments.first {
    case "fetch": FetchCommand.read(arguments)
    case "get": GetCommand.read(arguments)
    case "count": CountCommand.read(arguments)
    case "export": ExportCommand.read(arguments)
    default: nil
    }
  }

  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    guard let first = arguments.first, !first.hasPrefix("-") else {
      if let word = RootCommand.options.firstOperand(of: arguments), word != "help",
        RootCommand.command(named: word) == nil
      {
        throw DiagnosticMapper.unknownCommand(word, among: RootCommand.commandNames + ["help"])
      }
      return try RootCommand.parseAsRoot(arguments)
    }
    if first == "help" { return try RootCommand.parseAsRoot(arguments) }
    guard var command = RootCommand.command(named: first) else {
      throw DiagnosticMapper.unknownCommand(first, among: RootCommand.commandNames + ["help"])
    }
    var rest = arguments.dropFirst()
    let names = command.configuration.subcommands.map { $0._commandName }
    if !names.isEmpty {
      guard let second = rest.first, !second.hasPrefix("-") else {
        return try RootCommand.parseAsRoot(arguments)
      }
      let leaves = command.configuration.subcommands
      guard
        let leaf = leaves.first(where: {
          $0._commandName == second || $0.configuration.aliases.contains(second)
        })
      else {
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
