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
}
