import Testing

@Suite("Places in ordered relationships")
struct LinkPlaceTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool.company()
    let made = try tool.run(
      "run", "-",
      input: """
        insert Employee name=A
        insert Employee name=B
        insert Employee name=C
        insert Employee name=D
        insert Project title=P members=Employee/p1,Employee/p2,Employee/p3
        """)
    try #require(made.code == 0, "\(made.errors)")
  }

  private func members() throws -> String {
    try tool.run("fetch", "Project", "--fields", "members.name", "-f", "csv", "--no-header").output
      .filter { "ABCD".contains($0) }
  }

  /// What is linked, how, and what the members are then.
  private static let cases: [([String], [String], String)] = [
    (["Employee/p4"], [], "ABCD"), (["Employee/p4"], ["--at", "0"], "DABC"),
    (["Employee/p4"], ["--at", "3"], "ABCD"),
    (["Employee/p4"], ["--at", "1"], "ADBC"), (["Employee/p4"], ["--before", "Employee/p2"], "ADBC"),
    (["Employee/p4"], ["--after", "Employee/p2"], "ABDC"), (["Employee/p3"], ["--at", "0"], "CAB"),
    (["Employee/p1"], ["--after", "Employee/p3"], "BCA"), (["Employee/p1"], ["--at", "2"], "BCA"),
    (["Employee/p3", "Employee/p4"], ["--before", "Employee/p1"], "CDAB"),
    (["Employee/p4", "Employee/p4"], ["--at", "1"], "ADBC"),
  ]

  @Test(
    "Members come where it is said, and are moved where they are there already",
    arguments: Self.cases)
  func places(ids: [String], option: [String], expected: String) throws {
    let outcome = try tool.run(
      CommandLineTool.executable.path, ["link", "Project/p1.members"] + ids + option, input: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try members() == expected)
    #expect(try tool.run("check").code == 0)
  }

  private static let refusals: [(Int32, [String])] = [
    (64, ["--at", "4"]), (64, ["--at", "-1"]), (66, ["--before", "Employee/p4"]),
    (66, ["--after", "Employee/p9"]),
    (64, ["--at", "1", "--before", "Employee/p1"]), (64, ["--before", "nothing"]),
  ]

  @Test(
    "What is no place is refused, and nothing is changed",
    arguments: Self.refusals)
  func refused(code: Int32, option: [String]) throws {
    let outcome = try tool.run(
      CommandLineTool.executable.path, ["link", "Project/p1.members", "Employee/p4"] + option, input: nil)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(try members() == "ABC")
  }

  @Test("A relationship without an order has no places")
  func unordered() throws {
    for end in ["Employee/p1.reports", "Employee/p1.manager"] {
      let outcome = try tool.run("link", end, "Employee/p2", "--at", "0")
      #expect(outcome.code == 64 && outcome.errors.contains("has no order"), "\(outcome.errors)")
    }
  }
}
