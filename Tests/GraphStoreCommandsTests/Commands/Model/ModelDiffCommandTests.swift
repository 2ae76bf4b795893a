import Foundation
import Testing

@Suite("graphstore model diff")
struct ModelDiffCommandTests {
  private static let old = """
    {"name":"HR","entities":[
      {"name":"Department","attributes":[{"name":"name","type":"string","optional":false}]},
      {"name":"Employee","attributes":[
        {"name":"salary","type":"int32"},{"name":"nickname","type":"string"},{"name":"hired","type":"date"}],
       "relationships":[{"name":"department","destination":"Department"}]}]}
    """
  private static let new = """
    {"name":"HR","entities":[
      {"name":"Dept","renamingIdentifier":"Department","attributes":[{"name":"name","type":"string","optional":false}]},
      {"name":"Employee","attributes":[
        {"name":"salary","type":"decimal"},{"name":"email","type":"uri"},{"name":"hired","type":"date"}],
       "relationships":[{"name":"department","destination":"Dept"}],"uniquenessConstraints":[["salary"]]}]}
    """

  private func tool() throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try tool.write(Self.old, to: "old.json")
    try tool.write(Self.new, to: "new.json")
    return tool
  }

  @Test("MDL-364: a line for each change, in columns, and exit 2 for other hashes")
  func lines() throws {
    let outcome = try tool().run("model", "diff", "old.json", "new.json", "--exit-code")
    #expect(
      outcome.lines == [
        "> Dept                renamed from Department (renamingIdentifier)   lossless",
        "~ Employee.salary     int32 → decimal                                lossless",
        "+ Employee.email      uri                                            lossless",
        "- Employee.nickname   string                                         "
          + "data lost",
        "+ Employee            unique salary                                  "
          + "checked: no two objects may have equal values",
      ])
    #expect(outcome.errors == "")
    #expect(outcome.code == 2)
  }

  @Test("MDL-364: the same model gives nothing and exit 0; without --exit-code it is always 0")
  func equal() throws {
    let tool = try tool()
    let same = try tool.run("model", "diff", "old.json", "old.json", "--exit-code")
    #expect(same.output == "" && same.errors == "" && same.code == 0)
    #expect(try tool.run("model", "diff", "old.json", "new.json").code == 0)
  }

  @Test("MDL-364, MDL-316: what leaves the hashes as they are needs no migration and exits 0")
  func sameHashes() throws {
    let tool = try tool()
    try tool.write(
      Self.old.replacingOccurrences(of: #""type":"date""#, with: #""type":"date","renamingIdentifier":"x""#),
      to: "third.json")
    let outcome = try tool.run("model", "diff", "old.json", "third.json", "--exit-code")
    #expect(outcome.lines == ["~ Employee.hired   renamingIdentifier none → x   no migration"])
    #expect(outcome.code == 0)
  }

  @Test("MIG-101: a refusal says why and what to do")
  func refused() throws {
    let tool = try tool()
    try tool.write(Self.old.replacingOccurrences(of: "int32", with: "date"), to: "third.json")
    #expect(
      try tool.run("model", "diff", "old.json", "third.json").lines == [
        "~ Employee.salary   int32 → date   not inferable: Source and destination attribute types are "
          + "incompatible",
        "    hint: write a mapping for this step (graphstore migrate new-mapping), or add an attribute under another name",
      ])
  }

  @Test("MDL-364: the same as one JSON object")
  func json() throws {
    let outcome = try tool().run("model", "diff", "old.json", "new.json", "--json", "--exit-code")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(object["equal"] as? Bool == false)
    #expect(object["hashesDiffer"] as? Bool == true)
    #expect(object["inferable"] as? Bool == true)
    #expect(object["lossy"] as? Bool == true)
    #expect(object["entities"] as? [String] == ["Dept", "Employee", "Department"])
    let changes = try #require(object["changes"] as? [[String: Any]])
    #expect(changes.count == 5)
    #expect(changes[1]["key"] as? String == "type" && changes[1]["new"] as? String == "decimal")
    #expect(changes[3]["effect"] as? String == "lossy" && changes[3]["changesHash"] as? Bool == true)
    #expect(outcome.code == 2)
  }

  @Test("MIG-323: versions of a directory by name, and one argument for the last step")
  func versions() throws {
    let tool = try tool()
    let folder = tool.folder.appendingPathComponent("HR.graphmodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try tool.write(Self.old, to: "HR.graphmodel/1.json")
    try tool.write(Self.new, to: "HR.graphmodel/2.json")
    let named = try tool.run("model", "diff", "HR.graphmodel#1", "HR.graphmodel#2")
    #expect(named.lines.count == 5)
    #expect(try tool.run("model", "diff", "HR.graphmodel").output == named.output)
    #expect(try tool.run("model", "diff", "old.json", "HR.graphmodel").output == named.output)
    let unknown = try tool.run("model", "diff", "HR.graphmodel#3", "HR.graphmodel#2")
    #expect(unknown.code == 64)
    #expect(unknown.errors.contains("no version \"3\" in HR.graphmodel; there are: 1, 2"))
  }

  @Test("MDL-364: one argument is compared with the model that the store carries")
  func store() throws {
    let tool = try tool()
    try tool.run("init", "hr.db", "--model", "old.json")
    let outcome = try tool.run("model", "diff", "new.json", "--store", "hr.db", "--exit-code")
    #expect(outcome.lines.count == 5)
    #expect(outcome.code == 2)
    #expect(try tool.run("model", "diff", "old.json", "-s", "hr.db", "--exit-code").output == "")
    #expect(try tool.run("model", "diff", "old.json").code == 66)
  }

  @Test("MDL-361, MDL-362: a missing model exits 66, a broken one 65")
  func problems() throws {
    let tool = try tool()
    try tool.write("{", to: "broken.json")
    #expect(try tool.run("model", "diff", "old.json", "none.json").code == 66)
    #expect(try tool.run("model", "diff", "old.json", "broken.json").code == 65)
    #expect(try tool.run("model", "diff").code == 64)
  }
}
