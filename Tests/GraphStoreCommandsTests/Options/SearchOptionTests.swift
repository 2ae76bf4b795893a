import Foundation
import Testing

@Suite("--search")
struct SearchOptionTests {
  private static let model = """
    { "name": "Atlas", "entities": [
      { "name": "City", "attributes": [
          { "name": "name", "type": "string" }, { "name": "motto", "type": "string" },
          { "name": "folded", "type": "string", "derivation": "normalize:(name)" } ],
        "indexes": [ { "name": "byFolded", "elements": [ { "property": "folded" } ] } ],
        "relationships": [ { "name": "country", "destination": "Country", "inverse": "cities", "deleteRule": "nullify" } ] },
      { "name": "Country", "attributes": [ { "name": "name", "type": "string" } ],
        "relationships": [
          { "name": "cities", "destination": "City", "toMany": true, "inverse": "country", "deleteRule": "nullify" } ] } ] }
    """

  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    tool.environment["GRAPHSTORE_STORE"] = "hr.db"
    try tool.write(Self.model, to: "atlas.json")
    #expect(try tool.run("init", "hr.db", "-m", "atlas.json").code == 0)
    #expect(try tool.run("insert", "Country", "name=Brésil").code == 0)
    for (name, motto) in [
      ("Béziers", "Vive Béziers"), ("Saint-Béziers", ""), ("Москва", "Bez"), ("b%z_", ""),
    ] {
      let made = try tool.run("insert", "City", "name=\(name)", "motto=\(motto)", "country=Country/p1")
      #expect(made.code == 0, "\(made.errors)")
    }
  }

  private func names(_ words: String...) throws -> [String] {
    let outcome = try tool.run(
      CommandLineTool.executable.path,
      ["fetch", "City", "--fields", "name", "--sort", "id", "-f", "csv", "--no-header"] + words, input: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines
  }

  @Test(
    "PAT-092: a normalised attribute is searched from its start, any other text anywhere; --verbose says which"
  )
  func search() throws {
    #expect(try names("--search", "name=BEZIERS") == ["Béziers"])
    #expect(try names("--search", "name=moskva") == ["Москва"])
    #expect(try names("--search", "motto=beZi") == ["Béziers"])
    #expect(try names("--search", "motto=bez", "--search", "name=m") == ["Москва"])
    #expect(try names("--search", "country.name=bresil", "--where", "name CONTAINS '-'") == ["Saint-Béziers"])
    #expect(try names("--search", "name=b%z") == ["b%z_"], "nothing in it is a sign of a pattern")
    let told = try tool.run("fetch", "City", "--search", "name=b\"é", "--search", "motto=x", "--verbose")
    #expect(
      told.errors.contains("hint: --search name=b\"é is folded BEGINSWITH[n] normalize:(\"b\\\"é\")\n"),
      "\(told.errors)")
    #expect(told.errors.contains("hint: --search motto=x is motto CONTAINS[cd] \"x\"\n"), "\(told.errors)")
    let plan = try tool.run("explain", "City", "--search", "name=beziers")
    #expect(plan.code == 0 && plan.output.contains("folded") && plan.output.contains("INDEX"), "\(plan)")
  }

  @Test("A search selects what other commands count, export, change and delete")
  func selecting() throws {
    #expect(try tool.run("count", "City", "--search", "motto=bez").output == "2\n")
    #expect(
      try tool.run("export", "City", "--search", "motto=vive", "--fields", "name", "-f", "csv").lines == [
        "name", "Béziers",
      ])
    #expect(try tool.run("update", "City", "--search", "name=mosk", "motto=M").code == 0)
    #expect(try tool.run("count", "City", "--where", "motto == 'M'").output == "1\n")
    #expect(try tool.run("delete", "City", "--search", "name=saint").code == 0)
    #expect(try tool.run("count", "City").output == "3\n")
    #expect(try tool.run("delete", "City/p1", "--search", "name=b").code == 64)
    #expect(try tool.run("delete", "City", "--all", "--yes", "--search", "name=b").code == 64)
  }

  @Test(
    "What cannot be searched is refused by name",
    arguments: [
      ("name", 64, "--search takes key=text"), ("=x", 64, "--search takes key=text"),
      ("name=", 64, "--search takes key=text"),
      ("nam=x", 64, "nam"), ("country=x", 64, "country"), ("a b=x", 64, "a b"),
    ] as [(String, Int32, String)])
  func refused(text: String, code: Int32, says: String) throws {
    let outcome = try tool.run("fetch", "City", "--search", text)
    #expect(outcome.code == code && outcome.errors.contains(says), "\(outcome)")
  }
}
