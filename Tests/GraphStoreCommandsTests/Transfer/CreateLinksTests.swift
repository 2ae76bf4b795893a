import Foundation
import GraphStore
import Testing

@testable import GraphStoreCommands

/// Objects that an import makes because links name them.
@Suite("Links that make what they lead to")
struct CreateLinksTests {
  let folder: TransferFolder

  init() throws { folder = try TransferFolder(model: TransferFolder.teams) }

  private static let table = "name,team,tags\na,Red,x;y\nb,Red,y\nc,Blue,\n"
  private static let options = ["Person", "--link", "team=name", "--link", "tags=name", "--create-links"]

  private func people() throws -> String {
    try folder.export([
      "Person", "--fields", "name,team.name,tags.name", "--sort", "name", "--format", "csv", "--no-header",
    ])
  }

  @Test(
    "STO-340: objects that links name are made once each, whatever the batch", arguments: ["1", "2", "1000"])
  func created(size: String) throws {
    for commit in ["all", "batch"] {
      let folder = try TransferFolder(model: TransferFolder.teams)
      try folder.load("{\"name\":\"Blue\"}\n", ["Team"])
      try folder.load(
        Self.table, Self.options + ["--batch-size", size, "--commit", commit], as: "input.csv")
      #expect(try folder.count("Team") == 2 && folder.count("Tag") == 2)
      #expect(
        try folder.export([
          "Team", "--fields", "name,people.name", "--sort", "name", "--format", "ndjson", "--no-id",
        ])
          == "{\"name\":\"Blue\",\"people.name\":[\"c\"]}\n{\"name\":\"Red\",\"people.name\":[\"a\",\"b\"]}\n"
      )
      #expect(try folder.run(["check"]) == .success)
    }
  }

  @Test("STO-340: records that come later in the input are meant before a new object is made")
  func sameTree() throws {
    let text = "name,boss\na,b\nb,z\nc,z\n"
    for (name, options) in [
      ("1", ["--batch-size", "1"]), ("2", []), ("3", ["--commit", "line"]), ("4", ["--on-error", "skip"]),
    ] {
      let folder = try TransferFolder(model: TransferFolder.teams)
      try folder.load(text, ["Person", "--link", "boss=name", "--create-links"] + options, as: "input.csv")
      let found = try folder.export([
        "Person", "--fields", "name,boss.name", "--sort", "name", "--format", "csv", "--no-header",
      ])
      #expect(found == "a,b\nb,z\nc,z\nz,\n", "\(name)")
      #expect(try folder.run(["check"]) == .success)
    }
  }

  @Test("STO-340: an object of which more is mandatory is not made, and the error says what is lacking")
  func mandatory() throws {
    let failure = folder.failure(
      "name,badge\na,B1\n", ["Person", "--link", "badge=code", "--create-links"], as: "input.csv")
    // A badge needs a holder, which the link is.
    #expect(failure == nil, "\(String(describing: failure))")
    let model = """
      {"name":"M","entities":[
        {"name":"House","attributes":[{"name":"name","type":"string"},{"name":"street","type":"string","optional":false},
           {"name":"floors","type":"int16","optional":false,"default":1}],
         "relationships":[{"name":"owner","destination":"Owner","inverse":"houses","optional":false},
           {"name":"rooms","destination":"Room","inverse":"house","toMany":true}]},
        {"name":"Owner","relationships":[{"name":"houses","destination":"House","inverse":"owner","toMany":true}]},
        {"name":"Room","attributes":[{"name":"name","type":"string"}],
         "relationships":[{"name":"house","destination":"House","inverse":"rooms"}]}]}
      """
    let other = try TransferFolder(model: model)
    let words = ["Room", "--link", "house=name", "--create-links"]
    let error = other.failure("name,house\nr,H\n", words, as: "input.csv")
    #expect(error?.code == "unresolved-link" && error?.exitCode == .dataError)
    #expect(
      error?.message.contains("House needs a value for street, owner too") == true, "\(error?.message ?? "")")
    #expect(try other.count("House") == 0 && other.count("Room") == 0)
    try other.load("name,house\nr,H\ns,\n", words + ["--on-error", "skip"], as: "input.csv")
    #expect(try other.count("House") == 0 && other.count("Room") == 1)
  }

  @Test("STO-340: what a record names that is left out is not made")
  func leftOut() throws {
    let options = Self.options + ["--on-error", "skip"]
    try folder.load("name,team,number\na,Red,1\nb,Green,90000\nc,Black,1\n", options, as: "input.csv")
    #expect(try folder.export(["Team", "--fields", "name", "--format", "csv", "--no-header"]) == "Red\n")
    let ignoring = Self.options + ["--key", "name", "--on-conflict", "ignore"]
    try folder.load("name,team\na,White\nd,Grey\n", ignoring, as: "input.csv")
    #expect(
      try folder.export(["Team", "--fields", "name", "--format", "csv", "--no-header"]) == "Red\nGrey\n")
    #expect(try people().contains("a,Red"))
  }

  @Test("STO-340: it is counted and told, a dry run says what would be made, and an error takes all back")
  func told() throws {
    let tool = try CommandLineTool.company()
    try tool.write("name,department\nA,Red\nB,Red\nC,Blue\n", to: "e.csv")
    let words = ["import", "Employee", "e.csv", "--link", "department=name", "--create-links"]
    func run(_ more: String...) throws -> CommandLineTool.Outcome {
      try tool.run(CommandLineTool.executable.path, words + more, input: nil)
    }
    let without = try tool.run("import", "Employee", "e.csv", "--link", "department=name")
    #expect(without.code == 65 && without.errors.contains("--create-links"), "\(without.errors)")
    let dry = try run("-n")
    #expect(dry.errors.contains("3 would be inserted, would create 2 Department"), "\(dry.errors)")
    #expect(try tool.run("count", "Department").output == "0\n")
    let json = try run("-n", "--error-format", "json")
    #expect(json.errors.contains(#""created":{"Department":2}"#), "\(json.errors)")
    let done = try run()
    #expect(done.code == 0 && done.errors.contains("3 inserted, created 2 Department"), "\(done.errors)")
    try tool.write("name,department\nD,New\n,X\n", to: "e.csv")
    #expect(try run().code == 65)
    #expect(try tool.run("count", "Department").output == "2\n")
    #expect(try run("--keep-ids").code == 64)
    #expect(try tool.run("check").code == 0)
  }

  @Test("STO-342: a link in JSON may be an object with the id, or with one attribute, of what it leads to")
  func nested() throws {
    try folder.load("{\"name\":\"T\"}\n", ["Team"])
    try folder.load(
      """
      {"name":"a","team":{"name":"T"},"tags":[{"name":"x"},{"name":"y"}]}
      {"name":"b","team":{"id":"Team/p1"},"boss":{"name":"a"}}
      {"name":"c","team":{"name":null}}

      """, ["Person", "--create-links"])
    #expect(try people() == "a,T,\"[\"\"x\"\",\"\"y\"\"]\"\nb,T,\nc,,\n")
    for (text, part) in [
      (#"{"name":"d","team":{"id":"Team/p1","name":"T"}}"#, "has more than its id: name"),
      (#"{"name":"d","team":{}}"#, "does not say which Team it is"),
      (#"{"name":"d","team":{"size":1}}"#, "does not say which Team it is"),
      (#"{"name":"d","team":{"name":[1]}}"#, "has no text or number for its name"),
      (#"{"name":"d","tags":{"name":"x"}}"#, "takes ids such as"),
    ] {
      let failure = folder.failure(text + "\n", ["Person"])
      #expect(
        failure?.code == "value-type" && failure?.message.contains(part) == true, "\(failure?.message ?? "")")
      #expect(failure?.location?.line == 1)
    }
    try folder.load(
      #"{"name":"e","team":{"id":"Team/p1","name":"T"}}"# + "\n", ["Person", "--ignore-unknown"])
    #expect(try people().contains("e,T"))
  }

  @Test("STO-341: names of columns are keys without regard to case, blanks and signs")
  func columns() throws {
    try folder.load("{\"name\":\"T\"}\n", ["Team"])
    try folder.load(" NAME ,Team.Name,\"Wage\"\na,T,3\n", ["Person"], as: "input.csv")
    #expect(
      try folder.export(["Person", "--fields", "name,team.name,wage", "--format", "csv", "--no-header"])
        == "a,T,3\n")
    try folder.load("ENTITY\tID\tName\nChief\tx\tb\n", ["Person"], as: "input.tsv")
    #expect(try folder.count("Chief") == 1)
    let twins = folder.failure("name,Name\na,b\n", ["Person"], as: "input.csv")
    #expect(
      twins?.code == "header-invalid" && twins?.message.contains("\"name\" and \"Name\"") == true,
      "\(twins?.message ?? "")")
    #expect(folder.failure("{\"NAME\":\"a\"}\n", ["Person"])?.code == "unknown-key")
  }
}
