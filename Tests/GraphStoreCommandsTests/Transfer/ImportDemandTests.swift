import Testing

@Suite("What imports demand of new objects")
struct ImportDemandTests {
  @Test("A mandatory to-many without a least number may stay empty, one with it may not")
  func members() throws {
    for (least, code) in [(0, 0), (1, 65)] as [(Int, Int32)] {
      let tool = try CommandLineTool()
      try tool.write(
        """
        {"entities": [
          {"name": "Team", "attributes": [{"name": "name", "type": "string"}],
           "relationships": [{"name": "players", "destination": "Player", "inverse": "team", "toMany": true,
             "optional": false, "minCount": \(least)}]},
          {"name": "Player", "relationships": [{"name": "team", "destination": "Team", "inverse": "players"}]}]}
        """, to: "m.json")
      try tool.write("{\"name\":\"a\"}\n", to: "teams.ndjson")
      #expect(try tool.run("init", "s.db", "--model", "m.json").code == 0)
      #expect(try tool.run("import", "Team", "teams.ndjson", "--store", "s.db").code == code)
      #expect(try tool.run("count", "Team", "--store", "s.db").output == (least == 0 ? "1\n" : "0\n"))
      #expect(try tool.run("check", "--store", "s.db").code == 0)
    }
  }

  @Test(
    "OBJ-347: an object that must have a value which cannot be set is refused, as an insertion refuses it")
  func unheld() throws {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"entities": [{"name": "Photo", "attributes": [{"name": "name", "type": "string"},
        {"name": "pixels", "type": "transformable", "optional": false}]}]}
      """, to: "m.json")
    try tool.write("name\na\n", to: "photos.csv")
    #expect(try tool.run("init", "s.db", "--model", "m.json").code == 0)
    let text = "Photo.pixels must have a value, and transformable values cannot be set yet"
    for arguments in [["import", "Photo", "photos.csv"], ["insert", "Photo", "name=a"]] {
      let outcome = try tool.run(
        CommandLineTool.executable.path, arguments + ["--store", "s.db"], input: nil)
      #expect(outcome.code == 65)
      #expect(outcome.errors.contains(text))
    }
    #expect(try tool.run("count", "Photo", "--store", "s.db").output == "0\n")
  }
}
