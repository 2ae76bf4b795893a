import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("graphstore completions")
struct CompletionsCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func candidates(_ line: String) throws -> [String] {
    let outcome = try tool.run("completions", "--line", line)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(line): \(outcome)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test(
    "What may stand at the cursor: commands, entities, options, key paths, values, ids and topics",
    arguments: [
      ("graphstore ex", ["explain", "export"]), ("graphstore fetch Emp", ["Employee"]),
      ("graphstore fetch Employee --gr", ["--group-by"]),
      ("graphstore fetch Employee --sort -sal", ["-salary"]),
      ("graphstore fetch Employee --fields name,department.na", ["name,department.name"]),
      ("graphstore fetch Employee --format=nd", ["--format=ndjson"]),
      ("graphstore get Department/", ["Department/p1", "Department/p2"]),
      ("graphstore model li", ["lint", "list"]), ("graphstore help for-sq", ["for-sql-users"]),
      ("graphstore help incompatible-", ["incompatible-model"]), ("graphstore fetch Nobody --fields na", []),
      ("graphst", []), ("graphstore init new.d", []),
    ])
  func words(_ line: String, _ expected: [String]) throws {
    #expect(try candidates(line).sorted() == expected.sorted(), "\(line)")
  }

  @Test("In an open quote a predicate is completed, and the quote is the shell's")
  func quotes() throws {
    #expect(try candidates("graphstore fetch Employee -w 'sala").contains("salary"))
    #expect(try candidates("graphstore count Employee -w \"department.na") == ["department.name"])
  }

  @Test("The line's own store and model come before those of the environment")
  func store() throws {
    #expect(try tool.run("init", "other.db", "--model", "m.json").code != 0)
    try tool.write(
      #"{"entities":[{"name":"Bird","attributes":[{"name":"song","type":"string"}]}]}"#, to: "birds.json")
    #expect(try tool.run("init", "birds.db", "--model", "birds.json").code == 0)
    #expect(try candidates("graphstore fetch --store birds.db Bi") == ["Bird"])
    #expect(try candidates("graphstore fetch Bird -s birds.db --fields so") == ["song"])
    // What cannot be opened offers no names, and no error.
    #expect(try candidates("graphstore fetch -s none.db Emp") == [])
  }

  @Test("The scripts are what the shells read, and bash completes by its own")
  func scripts() throws {
    for shell in ["bash", "zsh", "fish"] {
      #expect(try tool.run("completions", shell).output.contains("completions --line"))
    }
    #expect(try tool.run("completions").code == 64)
    let folder = CommandLineTool.executable.deletingLastPathComponent().path
    func reply(_ words: [String]) throws -> [String] {
      let line = words.joined(separator: " ")
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let script = """
        PATH=\(folder):$PATH; source <(graphstore completions bash)
        compopt() { :; }
        COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count) COMP_WORDS=(\(list)) COMP_CWORD=\(words.count - 1)
        _graphstore; printf '%s\\n' "${COMPREPLY[@]}"
        """
      let outcome = try tool.run("/bin/bash", ["-c", script], input: nil)
      #expect(outcome.errors.isEmpty, "\(outcome)")
      return outcome.output.split(separator: "\n").map(String.init)
    }
    #expect(try reply(["graphstore", "fetch", "Emp"]) == ["Employee"])
    // Bash has taken the option and its value apart.
    #expect(try reply(["graphstore", "get", "Department/"]) == ["Department/p1", "Department/p2"])
  }
}
