import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("A record that is left out is left out as a whole")
struct ImportSkipTests {
  private static func company(_ members: String = "") -> String {
    """
    { "name": "Company", "entities": [
      { "name": "Department", "attributes": [ { "name": "name", "type": "string" } ],
        "relationships": [ { "name": "employees", "destination": "Employee", "inverse": "department", "toMany": true,
          "deleteRule": "cascade" \(members) } ], "uniquenessConstraints": [["name"]] },
      { "name": "Employee", "attributes": [ { "name": "name", "type": "string", "optional": false } ],
        "relationships": [
          { "name": "department", "destination": "Department", "inverse": "employees", "deleteRule": "noAction" },
          { "name": "manager", "destination": "Employee", "inverse": "reports" },
          { "name": "reports", "destination": "Employee", "inverse": "manager", "toMany": true,
            "deleteRule": "deny" } ], "uniquenessConstraints": [["name"]] } ] }
    """
  }

  private func folder(_ members: String = "") throws -> TransferFolder {
    try TransferFolder(model: Self.company(members))
  }

  private func skip(_ text: String, in folder: TransferFolder, options: [String] = []) throws
    -> [[String: Any]]
  {
    let rejects = folder.path("rejects")
    #expect(
      try folder.load(text, options + ["--on-error", "skip", "--rejects", rejects, "--yes"]) == .partial)
    #expect(try folder.run(["check", "--quiet"]) == .success)
    return try folder.read("rejects").split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  @Test("What a rejected record lists stays, and the reject has its row", arguments: ["1", "2", "1000"])
  func listed(size: String) throws {
    let folder = try folder()
    let rejects = try skip(
      """
      {"entity":"Department","id":"d","name":"Sales","employees":["a","b","zz"]}
      {"entity":"Employee","id":"a","name":"Ann"}
      {"entity":"Employee","id":"b","name":"Bob"}

      """, in: folder, options: ["--batch-size", size])
    #expect(try folder.count("Employee") == 2)
    #expect(try folder.count("Department") == 0)
    #expect(rejects.count == 1)
    #expect(rejects.first?["line"] as? Int == 1)
    #expect((rejects.first?["row"] as? [String: Any])?["name"] as? String == "Sales")
  }

  @Test("No delete rule runs for a record that was never in")
  func deny() throws {
    let folder = try folder()
    _ = try skip(
      """
      {"entity":"Employee","id":"a","name":"Boss","manager":"Employee/p99","reports":["b"]}
      {"entity":"Employee","id":"b","name":"W"}

      """, in: folder)
    #expect(try folder.count("Employee") == 1)
  }

  @Test("Objects that exist keep what they have when their record is rejected")
  func existing() throws {
    let folder = try folder()
    try folder.load(
      "{\"entity\":\"Department\",\"id\":\"d\",\"name\":\"Sales\"}\n{\"entity\":\"Employee\",\"name\":\"E1\",\"department\":\"d\"}\n",
      [])
    _ = try skip(
      "{\"name\":\"Sales\",\"employees\":[\"zz\"]}\n", in: folder,
      options: ["Department", "--key", "name", "--on-conflict", "update"])
    _ = try skip(
      "{\"name\":\"E1\",\"department\":null,\"manager\":\"zz\"}\n", in: folder,
      options: ["Employee", "--key", "name", "--on-conflict", "update"])
    #expect(
      try folder.export(["Employee", "--fields", "name,department.name", "--format", "csv", "--no-header"])
        == "E1,Sales\n")
  }

  @Test(
    "What refers to a rejected record is rejected, by way of others too, before and behind",
    arguments: ["1", "1000"])
  func chain(size: String) throws {
    let folder = try folder()
    let rejects = try skip(
      """
      {"entity":"Employee","id":1,"name":"a","manager":2}
      {"entity":"Employee","id":2,"name":"b","manager":3}
      {"entity":"Employee","id":3,"name":"c","manager":"nobody"}
      {"entity":"Employee","id":4,"name":"d","manager":3}
      {"entity":"Employee","id":5,"name":"e","manager":4}
      {"entity":"Employee","id":6,"name":"f"}

      """, in: folder, options: ["--batch-size", size])
    #expect(rejects.compactMap { $0["line"] as? Int } == [1, 2, 3, 4, 5])
    #expect(rejects.allSatisfy { $0["code"] as? String == "unresolved-link" && $0["row"] != nil })
    #expect(try folder.export(["Employee", "--fields", "name", "--format", "csv", "--no-header"]) == "f\n")
  }

  @Test("By line, records that refer to later ones are imported at the end, and each is counted once")
  func byLine() throws {
    let folder = try folder()
    let rejects = try skip(
      """
      {"entity":"Department","id":"d","name":"Sales","employees":["a","b"]}
      {"entity":"Employee","id":"a","name":"Ann"}
      {"entity":"Employee","id":"b","name":"Bob"}
      {"entity":"Employee","id":"c","name":"Cy","department":"d","manager":"zz"}
      {"entity":"Employee","id":"e","name":"Eve","department":"d"}

      """, in: folder, options: ["--commit", "line"])
    #expect(rejects.compactMap { $0["line"] as? Int } == [4])
    let text = try folder.export([
      "Employee", "--sort", "name", "--fields", "name,department.name", "--format", "csv", "--no-header",
    ])
    #expect(text == "Ann,Sales\nBob,Sales\nEve,Sales\n")
  }

  @Test("Too few links reject the record that makes the object, too many the last one that adds one")
  func counts() throws {
    let folder = try folder(", \"optional\": false, \"minCount\": 1, \"maxCount\": 2")
    let rejects = try skip(
      """
      {"entity":"Department","id":"d","name":"Full"}
      {"entity":"Department","id":"x","name":"Empty"}
      {"entity":"Employee","name":"a","department":"d"}
      {"entity":"Employee","name":"b","department":"d"}
      {"entity":"Employee","name":"c","department":"d"}

      """, in: folder, options: ["--batch-size", "1"])
    #expect(rejects.compactMap { $0["line"] as? Int } == [2, 5])
    #expect(rejects.allSatisfy { $0["code"] as? String == "validation" && $0["row"] != nil })
    #expect(try folder.count("Employee") == 2)
  }

  @Test("A missing value is no text, and rejects are in the order of the input")
  func order() throws {
    let folder = try folder()
    let rejects = try skip(
      """
      {"entity":"Employee","id":"a","name":"Ann","manager":"zz"}
      {"entity":"Employee","name":null}
      {"entity":"Nosuch","name":"x"}

      """, in: folder)
    #expect(rejects.compactMap { $0["line"] as? Int } == [1, 2, 3])
    #expect(rejects.allSatisfy { $0["value"] as? String != "null" })
  }

  @Test(
    "What comes through a pipe is put aside, should it have to be read again",
    arguments: ["ndjson", "json", "csv", "tsv"])
  func pipe(format: String) throws {
    let tool = try CommandLineTool()
    try tool.write(Self.company(), to: "model.json")
    #expect(try tool.run("init", "x.db", "--model", "model.json").code == 0)
    let input =
      switch format {
      case "ndjson":
        "{\"id\":\"a\",\"name\":\"x,y\",\"manager\":\"b\"}\n{\"id\":\"b\",\"name\":\"q\",\"manager\":\"zz\"}\n{\"name\":\"in\"}\n"
      case "json":
        "[{\"id\":\"a\",\n\"name\":\"x,y\",\"manager\":\"b\"},\n{\"id\":\"b\",\"name\":\"q\",\"manager\":\"zz\"},{\"name\":\"in\"}]\n"
      case "csv": "id,name,manager\na,\"x,\"\"y\",b\nb,q,zz\n,in,\n"
      default: "id\tname\tmanager\na\tx\\ty\tb\nb\tq\tzz\n\\N\tin\t\\N\n"
      }
    let outcome = try tool.run(
      "import", "Employee", "-", "--from", format, "--on-error", "skip", "--rejects", "r.ndjson", "-s",
      "x.db",
      input: input)
    #expect(outcome.code == 5, "\(outcome.errors)")
    #expect(try tool.run("count", "Employee", "-s", "x.db").output == "1\n")
    let rejects = try String(contentsOfFile: tool.path("r.ndjson"), encoding: .utf8).split(separator: "\n")
    #expect(rejects.count == 2)
    #expect(rejects.allSatisfy { $0.contains(",\"row\":{\"id\":\"") })
    #expect(outcome.lines.isEmpty)
    #expect(
      outcome.errors.split(separator: "\n").last?.hasPrefix("3 read: 1 inserted, 2 rejected → r.ndjson")
        == true)
  }

  @Test("A rejects file is not there before the import is done, and one that cannot be made stops it")
  func rejectsFile() throws {
    let folder = try folder()
    #expect(
      folder.failure(
        "{\"name\":\"a\"}\n", ["Employee", "--on-error", "skip", "--rejects", folder.path("no/where")]) != nil
    )
    #expect(try folder.count("Employee") == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(!names.contains { $0.hasPrefix(".rejects") || $0.hasPrefix(".where") })
  }

  @Test(
    "A rejects file that is there is replaced with --yes only, which is asked for before anything is done")
  func rejectsReplaced() throws {
    let tool = try CommandLineTool()
    try tool.write(Self.company(), to: "model.json")
    try tool.write("kept", to: "r.ndjson")
    let words = [
      "import", "Employee", "-", "-s", "x.db", "--create", "--model", "model.json", "--on-error", "skip",
      "--rejects", "r.ndjson",
    ]
    let input = "{\"name\":\"in\"}\n{\"zork\":1}\n"
    for more: [String] in [[], ["--no-input"], ["-n"]] {
      let refused = try tool.run(CommandLineTool.executable.path, words + more, input: Data(input.utf8))
      #expect(refused.code == 4 && refused.errors.contains("r.ndjson is there already"), "\(refused.errors)")
      #expect(try String(contentsOfFile: tool.path("r.ndjson"), encoding: .utf8) == "kept")
      #expect(!FileManager.default.fileExists(atPath: tool.path("x.db")))
    }
    let replaced = try tool.run(CommandLineTool.executable.path, words + ["--yes"], input: Data(input.utf8))
    #expect(replaced.code == 5, "\(replaced.errors)")
    #expect(try String(contentsOfFile: tool.path("r.ndjson"), encoding: .utf8).contains("unknown-key"))
    #expect(try tool.run("count", "Employee", "-s", "x.db").output == "1\n")
  }

  @Test(
    "STO-305: a record whose unique value another one has names that one, in rejects and in errors",
    arguments: ["1", "1000"])
  func twin(size: String) throws {
    let folder = try folder()
    let text = "{\"name\":\"a\"}\n{\"name\":\"b\"}\n{\"name\":\"a\"}\n"
    let rejects = try skip(text, in: folder, options: ["Employee", "--batch-size", size])
    #expect(rejects.map { $0["line"] as? Int } == [3])
    #expect(rejects.first?["details"] as? [String] == ["the record of line 1 has it"])
    #expect((rejects.first?["hints"] as? [String])?.isEmpty == false)
    let failure = folder.failure(
      "{\"name\":\"c\"}\n{\"name\":\"c\"}\n{\"name\":\"c\"}\n", ["Employee", "--key", "name"])
    #expect(failure?.details.allSatisfy { $0.contains("(the record of line 1 has it)") } == true)
  }

  @Test("Rejects on standard output are not said to be in a file")
  func rejectsOnStandardOutput() throws {
    let tool = try CommandLineTool.company()
    let outcome = try tool.run(
      "import", "Employee", "-", "--on-error", "skip", "--rejects", "-", input: "{\"zork\":1}\n")
    #expect(outcome.code == 5)
    #expect(outcome.lines.count == 1)
    #expect(outcome.lines.first?.hasPrefix("{\"line\":1,\"code\":\"unknown-key\"") == true)
    #expect(!outcome.errors.contains("hint"))
    #expect(outcome.errors.contains("1 rejected → standard output"))
  }
}
