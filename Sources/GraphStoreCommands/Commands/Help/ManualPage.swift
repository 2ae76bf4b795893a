import ArgumentParser
import GraphStoreReports

/// Manual page of the command in the language of `man`, made of what `--help` and `help TOPIC` print.
enum ManualPage {
  static var text: String {
    var lines = [
      #".TH GRAPHSTORE 1 "" "graphstore \#(RootCommand.version)" "User Commands""#, ".SH NAME",
      "graphstore \\- keep graphs of objects in files", ".SH SYNOPSIS", ".B graphstore",
      ".I command", "[options]", ".SH DESCRIPTION",
    ]
    lines += RootCommand.configuration.discussion.split(separator: "\n").flatMap { [".PP", escaped($0)] }
    for group in RootCommand.configuration.groupedSubcommands {
      lines.append(".SH \(group.name.uppercased()) COMMANDS")
      for command in group.subcommands { lines += section(command, behind: "graphstore") }
    }
    lines.append(".SH OPTIONS IN FRONT OF A COMMAND")
    lines += verbatim(HelpLayout.ownOptionsFirst(RootCommand.helpMessage()))
    for topic in HelpTopic.allCases {
      lines.append(".SH \"\(topic.rawValue.uppercased().replacing("-", with: "\\-"))\"")
      lines += verbatim(topic.text)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The help of a command, and of the commands that it holds.
  private static func section(_ command: any ParsableCommand.Type, behind words: String) -> [String] {
    let name = "\(words) \(command._commandName)"
    let help = HelpLayout.ownOptionsFirst(RootCommand.helpMessage(for: command))
    return [".SS \"\(escaped(name[...]))\""] + verbatim(help)
      + command.configuration.subcommands.flatMap { section($0, behind: name) }
  }

  /// Text whose lines stay as they are.
  private static func verbatim(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(escaped)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return [".nf"] + lines + [".fi"]
  }

  /// A line of which nothing is an instruction: no backslash, and no point or quote at its beginning.
  private static func escaped(_ line: Substring) -> String {
    let text = String(line).replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .unicodeScalars.map {
        $0.isASCII ? String($0) : "\\[u" + String($0.value, radix: 16, uppercase: true) + "]"
      }
      .joined()
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
