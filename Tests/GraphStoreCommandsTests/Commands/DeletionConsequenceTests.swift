import Foundation
import Testing

/// What a deletion and its rehearsal say and how they end, in a model with every rule.
@Suite("Consequences of deletions")
struct DeletionConsequenceTests {
  private let tool: CommandLineTool

  private static let model = #"""
    {"name": "Rules", "entities": [
      {"name": "Root", "attributes": [{"name": "name", "type": "string"}],
       "relationships": [
         {"name": "parts", "destination": "Part", "toMany": true, "inverse": "root", "deleteRule": "cascade"},
         {"name": "bound", "destination": "Bound", "toMany": true, "inverse": "root", "deleteRule": "nullify"},
         {"name": "loose", "destination": "Loose", "toMany": true, "inverse": "root", "deleteRule": "noAction"},
         {"name": "kept", "destination": "Kept", "toMany": true, "inverse": "root", "deleteRule": "deny"}]},
      {"name": "Part", "relationships": [
         {"name": "root", "destination": "Root", "inverse": "parts"},
         {"name": "bits", "destination": "Bit", "toMany": true, "inverse": "part", "deleteRule": "cascade"}]},
      {"name": "Bit", "relationships": [{"name": "part", "destination": "Part", "inverse": "bits"}]},
      {"name": "Bound", "relationships": [
         {"name": "root", "destination": "Root", "inverse": "bound", "optional": false}]},
      {"name": "Loose", "relationships": [{"name": "root", "destination": "Root", "inverse": "loose"}]},
      {"name": "Kept", "relationships": [{"name": "root", "destination": "Root", "inverse": "kept"}]}
    ]}
    """#

  init() throws {
    tool = try CommandLineTool()
    try tool.write(Self.model, to: "rules.json")
    #expect(try tool.run("init", "rules.db", "--model", "rules.json").code == 0)
    tool.environment["GRAPHSTORE_STORE"] = tool.path("rules.db")
    let script = """
      insert Root name=cascade
      insert Root name=bound
      insert Root name=loose
      insert Root name=kept
      insert Part root=Root/p1
      insert Bit part=Part/p1
      insert Bit part=Part/p1
      insert Bound root=Root/p2
      insert Loose root=Root/p3
      insert Loose root=Root/p3
      insert Kept root=Root/p4
      """
    let made = try tool.run("run", "-", input: script)
    #expect(made.code == 0, "\(made.errors)")
  }

  @Test("A rehearsal ends as the deed does", arguments: [(1, 0), (2, 65), (3, 0), (4, 3)] as [(Int, Int32)])
  func exitCodes(_ key: Int, _ code: Int32) throws {
    #expect(try tool.run("delete", "Root/p\(key)", "-n").code == code)
    #expect(try tool.run("count", "Root").output == "4\n")
    #expect(try tool.run("delete", "Root/p\(key)").code == code)
    #expect(try tool.run("count", "Root").output == (code == 0 ? "3\n" : "4\n"))
  }

  @Test("A rehearsal names the objects whose rules would be broken, as the deed does")
  func refusals() throws {
    let told = "Bound.root of Bound/p1: an object is required"
    let rehearsal = try tool.run("delete", "Root/p2", "-n")
    #expect(rehearsal.output.contains("refused       \(told)"), "\(rehearsal.output)")
    #expect(try tool.run("delete", "Root/p2").errors.contains(told))
  }

  @Test("REL-331: a rehearsal tells of the references that noAction leaves")
  func noAction() throws {
    let outcome = try tool.run("delete", "Root/p3", "--dry-run")
    #expect(
      outcome.output == """
        would delete  1 Root
        would leave   2 Loose.root  noAction, referring to what is gone
                      1 object deleted, 0 updated; nothing written

        """)
    #expect(try tool.run("delete", "Root/p1", "-n").output.contains("would leave") == false)
  }

  @Test("unlink --delete --dry-run shows the cascade as delete --dry-run does")
  func unlink() throws {
    let outcome = try tool.run("unlink", "Root/p1.parts", "Part/p1", "--delete", "-n")
    #expect(
      outcome.output == """
        would delete  1 Part
                      2 Bit    cascade Part.bits
        would delete 1 of Root/p1.parts; nothing written

        """)
    #expect(outcome.code == 0)
    #expect(try tool.run("count", "Bit").output == "2\n")
    #expect(try tool.run("get", "Part/p1", "--fields", "root", "-f", "csv").output == "root\nRoot/p1\n")
  }

  @Test("REL-402: unlink --delete --dry-run ends as the deed does where a rule forbids it")
  func forbidden() throws {
    for (end, id) in [("Kept/p1.root", "Root/p4"), ("Loose/p1.root", "Root/p3")] {
      let rehearsed = try tool.run("unlink", end, id, "--delete", "-n")
      let done = try tool.run("unlink", end, id, "--delete")
      #expect(rehearsed.code == done.code, "\(rehearsed) \(done)")
    }
    #expect(try tool.run("unlink", "Bound/p1.root", "Root/p2", "--delete", "-n").code == 65)
  }
}
