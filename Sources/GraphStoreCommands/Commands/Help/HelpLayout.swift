import Foundation

/// Layout of the help on a command that the argument parser writes.
enum HelpLayout {
  /// The help with the options of the command in front of those that it shares with others.
  ///
  /// The parser puts options without a heading of their own last, which are those that a command is looked up
  /// for.
  static func ownOptionsFirst(_ help: String) -> String {
    var sections = help.components(separatedBy: "\n\n")
    guard let own = sections.firstIndex(where: { $0.hasPrefix("OPTIONS:\n") }),
      let shared = sections[..<own].firstIndex(where: { section in
        headings.contains { section.hasPrefix($0 + ":\n") }
      })
    else { return help }
    sections.insert(sections.remove(at: own), at: shared)
    return sections.map(\.trimmedEnd).joined(separator: "\n\n")
  }

  /// What options that several commands have stand under.
  private static let headings = ["RESULT", "SHORT FORMS", "STORE", "QUESTIONS", "EVERY COMMAND"]
}
