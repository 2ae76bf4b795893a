import Foundation
import Testing

@Suite(".status")
struct StatusCommandTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"entities":[{"name":"P","attributes":[{"name":"name","type":"string"},{"name":"home","type":"composite",
        "attributes":[{"name":"city","type":"string"},{"name":"zip","type":"int32"},{"name":"place",
        "type":"composite","attributes":[{"name":"x","type":"double"},{"name":"y","type":"double"}]}]}]}]}
      """, to: "model.json")
    #expect(try tool.run("init", "s.db", "--model", "model.json").code == 0)
  }

  /// What `.status` says of the changes in a transaction.
  private func changes(_ statements: String...) throws -> [String] {
    let lines = [".begin"] + statements + [".status", ".rollback"]
    let outcome = try tool.run("run", "-", "-s", "s.db", input: lines.joined(separator: "\n") + "\n")
    #expect(outcome.code == 0, "\(outcome)")
    return outcome.output.split(separator: "\n").filter { $0.hasPrefix("~ ") }.map(String.init)
  }

  @Test("CTX-438: changed elements of a composite attribute are shown by their paths, in the model's order")
  func elements() throws {
    try tool.run("insert", "P", "name=Ada", "-s", "s.db")
    #expect(
      try changes("update P/p1 home.place.y=2 home.city=Rom") == [
        #"~ P/p1  home.city: nil → "Rom", home.place.y: nil → 2.0"#
      ])
    try tool.run("update", "P/p1", "home.city=Rom", "home.zip=5", "-s", "s.db")
    #expect(
      try changes("update P/p1 home:=null name=Eve") == [
        #"~ P/p1  name: "Ada" → "Eve", home.city: "Rom" → nil, home.zip: 5 → nil"#
      ])
  }
}
