import Foundation
import Testing

/// Scripts that use several contexts: all that they save is one transaction, whichever context saves it.
@Suite("Contexts in scripts")
struct ContextScriptTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func script(_ lines: String..., options: [String] = []) throws -> CommandLineTool.Outcome {
    try tool.run(
      CommandLineTool.executable.path, ["run"] + options + ["-"],
      input: Data((lines.joined(separator: "\n") + "\n").utf8))
  }

  private func names() throws -> String {
    try tool.run("fetch", "Employee", "--fields", "name", "-f", "csv", "--no-header").output
  }

  @Test(
    "CTX-437: a script that ends with unsaved changes in a scratch context is an error, and saves nothing")
  func unsaved() throws {
    let outcome = try script(
      "update Employee/p1 name=One", ".context new --scratch draft", "update Employee/p2 name=Two",
      ".context switch main")
    #expect(outcome.code == 65 && outcome.errors.contains("[unclosed-transaction]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("unsaved changes in the scratch context draft"))
    #expect(outcome.errors.contains(".context switch draft, and .commit or .rollback"))
    #expect(outcome.errors.contains("nothing was saved"))
    #expect(try names() == "Grace\nAda\nBob\n")
  }

  @Test("CTX-437: so is one that has saved a scratch context into its parent alone")
  func unsavedParent() throws {
    let outcome = try script(
      ".context new --scratch draft", "update Employee/p2 name=Two", ".commit", ".context drop")
    #expect(outcome.code == 65 && outcome.errors.contains("ends between .begin and .commit"))
    let idle = try script(
      "update Employee/p2 name=Two", ".context new --scratch draft", "update Employee/p1 name=One",
      ".rollback")
    #expect(idle.code == 0, "\(idle.errors)")
    #expect(try names() == "Grace\nTwo\nBob\n")
  }

  @Test("CTX-434, CTX-437: what several contexts save is one transaction, which the first error takes back")
  func transaction() throws {
    let lines = [
      "update Employee/p1 name=One", ".context new other", "get Employee/p1 --fields name -f csv --no-header",
      "update Employee/p2 name=Two", ".context new --scratch draft", "update Employee/p3 name=Three",
      ".commit", ".context switch other", ".commit",
    ]
    let failed = try tool.run("run", "-", input: (lines + ["nonsense"]).joined(separator: "\n") + "\n")
    #expect(failed.code == 65 && failed.errors.contains("nothing was saved"), "\(failed.errors)")
    #expect(try names() == "Grace\nAda\nBob\n")
    let outcome = try tool.run("run", "-", input: lines.joined(separator: "\n") + "\n")
    #expect(outcome.code == 0 && outcome.output == "One\n", "\(outcome.output)\(outcome.errors)")
    #expect(try names() == "One\nTwo\nThree\n")
  }

  @Test("CTX-437: unsaved changes of a dropped context need --yes where nobody can be asked")
  func dropping() throws {
    let lines = ".context new --scratch draft\nupdate Employee/p2 name=Two\n.context drop draft\n"
    let refused = try tool.run("run", "-", input: lines)
    #expect(refused.code == 4 && refused.errors.contains("[not-confirmed]"), "\(refused.errors)")
    #expect(refused.errors.contains("dropping draft with 1 unsaved change"))
    #expect(refused.errors.contains(".commit or .rollback them there first"))
    let agreed = try tool.run("run", "--yes", "-", input: lines)
    #expect(agreed.code == 0, "\(agreed.errors)")
    #expect(try names() == "Grace\nAda\nBob\n")
  }

  @Test("CTX-437: .exit with a code other than 0 drops what every context has")
  func leaving() throws {
    let outcome = try script(
      "update Employee/p1 name=One", ".context new other", "update Employee/p2 name=Two",
      ".context new --scratch", "update Employee/p3 name=Three", ".exit 9")
    #expect(outcome.code == 9 && outcome.errors.contains("nothing was saved"), "\(outcome.errors)")
    #expect(try names() == "Grace\nAda\nBob\n")
    let kept = try script(
      "update Employee/p1 name=One", ".context new --scratch", "update Employee/p3 name=Three", ".exit 9",
      options: ["--no-transaction"])
    #expect(kept.code == 9 && kept.errors.contains("1 unsaved change rolled back"), "\(kept.errors)")
    #expect(try names() == "One\nAda\nBob\n")
  }

  @Test("CTX-437: a script that is read and fails leaves the contexts as they were")
  func readAndFailed() throws {
    try tool.write(
      """
      .context switch draft
      update Employee/p2 name=Two
      .commit
      .context new --scratch deep
      update Employee/p3 name=Three
      .context new other
      update Employee/p1 name=One
      nonsense
      """, to: "fails.gs")
    let outcome = try script(
      ".context new --scratch draft", ".context switch main", ".read fails.gs", ".context", ".status",
      ".context switch draft", ".status", "fetch Employee --fields name -f csv --no-header",
      options: ["--keep-going"])
    #expect(outcome.errors.contains("fails.gs:8:1"), "\(outcome.errors)")
    let summary = "0 inserted, 0 updated, 0 deleted; 0 statements to undo; on conflict: error"
    #expect(
      outcome.output == """
        * main     no unsaved changes
            draft  scratch, no unsaved changes
        no unsaved changes
        context main
        \(summary)
        no unsaved changes
        context draft, a scratch of main
        \(summary)
        Grace
        Ada
        Bob

        """, "\(outcome.output)")
    #expect(try names() == "Grace\nAda\nBob\n")
  }

  @Test("CTX-437: a script that is read may not switch to unsaved changes from before it; within them it may")
  func readBesideUnsaved() throws {
    try tool.write("update Employee/p1 name=One\n.context switch draft\n", to: "switches.gs")
    try tool.write("update Employee/p1 name=One\n", to: "changes.gs")
    let outcome = try script(
      ".context new --scratch draft", "update Employee/p2 name=Two", ".context switch main",
      ".read switches.gs", ".context switch draft", ".read changes.gs", ".status", ".commit",
      ".context switch main", ".commit", options: ["--keep-going"])
    #expect(outcome.errors.contains("has unsaved changes from before the script"), "\(outcome.errors)")
    #expect(outcome.output.contains("0 inserted, 2 updated, 0 deleted; 2 statements"), "\(outcome.output)")
    #expect(try names() == "One\nTwo\nBob\n")
  }
}
