import Foundation
import Testing

/// Contexts of a session, driven by lines; each test says what the commands print and what the store holds.
@Suite("Contexts of a session")
struct ContextCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func session(_ lines: String...) throws -> CommandLineTool.Outcome {
    try tool.run("run", "--keep-going", "-", input: lines.joined(separator: "\n") + "\n")
  }

  private func names(_ entity: String = "Employee") throws -> String {
    try tool.run("fetch", entity, "--fields", "name", "-f", "csv", "--no-header").output
  }

  private let fetch = "fetch Employee --fields name -f csv --no-header"

  @Test("CTX-437, PAT-161: a scratch context keeps its changes; .commit saves them into its parent alone")
  func scratch() throws {
    let outcome = try session(
      ".context new --scratch draft", "update Employee/p2 name=Mine", fetch, ".context switch main", fetch,
      ".context switch draft", ".commit", ".context switch main", ".context list", fetch)
    #expect(
      outcome.output == """
        Grace
        Mine
        Bob
        Grace
        Ada
        Bob
        * main     within .begin, 1 updated
            draft  scratch, no unsaved changes
        Grace
        Mine
        Bob

        """, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains("ends between .begin and .commit"))
    #expect(try names() == "Grace\nAda\nBob\n")
    let saved = try session(
      ".context new --scratch draft", "update Employee/p2 name=Mine", ".commit", ".context switch main",
      ".commit")
    #expect(saved.code == 0, "\(saved.errors)")
    #expect(try names() == "Grace\nMine\nBob\n")
  }

  @Test("CTX-437, PAT-161: .rollback drops the changes of a scratch context, and those of its parent stay")
  func rollback() throws {
    let outcome = try session(
      ".begin", "update Employee/p1 name=Kept", ".context new --scratch", "update Employee/p1 name=Lost",
      "insert Department name=Lost", "delete Employee/p3", ".rollback", ".status", ".context drop", fetch,
      ".commit")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("on conflict: error\nKept\nAda\nBob\n"), "\(outcome.output)")
    #expect(try names() == "Kept\nAda\nBob\n")
    #expect(try names("Department") == "Engineering\nSales\n")
  }

  @Test(
    "CTX-434, CTX-437: a context over the store saves each statement, but for those of its own .begin"
  )
  func beside() throws {
    let outcome = try session(
      ".begin", "update Employee/p1 name=Pending", ".context new other", "update Employee/p2 name=Saved",
      ".context list", ".begin", "update Employee/p3 name=Dropped", ".rollback", ".context switch main",
      ".context list", ".commit")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output == """
          main   within .begin, 1 updated
        * other  no unsaved changes
        * main   within .begin, 1 updated
          other  no unsaved changes

        """, "\(outcome.output)")
    #expect(try names() == "Pending\nSaved\nBob\n")
  }

  @Test("CTX-436, CTX-438: undo, savepoints and policy are each context's own, and .status says which it is")
  func ownState() throws {
    let outcome = try session(
      ".begin", "update Employee/p1 name=One", ".savepoint here", ".policy store",
      ".context new --scratch draft", ".policy memory", "update Employee/p2 name=Two", ".status",
      ".rollback here", ".undo", ".undo", ".redo", ".rollback", ".context switch main", ".status", ".undo",
      ".policy", ".rollback")
    #expect(outcome.errors.contains("there is no savepoint here"), "\(outcome.errors)")
    #expect(
      outcome.output.contains(
        """
        ~ Employee/p2  name: "Ada" → "Two"
        context draft, a scratch of main
        0 inserted, 1 updated, 0 deleted; 1 statement to undo; on conflict: memory
          undone: update Employee/p2 name=Two
          nothing to undo
          redone: update Employee/p2 name=Two
        ~ Employee/p1  name: "Grace" → "One"
        context main
        0 inserted, 1 updated, 0 deleted; 1 statement to undo; on conflict: store
          undone: update Employee/p1 name=One
        store

        """), "\(outcome.output)")
    #expect(try names() == "Grace\nAda\nBob\n")
  }

  @Test("CTX-436, CTX-437: a scratch context's commit is one statement to undo in its parent, saved or not")
  func undoneCommit() throws {
    let outcome = try session(
      ".context new --scratch draft", "update Employee/p2 name=Two", "insert Department name=New",
      "delete Employee/p3", ".commit", ".context switch main", ".undo", ".status", ".redo", ".commit",
      ".undo", ".redo", ".undo")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output.hasSuffix(
        """
          undone: .commit of draft
        no unsaved changes
        context main
        0 inserted, 0 updated, 0 deleted; 0 statements to undo; on conflict: error
          redone: .commit of draft
          undone: .commit of draft
          redone: .commit of draft
          undone: .commit of draft

        """), "\(outcome.output)")
    #expect(try names() == "Grace\nAda\nBob\n")
    #expect(try names("Department") == "Engineering\nSales\n")
    #expect(try tool.run("check", "-q").code == 0)
  }

  @Test(
    "CTX-437, CTX-491: a temporary id means the object in every context that sees it, after commits too")
  func temporaryIdentifiers() throws {
    let get = "get Department/t1 --fields name -f csv --no-header"
    let outcome = try session(
      ".context new --scratch draft", "insert Department name=New", ".context switch main", get,
      ".context switch draft", ".context new --scratch deep", get,
      "update Employee/p1 department=Department/t1", ".commit", ".context switch draft", ".commit",
      ".context switch main", get, ".commit", get, ".context switch deep", get,
      "update Department/t1 name=Renamed", get, ".rollback", ".context new other", get)
    #expect(
      outcome.errors.contains("\"Department/t1\" is an unsaved object of the context draft   [bad-id]"),
      "\(outcome.errors)")
    #expect(outcome.output == "Department/t1\nNew\nNew\nNew\nNew\nRenamed\nNew\n", "\(outcome.output)")
    #expect(
      try tool.run("get", "Employee/p1", "--fields", "department", "-f", "csv", "--no-header").output
        == "Department/p3\n")
  }

  @Test(
    "CTX-437, CTX-493: what a commit would overwrite of the parent is told, and the policy settles it",
    arguments: [
      ("error", "Theirs", "72000.5"), ("memory", "Mine", "1"), ("overwrite", "Mine", "1"),
      ("store", "Theirs", "1"), ("rollback", "Theirs", "72000.5"),
    ])
  func overwriting(_ expected: (policy: String, name: String, salary: String)) throws {
    let outcome = try session(
      ".context new --scratch draft", ".policy \(expected.policy)", "update Employee/p2 name=Mine salary=1",
      ".context switch main", ".begin", "update Employee/p2 name=Theirs", ".context switch draft", ".commit",
      ".rollback", ".context switch main", ".commit")
    #expect(outcome.errors.contains("Employee/p2 name: you \"Mine\", store \"Theirs\", was \"Ada\""))
    #expect(outcome.errors.contains("[merge-conflict]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("Could not save draft into main") == (expected.policy == "error"))
    #expect(
      try tool.run("get", "Employee/p2", "--fields", "name,salary", "-f", "csv", "--no-header").output
        == "\(expected.name),\(expected.salary)\n", "\(outcome.output)\(outcome.errors)")
    #expect(try tool.run("check", "-q").code == 0)
  }

  @Test(
    "CTX-437: a refused commit of a script ends with 3; .refresh keeps the changes on top of what is there")
  func refresh() throws {
    let lines = [
      ".context new --scratch draft", "update Employee/p2 name=Mine", ".context switch main",
      "update Employee/p2 name=Theirs salary=5", ".context switch draft",
    ]
    let end = [".commit", ".context switch main", ".commit"]
    let refused = try tool.run("run", "-", input: (lines + end).joined(separator: "\n"))
    #expect(refused.code == 3 && refused.errors.contains("nothing was saved"), "\(refused.errors)")
    #expect(try names() == "Grace\nAda\nBob\n")
    let outcome = try tool.run("run", "-", input: (lines + [".refresh"] + end).joined(separator: "\n"))
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      try tool.run("get", "Employee/p2", "--fields", "name,salary", "-f", "csv", "--no-header").output
        == "Mine,5\n")
  }

  @Test(
    "CTX-437: what writes the store itself is refused in a scratch context, a dry run of an import too",
    arguments: [
      "import Department new.ndjson", "import Department new.ndjson --dry-run", "metadata set a=b",
      "metadata unset a", "check --repair --yes", "migrate apply --to model.json",
    ])
  func refused(line: String) throws {
    try tool.write("{\"name\":\"New\"}\n", to: "new.ndjson")
    let outcome = try session(".context new --scratch draft", line)
    #expect(outcome.errors.contains("[scratch-context]"), "\(outcome.errors)")
    #expect(outcome.errors.contains(".context switch main first"))
    #expect(try names("Department") == "Engineering\nSales\n")
  }

  @Test("CTX-437: a dry run in a scratch context leaves nothing, also beside what is unsaved")
  func dryRun() throws {
    let outcome = try session(
      ".context new --scratch draft", "update Employee/p1 name=Kept",
      "update Employee/p1 name=Lost --dry-run", "insert Department name=Lost --dry-run",
      "delete Department/p2 --dry-run", ".status", ".commit", ".context switch main", ".commit")
    #expect(
      outcome.output.contains(
        "~ Employee/p1  name: \"Grace\" → \"Kept\"\ncontext draft, a scratch of main\n0 inserted, 1 updated, 0"
      ), "\(outcome.output)\(outcome.errors)")
    #expect(outcome.code == 0)
    #expect(try names() == "Kept\nAda\nBob\n")
    #expect(try names("Department") == "Engineering\nSales\n")
  }

  @Test("CTX-437: three contexts deep, changes go up one by one, and reach the store with the topmost")
  func deep() throws {
    let outcome = try session(
      ".context new --scratch a", "insert Department name=D", ".context new --scratch b",
      "insert Employee name=New badge=9 salary=1 department=Department/t1", ".context new --scratch c",
      "update Employee/t2 salary=2", "delete Employee/p3", ".context list", ".commit", ".context drop",
      ".commit", ".context drop", ".commit", ".context drop", ".context list", ".commit")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output.contains(
        """
          main     no unsaved changes
            a      scratch, 1 inserted
              b    scratch, 1 inserted, 1 updated
        *       c  scratch, 3 updated, 1 deleted

        """), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("* main  within .begin, 2 inserted, 2 updated, 1 deleted\n"))
    let employees = try tool.run(
      "fetch", "Employee", "--fields", "name,salary,department.name", "-f", "csv", "--no-header")
    #expect(employees.output == "Grace,81000,Engineering\nAda,72000.5,Engineering\nNew,2,D\n")
    #expect(try tool.run("check", "-q").code == 0)
  }

  @Test("CTX-494, CTX-437: changes of an object that the parent deletes are dropped, and that is told")
  func deletedInParent() throws {
    let outcome = try session(
      ".context new --scratch draft", ".policy memory", "update Employee/p3 name=Lost",
      ".context switch main", ".begin", "delete Employee/p3", ".context switch draft", ".commit",
      ".context switch main", ".commit")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("the changes of draft are dropped where main deletes the object: Employee/p3"),
      "\(outcome.errors)")
    #expect(try names() == "Grace\nAda\n")
    #expect(try tool.run("check", "-q").code == 0)
  }

  @Test("CTX-437: where all changes give way to what is stored, the parent is not left within .begin")
  func allGivesWay() throws {
    let outcome = try session(
      ".context new --scratch draft", ".policy store", "update Employee/p3 name=Mine",
      ".context switch main", "update Employee/p3 name=Theirs", ".context switch draft", ".commit",
      ".context")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("draft gives way to what others have made of Employee/p3"), "\(outcome.errors)")
    #expect(
      outcome.output
        == "  main     no unsaved changes\n*   draft  scratch, no unsaved changes\n", "\(outcome.output)")
  }

  // MARK: Names

  @Test(
    "Names that are taken, unknown or none are refused with a remedy; main stays, and so do parents",
    arguments: [
      (".context new main", "there is a context main already"),
      (".context new 'a b'", "cannot be the name of a context"),
      (".context new --scrach", "cannot be the name of a context"),
      (".context new a b", "takes fewer arguments"),
      (".context switch drft", "did you mean \"draft\"?"),
      (".context switch", "needs the name of a context"),
      (".context swich draft", "did you mean \"switch\"?"),
      (".context drop main", "the context that the session begins and ends with"),
      (".context drop draft", "draft has scratch contexts: deep"),
      (".begin", "the scratch context deep keeps changes without .begin"),
    ])
  func wrongWords(line: String, message: String) throws {
    let outcome = try session(".context new --scratch draft", ".context new --scratch deep", line)
    #expect(outcome.code == 5 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("Names are made up where none is given, and one that is dropped is free again")
  func madeUpNames() throws {
    let outcome = try session(
      ".context new --scratch", ".context new --scratch", ".context drop", ".context new", ".context new",
      ".context new --scratch", ".context")
    #expect(
      outcome.output == """
          main        no unsaved changes
            scratch   scratch, no unsaved changes
          context     no unsaved changes
          context2    no unsaved changes
        *   scratch2  scratch, no unsaved changes

        """, "\(outcome.output)")
  }
}
