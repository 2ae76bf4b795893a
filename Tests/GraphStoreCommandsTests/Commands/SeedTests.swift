import Foundation
import Testing

/// `graphstore init --seed`: a store that is made with what is in it.
@Suite("init --seed")
struct SeedTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Moods", "entities": [
        {"name": "Country", "attributes": [{"name": "code", "type": "int16"}],
         "relationships": [{"name": "moods", "destination": "Mood", "toMany": true, "inverse": "country"}],
         "uniquenessConstraints": [["code"]]},
        {"name": "Mood", "attributes": [{"name": "name", "type": "string"}],
         "relationships": [{"name": "country", "destination": "Country", "inverse": "moods"}]}]}
      """, to: "moods.json")
    try tool.write(
      """
      {"entity":"Mood","id":"m1","name":"calm","country":"c1"}
      {"entity":"Country","id":"c1","code":328}

      """, to: "moods.ndjson")
    try tool.write("{\"entity\":\"Country\",\"id\":\"c2\",\"code\":616}\n", to: "more.ndjson")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
  }

  @Test(
    "STO-312, PAT-174: the files are one input, whose records name their entities",
    arguments: ["sqlite", "json", "binary", "xml"])
  func seeds(_ type: String) throws {
    let made = try tool.run(
      "init", "m.db", "--model", "moods.json", "--type", type, "--seed", "moods.ndjson", "--seed",
      "more.ndjson")
    #expect(made.code == 0 && made.errors.contains("3 inserted"), "\(made.errors)")
    let countries = try tool.run(
      "fetch", "Country", "--store", "m.db", "--fields", "code,moods.@count", "--sort", "code", "--format",
      "csv")
    #expect(
      countries.output.split(separator: "\n").dropFirst().map { $0.suffix(5) } == ["328,1", "616,0"],
      "\(countries.output)")
    #expect(
      try tool.run("count", "Mood", "--where", "country.code == 328", "--store", "m.db").output == "1\n")
  }

  @Test("STO-312: a folder holds a file for each entity")
  func folder() throws {
    try FileManager.default.createDirectory(
      at: tool.folder.appendingPathComponent("data"), withIntermediateDirectories: false)
    try tool.write("id,code\nc1,440\n", to: "data/Country.csv")
    try tool.write("name,country\nglad,c1\n", to: "data/Mood.csv")
    try tool.write("name\nlost\n", to: "data/Moods.csv")
    try tool.write("Read me.", to: "data/README.md")
    let made = try tool.run("init", "m.db", "--model", "moods.json", "--seed", "data")
    #expect(made.code == 0, "\(made.errors)")
    let warning = "warning: data/Moods.csv is named after no entity, and left out"
    #expect(made.errors.contains(warning) && made.errors.contains("did you mean \"Mood\"?"), "\(made.errors)")
    #expect(!made.errors.contains("README"), "\(made.errors)")
    #expect(
      try tool.run("count", "Mood", "--where", "country.code == 440", "--store", "m.db").output == "1\n")
  }

  @Test(
    "STO-312: of a seed that is wrong, missing or refused by a rule nothing is left",
    arguments: ["sqlite", "json", "binary", "xml"])
  func failures(_ type: String) throws {
    try tool.write("{\"entity\":\"Country\",\"code\":\"x\"}\n", to: "wrong.ndjson")
    try tool.write("{\"entity\":\"Country\",\"id\":\"c3\",\"code\":328}\n", to: "double.ndjson")
    let before = try names()
    for (seed, code) in [("wrong.ndjson", Int32(65)), ("double.ndjson", 65), ("missing.ndjson", 66)] {
      let made = try tool.run(
        "init", "m.db", "--model", "moods.json", "--type", type, "--seed", "moods.ndjson", "--seed", seed)
      #expect(made.code == code && !made.errors.contains("created"), "\(made.errors)")
      #expect(try names() == before)
    }
  }

  @Test(
    "STO-312: a store appears when it is whole, and of one that is killed before nothing stays",
    arguments: ["sqlite", "json"])
  func killed(_ type: String) throws {
    let before = try names()
    // Opening the pipe returns when the import reads it, and the store is made by then.
    let outcome = try tool.runShell(
      """
      mkfifo half.ndjson
      graphstore init m.db --model moods.json --type \(type) --seed moods.ndjson --seed half.ndjson & pid=$!
      exec 3> half.ndjson; ls -A; kill -9 $pid; wait $pid; rm half.ndjson; exit 0
      """)
    let during = outcome.output.split(separator: "\n").map(String.init)
    #expect(!during.contains("m.db") && during.contains { $0.hasPrefix(".m_db") }, "\(during)")
    let made = try tool.run("init", "m.db", "--model", "moods.json", "--type", type, "--seed", "moods.ndjson")
    #expect(made.code == 0, "\(made.errors)")
    #expect(try Set(names()).subtracting(before) == ["m.db"])
    #expect(try tool.run("count", "Mood", "--store", "m.db").output == "1\n")
  }

  @Test("STO-312: a store that is there stays as it is")
  func taken() throws {
    #expect(try tool.run("init", "m.db", "--model", "moods.json", "--seed", "more.ndjson").code == 0)
    let again = try tool.run("init", "m.db", "--model", "moods.json", "--seed", "moods.ndjson")
    #expect(again.code == 73)
    #expect(try tool.run("count", "Country", "--store", "m.db").output == "1\n")
  }
}
