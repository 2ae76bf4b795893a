import Foundation
import Testing

/// Attributes that are in the store and that objects do not hold.
@Suite("Attributes that objects do not hold")
struct UnheldAttributeCommandTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Moods", "entities": [
        {"name": "Mood", "attributes": [
          {"name": "title", "type": "string"}, {"name": "colors", "type": "transformable"},
          {"name": "place", "type": "composite", "attributes": [{"name": "city", "type": "string"}]}]},
        {"name": "DeepMood", "parent": "Mood"}]}
      """, to: "moods.json")
    #expect(try tool.run("init", "moods.db", "--model", "moods.json").code == 0)
    #expect(try tool.run("insert", "Mood", "title=Fine", "--store", "moods.db").code == 0)
  }

  @Test("they are left out of what is printed unless they are asked for, and that is refused")
  func fetch() throws {
    let all = try tool.run("fetch", "Mood", "--store", "moods.db", "--ndjson")
    #expect(all.output == "{\"id\":\"Mood/p1\",\"title\":\"Fine\"}\n")
    #expect(try tool.run("get", "Mood/p1", "--store", "moods.db", "--ndjson").output == all.output)
    for name in ["colors", "place"] {
      let asked = try tool.run("fetch", "Mood", "--store", "moods.db", "--fields", "title,\(name)")
      #expect(asked.code == 64)
      #expect(asked.output.isEmpty)
      #expect(asked.errors.contains("Mood.\(name) cannot be read"))
      #expect(asked.errors.contains("[not-supported]"))
    }
  }

  @Test("an export says once which are left out", arguments: [["Mood"], ["--all"]])
  func export(_ what: [String]) throws {
    let outcome = try tool.runShell("graphstore export \(what[0]) --store moods.db")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("\"title\":\"Fine\"}"))
    for text in ["Mood.colors is left out", "Mood.place is left out"] {
      #expect(outcome.errors.components(separatedBy: text).count == 2)
    }
    let titles = try tool.run("export", "Mood", "--fields", "title", "--store", "moods.db")
    #expect(titles.errors.isEmpty)
  }
}
