import ArgumentParser
import GraphStoreReports

/// Articles of the site about the command, in the Markdown of DocC: one for each command and each page of
/// help, made of what `--help` and `help TOPIC` print.
enum ManualArticles {
  struct Article {
    /// The name of its file without the extension, by which others link to it.
    let name: String
    let text: String
  }

  static var all: [Article] {
    RootCommand.commands.flatMap { articles(of: $0, behind: []) } + HelpTopic.allCases.map(article) + [
      commands, topics,
    ]
  }

  /// The articles of a command and of those that it holds.
  private static func articles(
    of command: any ParsableCommand.Type, behind words: [String]
  ) -> [Article] {
    let words = words + [command._commandName]
    let parts = command.configuration.subcommands
    let links = parts.map { "- <doc:\(name(of: words + [$0._commandName]))>" }
    let text = article(
      titled: "graphstore \(words.joined(separator: " "))", command.configuration.abstract,
      HelpLayout.ownOptionsFirst(RootCommand.helpMessage(for: command)),
      topics: links.isEmpty ? [] : ["### Commands", ""] + links)
    return [Article(name: name(of: words), text: text)] + parts.flatMap { articles(of: $0, behind: words) }
  }

  private static func article(of topic: HelpTopic) -> Article {
    Article(
      name: name(of: topic),
      text: article(titled: "graphstore help \(topic.rawValue)", "A page of help.", topic.text))
  }

  /// The list of all commands, by group.
  private static var commands: Article {
    let links = RootCommand.configuration.groupedSubcommands.flatMap { group in
      ["### \(group.name)", ""] + group.subcommands.map { "- <doc:\(name(of: [$0._commandName]))>" } + [""]
    }
    return Article(
      name: "Commands",
      text: article(
        titled: "Commands", "Every command with its options.",
        HelpLayout.ownOptionsFirst(RootCommand.helpMessage()), topics: links))
  }

  /// The list of all pages of help.
  private static var topics: Article {
    let links = HelpTopic.allCases.map { "- <doc:\(name(of: $0))>" }
    return Article(
      name: "HelpPages",
      text: article(
        titled: "Pages of help", "What the command prints for graphstore help TOPIC.", nil,
        topics: ["### Topics", ""] + links))
  }

  private static func article(
    titled title: String, _ abstract: String, _ printed: String?, topics: [String] = []
  ) -> String {
    var lines = ["# \(title)", "", abstract, ""]
    // No help has three back quotes in it, which would end the block.
    if let printed { lines += ["## Overview", "", "```", printed, "```", ""] }
    if !topics.isEmpty { lines += ["## Topics", ""] + topics }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func name(of words: [String]) -> String { "command-" + words.joined(separator: "-") }

  private static func name(of topic: HelpTopic) -> String { "help-" + topic.rawValue }
}
