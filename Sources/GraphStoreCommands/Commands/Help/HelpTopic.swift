import GraphStore

/// A page of the handbook that `graphstore help TOPIC` prints.
enum HelpTopic: String, CaseIterable {
  case predicates
  case formats
  case exitCodes = "exit-codes"
  case environment
  case shell
  case scripts

  /// The topic that the words behind `help` ask for; nil where they name a command, or nothing.
  static func asked(for words: ArraySlice<String>) throws(Diagnostic) -> HelpTopic? {
    guard let word = words.first, !word.hasPrefix("-") else { return nil }
    if let topic = HelpTopic(rawValue: word) { return topic }
    if let command = RootCommand.command(named: word) {
      let names = command.configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases }
      guard let second = words.dropFirst().first, !second.hasPrefix("-"), !names.contains(second) else {
        return nil
      }
      throw DiagnosticMapper.unknownCommand(second, among: names, parent: word)
    }
    if word == "help" { return nil }
    throw Diagnostic(
      code: "unknown-topic", message: "there is no help on \"\(word)\"",
      hints: ["topics: \(list); and every command, see \"graphstore --help\""],
      suggestions: DiagnosticMapper.likely(word, among: allCases.map(\.rawValue) + RootCommand.commandNames),
      exitCode: .usage)
  }

  /// The topics, separated by commas.
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  var text: String {
    switch self {
    case .predicates: HelpPages.predicates
    case .formats: HelpPages.formats
    case .exitCodes: HelpPages.exitCodes
    case .environment: HelpPages.environment
    case .shell: HelpPages.shell
    case .scripts: HelpPages.scripts
    }
  }
}
