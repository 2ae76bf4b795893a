import Foundation
import Testing

@Suite("graphstore model merge and compile")
struct ModelMergeCommandTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"$schema":"x","entities":[{"name":"Person","relationships":[
        {"name":"dogs","destination":"Dog","inverse":"owner","toMany":true}]}]}
      """, to: "people.json")
    try tool.write(
      #"{"entities":[{"name":"Dog","relationships":[{"name":"owner","destination":"Person","inverse":"dogs"}]}]}"#,
      to: "dogs.json")
  }

  private func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: tool.folder.appendingPathComponent(name)), as: UTF8.self)
  }

  @Test(
    "MDL-051, MDL-056: merge writes one model of several that lead to each other",
    arguments: ["merge", "compile"])
  func merge(command: String) throws {
    let outcome = try tool.run("model", command, "people.json", "dogs.json", "all.json")
    #expect(outcome.code == 0 && outcome.output == "" && outcome.errors == "")
    let text = try read("all.json")
    #expect(!text.contains("$schema") && text.contains("\"Dog\"") && text.contains("\"Person\""))
    #expect(try tool.run("model", "hashes", "all.json").lines.count == 3)
    #expect(try tool.run("model", command, "people.json", "dogs.json", "-").output == text)
  }

  @Test("Nothing is overwritten without --yes where nobody can be asked")
  func overwriting() throws {
    try tool.write("mine", to: "all.json")
    let refused = try tool.run("model", "merge", "people.json", "dogs.json", "all.json")
    #expect(refused.code == 4 && refused.errors.contains("[not-confirmed]"))
    #expect(try read("all.json") == "mine")
    #expect(try tool.run("model", "merge", "people.json", "dogs.json", "all.json", "--yes").code == 0)
    #expect(try read("all.json") != "mine")
  }

  @Test("MDL-053, DGN-129: a clash is exit 65 and leaves no file")
  func clash() throws {
    try tool.write(#"{"entities":[{"name":"Dog","abstract":true}]}"#, to: "other.json")
    let outcome = try tool.run("model", "merge", "people.json", "dogs.json", "other.json", "all.json")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("Can't merge models with two different entities named 'Dog'"))
    #expect(outcome.errors.contains("dogs.json") && outcome.errors.contains("other.json"))
    #expect(!FileManager.default.fileExists(atPath: tool.path("all.json")))
  }

  @Test("MDL-054: what differs outside of the hash is a warning")
  func warning() throws {
    try tool.write(#"{"entities":[{"name":"A"}]}"#, to: "1.json")
    try tool.write(#"{"entities":[{"name":"A","className":"B"}]}"#, to: "2.json")
    let outcome = try tool.run("model", "merge", "1.json", "2.json", "all.json")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("warning") && outcome.errors.contains("[merged-definitions-differ]"))
  }

  @Test("MDL-366: compiling a directory writes every version, the current one noted, and the mappings")
  func compileDirectory() throws {
    try FileManager.default.createDirectory(
      atPath: tool.path("M.graphmodel/mappings"), withIntermediateDirectories: true)
    try tool.write(#"{"$schema":"x","entities":[{"name":"A"}]}"#, to: "M.graphmodel/1.json")
    try tool.write(#"{"entities":[{"name":"A"},{"name":"B"}]}"#, to: "M.graphmodel/2.json")
    try tool.write("1", to: "M.graphmodel/current")
    try tool.write(#"{"steps":[]}"#, to: "M.graphmodel/mappings/1-2.json")
    #expect(try tool.run("model", "compile", "M.graphmodel", "N.graphmodel").code == 0)
    let hashes = try tool.run("model", "hashes", "M.graphmodel", "--all").output
    #expect(try tool.run("model", "hashes", "N.graphmodel", "--all").output == hashes)
    #expect(hashes.contains("version 1 (current)"))
    #expect(try !read("N.graphmodel/1.json").contains("$schema"))
    #expect(try read("N.graphmodel/mappings/1-2.json") == #"{"steps":[]}"#)
    #expect(try tool.run("model", "compile", "M.graphmodel", "N.graphmodel").code == 4)
    try tool.write("{", to: "M.graphmodel/2.json")
    #expect(try tool.run("model", "compile", "M.graphmodel", "O.graphmodel").code == 65)
    let left = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
    #expect(!left.contains { $0.hasPrefix("O.graphmodel") })
  }

  @Test(
    "A destination of another form is a usage error", arguments: ["x.mom", "x.xcdatamodeld", "x.graphmodel"])
  func destination(name: String) throws {
    #expect(try tool.run("model", "merge", "people.json", "dogs.json", name).code == 64)
    #expect(try tool.run("model", "compile", "people.json", "dogs.json", name).code == 64)
  }

  @Test("MDL-051: --model repeated merges, for init and for a store that is opened")
  func repeatedModel() throws {
    let made = try tool.run("init", "s.db", "--model", "people.json", "-m", "dogs.json")
    #expect(made.code == 0, "\(made.errors)")
    #expect(try tool.run("insert", "Dog", "--store", "s.db").code == 0)
    let count = try tool.run(
      "count", "Dog", "--store", "s.db", "--model", "people.json", "--model", "dogs.json")
    #expect(count.output == "1\n")
    let one = try tool.run("count", "Dog", "--store", "s.db", "--model", "people.json")
    #expect(one.code == 65 && one.errors.contains("model-unknown-entity"))
    let list = try tool.run("model", "list", "--model", "people.json", "--model", "dogs.json")
    #expect(list.code == 64)
  }

  @Test("MDL-059, MDL-326: a merge that adds an entity does not fit the store, and changes no byte of it")
  func incompatible() throws {
    #expect(try tool.run("init", "s.db", "--model", "people.json", "-m", "dogs.json").code == 0)
    try tool.write(#"{"entities":[{"name":"Cat"}]}"#, to: "cats.json")
    let before = try Data(contentsOf: tool.folder.appendingPathComponent("s.db"))
    let outcome = try tool.run(
      "count", "Dog", "--store", "s.db", "-m", "people.json", "-m", "dogs.json", "-m", "cats.json")
    #expect(outcome.code == 78 && outcome.errors.contains("[incompatible-model]"))
    #expect(try Data(contentsOf: tool.folder.appendingPathComponent("s.db")) == before)
  }

  @Test("MDL-046: a directory of versions is a model like any other")
  func versions() throws {
    try FileManager.default.createDirectory(
      atPath: tool.path("M.graphmodel"), withIntermediateDirectories: true)
    try tool.write(#"{"entities":[{"name":"A"}]}"#, to: "M.graphmodel/9.json")
    try tool.write(#"{"entities":[{"name":"B"}]}"#, to: "M.graphmodel/10.json")
    #expect(try tool.run("init", "s.db", "--model", "M.graphmodel").code == 0)
    #expect(try tool.run("count", "B", "--store", "s.db").output == "0\n")
    #expect(try tool.run("model", "show", "M.graphmodel").output.contains("model M"))
  }

  @Test("MDL-275, MDL-276: messages use the strings file of a model that is given, in the language in force")
  func strings() throws {
    try tool.write(
      #"{"entities":[{"name":"A","attributes":[{"name":"x","type":"string","optional":false}]}]}"#,
      to: "m.json")
    try tool.write("\"Property/x\" = \"The X\";", to: "mModel.strings")
    try FileManager.default.createDirectory(atPath: tool.path("de.lproj"), withIntermediateDirectories: true)
    try tool.write("\"Property/x\" = \"Das X\";", to: "de.lproj/mModel.strings")
    #expect(try tool.run("init", "s.db", "--model", "m.json").code == 0)
    let plain = try tool.run("insert", "A", "--store", "s.db", "--model", "m.json")
    #expect(plain.code == 65 && plain.errors.contains("The X is a required property"))
    tool.environment["LC_ALL"] = "de_DE.UTF-8"
    let german = try tool.run("insert", "A", "--store", "s.db", "--model", "m.json")
    #expect(german.errors.contains("Das X is a required property"))
  }
}
