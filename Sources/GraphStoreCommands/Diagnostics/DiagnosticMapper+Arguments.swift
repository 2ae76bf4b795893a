import ArgumentParser
import GraphStore
import GraphStoreReports

extension DiagnosticMapper {
  /// A failure of the argument parser, or of something nobody foresaw.
  static func parserDiagnostic(_ error: any Error) -> Diagnostic {
    guard RootCommand.exitCode(for: error) == .validationFailure else {
      return Diagnostic(
        code: "internal", message: "\(error)",
        hints: ["this is a defect of graphstore; please report it with the command that led to it"],
        exitCode: .internalError)
    }
    // The parser tells every way in which it might have been meant; the first is its best.
    let readings = RootCommand.message(for: error).split(separator: "\n")
    var message = readings.first.map(String.init) ?? ""
    var suggestions: [String] = []
    let choices = choices(cutOff: &message, readings.dropFirst())
    if let range = message.range(of: " Did you mean '") {
      let name = message[range.upperBound...].prefix { $0 != "'" }
      suggestions = [String(name)]
      message = String(message[..<range.lowerBound])
    }
    let isUnknownOption = message.hasPrefix("Unknown option")
    var hints = ["see \(helpCommand(error))"]
    if !choices.isEmpty {
      hints.insert("choose one of \(choices.joined(separator: ", "))", at: 0)
      let given = message.split(separator: "'", maxSplits: 2).dropFirst().first.map(String.init) ?? ""
      suggestions = NearestNames.names(near: given, among: choices)
    }
    if isUnknownOption, let (option, value) = attachedValue(message, readings.dropFirst()) {
      hints.insert("a blank stands between a short option and its value: \(option) \(value)", at: 0)
    }
    if message.hasPrefix("Missing value for"), let option = message.split(separator: "'").dropFirst().first {
      let name = option.prefix { $0 != " " }
      if name.hasPrefix("--") { hints.append("a value that begins with - is written behind =: \(name)=-1") }
    }
    if message.contains("'<predicate>'") || (isUnknownOption && hasSpace(inOptionOf: message)) {
      hints.append("a predicate that begins with - stands behind --, or in parentheses")
    }
    return Diagnostic(
      code: isUnknownOption ? "unknown-option" : "usage", message: lowerCased(sentence(message)),
      hints: hints, suggestions: suggestions, exitCode: .usage)
  }

  /// The words that an option takes, which the parser lists at the end of its message or on lines of their
  /// own.
  private static func choices(cutOff message: inout String, _ others: ArraySlice<Substring>) -> [String] {
    guard let range = message.range(of: ". Please provide one of ") else { return [] }
    let list = message[range.upperBound...]
    message = String(message[..<range.lowerBound])
    guard list.hasPrefix("the following") else {
      return list.split(separator: "'", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
    return others.prefix { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
  }

  /// The short option and the value of `-s../x.db`, which the parser takes for a group of letters.
  private static func attachedValue(_ message: String, _ others: ArraySlice<Substring>) -> (
    option: Substring, value: Substring
  )? {
    guard let word = message.split(separator: "'").dropFirst().first, word.hasPrefix("-") else { return nil }
    let option = word.prefix(2)
    guard word.count > 2, others.contains(where: { $0.contains("'\(option) ") }) else { return nil }
    return (option, word.dropFirst(2))
  }

  /// Whether what a message calls an option has a space in it, as no option has.
  private static func hasSpace(inOptionOf message: String) -> Bool {
    message.split(separator: "'", maxSplits: 2).dropFirst().first?.contains(" ") == true
  }

  /// The command line that shows the help of the command that was given, which the parser names in its own
  /// message.
  static func helpCommand(_ error: any Error) -> String {
    let message = RootCommand.fullMessage(for: error)
    guard let range = message.range(of: "See '", options: .backwards) else { return "graphstore --help" }
    return String(message[range.upperBound...].prefix { $0 != "'" })
  }

  /// A first word that is no command.
  static func unknownCommand(_ word: String, among names: [String], parent: String? = nil) -> Diagnostic {
    let help = (["graphstore"] + (parent.map { [$0] } ?? []) + ["--help"]).joined(separator: " ")
    let isSQL = parent == nil && statementsOfSQL.contains(word.lowercased())
    return Diagnostic(
      code: "unknown-command", message: "unknown command \"\(word)\"",
      hints: (isSQL
        ? ["there is no SQL here: write fetch ENTITY where PREDICATE, and see help predicates"] : [])
        + ["Run \"\(help)\" for the list."],
      suggestions: likely(word, among: names), exitCode: .usage)
  }

  /// Words with which statements of SQL begin, and no command.
  private static let statementsOfSQL: Set<String> = [
    "select", "with", "create", "alter", "drop", "replace", "merge", "truncate", "show", "describe", "pragma",
  ]

  /// The names that a word begins, then those that it is near to.
  static func likely(_ word: String, among names: [String]) -> [String] {
    let begun = word.count > 1 ? names.filter { $0.hasPrefix(word) } : []
    let near = NearestNames.names(near: word, among: names).filter { !begun.contains($0) }
    return Array((begun + near).prefix(3))
  }

  private static func lowerCased(_ text: String) -> String {
    guard let first = text.first else { return text }
    return first.lowercased() + text.dropFirst()
  }
}
