import Foundation
import Testing

/// Checks and repairs of a store that other processes write to meanwhile.
struct CheckBesideWritersTests {
  private static let model = """
    { "entities": [ { "name": "K", "attributes": [
        { "name": "n", "type": "int64", "default": 0 }, { "name": "g", "type": "string" } ],
      "relationships": [
        { "name": "p", "destination": "K", "inverse": "cs" },
        { "name": "cs", "destination": "K", "inverse": "p", "toMany": true } ],
      "indexes": [ { "name": "byG", "elements": [ { "property": "g" } ] } ] } ] }
    """

  private func tool(objects: Int) throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try tool.write(Self.model, to: "model.json")
    tool.environment["GRAPHSTORE_STORE"] = "s.db"
    let lines = (1...objects).map { "{\"g\":\"text \($0 * 7919 % objects)\"}\n" }.joined()
    #expect(try tool.run("init", "s.db", "--model", "model.json").code == 0)
    #expect(try tool.run("import", "K", "-", "--from", "ndjson", "-q", input: lines).code == 0)
    return tool
  }

  @Test("STO-327, STO-289: a repair beside writers loses nothing that a command said is done")
  func repairing() throws {
    for round in 1...3 {
      let tool = try tool(objects: 2000)
      try tool.sqlite("UPDATE ZK SET ZP = 99999 WHERE Z_PK BETWEEN 100 AND 120", "s.db")
      let outcome = try tool.runShell(
        """
        touch run
        for w in 1 2; do
          ( ok=0; while [ -e run ]; do graphstore update K/p$w n+=1 --timeout 20 -q && ok=$((ok+1)); done; echo $ok >done.$w ) &
        done
        sleep 0.2; graphstore check --repair --yes --timeout 20 -q >report 2>&1; code=$?; sleep 0.2; rm run; wait
        cat done.1 done.2; exit $code
        """)
      // Who has the store open in every moment that it looks keeps it away.
      #expect([0, 74, 75].contains(outcome.code), "round \(round)")
      #expect(outcome.errors == "", "round \(round)")
      let stored = try tool.run("get", "K/p1", "K/p2", "--fields", "n", "-f", "csv", "--no-header")
      #expect(stored.output == outcome.output, "round \(round): \(stored.errors)")
      if outcome.code == 0 { #expect(try tool.run("check").code == 0, "round \(round)") }
    }
  }

  @Test("STO-327, DGN-106: a check beside writers never calls a sound store damaged")
  func checking() throws {
    let tool = try tool(objects: 5000)
    let outcome = try tool.runShell(
      """
      touch run
      ( k=0; while [ -e run ]; do k=$((k+1)); graphstore update K g=w$k --where 'n == 0' --timeout 20 -q; done ) >/dev/null &
      for i in $(seq 30); do graphstore check >out 2>&1 || { echo "check $i: $?"; grep -v '^ok' out; }; done
      rm run; wait
      """)
    #expect(outcome.output == "")
    #expect(outcome.errors == "")
    #expect(try tool.run("check").code == 0)
  }
}
