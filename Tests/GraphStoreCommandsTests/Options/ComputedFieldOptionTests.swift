import Testing

@Suite("--fields with expressions, and --prefetch")
struct ComputedFieldOptionTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test(
    "FET-084: an expression is a column, under its text or the name behind 'as', in every command with --fields"
  )
  func columns() throws {
    let csv = try tool.run(
      "fetch", "Employee", "--fields", "name, salary * 12 as yearly, length:(name)", "--sort", "name", "-f",
      "csv")
    #expect(
      csv.lines == ["name,yearly,length:(name)", "Ada,864006,3", "Bob,600000,3", "Grace,972000,5"],
      "\(csv.errors)")
    let json = try tool.run(
      "fetch", "Employee", "--fields", "badge as number", "--fields",
      "TERNARY(manager == nil, 'nobody', manager.name) as boss, SUBQUERY(reports, $r, $r.badge > 2).@count as others",
      "-w", "badge < 3", "--sort", "badge", "--ndjson")
    #expect(
      json.lines == [
        #"{"id":"Employee/p1","number":1,"boss":"nobody","others":1}"#,
        #"{"id":"Employee/p2","number":2,"boss":"Grace","others":0}"#,
      ], "\(json.errors)")
    let factor = try tool.run(
      "fetch", "Employee", "--fields", "salary * $k as more", "--var", "k:=2", "--limit", "1", "-f", "csv")
    #expect(factor.lines == ["more", "162000"], "\(factor.errors)")
    let template = try tool.run(
      "fetch", "Employee", "--template", "wellPaid", "--var", "MIN=80000", "--var", "k:=2", "--fields",
      "salary * $k as more", "-f", "csv")
    #expect(template.lines == ["more", "162000"], "\(template.errors)")
    let one = try tool.run("get", "Employee/p2", "--fields", "name as who, badge + 1 as next", "-f", "csv")
    #expect(one.lines == ["who,next", "Ada,3"], "\(one.errors)")
    let exported = try tool.run(
      "export", "Employee", "--fields", "id,badge * badge as square", "--sort", "-badge", "--format", "csv")
    #expect(
      exported.lines == ["id,square", "Employee/p3,9", "Employee/p2,4", "Employee/p1,1"],
      "\(exported.errors)")
  }

  @Test("FET-059, FET-084: unsaved changes of a script are seen in them")
  func unsaved() throws {
    let script = """
      .begin
      update Employee/p1 salary=10
      fetch Employee --fields 'name, salary * 12 as yearly' --sort name --format csv
      .rollback
      """
    let outcome = try tool.run("run", "-", input: script)
    #expect(outcome.output.contains("Grace,120\n"), "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("Ada,864006\n"))
  }

  @Test("FET-023: what is wrong in them is shown in its place")
  func refused() throws {
    func errors(_ fields: String) throws -> String {
      let outcome = try tool.run("fetch", "Employee", "--fields", fields)
      #expect(outcome.code == 64 && outcome.output == "")
      return outcome.errors
    }
    let unknown = try errors("name, salry * 2 as x")
    #expect(
      unknown.contains("[unknown-key]") && unknown.contains("  name, salry * 2 as x\n        ^^^^^")
        && unknown.contains("salary"))
    #expect(try errors("name, salary * as x").contains("[predicate-syntax]"))
    #expect(try errors("name as x, badge as x").contains("[duplicate-result-name]"))
    #expect(try errors("salary * $k").contains("[unbound-variable]"))
    #expect(try errors("name,,badge").contains("one is missing"))
  }

  @Test("FET-111, DGN-068: --prefetch reads related objects together where fields are computed of objects")
  func prefetching() throws {
    let fields = ["--fields", "name,SUBQUERY(reports, $r, $r.badge > 2).@count as n", "-f", "csv"]
    let plain = try tool.run(CommandLineTool.executable.path, ["fetch", "Employee"] + fields, input: nil)
    let prefetched = try tool.run(
      CommandLineTool.executable.path, ["fetch", "Employee", "--prefetch", "reports"] + fields, input: nil)
    #expect(prefetched.code == 0 && prefetched.output == plain.output, "\(prefetched.errors)")
    let explained = try tool.run(
      "explain", "Employee", "--prefetch", "reports,department.employees", "--fields",
      "SUBQUERY(reports, $r, $r.badge > 2).@count as n")
    let block = explained.lines.drop { !$0.hasPrefix("prefetch ") }.prefix { !$0.hasPrefix("rows") }
    #expect(block.filter { $0.contains("SELECT ") }.count == 3, "\(explained.output)\(explained.errors)")
    let needless = try tool.run("explain", "Employee", "--prefetch", "reports")
    #expect(!needless.lines.contains { $0.hasPrefix("prefetch ") })
    #expect(needless.output.contains("nothing is prefetched"))
  }

  @Test("FET-117: a path of --prefetch that is none of relationships is refused, and one beside groups")
  func refusedPrefetching() throws {
    func errors(_ words: String...) throws -> String {
      let outcome = try tool.run(CommandLineTool.executable.path, ["fetch", "Employee"] + words, input: nil)
      #expect(outcome.code == 64 && outcome.output == "")
      return outcome.errors
    }
    #expect(try errors("--prefetch", "name").contains("[wrong-property-kind]"))
    let unknown = try errors("--prefetch", "reports,departmnt")
    #expect(
      unknown.contains("[unknown-key]") && unknown.contains("  reports,departmnt\n          ^^^^^^^^^")
        && unknown.contains("department"))
    #expect(try errors("--prefetch", "reports", "--group-by", "badge").contains("no objects"))
    #expect(try errors("--prefetch", "reports,").contains("one is missing"))
    let all = try tool.run("export", "--all", "--prefetch", "reports")
    #expect(all.code == 64 && all.errors.contains("--prefetch"))
  }
}
