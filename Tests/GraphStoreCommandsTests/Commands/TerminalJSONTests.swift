import Testing

/// The JSON of reports at a terminal: what others put into names and texts is shown and never obeyed.
@Suite("JSON at a terminal")
struct TerminalJSONTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    let model = #"""
      {"entities": [{"name": "Note", "attributes": [
        {"name": "text", "type": "string", "userInfo": {"k": "a\u007Fb\u009B31mc"}},
        {"name": "other", "type": "string"}]}]}
      """#
    try tool.write(model, to: "notes.json")
    try tool.write(
      model.replacing("other", with: "more").replacing("31m", with: "32m"), to: "other.json")
    #expect(try tool.run("init", "notes.db", "--model", "notes.json").code == 0)
    #expect(
      try tool.runShell(
        #"sqlite3 notes.db "INSERT INTO Z_PRIMARYKEY VALUES (9, 'x' || char(127, 155) || '31m', 0, 0)""#
      ).code == 0)
  }

  @Test(
    "No control character reaches the terminal",
    arguments: [
      ["check", "--json", "-s", "notes.db"], ["model", "diff", "notes.json", "other.json", "--json"],
      ["explain", "Note", "-w", "text = 'a\u{7F}\u{9B}31m'", "--json", "-s", "notes.db"],
      ["predicate", "check", "Note", "nothing\u{7F} = '\u{9B}31m'", "--json", "--model", "notes.json"],
    ])
  func harmless(arguments: [String]) throws {
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-c", #"cd "$0"; "$@""#, tool.folder.path, CommandLineTool.executable.path] + arguments,
      environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path])
    _ = terminal.wait()
    let shown = terminal.transcript
    #expect(shown.contains("{"), "\(shown)")
    #expect(shown.contains("\\u007f") || shown.contains("\\u009b"), "\(shown)")
    for scalar in shown.unicodeScalars where scalar.value == 0x7F || 0x80...0x9F ~= scalar.value {
      Issue.record("\(arguments) writes \(scalar.debugDescription)")
    }
  }
}
