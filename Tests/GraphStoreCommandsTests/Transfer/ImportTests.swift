import Testing

@testable import GraphStoreCommands

@Suite("Importing records")
struct ImportTests {
  let folder: TransferFolder

  init() throws { folder = try TransferFolder(model: TransferFolder.teams) }

  @Test("A conflict about a relationship names upsert, whose key may be one")
  func conflictOfRelationship() throws {
    let tool = try CommandLineTool()
    try tool.write(
      #"{"entities":[{"name":"O","relationships":[{"name":"ds","destination":"D","inverse":"o","toMany":true}]},{"name":"D","attributes":[{"name":"b","type":"string"}],"relationships":[{"name":"o","destination":"O","inverse":"ds"}],"uniquenessConstraints":[["o","b"]]}]}"#,
      to: "model.json")
    try tool.run("init", "s.db", "--model", "model.json")
    try tool.run("insert", "O", "-s", "s.db")
    try tool.run("insert", "D", "b=x", "o=O/p1", "-s", "s.db")
    let record = #"{"b":"x","o":"O/p1"}"#
    let outcome = try tool.run("import", "D", "-", "--from", "ndjson", "-s", "s.db", input: record)
    #expect(outcome.code != 0 && outcome.errors.contains("graphstore upsert D - --key o,b"), "\(outcome)")
    #expect(try tool.run("upsert", "D", "-", "--key", "o,b", "-s", "s.db", input: record).code == 0)
    #expect(try tool.run("count", "D", "-s", "s.db").output == "1\n")
  }

  @Test("STO-244: a date that is not finite is refused by import, whatever it is written as")
  func infiniteDate() throws {
    let tool = try CommandLineTool.staffedCompany()
    for text in ["Infinity", "-inf", "1e999"] {
      let record = #"{"entity":"Employee","name":"A","birthday":""# + text + #""}"#
      #expect(try tool.run("import", "--all", "-", "--from", "ndjson", input: record).code == 65, "\(text)")
    }
    #expect(try tool.run("check", "-q").code == 0)
  }

  @Test("STO-300: a broken line near the end leaves nothing behind and is named")
  func brokenLine() throws {
    var lines = (1...10_000).map { "{\"name\":\"p\($0)\"}" }
    lines[9998] = "{\"name\":\"p9999\""
    let failure = folder.failure(lines.joined(separator: "\n"), ["Person"])
    #expect(failure?.location?.line == 9999)
    #expect(failure?.exitCode == .dataError)
    #expect(try folder.count("Person") == 0)
  }

  @Test("STO-300: --commit batch keeps the batches before the failing one")
  func batches() throws {
    let text = "{\"name\":\"a\"}\n{\"name\":\"b\"}\n{\"name\":\"c\"}\n{\"name\":\"\"}\n"
    let failure = folder.failure(text, ["Person", "--commit", "batch", "--batch-size", "2"])
    #expect(failure?.code == "validation")
    #expect(failure?.location?.line == 4)
    #expect(try folder.count("Person") == 2)
  }

  @Test("STO-298: the last, partial batch is saved")
  func partialBatch() throws {
    let text = (1...7).map { "{\"name\":\"p\($0)\"}\n" }.joined()
    try folder.load(text, ["Person", "--batch-size", "3"])
    #expect(try folder.count("Person") == 7)
  }

  @Test("Numbers outside the width of their type are refused with line and column")
  func range() throws {
    let failure = folder.failure("{\"name\":\"a\"}\n{\"name\":\"b\",\"number\":70000}\n", ["Person"])
    #expect(failure?.code == "value-out-of-range")
    #expect(failure?.location?.line == 2)
    #expect(failure?.location?.column == 22)
    #expect(failure?.property == "number")
  }

  @Test("Unknown keys are refused, with what was probably meant")
  func unknownKey() throws {
    let failure = folder.failure("{\"nam\":\"a\"}", ["Person"])
    #expect(failure?.code == "unknown-key")
    #expect(failure?.suggestions == ["name"])
  }

  @Test("OBJ-488: all failures of a batch are told, each with its line")
  func severalFailures() throws {
    let text =
      "{\"name\":\"a\",\"number\":\"x\"}\n{\"name\":\"b\"}\n{\"name\":\"\"}\n{\"number\":9001,\"name\":\"d\"}\n"
    let failure = folder.failure(text, ["Person"])
    #expect(failure?.details.count == 3)
    #expect(failure?.details.first?.contains(":1:22:") == true)
    #expect(failure?.details.last?.contains(":4:11:") == true)
    #expect(try folder.count("Person") == 0)
  }

  @Test("STO-306: a value that a constraint refuses is named with the line of its record")
  func constraint() throws {
    let failure = folder.failure("{\"name\":\"a\",\"number\":1}\n{\"name\":\"b\",\"number\":1}\n", ["Person"])
    #expect(failure?.code == "constraint-conflict")
    #expect(failure?.location?.line == 2)
    #expect(try folder.count("Person") == 0)
  }

  @Test("Records that fail are put aside, and the others imported")
  func rejects() throws {
    let text = """
      {"name":"a","number":1}
      {"name":"","number":2}
      {"name":"c","number":1}
      {"name":"d","number":"12k"}
      {"name":"e"
      {"name":"f"}

      """
    let code = try folder.load(
      text, ["Person", "--on-error", "skip", "--rejects", folder.path("bad.ndjson")])
    #expect(code == .partial)
    #expect(try folder.count("Person") == 2)
    let lines = try folder.read("bad.ndjson").split(separator: "\n").map(String.init).sorted()
    #expect(lines.count == 4)
    #expect(
      lines.first { $0.hasPrefix("{\"line\":4,") }
        == #"{"line":4,"code":"value-type","key":"number","value":"12k","message":"Person.number: \"12k\" is not a whole number","row":{"name":"d","number":"12k"}}"#
    )
    #expect(lines.contains { $0.hasPrefix("{\"line\":3,\"code\":\"constraint-conflict\"") })
    #expect(lines.contains { $0.hasPrefix("{\"line\":2,\"code\":\"validation\"") })
  }

  @Test("A dry run checks everything and writes nothing")
  func dryRun() throws {
    try folder.load("{\"name\":\"a\"}\n", ["Person", "--dry-run"])
    #expect(try folder.count("Person") == 0)
    #expect(folder.failure("{\"name\":\"\"}\n", ["Person", "--dry-run"]) != nil)
  }

  @Test("Reading stops after the number of records asked for")
  func stopAfter() throws {
    try folder.load("{\"name\":\"a\"}\n{\"name\":\"b\"}\n{broken", ["Person", "--stop-after", "2"])
    #expect(try folder.count("Person") == 2)
  }

  @Test("STO-313: an import with a name happens once")
  func once() throws {
    try folder.load("{\"name\":\"a\"}\n", ["Person", "--once", "seed"])
    try folder.load("{\"name\":\"a\"}\n", ["Person", "--once", "seed"])
    #expect(try folder.count("Person") == 1)
  }

  @Test("STO-311: what sqlite3 -json prints of another database is imported as it comes through a pipe")
  func foreignDatabase() throws {
    let tool = try CommandLineTool.company()
    let printed = """
      [{"name":"Ada","badge":7,"salary":12.5},
      {"name":"Bo \\"B\\"","badge":null,"salary":1.0e+02}]

      """
    let outcome = try tool.run("import", "Employee", "-", input: printed)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let found = try tool.run(
      "fetch", "Employee", "--fields", "name,badge,salary", "--sort", "name", "-f", "csv", "--no-header")
    #expect(found.output == "Ada,7,12.5\n\"Bo \"\"B\"\"\",,100\n", "\(found.output)")
    // A record a line is no list.
    #expect(try tool.run("import", "Department", "-", input: "\n {\"name\":\"a\"}\n").code == 0)
    #expect(try tool.run("import", "Department", "-", "--from", "ndjson", input: "[]").code == 65)
  }

  @Test("Cells take their types from the model; an empty one is no value")
  func cells() throws {
    try folder.load("name,number,wage\nAda,007,12.50\nBo,,1\n", ["Person"], as: "input.csv")
    let text = try folder.export(["Person", "--fields", "name,number,wage", "--format", "csv", "--no-header"])
    #expect(text == "Ada,7,12.5\nBo,,1\n")
  }

  @Test("Names in the input map to keys")
  func map() throws {
    try folder.load(
      "full;x\n".replacing(";", with: ",") + "Ada,5\n",
      ["Person", "--map", "full=name", "--map", "x=number"], as: "input.csv")
    #expect(
      try folder.export(["Person", "--fields", "name,number", "--format", "csv", "--no-header"]) == "Ada,5\n")
  }
}
