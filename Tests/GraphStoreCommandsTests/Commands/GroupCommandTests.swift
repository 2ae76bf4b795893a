import Foundation
import Testing

@Suite("--group-by, --aggregate, --having and --distinct")
struct GroupCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func fetch(_ words: String...) throws -> CommandLineTool.Outcome { try fetch(words) }

  private func fetch(_ words: [String]) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, ["fetch", "Employee"] + words, input: nil)
  }

  @Test("FET-256, FET-285: one row a group, with the aggregates under their own names or those given")
  func groups() throws {
    let named = try fetch(
      "--group-by", "department.name", "--aggregate", "count, sum:salary as total", "--aggregate",
      "avg:salary as mean", "--sort", "-total", "-f", "csv")
    #expect(
      named.lines == [
        "department.name,count,total,mean", "Engineering,2,153000.5,76500.25", "Sales,1,50000,50000",
      ], "\(named.errors)")
    let plain = try fetch(
      "--group-by", "department.name", "--aggregate", "count:,sum:salary,max:(badge) - min:(badge)",
      "--ndjson")
    #expect(
      plain.lines == [
        #"{"department.name":"Engineering","count:":2,"sum:salary":"153000.5","max:(badge) - min:(badge)":1}"#,
        #"{"department.name":"Sales","count:":1,"sum:salary":"50000","max:(badge) - min:(badge)":0}"#,
      ], "\(plain.errors)")
    let sections = try fetch("--group-by", "department.name", "-f", "csv")
    #expect(sections.lines == ["department.name,count", "Engineering,2", "Sales,1"])
  }

  @Test("An aggregate over a to-many is a value of each object; the help says how to get one over all")
  func aggregatesOfObjects() throws {
    let rows = try tool.run(
      "fetch", "Department", "--aggregate", "sum:employees.salary", "-f", "csv", "--no-header")
    #expect(rows.lines.sorted() == ["153000.5", "50000"], "\(rows)")
    let help = try tool.run("fetch", "--help").output.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("for one row over all, ask the members"))
  }

  @Test("FET-256, PRD-291, PRD-296: groups by year and month are one line, and the store makes them")
  func months() throws {
    let dates = ["p1": "2025-12-31T23:30:00Z", "p2": "2026-01-15T00:00:00Z", "p3": "2026-01-20T00:00:00Z"]
    for (id, date) in dates {
      #expect(try tool.run("update", "Employee/\(id)", "birthday=\(date)").code == 0)
    }
    let keys = "year:(birthday) as y, month:(birthday) as m"
    let outcome = try fetch("--group-by", keys, "--aggregate", "count", "--sort", "y,m", "-f", "csv")
    #expect(outcome.lines == ["y,m,count", "2025,12,1", "2026,1,2"], "\(outcome.errors)")
    let zoned = try fetch(
      "--group-by", "truncated:(birthday, 'month', 'Europe/Berlin') as month", "-f", "csv", "--strict")
    #expect(zoned.lines == ["month,count", "2025-12-31T23:00:00Z,3"], "\(zoned.errors)")
    let plan = try tool.run("explain", "Employee", "--group-by", keys)
    #expect(plan.output.contains("gs_year") && !plan.output.contains("in memory"), "\(plan.output)")
    let wrong = try fetch("-w", "truncated:(birthday, 'moth') != nil")
    #expect(
      wrong.code == 64 && wrong.errors.contains("month") && wrong.errors.contains("argument-type"), "\(wrong)"
    )
  }

  @Test(
    "FET-295: groups over members, once an object and group, with those that have none in a group of null")
  func members() throws {
    let outcome = try tool.run(
      "fetch", "Department", "--group-by", "employees.badge > 1 as high", "--aggregate", "count:", "-f",
      "csv",
      "--null", "-")
    #expect(outcome.code == 64, "\(outcome.errors)")
    let years = try tool.run(
      "fetch", "Department", "--group-by", "length:(employees.name) as letters", "--aggregate", "count:",
      "--sort", "letters:nulls-last", "-f", "csv", "--strict")
    #expect(years.lines == ["letters,count:", "3,2", "5,1"], "\(years.errors)")
    let plain = try tool.run("fetch", "Department", "--group-by", "employees.name", "-f", "csv")
    #expect(plain.lines == ["employees.name,count", "Ada,1", "Bob,1", "Grace,1"], "\(plain.errors)")
    let plan = try tool.run("explain", "Department", "--group-by", "employees.name")
    #expect(plan.output.contains("LEFT JOIN") && !plan.output.contains("in memory"), "\(plan.output)")
    let whole = try tool.run("fetch", "Department", "--group-by", "employees", "-f", "csv")
    #expect(whole.lines.count == 4 && whole.lines[1] == "Employee/p1,1", "\(whole.errors)")
    let refused = try tool.run("fetch", "Department", "--group-by", "name", "--fields", "employees.name")
    #expect(refused.code == 64 && refused.errors.contains("leads to several values"), "\(refused.errors)")
  }

  @Test("PRD-166, PRD-297, FET-090: the words for means, and percentiles, in groups and over all")
  func statistics() throws {
    let outcome = try fetch(
      "--aggregate",
      "avg:badge as a, mean:badge as b, average:badge as c, avg:(badge * 2) as d, median:badge as e",
      "--aggregate", "percentile:(badge, 0.75) as p, median:(birthday) as day", "-f", "csv", "--strict")
    #expect(
      outcome.lines == ["a,b,c,d,e,p,day", "2.0,2.0,2.0,4.0,2.0,2.5,1966-12-09T00:00:00Z"],
      "\(outcome.errors)")
    let wrong = try fetch("--aggregate", "percentile:(badge, 75)")
    #expect(wrong.code == 64 && wrong.errors.contains("from 0 to 1"), "\(wrong.errors)")
    let text = try fetch("--aggregate", "median:name")
    #expect(text.code == 64 && text.errors.contains("numbers and dates"), "\(text.errors)")
  }

  @Test(
    "PRD-215, PRD-298, PRD-299: expressions as sort keys, and places of missing values, with and without groups"
  )
  func orders() throws {
    #expect(try fetch("--sort", "length:(name):desc,name", "-f", "ids", "--strict").lines.count == 3)
    let computed = try fetch(
      "--sort", "-badge * $n", "--var", "n:=-1", "--fields", "badge", "-f", "csv", "--strict")
    #expect(computed.lines == ["badge", "1", "2", "3"], "\(computed.errors)")
    let byAggregate = try fetch(
      "--group-by", "department.name", "--sort", "-count:(SELF)", "-f", "csv", "--strict")
    #expect(
      byAggregate.lines == ["department.name,count", "Engineering,2", "Sales,1"], "\(byAggregate.errors)")
    #expect(try tool.run("update", "Employee/p3", "department:=null").code == 0)
    let last = try fetch("--group-by", "department.name", "--sort", "department.name:nulls-last", "-f", "csv")
    #expect(last.lines == ["department.name,count", "Engineering,2", ",1"], "\(last.errors)")
    for key in ["5", "'x'", "department == nil", "length:(reports.name)"] {
      let refused = try fetch("--sort", key)
      #expect(refused.code == 64 && refused.errors.contains(key), "\(refused.errors)")
    }
  }

  @Test("--fields '*' stands for what is printed without it, with --distinct and computed columns too")
  func star() throws {
    let usual = try fetch("--distinct", "-f", "csv").lines
    #expect(try fetch("--distinct", "--fields", "*", "-f", "csv").lines == usual)
    let wide = try fetch(
      "--distinct", "--fields", "*, name, department.name, badge * 12 as yearly", "-f", "csv")
    #expect(wide.lines.first == (usual.first ?? "") + ",department.name,yearly", "\(wide.errors)")
    let plain = try fetch("--fields", "*, department.name, badge * 12 as yearly", "-f", "csv")
    #expect(plain.lines.first == "id," + (usual.first ?? "") + ",department.name,yearly", "\(plain.errors)")
    let one = try tool.run("get", "Employee/p1", "--fields", "*, badge * 12 as yearly", "-f", "csv")
    #expect(one.lines.first == "id," + (usual.first ?? "") + ",yearly", "\(one.errors)")
  }

  @Test("FET-086, FET-088: aggregates alone are one row over all objects that match")
  func totals() throws {
    let totals = try fetch("--aggregate", "count,sum:badge,min:name as first", "-w", "badge > 1", "-f", "csv")
    #expect(totals.lines == ["count,sum:badge,first", "2,5,Ada"], "\(totals.errors)")
    let none = try fetch("--aggregate", "count,sum:badge,max:badge", "-w", "badge > 9", "--ndjson")
    #expect(none.lines == [#"{"count":0,"sum:badge":0,"max:badge":null}"#])
  }

  @Test("FET-097: groups by to-ones, which are printed as ids, and by expressions")
  func subjects() throws {
    #expect(
      try fetch("--group-by", "department", "-f", "csv").lines == [
        "department,count", "Department/p1,2", "Department/p2,1",
      ])
    #expect(
      try fetch("--group-by", "length:(name) as letters", "--aggregate", "count", "-f", "csv").lines == [
        "letters,count", "3,2", "5,1",
      ])
  }

  @Test("Groups are printed in every format but ids, which they do not have")
  func formats() throws {
    let words = ["fetch", "Employee", "--group-by", "department.name", "--aggregate", "sum:badge as sum"]
    func run(_ format: String) throws -> CommandLineTool.Outcome {
      try tool.run(CommandLineTool.executable.path, words + ["-f", format], input: nil)
    }
    #expect(
      try run("table").lines == ["department.name  sum", "Engineering        3", "Sales              3"])
    #expect(
      try run("json").output
        == "[\n  {\"department.name\":\"Engineering\",\"sum\":3},\n  {\"department.name\":\"Sales\",\"sum\":3}\n]\n"
    )
    #expect(try run("ndjson").lines.first == #"{"department.name":"Engineering","sum":3}"#)
    #expect(try run("csv").lines == ["department.name,sum", "Engineering,3", "Sales,3"])
    #expect(try run("tsv").lines == ["department.name\tsum", "Engineering\t3", "Sales\t3"])
    #expect(try run("markdown").lines.count == 4)
    #expect(try run("line").lines.first == "department.name  Engineering")
    let ids = try run("ids")
    #expect(ids.code == 64 && ids.errors.contains("no ids"))
  }

  @Test("FET-102, FET-103: --having by names, aggregates and variables; --limit and --offset count groups")
  func having() throws {
    for having in [
      ["count > 1"], ["$count > 1"], ["count:(SELF) > $n AND department.name != nil", "--var", "n=1"],
    ] {
      let found = try fetch(
        ["--group-by", "department.name", "--aggregate", "count", "-f", "csv", "--having"] + having)
      #expect(found.lines == ["department.name,count", "Engineering,2"], "\(having): \(found.errors)")
    }
    let second = try fetch(
      "--group-by", "department.name", "--sort", "-department.name", "--limit", "1", "--offset", "1", "-f",
      "csv")
    #expect(second.lines == ["department.name,count", "Engineering,2"])
  }

  @Test("FET-105: --distinct prints equal rows once, and leaves ids out")
  func distinct() throws {
    #expect(
      try fetch("--distinct", "--fields", "department.name", "--sort", "department.name", "-f", "csv").lines
        == ["department.name", "Engineering", "Sales"])
    #expect(try fetch("--distinct", "-f", "csv").lines.first?.hasPrefix("name,email,birthday") == true)
  }

  @Test("--fields chooses and orders the columns of groups")
  func fields() throws {
    let found = try fetch(
      "--group-by", "department.name,department", "--aggregate", "count as n", "--fields",
      "n,department.name",
      "-f", "csv")
    #expect(found.lines == ["n,department.name", "2,Engineering", "1,Sales"], "\(found.errors)")
  }

  @Test("FET-106, FET-137: count counts groups and different rows")
  func counts() throws {
    func count(_ words: String...) throws -> String {
      try tool.run(CommandLineTool.executable.path, ["count", "Employee"] + words, input: nil).output
    }
    #expect(try count("--group-by", "department") == "2\n")
    #expect(try count("--group-by", "department", "--having", "count:(SELF) > 1") == "1\n")
    #expect(try count("--distinct", "--fields", "manager") == "2\n")
    #expect(try count("--aggregate", "sum:salary") == "1\n")
    #expect(try tool.run("count", "Employee", "--fields", "name").code == 64)
  }

  @Test("Groups can be exported, and explained")
  func otherCommands() throws {
    let exported = try tool.run("export", "Employee", "--group-by", "department.name", "--format", "csv")
    #expect(exported.lines == ["department.name,count", "Engineering,2", "Sales,1"], "\(exported.errors)")
    #expect(try tool.run("export", "--all", "--distinct").code == 64)
    let explained = try tool.run(
      "explain", "Employee", "--group-by", "department.name", "--aggregate", "stddev:badge", "--having",
      "count:(SELF) > 1", "--sort", "department.name")
    #expect(explained.code == 0, "\(explained.errors)")
    let lines = explained.lines
    #expect(lines.contains { $0.hasPrefix("groups") && $0.contains("department.name") })
    #expect(lines.contains { $0.hasPrefix("results") })
    #expect(lines.contains { $0.contains("stddev:badge") && $0.contains("in memory") })
    #expect(lines.contains { $0.hasPrefix("having") && $0.contains("count:(SELF) > 1") })
    let inStore = try tool.run(
      "explain", "Employee", "--group-by", "department.name", "--aggregate", "sum:badge", "--json")
    #expect(inStore.output.contains("GROUP BY") && !inStore.output.contains("in memory"))
    let strict = try fetch("--group-by", "department.name", "--aggregate", "stddev:badge", "--strict")
    #expect(strict.code == 64 && strict.errors.contains("[unsupported-in-store]"))
  }

  @Test("Errors name the place in the option, and what to do")
  func errors() throws {
    let unknown = try fetch("--group-by", "departmnt.name")
    #expect(unknown.code == 64 && unknown.errors.contains("did you mean \"department\"?"))
    #expect(unknown.errors.contains("departmnt.name\n"))
    let having = try fetch("--group-by", "department.name", "--having", "count > 1 AND badge > 2")
    #expect(having.code == 64 && having.errors.contains("[invalid-having]"))
    #expect(having.errors.contains("count > 1 AND badge > 2") && having.errors.contains("^^^^^"))
    let plain = try fetch("--aggregate", "sum:salary", "--fields", "name")
    #expect(plain.code == 64 && plain.errors.contains("[group-by-required]") && plain.errors.contains("name"))
    let alone = try fetch("--having", "count > 1")
    #expect(alone.code == 64 && alone.errors.contains("--group-by"))
    let text = try fetch("--aggregate", "sum:name")
    #expect(text.code == 64 && text.errors.contains("[invalid-property]"))
    let syntax = try fetch("--aggregate", "sum:(salary")
    #expect(syntax.code == 64 && syntax.errors.contains("[predicate-syntax]"))
    let gap = try fetch("--aggregate", "count,,sum:salary")
    #expect(gap.code == 64 && gap.errors.contains("--aggregate"))
    let sort = try fetch("--group-by", "department.name", "--sort", "badge")
    #expect(sort.code == 64 && sort.errors.contains("[group-by-required]"))
  }

  @Test("FET-258: --stream writes rows as they come, but for tables")
  func stream() throws {
    #expect(try fetch("--stream", "--ndjson", "--fields", "badge", "--sort", "badge").lines.count == 3)
    #expect(try fetch("--stream", "--group-by", "department.name", "-f", "csv").lines.count == 3)
    let table = try fetch("--stream")
    #expect(table.code == 64 && table.errors.contains("--ndjson"))
  }

  @Test("In the shell the same words mean the same, and changes that are not committed do not count")
  func shell() throws {
    let script = """
      .begin
      insert Employee name=New salary=1 badge=9 department=Department/p2
      fetch Employee --group-by department.name --aggregate 'count, sum:badge as badges' -f csv
      .commit
      fetch Employee --group-by department.name --aggregate 'count, sum:badge as badges' -f csv
      """
    let outcome = try tool.run("run", "-", input: script)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let lines = outcome.lines.filter { $0.hasPrefix("Sales") }
    #expect(lines == ["Sales,1,3", "Sales,2,12"], "\(outcome.output)")
  }
}
