import Foundation
import Testing

/// Rows that damage has made something else: what reaches them ends with 74, never with a trap.
@Suite("Rows of another entity")
struct StrangeRowTests {
  @Test(
    "A member whose row says that it belongs to another table is refused as damage",
    arguments: ["1", "99", "0", "-1", "NULL", "'x'"])
  func strangers(_ number: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.sqlite("UPDATE ZPERSON SET Z_ENT = \(number) WHERE Z_PK = 2", "hr.db")
    for arguments in [
      ["delete", "Project", "--all", "-y"], ["delete", "Employee/p2"], ["update", "Employee/p2", "salary=1"],
      ["delete", "Employee/p1"], ["delete", "Department", "--all", "-y"],
      ["unlink", "Project/p1.members", "Employee/p2"],
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
      #expect([0, 3, 66, 74].contains(outcome.code), "\(arguments): \(outcome)")
      if outcome.code == 74 { #expect(outcome.errors.contains("[store-corrupt]"), "\(outcome)") }
    }
    #expect(try tool.run("check").code == 2)
  }
}
