import Foundation
import GraphStoreTestSupport
import Testing

@Suite("Values of transformable attributes as JSON, by --decode")
struct DecodeCommandTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Notes", "entities": [{"name": "Note", "attributes": [
        {"name": "title", "type": "string"}, {"name": "tags", "type": "transformable"},
        {"name": "seal", "type": "transformable", "transformer": "Nobodys"},
        {"name": "extra", "type": "composite", "attributes": [
          {"name": "memo", "type": "transformable"}, {"name": "size", "type": "int16"}]}]}]}
      """, to: "notes.json")
    #expect(try tool.run("init", "s.db", "--model", "notes.json").code == 0)
  }

  private func run(_ arguments: String...) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, arguments + ["--store", "s.db"], input: nil)
  }

  private static let value = #"{"a":[1,2.5,null,true,"x"],"b":{"c":"d"}}"#

  @Test("MDL-162: JSON given with --decode is kept as the default archive, and shown as it was given")
  func roundTrip() throws {
    #expect(try run("insert", "Note", "title=t", "tags:=\(Self.value)", "--decode").code == 0)
    let shown = try run("fetch", "Note", "--fields", "tags", "--ndjson", "--decode")
    #expect(shown.output == #"{"id":"Note/p1","tags":"# + Self.value + "}\n")
    #expect(
      try run("fetch", "Note", "--fields", "tags", "--format", "csv", "--decode").lines[1].contains(
        #""a"":[1,2.5"#))
    let bytes = try run("fetch", "Note", "--fields", "tags", "--ndjson").output
    #expect(bytes.contains(#""tags":"YnBsaXN0"#))
    #expect(try run("update", "Note/p1", #"tags:=["z"]"#, "--decode").code == 0)
    #expect(
      try run("get", "Note/p1", "--fields", "tags", "--json", "--decode").output.contains(#""tags":["z"]"#))
    #expect(try run("check").code == 0)
  }

  @Test(
    "MDL-165: without --decode JSON that is no Base64 is refused; a transformer that nobody has stays Base64")
  func refusals() throws {
    #expect(try run("insert", "Note", #"tags:=["x"]"#).code == 65)
    let refused = try run("insert", "Note", #"seal:=["x"]"#, "--decode")
    #expect(refused.code == 65 && refused.errors.contains("[transformer-missing]"))
  }

  @Test("Commands that show no values of attributes do not take --decode")
  func otherCommands() throws {
    for command in [["info"], ["metadata", "list"], ["metadata", "get", "NSStoreUUID"]] {
      let outcome = try tool.run(
        CommandLineTool.executable.path, command + ["--decode", "--store", "s.db"], input: nil)
      #expect(outcome.code == 64 && outcome.errors.contains("--decode"))
    }
  }

  @Test("OBJ-269: elements of composite attributes are decoded as well")
  func elements() throws {
    #expect(try run("insert", "Note", #"extra:={"memo":["m"],"size":3}"#, "--decode").code == 0)
    #expect(try run("update", "Note/p1", #"extra.memo:={"k":1}"#, "--decode").code == 0)
    let shown = try run("get", "Note/p1", "--json", "--decode").output
    #expect(shown.contains(#""extra.memo":{"k":1},"extra.size":3"#))
  }

  @Test(
    "An export with --decode comes back by an import with --decode, in every format",
    arguments: ["ndjson", "json", "csv"])
  func transfer(_ format: String) throws {
    #expect(
      try run("insert", "Note", "title=t", "tags:=\(Self.value)", #"extra.memo:=["m"]"#, "--decode").code == 0
    )
    #expect(try run("insert", "Note", "title=u", #"tags:="only text""#, "--decode").code == 0)
    let exported = try run("export", "Note", "--format", format, "--decode", "--output", "out.\(format)")
    #expect(exported.code == 0)
    #expect(try tool.run("init", "t.db", "--model", "notes.json").code == 0)
    let imported = try tool.run("import", "Note", "out.\(format)", "--decode", "--store", "t.db")
    #expect(imported.code == 0, "\(imported.errors)")
    let other = try tool.run("export", "Note", "--format", format, "--decode", "--store", "t.db")
    #expect(try other.output == run("export", "Note", "--format", format, "--decode").output)
    #expect(try tool.run("check", "--store", "t.db").code == 0)
  }
}
