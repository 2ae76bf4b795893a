import Foundation
import Testing

@Suite(".refresh")
struct RefreshCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  /// A session that changes an object, lets another process write, and refreshes.
  private func session(theirs: String, _ commands: [String]) throws -> CommandLineTool.Outcome {
    let lines = commands.map { "echo '\($0)' >&3; " }.joined()
    return try tool.runShell(
      """
      mkfifo in; graphstore run --no-transaction - <in >out & p=$!
      exec 3>in; echo .begin >&3; echo 'update Employee/p2 salary=1' >&3; echo .status >&3
      for i in $(seq 500); do grep -q '^[~+-] ' out && break; sleep 0.02; done
      \(theirs)
      \(lines)exec 3>&-; wait $p; code=$?; cat out; rm in out; exit $code
      """)
  }

  @Test(
    "FLT-180: takes over what others have saved, and keeps unsaved changes, so that the commit goes through")
  func merged() throws {
    let outcome = try session(
      theirs: "graphstore update Employee/p2 name=Theirs >/dev/null",
      [".refresh Employee/p2", ".commit", "get Employee/p2 --fields name,salary -f csv --no-header"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Employee/p2  refreshed\n"))
    #expect(outcome.output.hasSuffix("Theirs,1\n"))
  }

  @Test("FLT-180: all objects in memory, and nothing where there are none")
  func all() throws {
    let outcome = try session(
      theirs: "graphstore update Employee/p2 name=Theirs >/dev/null", [".refresh", ".commit"])
    #expect(outcome.code == 0 && outcome.output.contains("refreshed "), "\(outcome.errors)")
    let empty = try tool.run("run", "-", input: ".refresh\n")
    #expect(empty.output == "nothing to refresh\n")
  }

  @Test("FLT-180: an object whose record is gone is told as deleted, no error; an id that is none is one")
  func deleted() throws {
    let outcome = try session(
      theirs: "graphstore delete Employee/p3 >/dev/null",
      [".refresh Employee/p3 Employee/p2", ".rollback"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Employee/p3  deleted elsewhere\nEmployee/p2  refreshed\n"))
    let refused = try tool.run("run", "-", input: ".refresh nobody\n")
    #expect(refused.code != 0 && refused.errors.contains("nobody"))
  }
}
