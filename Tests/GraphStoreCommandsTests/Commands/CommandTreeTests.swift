import ArgumentParser
import Testing

@testable import GraphStoreCommands

@Suite("The command tree")
struct CommandTreeTests {
  /// Every leaf with the words that lead to it.
  private static var leaves: [[String]] {
    RootCommand.commands.flatMap { command -> [[String]] in
      let name = command._commandName
      let subcommands = command.configuration.subcommands
      return subcommands.isEmpty ? [[name]] : subcommands.map { [name, $0._commandName] }
    }
  }

  @Test("Every leaf does something, and prints its help with exit 0", arguments: leaves)
  func help(_ words: [String]) throws {
    let tool = try CommandLineTool()
    let outcome = try tool.run(CommandLineTool.executable.path, words + ["--help"], input: nil)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("USAGE: graphstore \(words.joined(separator: " "))"))
    #expect(outcome.output.contains("--quiet"))
  }

  @Test(
    "Examples of the help stand on lines of their own, whole, so that they can be copied", arguments: leaves)
  func examples(_ words: [String]) throws {
    let parent = try #require(RootCommand.command(named: words[0]))
    let leaf =
      words.count == 1
      ? parent : try #require(parent.configuration.subcommands.first { $0._commandName == words[1] })
    let examples = leaf.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("graphstore ") }
    let help = RootCommand.helpMessage(for: leaf, columns: 80).split(separator: "\n").map {
      $0.drop { $0 == " " }
    }
    for example in examples { #expect(help.contains(example), "\(example)") }
  }

  @Test("Bare, --version, help and completions exit 0")
  func root() throws {
    let tool = try CommandLineTool()
    #expect(try tool.run().output.contains("fetch"))
    #expect(try tool.run("--version").output == "\(RootCommand.version)\n")
    #expect(try tool.run("help", "fetch").output.contains("--where"))
    #expect(try tool.run("metadata").output.contains("unset"))
    for shell in ["bash", "zsh", "fish"] {
      #expect(try tool.run("completions", shell).output.contains("graphstore"))
    }
  }

  @Test("Completion knows every command with its options")
  func outlines() throws {
    let commands = CommandOutlines.commands
    #expect(RootCommand.commandNames.allSatisfy { name in commands.contains { $0.name == name } })
    let fetch = try #require(commands.first { $0.name == "fetch" })
    #expect(fetch.arguments == [.entity])
    #expect(fetch.options.contains { $0.name == "--where" && $0.value == .predicate })
    #expect(fetch.options.contains { $0.name == "--sort" && $0.value == .sortKeys })
    #expect(fetch.options.contains { $0.name == "--fields" && $0.value == .keyPaths })
    #expect(fetch.options.contains { $0.name == "--template" && $0.value == .template })
    #expect(fetch.options.contains { $0.name == "--aggregate" && $0.value == .aggregates })
    #expect(commands.first { $0.name == "get" }?.arguments == [.object])
    #expect(commands.first { $0.name == "link" }?.arguments == [.relationship, .object])
    #expect(commands.first { $0.name == "import" }?.arguments == [.entity, .file])
    let apply = commands.first { $0.name == "migrate" }?.subcommands.first { $0.name == "apply" }
    #expect(apply?.options.contains { $0.name == "--to" && $0.value == .file } == true)
    let update = try #require(commands.first { $0.name == "update" })
    #expect(update.arguments == [.entityOrObject, .assignment])
  }
}
