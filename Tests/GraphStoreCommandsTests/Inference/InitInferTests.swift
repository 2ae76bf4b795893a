import Foundation
import GraphStoreTestSupport
import Testing

/// `graphstore init --infer`: a store and what is in it, made of files in one go.
@Suite("graphstore init --infer")
struct InitInferTests {
  @Test(
    "MDL-416: records of several files, linked by their keys", arguments: ["sqlite", "json", "xml", "binary"])
  func store(_ type: String) throws {
    let folder = try InferenceFolder([
      "employees.csv": "id,name,wage,dept_id,boss_id\n1,Ada,1.50,10,\n2,\"B, \"\"b\"\"\",2.25,10,1\n",
      "depts.tsv": "id\tname\n10\tEng\\tineering\n20\t\n",
    ])
    let made = try folder.makeStore("employees.csv", "depts.tsv", arguments: ["--type", type])
    #expect(made.errors.contains("4 inserted"), "\(made.errors)")
    #expect(
      Set(try folder.values("Employee", "id, wage, dept.id, boss.name")) == ["1,1.5,10,", "2,2.25,10,Ada"])
    #expect(Set(try folder.values("Dept", "id, employees.@count")) == ["10,2", "20,0"])
  }

  @Test("MDL-416: objects within records, once each where they have a key")
  func nested() throws {
    let folder = try InferenceFolder([
      "posts.ndjson": """
      {"title":"a","author":{"id":"x","name":"Ada"},"comments":[{"text":"1"},{"text":"2"}],"tags":["p",1,null],"at":{"city":"Rome"}}
      {"title":"b","author":{"id":"x","name":"Ada"},"comments":[],"tags":[],"at":{"city":"Oslo"}}

      """
    ])
    _ = try folder.makeStore("posts.ndjson")
    #expect(
      Set(try folder.values("Post", "title, author.name, comments.@count, at.city")) == [
        "a,Ada,2,Rome", "b,Ada,0,Oslo",
      ])
    #expect(try folder.values("Author", "id, posts.@count") == ["x,2"])
    let tags = try folder.tool.run(
      "fetch", "Post", "--store", "new.db", "--decode", "--json", "--sort", "title")
    #expect(tags.output.contains("\"tags\":[\"p\",1,null]"), "\(tags.output)")
  }

  @Test("MDL-416: a schema alone makes an empty store")
  func schema() throws {
    let folder = try InferenceFolder(["person.schema.json": "{\"properties\":{\"a\":{\"type\":\"string\"}}}"])
    _ = try folder.makeStore("person.schema.json")
    #expect(try folder.tool.run("count", "Person", "--store", "new.db").output == "0\n")
  }

  @Test("MDL-416: of a failure no file is left, and what is there stays")
  func failures() throws {
    let folder = try InferenceFolder(["a.csv": "a,b\n1,2\n", "b.csv": "a,b\n1\n", "taken.db": "mine"])
    func run(_ words: String...) throws -> Int32 {
      try folder.tool.run(CommandLineTool.executable.path, ["init"] + words, input: nil).code
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.tool.folder.path).sorted()
    #expect(try run("new.db", "--infer", "a.csv", "--infer", "b.csv") == 65)
    #expect(try run("new.db", "--infer", "a.csv", "--infer", "c.csv") == 66)
    #expect(try run("taken.db", "--infer", "a.csv") == 73)
    #expect(try run("gone/new.db", "--infer", "a.csv") == 73)
    #expect(try run("new.db", "--infer", "-") == 64)
    #expect(try run("new.db", "--infer", "a.csv", "--seed", "a.csv") == 64)
    #expect(try run("new.db", "--infer", "a.csv", "--model", "m.json") == 64)
    #expect(try run("new.db", "--from", "csv", "--model", "m.json") == 64)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.tool.folder.path).sorted() == before)
    #expect(try String(contentsOfFile: folder.tool.path("taken.db"), encoding: .utf8) == "mine")
  }

  @Test("MDL-416: nothing is left in the folder for temporary files")
  func temporaryFiles() throws {
    let folder = try InferenceFolder(["a.csv": "a,b\n1,2\n"])
    try FileManager.default.createDirectory(
      at: folder.tool.folder.appendingPathComponent("tmp"), withIntermediateDirectories: false)
    folder.tool.environment["TMPDIR"] = folder.tool.path("tmp")
    _ = try folder.makeStore("a.csv")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.tool.path("tmp")).isEmpty)
  }
}
