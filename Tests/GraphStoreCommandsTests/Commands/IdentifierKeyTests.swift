import Foundation
import Testing

@Suite("An attribute called id, beside the object's own id")
struct IdentifierKeyTests {
  private let tool: CommandLineTool

  /// Notes have an attribute `id`, memos inherit it, tags have none; of the pieces only scraps have one.
  private static let model = """
    { "name": "Notes", "entities": [
      { "name": "Note", "attributes": [
          { "name": "id", "type": "int64" }, { "name": "text", "type": "string" } ],
        "relationships": [
          { "name": "tag", "destination": "Tag", "inverse": "notes" } ] },
      { "name": "Memo", "parent": "Note", "attributes": [ { "name": "due", "type": "date" } ] },
      { "name": "Tag", "attributes": [ { "name": "name", "type": "string" } ],
        "relationships": [
          { "name": "notes", "destination": "Note", "inverse": "tag", "toMany": true, "ordered": true } ] },
      { "name": "Piece", "attributes": [ { "name": "name", "type": "string" } ] },
      { "name": "Scrap", "parent": "Piece", "attributes": [ { "name": "id", "type": "string" } ] } ] }
    """

  init() throws {
    tool = try CommandLineTool()
    try tool.write(Self.model, to: "notes.json")
    try makeStore("notes.db")
    tool.environment["GRAPHSTORE_STORE"] = "notes.db"
    let script = """
      insert Tag name=red
      insert Note id=7 text=a tag=Tag/p1
      insert Memo id=8 text=b tag=Tag/p1 due=2024-01-31
      insert Scrap id=Piece/p9 name=s
      insert Piece name=p
      """
    let made = try tool.run("run", "-", input: script)
    try #require(made.code == 0, "\(made.errors)")
  }

  private func makeStore(_ name: String) throws {
    let made = try tool.run("init", name, "--model", "notes.json")
    try #require(made.code == 0, "\(made.errors)")
  }

  private func output(_ arguments: String...) throws -> String {
    let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test(
    "fetch and get print it as id, and the object's own id as objectID, in every format",
    arguments: [
      ("ndjson", #"{"objectID":"Note/p1","id":7,"text":"a","tag":"Tag/p1"}"# + "\n"),
      ("json", "[\n  " + #"{"objectID":"Note/p1","id":7,"text":"a","tag":"Tag/p1"}"# + "\n]\n"),
      ("csv", "objectID,id,text,tag\nNote/p1,7,a,Tag/p1\n"),
      ("tsv", "objectID\tid\ttext\ttag\nNote/p1\t7\ta\tTag/p1\n"),
      ("table", "objectID  id  text  tag\nNote/p1    7  a     Tag/p1\n"),
      (
        "markdown",
        "| objectID | id | text | tag |\n| --- | ---: | --- | --- |\n| Note/p1 | 7 | a | Tag/p1 |\n"
      ),
      ("line", "objectID  Note/p1\nid        7\ntext      a\ntag       Tag/p1\n"),
      ("ids", "Note/p1\n"),
    ])
  func formats(format: String, expected: String) throws {
    #expect(try output("fetch", "Note", "--no-subentities", "-f", format) == expected)
    #expect(try output("get", "Note/p1", "-f", format) == expected)
  }

  @Test("--fields id and --sort id mean the attribute, objectID the object's own id")
  func fields() throws {
    #expect(try output("fetch", "Note", "--fields", "id", "-f", "csv") == "id\n7\n8\n")
    #expect(
      try output("fetch", "Note", "--fields", "text", "--ndjson", "--limit", "1")
        == #"{"objectID":"Note/p1","text":"a"}"# + "\n")
    #expect(try output("fetch", "Note", "--sort", "-id", "-f", "ids") == "Memo/p2\nNote/p1\n")
    #expect(
      try output("insert", "Note", "id=9", "--return", "id,objectID", "--ndjson")
        == #"{"id":9,"objectID":"Note/p3"}"# + "\n")
  }

  @Test("Where there is no such attribute, --sort id and --fields id mean the object's own id")
  func noAttribute() throws {
    #expect(try output("fetch", "Piece", "--sort", "-id", "-f", "ids") == "Piece/p2\nScrap/p1\n")
    #expect(
      try output("fetch", "Piece", "--sort", "id", "--fields", "id", "-f", "ids") == "Scrap/p1\nPiece/p2\n")
    #expect(try output("fetch", "Tag", "--fields", "id,name", "-f", "csv") == "id,name\nTag/p1,red\n")
  }

  @Test("Objects of several entities: each its own keys in JSON, one column for the ids of all in a table")
  func severalEntities() throws {
    #expect(
      try output("get", "Tag/p1", "Note/p1", "--ndjson")
        == #"{"id":"Tag/p1","name":"red"}"# + "\n"
        + #"{"objectID":"Note/p1","id":7,"text":"a","tag":"Tag/p1"}"#
        + "\n")
    #expect(
      try output("get", "Tag/p1", "Note/p1", "-f", "csv")
        == "objectID,name,id,text,tag\nTag/p1,red,,,\nNote/p1,,7,a,Tag/p1\n")
  }

  @Test(
    "What is exported with such an attribute is read back equal", arguments: ["ndjson", "json", "csv", "tsv"])
  func roundTrip(format: String) throws {
    let records = try output("export", "--all")
    #expect(records.contains(#"{"entity":"Note","objectID":"Note/p1","id":7,"#))
    #expect(records.contains(#"{"entity":"Tag","id":"Tag/p1","#))
    _ = try output("export", "--all", "-f", format, "-o", "all.\(format)")
    try makeStore("copy.db")
    let more = format == "csv" || format == "tsv" ? ["--from", format] : []
    let read = try tool.run(
      CommandLineTool.executable.path,
      ["import", "--all", "all.\(format)", "--keep-ids", "-s", "copy.db"] + more,
      input: nil)
    #expect(read.code == 0, "\(read.errors)")
    #expect(try output("export", "--all", "-s", "copy.db") == records)
  }

  @Test("A table of a family calls the ids objectID as soon as one entity of it has the attribute")
  func family() throws {
    let table = try output("export", "Piece", "-f", "csv")
    #expect(table == "objectID,name\nScrap/p1,s\nPiece/p2,p\n")
    try makeStore("copy.db")
    let read = try tool.run("import", "Piece", "-", "--from", "csv", "-s", "copy.db", input: table)
    #expect(read.code == 0, "\(read.errors)")
    #expect(try output("export", "Piece", "-f", "csv", "-s", "copy.db") == table)
  }

  @Test("insert - takes such records, whose own ids are labels")
  func insertRecords() throws {
    let records = #"{"objectID":"x","id":1,"text":"n"}"# + "\n"
    let made = try tool.run("insert", "Note", "-", input: records)
    #expect(made.code == 0, "\(made.errors)")
    #expect(try output("fetch", "Note", "-w", "text == 'n'", "--fields", "id", "-f", "csv") == "id\n1\n")
  }

  @Test(
    "An attribute called objectID is one as well: the object's own id is id, and self where both are taken")
  func objectIDAttribute() throws {
    for (attributes, own, other) in [
      ("objectID", "id", "objectID=x"), ("id objectID", "self", "id=i objectID=x"),
    ] {
      let tool = try CommandLineTool()
      let listed = attributes.split(separator: " ").map { "{\"name\":\"\($0)\",\"type\":\"string\"}" }
        .joined(separator: ",")
      try tool.write("{\"entities\":[{\"name\":\"N\",\"attributes\":[\(listed)]}]}", to: "n.json")
      try #require(tool.run("init", "n.db", "--model", "n.json").code == 0)
      tool.environment["GRAPHSTORE_STORE"] = "n.db"
      let made = try tool.run(
        CommandLineTool.executable.path, ["insert", "N"] + other.split(separator: " ").map(String.init),
        input: nil)
      try #require(made.code == 0, "\(made.errors)")
      #expect(try tool.run("fetch", "N", "--fields", "objectID", "-f", "csv").output == "objectID\nx\n")
      #expect(try tool.run("get", "N/p1", "-f", "csv").lines[0].hasPrefix("\(own),"))
      #expect(try tool.run("fetch", "N", "--fields", own, "-f", "csv").output == "\(own)\nN/p1\n")
      let exported = try tool.run("export", "--all").output
      #expect(
        exported.contains("\"\(own)\":\"N/p1\"") && exported.contains(#""objectID":"x""#), "\(exported)")
      try #require(tool.run("init", "copy.db", "--model", "n.json").code == 0)
      #expect(try tool.run("import", "--all", "-", "-s", "copy.db", "--keep-ids", input: exported).code == 0)
      #expect(try tool.run("export", "--all", "-s", "copy.db").output == exported)
    }
  }
}
