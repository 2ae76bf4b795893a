import ArgumentParser
import GraphStore
import GraphStoreReports

/// Parser of command lines.
///
/// Completion and commands that only read are read from plain command lines without the package's parser.
/// Otherwise the leaf that the first word names is parsed alone, which starts faster than the whole tree; the
/// tree is asked for help, for options in front of the command, and for the words of an error.
enum CommandParser {
  /// What arguments ask for.
  enum Request {
    case command(any ExecutableCommand)
    /// Help, and commands that only hold others, which print theirs.
    case help(any ParsableCommand)
    /// A page of the handbook, or the version, as its text.
    case page(String)
  }

  static func request(_ words: [String]) throws -> Request {
    // Many scripts begin with it; the package's parser reads the options of the whole command first.
    if words == ["--version"] { return .page(RootCommand.version) }
    let arguments = WhereKeyword.spelledOut(words)
    if let command = plainCommand(arguments) { return .command(command) }
    if let page = try page(of: arguments) { return .page(page) }
    let command = try parse(arguments)
    try checkOptions(of: command, in: arguments)
    guard let leaf = command as? any ExecutableCommand else { return .help(command) }
    return .command(leaf)
  }

  /// The page of `help TOPIC`, which stands behind options that it has no need of.
  private static func page(of arguments: [String]) throws -> String? {
    guard let first = arguments.first, arguments.contains("help"), first == "help" || first.hasPrefix("-"),
      let place = first == "help" ? 0 : RootCommand.options.operandPlaces(in: arguments).first,
      arguments[place] == "help", let page = try HelpTopic.page(for: arguments.dropFirst(place + 1))
    else { return nil }
    if arguments.count > 2 {
      try OptionTable.empty.refuse(
        OptionTable(of: StoreArguments.self), in: arguments, because: "help works without a store")
    }
    return page
  }

  /// Refuses what the parser lets pass: an option that the command has nothing of, and a second value of one
  /// option.
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
    case "completions": CompletionsCommand.asked(arguments)
    default: nil
    }
  }

  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    guard let first = arguments.first, !first.hasPrefix("-") else {
      if let option = RootCommand.options.unknownLeadingOption(in: arguments) {
        throw misplaced(option, in: arguments)
      }
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
    do {
      return try RootCommand.parseAsRoot(arguments)
    } catch {
      throw unknownOption(of: command, in: Array(rest), besides: error) ?? error
    }
  }

  /// The error of an option that the command does not have, where the parser complains about something else:
  /// that the option was misspelled is the likelier cause of what is missing.
  private static func unknownOption(
    of command: any ParsableCommand.Type, in words: [String], besides error: any Error
  ) -> Diagnostic? {
    guard RootCommand.exitCode(for: error) == .validationFailure,
      !RootCommand.message(for: error).hasPrefix("Unknown option")
    else { return nil }
    let table = OptionTable(of: command)
    guard let option = table.unknownLongOption(in: words) else { return nil }
    return Diagnostic(
      code: "unknown-option", message: "unknown option '\(option)'",
      hints: ["see \(DiagnosticMapper.helpCommand(error))"], suggestions: table.names(near: option),
      exitCode: .usage)
  }

  /// The error of an option in front of the command that stands behind it, or nowhere.
  private static func misplaced(_ option: String, in arguments: [String]) -> Diagnostic {
    let short = ShortOptions.longNames + ShortStoreArguments.longNames + ShortConsentOptions.longNames
    if let long = short.first(where: { $0.0 == option })?.1 {
      return Diagnostic(
        code: "unknown-option", message: "\(option) stands behind the command, \(long) before it or behind",
        hints: ["a short option in front of the command could be taken for a value"], suggestions: [long],
        exitCode: .usage)
    }
    let names = arguments.filter { RootCommand.command(named: $0) != nil }
    let owner = names.first.flatMap { RootCommand.command(named: $0) }
    let isOfCommand = owner.map { OptionTable(of: $0).contains(option) } ?? false
    return Diagnostic(
      code: "unknown-option", message: "unknown option '\(option)' in front of the command",
      hints: [
        isOfCommand
          ? "it is an option of \(names[0]): write it behind that word" : "see graphstore --help"
      ],
      suggestions: isOfCommand ? [] : RootCommand.options.names(near: option), exitCode: .usage)
  }

  private static func leaf<Command: ParsableCommand>(
    _ type: Command.Type, _ arguments: [String]
  ) throws -> any ParsableCommand {
    try type.parseAsRoot(arguments)
  }
}
