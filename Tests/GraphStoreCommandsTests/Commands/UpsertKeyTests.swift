import Foundation
import Testing

@Suite("The key of upsert")
struct UpsertKeyTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool.company()
    let made = try tool.run(
      "run", "-",
      input: """
        insert Employee name=Ada badge=1 email=ada@x
        insert Employee name=Bob badge=2 email=bob@x
        """)
    try #require(made.code == 0, "\(made.errors)")
  }

  private func people() throws -> [String] {
    try tool.run(
      "fetch", "Employee", "--sort", "badge", "--fields", "name,badge,email", "-f", "csv", "--no-header"
    )
    .lines
  }

  @Test(
    "Several keys with values are refused, in whichever order, and nothing is written",
    arguments: [
      ["badge=3", "email=bob@x", "name=Carol"], ["email=new@x", "badge=2", "name=Carol"],
      ["badge=2", "email=bob@x", "name=Carol"], ["badge=1", "email=bob@x", "name=Carol"],
      ["badge=9", "email=new@x", "name=Carol"],
    ])
  func ambiguous(_ values: [String]) throws {
    let outcome = try tool.run(CommandLineTool.executable.path, ["upsert", "Employee"] + values, input: nil)
    #expect(outcome.code == 64 && outcome.errors.contains("[key-ambiguous]"), "\(outcome.errors)")
    for key in ["badge", "email"] {
      #expect(outcome.errors.contains("--key \(key)"), "\(outcome.errors)")
    }
    #expect(try people() == ["Ada,1,ada@x", "Bob,2,bob@x"])
  }

  @Test("The key that is named decides, and one with a value alone is taken")
  func named() throws {
    #expect(
      try tool.run("upsert", "Employee", "--key", "email", "badge=3", "email=bob@x", "name=Carol").output
        == "Employee/p2\n")
    #expect(try tool.run("upsert", "Employee", "badge=1", "name=Ida").output == "Employee/p1\n")
    #expect(try people() == ["Ida,1,ada@x", "Carol,3,bob@x"])
  }

  @Test("A record of several keys is refused with its line")
  func records() throws {
    let outcome = try tool.run(
      "upsert", "Employee", "-",
      input: "{\"badge\":1,\"name\":\"Ida\"}\n{\"badge\":3,\"email\":\"bob@x\"}\n")
    #expect(outcome.code == 65 && outcome.errors.hasPrefix("<stdin>:2: error: "), "\(outcome.errors)")
    #expect(try people() == ["Ada,1,ada@x", "Bob,2,bob@x"])
  }

  @Test("Records with --key id change the objects with their ids; one without an id is new")
  func identifiers() throws {
    let records = """
      {"id":"Employee/p2","name":"Rob"}
      {"name":"Eve","badge":3}
      """
    #expect(
      try tool.run("upsert", "Employee", "-", "--key", "id", input: records).output
        == "Employee/p2\nEmployee/p3\n")
    #expect(try people() == ["Ada,1,ada@x", "Rob,2,bob@x", "Eve,3,"])
    let absent = try tool.run("upsert", "Employee", "-", "--key", "id", input: "{\"id\":\"Employee/p9\"}\n")
    #expect(absent.code == 66 && absent.errors.hasPrefix("<stdin>:1: "), "\(absent.errors)")
    let label = try tool.run("upsert", "Employee", "-", "--key", "id", input: "{\"id\":\"boss\"}\n")
    #expect(label.code == 65 && label.errors.contains("[bad-id]"), "\(label.errors)")
    #expect(try tool.run("upsert", "Employee", "--key", "id", "name=X").code == 64)
    #expect(try tool.run("count", "Employee").output == "3\n")
  }

  @Test("insert says that ids of stored objects are labels, once")
  func labels() throws {
    let outcome = try tool.run(
      "insert", "Employee", "-",
      input: "{\"id\":\"Employee/p1\",\"name\":\"A\"}\n{\"id\":\"Employee/p2\",\"name\":\"B\"}\n")
    #expect(outcome.code == 0 && outcome.output == "Employee/p3\nEmployee/p4\n")
    #expect(outcome.errors.components(separatedBy: "[ids-are-labels]").count == 2, "\(outcome.errors)")
    let own = try tool.run(
      "insert", "Employee", "-",
      input: "{\"id\":\"x\",\"name\":\"A\"}\n{\"id\":\"Employee/p99\",\"name\":\"B\"}\n")
    #expect(own.code == 0 && own.errors == "", "\(own.errors)")
  }
}
