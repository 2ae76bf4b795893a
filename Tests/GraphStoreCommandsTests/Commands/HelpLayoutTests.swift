import ArgumentParser
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("The help on a command")
struct HelpLayoutTests {
  private static var leaves: [[String]] {
    RootCommand.commands.flatMap { command -> [[String]] in
      let name = command._commandName
      let subcommands = command.configuration.subcommands
      return subcommands.isEmpty ? [[name]] : subcommands.map { [name, $0._commandName] }
    }
  }

  @Test(
    "A command's own options come before those that it shares, by --help, help and .help", arguments: leaves)
  func order(words: [String]) throws {
    let tool = try CommandLineTool.company()
    let executable = CommandLineTool.executable.path
    // Of the shell there is a page.
    for arguments in [words + ["--help"], ["help"] + words] where arguments != ["help", "shell"] {
      let help = try tool.run(executable, arguments, input: nil).output
      let own = try #require(help.range(of: "\nOPTIONS:\n"), "\(help)")
      for heading in ["RESULT", "SHORT FORMS", "STORE", "QUESTIONS", "EVERY COMMAND"] {
        guard let shared = help.range(of: "\n\(heading):\n") else { continue }
        #expect(own.lowerBound < shared.lowerBound, "\(heading): \(help)")
      }
      #expect(help.components(separatedBy: "\nOPTIONS:\n").count == 2)
      #expect(help.hasSuffix("\n") && !help.hasSuffix("\n\n"))
    }
    guard words.count == 1, words != ["init"] else { return }
    let session = try tool.run("run", "-c", ".help \(words[0])").output
    if let own = session.range(of: "\nOPTIONS:\n"), let shared = session.range(of: "\nEVERY COMMAND:\n") {
      #expect(own.lowerBound < shared.lowerBound, "\(session)")
    }
  }

  @Test("Text without the sections stays as it is")
  func others() {
    #expect(HelpLayout.ownOptionsFirst("a\n\nOPTIONS:\n  b\n") == "a\n\nOPTIONS:\n  b\n")
    #expect(HelpLayout.ownOptionsFirst("STORE:\n  a\n\nx") == "STORE:\n  a\n\nx")
  }

  @Test("Examples use the names of the company's model", arguments: leaves)
  func examples(words: [String]) throws {
    let parent = try #require(RootCommand.command(named: words[0]))
    let leaf =
      words.count == 1
      ? parent : try #require(parent.configuration.subcommands.first { $0._commandName == words[1] })
    var examples: [String] = []
    var isContinued = false
    for line in leaf.configuration.discussion.split(separator: "\n").map(String.init) {
      if isContinued { examples[examples.count - 1] += "\n" + line }
      if !isContinued, line.hasPrefix("graphstore ") {
        examples.append(line)
      } else if !isContinued {
        continue
      }
      isContinued = line.hasSuffix("\\") || line.hasSuffix("|")
    }
    for example in examples where !example.contains("shell") {
      let tool = try CommandLineTool.staffedCompany()
      let model = Repository.root.appendingPathComponent("Models/company.json").path
      // What goes on for ever is ended.
      let isEndless = example.contains("watch") || example.contains("--follow")
      let limit = isEndless ? "timeout 1 " : ""
      let outcome = try tool.runShell("cp '\(model)' company.json; \(limit)\(example) </dev/null")
      for code in ["unknown-key", "unknown-entity", "predicate-syntax", "[usage]", "unknown-option"] {
        #expect(!outcome.errors.contains(code), "\(example): \(outcome.errors)")
      }
    }
  }

  @Test(
    "model validate tells a person at a terminal that all is well, of a file, a directory and several versions"
  )
  func validated() throws {
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    let tool = try CommandLineTool()
    #expect(try tool.runShell("mkdir C.graphmodel; cp '\(model)' C.graphmodel/1.json").code == 0)
    for path in [model, tool.path("C.graphmodel")] {
      let terminal = try PseudoTerminal(
        CommandLineTool.executable.path, ["model", "validate", path],
        environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path], size: (200, 24))
      #expect(terminal.wait() == 0)
      #expect(terminal.transcript.contains("no problems"), "\(terminal.transcript)")
    }
  }
}
