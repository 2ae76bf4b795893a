import Foundation
import Testing

@Suite("Conflicts of saves, in commands")
struct SaveConflictCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func employees() throws -> [String] {
    try tool.run("fetch", "Employee", "--sort", "badge", "--fields", "badge,name", "-f", "csv", "--no-header")
      .output.split(separator: "\n").map(String.init)
  }

  /// A session that has changed an object and commits after another process has changed it.
  private func contended(
    _ mine: String, theirs: String, options: String = "", commands: [String] = [], isRefused: Bool = false
  ) throws -> CommandLineTool.Outcome {
    let lines = commands.map { "echo '\($0)' >&3; " }.joined()
    return try tool.runShell(
      """
      mkfifo in; graphstore run \(isRefused ? "" : "--keep-going") --no-transaction \(options) - <in >out & p=$!
      exec 3>in; echo .begin >&3; echo '\(mine)' >&3; \(lines)echo .status >&3
      for i in $(seq 500); do grep -q '^[~+-] ' out && break; sleep 0.02; done
      graphstore \(theirs) >/dev/null || echo "other failed" >&2
      echo .commit >&3; exec 3>&-; wait $p; code=$?; cat out; rm in out; exit $code
      """)
  }

  @Test(
    "CTX-125, DGN-174, DGN-176: a commit that meets a conflict is told property by property, exit 3"
  )
  func told() throws {
    let outcome = try contended(
      "update Employee/p2 name=Mine salary=1", theirs: "update Employee/p2 name=Theirs", isRefused: true)
    #expect(outcome.code == 3, "\(outcome.errors)")
    #expect(outcome.errors.contains("Could not merge changes: Employee/p2 changed in the store"))
    #expect(outcome.errors.contains("Employee/p2 name: you \"Mine\", store \"Theirs\", was \"Ada\""))
    #expect(outcome.errors.contains("--on-save-conflict") && outcome.errors.contains(".policy"))
    #expect(try employees().contains { $0.hasSuffix("Theirs") })
  }

  @Test("DGN-174, DGN-175: the conflict as JSON")
  func json() throws {
    let outcome = try contended(
      "update Employee/p2 name=Mine", theirs: "update Employee/p2 name=Theirs", options: "--error-format json"
    )
    #expect(
      outcome.errors.contains(
        #""conflicts":[{"object":"Employee/p2","property":"name","mine":"Mine","theirs":"Theirs","base":"Ada"}]"#
      ),
      "\(outcome.errors)")
    #expect(outcome.errors.contains(#""number":133020"#))
  }

  @Test(
    "CTX-435, CTX-197 to CTX-201: each policy, as an option of the session and as .policy",
    arguments: [
      ("store", "Theirs", "1"), ("memory", "Mine", "1"), ("overwrite", "Mine", "1"),
      ("rollback", "Theirs", "72000.5"),
    ], [true, false])
  func policies(_ expected: (policy: String, name: String, salary: String), isOption: Bool) throws {
    let outcome = try contended(
      "update Employee/p2 name=Mine salary=1", theirs: "update Employee/p2 name=Theirs",
      options: isOption ? "--on-save-conflict \(expected.policy)" : "",
      commands: isOption ? [] : [".policy \(expected.policy)"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      try tool.run("get", "Employee/p2", "--fields", "name,salary", "-f", "csv").output
        == "name,salary\n\(expected.name),\(expected.salary)\n")
    #expect(try tool.run("check", "-q").code == 0)
  }

  @Test(
    "CTX-492: a commit tells what is saved, and what gave way to what others have saved",
    arguments: [
      ("store", "saved 2 updates; a part of 1 update gave way to what is stored."),
      ("rollback", "saved 1 update; 1 update gave way to what is stored."), ("memory", "saved 2 updates."),
    ])
  func toldConcessions(_ expected: (policy: String, text: String)) throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: ["TERM": "dumb", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1"])
    #expect(terminal.expect("hr> "))
    terminal.send(".policy \(expected.policy)\n.begin\nupdate Employee/p2 name=Mine salary=1\n")
    #expect(terminal.expect("hr*(~1"))
    terminal.send("update Employee/p3 name=Other\n")
    #expect(terminal.expect("hr*(~2"))
    #expect(try tool.run("update", "Employee/p2", "name=Theirs").code == 0)
    terminal.send(".commit\n")
    #expect(terminal.expect(expected.text), "\(terminal.transcript)")
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
  }

  @Test("CTX-492: an update does not count objects whose changes gave way to what is stored")
  func countedConcessions() throws {
    let update = "graphstore update Employee/p2 Employee/p3 badge=1 --on-save-conflict store"
    let rehearsal = try tool.runShell("\(update) --json --dry-run")
    #expect(rehearsal.output == "{\"updated\":0,\"dryRun\":true}\n", "\(rehearsal.errors)")
    let outcome = try tool.runShell("\(update) --time --yes")
    #expect(
      outcome.errors.contains("updated 0 objects; 2 updates gave way to what is stored, "),
      "\(outcome.errors)")
    #expect(try employees() == ["1,Grace", "2,Ada", "3,Bob"])
  }

  @Test(
    "CTX-233, CTX-237 to CTX-239: a unique value that is taken, by each policy; the id is that of the object that stays"
  )
  func unique() throws {
    let refused = try tool.run("insert", "Employee", "badge=2", "name=New")
    #expect(refused.code == 65 && refused.errors.contains("[constraint-conflict]"))
    #expect(refused.errors.contains("--on-save-conflict"))
    let stored = try tool.run("insert", "Employee", "badge=2", "name=New", "--on-save-conflict", "store")
    #expect(stored.code == 0 && stored.output == "Employee/p2\n")
    #expect(try employees() == ["1,Grace", "2,Ada", "3,Bob"])
    let merged = try tool.run("insert", "Employee", "badge=2", "name=New", "--on-save-conflict", "memory")
    #expect(merged.output == "Employee/p2\n")
    #expect(try employees() == ["1,Grace", "2,New", "3,Bob"])
    let taken = try tool.run("insert", "Employee", "badge=2", "name=Newer", "--on-save-conflict", "overwrite")
    #expect(taken.output == "Employee/p4\n", "\(taken.errors)")
    #expect(try employees() == ["1,Grace", "2,Newer", "3,Bob"])
    #expect(try tool.run("check", "-q").code == 0)
  }

  @Test("CTX-435: between .begin and .commit a statement's own policy is refused, with the way to say it")
  func pendingStatement() throws {
    let outcome = try tool.run(
      "run", "-c", ".begin", "-c", "update Employee/p1 name=X --on-save-conflict store", "-c", ".commit")
    #expect(
      outcome.code == 65 && outcome.errors.contains("write .policy store before .commit"), "\(outcome.errors)"
    )
  }

  @Test("A policy that is none is refused, with those that are")
  func unknown() throws {
    let option = try tool.run("update", "Employee/p1", "name=X", "--on-save-conflict", "mine")
    #expect(option.code == 64 && option.errors.contains("overwrite"))
    let word = try tool.run("run", "-c", ".policy mine")
    #expect(
      word.code == 65 && word.errors.contains("error, store, memory, overwrite, rollback"), "\(word.errors)")
    #expect(try tool.run("run", "--on-save-conflict", "store", "-c", ".policy").output == "store\n")
  }

  @Test("Inserts of one unique value by eight processes with memory: one object, which has what each has set")
  func contendedInserts() throws {
    let outcome = try tool.runShell(
      """
      graphstore insert Employee badge=50 name=x >/dev/null
      for p in 1 2 3 4 5 6 7 8; do
        graphstore insert Employee badge=50 name=x salary=$p --on-save-conflict memory --timeout 60 >/dev/null || echo failed >&2 &
      done; wait
      """)
    #expect(outcome.errors == "")
    #expect(
      try tool.run("count", "Employee", "-w", "badge == 50 AND name == 'x' AND salary > 0").output == "1\n")
  }
}
