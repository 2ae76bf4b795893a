import Foundation
import GraphStoreTestSupport
import Testing

@Suite("graphstore model list, hashes and new-version")
struct ModelVersionCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool() }

  private func write(_ text: String, to name: String) throws {
    let folder = tool.folder.appendingPathComponent(name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try tool.write(text, to: name)
  }

  private func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: tool.folder.appendingPathComponent(name)), as: UTF8.self)
  }

  private func directory() throws {
    try write(#"{"version":"2","entities":[{"name":"A"}]}"#, to: "M.graphmodel/2.json")
    try write(
      #"{ "version" : "10",  "entities": [{"name":"A","attributes":[{"name":"x","type":"date"}]}, {"name":"Blue"}] }"#,
      to: "M.graphmodel/10.json")
    try write(
      #"{"source":"2","destination":"10","entityMappings":[]}"#, to: "M.graphmodel/mappings/2-10.json")
  }

  @Test("MDL-044, MDL-047: list names the versions in order and marks the current one")
  func list() throws {
    try directory()
    #expect(try tool.run("model", "list", "M.graphmodel").output == "  2   written mapping to 10\n* 10\n")
    try write("2\n", to: "M.graphmodel/current")
    #expect(
      try tool.run("model", "list", "-m", "M.graphmodel").output == "* 2   written mapping to 10\n  10\n")
    let json = try tool.run("model", "list", "M.graphmodel", "--json").output
    #expect(
      json == #"{"model":"M.graphmodel","format":"graphmodel","current":"2","versions":["#
        + #"{"name":"2","path":"M.graphmodel/2.json","current":true,"successor":"10","mappings":"#
        + #"[{"to":"10","path":"M.graphmodel/mappings/2-10.json"}]},"#
        + #"{"name":"10","path":"M.graphmodel/10.json","current":false,"mappings":[]}]}"# + "\n")
  }

  @Test("MDL-029, MDL-043: no such model is exit 66, a current version that is none exit 65")
  func missing() throws {
    let missing = try tool.run("model", "list", "No.graphmodel")
    #expect(missing.code == 66 && missing.errors.contains("[model-not-found]"))
    try directory()
    try write("3", to: "M.graphmodel/current")
    let bad = try tool.run("model", "list", "M.graphmodel")
    #expect(bad.code == 65 && bad.errors.contains("[model-bad-version]"))
  }

  @Test(
    "MDL-365: hashes prints each entity's hash in hexadecimal and the checksum, with --all of every version")
  func hashes() throws {
    try directory()
    let lines = try tool.run("model", "hashes", "M.graphmodel").lines
    #expect(lines.count == 3)
    #expect(lines[0].wholeMatch(of: /A         [0-9a-f]{64}/) != nil)
    #expect(lines[1].wholeMatch(of: /Blue      [0-9a-f]{64}/) != nil)
    #expect(lines[2].wholeMatch(of: /checksum  [A-Za-z0-9+\/]{43}=/) != nil)
    let all = try tool.run("model", "hashes", "M.graphmodel", "--all").output
    #expect(all.hasPrefix("version 2\nA         "))
    #expect(all.hasSuffix("\n\nversion 10 (current)\n" + lines.joined(separator: "\n") + "\n"))
    let json = try tool.run("model", "hashes", "M.graphmodel", "--json").output
    #expect(json.hasPrefix(#"{"checksum":""#) && json.contains(#""entities":{"A":""#))
    #expect(
      try tool.run("model", "hashes", "M.graphmodel", "--json", "--all").output.hasPrefix(
        #"{"versions":[{"name":"2","current":false,"checksum""#))
  }

  @Test("MDL-311: hashes are the same in every process")
  func processes() throws {
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    let first = try tool.run("model", "hashes", model)
    #expect(first.code == 0)
    for _ in 0..<3 { #expect(try tool.run("model", "hashes", model).output == first.output) }
  }

  @Test(
    "MDL-367: new-version copies the current version and makes the copy current, without touching another")
  func newVersion() throws {
    try directory()
    try write("2", to: "M.graphmodel/current")
    let old = try read("M.graphmodel/10.json")
    let outcome = try tool.run("model", "new-version", "M.graphmodel", "2.1")
    #expect(outcome.code == 0 && outcome.output == "" && outcome.errors == "")
    #expect(try read("M.graphmodel/2.1.json") == #"{"version":"2.1","entities":[{"name":"A"}]}"#)
    #expect(try read("M.graphmodel/current") == "2.1\n")
    #expect(try read("M.graphmodel/10.json") == old)
    #expect(
      try tool.run("model", "list", "M.graphmodel").lines == [
        "  2    written mapping to 10", "* 2.1", "  10",
      ])
  }

  @Test(
    "MDL-367: the copy keeps the text but for its label, and needs no note where it is the highest anyway")
  func highest() throws {
    try directory()
    #expect(try tool.run("model", "new-version", "M.graphmodel/", "11").code == 0)
    #expect(
      try read("M.graphmodel/11.json")
        == #"{ "version" : "11",  "entities": [{"name":"A","attributes":[{"name":"x","type":"date"}]}, {"name":"Blue"}] }"#
    )
    #expect(!FileManager.default.fileExists(atPath: tool.path("M.graphmodel/current")))
    #expect(try tool.run("model", "list", "M.graphmodel").lines.last == "* 11")
  }

  @Test(
    "MDL-367: a name that exists is refused, and one that is no name of a file",
    arguments: [("10", 73), ("a/b", 64), (".x", 64), ("3.json", 64), ("", 64)])
  func refused(name: String, code: Int32) throws {
    try directory()
    let outcome = try tool.run("model", "new-version", "M.graphmodel", name, "--yes")
    #expect(outcome.code == code)
    #expect(try tool.run("model", "list", "M.graphmodel").lines.count == 2)
  }

  @Test("MDL-367: a directory of another form, or a model with problems, gets no version")
  func otherForms() throws {
    try write(#"{"entities":[]}"#, to: "solo.json")
    #expect(try tool.run("model", "new-version", "solo.json", "2").code == 64)
    try write("{", to: "M.graphmodel/1.json")
    #expect(try tool.run("model", "new-version", "M.graphmodel", "2").code == 65)
    #expect(try tool.run("model", "list", "M.graphmodel").output == "* 1\n")
  }
}
