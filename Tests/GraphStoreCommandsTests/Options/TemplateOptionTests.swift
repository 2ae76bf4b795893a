import Testing

@Suite("--template")
struct TemplateOptionTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test("MDL-235: fetch, count, export and explain begin with a fetch request of the model")
  func commands() throws {
    let words = ["--template", "wellPaid", "--var", "MIN=60000"]
    let fetched = try tool.run(
      CommandLineTool.executable.path, ["fetch", "Employee", "-f", "ids"] + words, input: nil)
    #expect(fetched.output == "Employee/p1\nEmployee/p2\n")
    #expect(try tool.run("count", "Employee", "--template", "wellPaid", "--var", "MIN=75000").output == "1\n")
    let exported = try tool.run(
      "export", "Employee", "--template", "wellPaid", "--var", "MIN=60000", "--format", "csv", "--fields",
      "name")
    #expect(exported.lines == ["name", "Grace", "Ada"])
    let explained = try tool.run("explain", "Employee", "--template", "wellPaid", "--var", "MIN=60000")
    #expect(explained.code == 0 && explained.output.contains("salary > 60000"))
  }

  @Test("MDL-235: --where is added, --sort, --limit and --offset go before the request's own")
  func additions() throws {
    func ids(_ words: String...) throws -> String {
      let base = ["fetch", "Employee", "-f", "ids", "--template", "wellPaid", "--var", "MIN=40000"]
      return try tool.run(CommandLineTool.executable.path, base + words, input: nil).output
    }
    #expect(try ids() == "Employee/p1\nEmployee/p2\nEmployee/p3\n")
    #expect(try ids("--where", "name != 'Ada'") == "Employee/p1\nEmployee/p3\n")
    #expect(try ids("--sort", "name") == "Employee/p2\nEmployee/p3\nEmployee/p1\n")
    #expect(try ids("--limit", "1", "--offset", "1") == "Employee/p2\n")
  }

  @Test("FET-162: a text of the command line takes the type of the attribute that it meets, or is refused")
  func converted() throws {
    #expect(
      try tool.run("count", "Employee", "--template", "wellPaid", "--var", "MIN=72000.4").output == "2\n")
    let refused = try tool.run("count", "Employee", "--template", "wellPaid", "--var", "MIN=much")
    #expect(refused.code == 64 && refused.errors.contains("[type-mismatch]"), "\(refused.errors)")
  }

  @Test("MDL-236: a variable without value is named")
  func unbound() throws {
    let outcome = try tool.run("fetch", "Employee", "--template", "wellPaid")
    #expect(outcome.code == 64 && outcome.errors.contains("[unbound-variable]"))
    #expect(outcome.errors.contains("--var MIN="))
  }

  @Test("MDL-238: a value for a variable that the request does not have is refused, with the nearest")
  func unused() throws {
    let outcome = try tool.run(
      "fetch", "Employee", "--template", "wellPaid", "--var", "MIM=1", "--var", "MIN=2")
    #expect(outcome.code == 64 && outcome.errors.contains("[unknown-variable]"))
    #expect(outcome.errors.contains("did you mean \"MIN\"?"))
  }

  @Test("MDL-241: an unknown request is refused with the nearest name; so is one of another entity")
  func unknown() throws {
    let outcome = try tool.run("fetch", "Employee", "--template", "wellpaid")
    #expect(outcome.code == 64 && outcome.errors.contains("[unknown-template]"))
    #expect(outcome.errors.contains("wellPaid"))
    let other = try tool.run("fetch", "Department", "--template", "wellPaid", "--var", "MIN=1")
    #expect(other.code == 64 && other.errors.contains("fetches Employee, not Department"))
  }
}
