import CGraphStoreShims
import Foundation
import Testing

/// Commands that a defect of their own ends, which a signal from outside stands in for.
struct CrashReportTests {
  static let signals: [(Int32, String)] = [
    (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGSEGV, "SIGSEGV"), (SIGBUS, "SIGBUS"), (SIGABRT, "SIGABRT"),
    (SIGFPE, "SIGFPE"),
  ]

  @Test("DGN-123: a crash ends with 70 and one line on whose it is and how to report it", arguments: signals)
  func report(signal: Int32, name: String) throws {
    let tool = try CommandLineTool.company()
    let running = try RunningTool(tool, ["insert", "Employee", "-"], errors: "errors")
    try running.feed("{\"name\":\"Ann\"}\n")
    running.send(signal)
    #expect(running.exitCode() == 70)
    let errors = try String(contentsOfFile: tool.path("errors"), encoding: .utf8)
    #expect(
      errors
        == "error: graphstore was ended by a defect of its own (\(name)); the store is as it was before; please report it "
        + "with the command that led to it, the model, and this version: graphstore 0.1.0   [internal]\n")
    #expect(try tool.run("count", "Employee").output == "0\n")
    #expect(try tool.run("check").code == 0)
  }

  @Test("As JSON it is one object; the temporary files of a command are removed")
  func json() throws {
    let tool = try CommandLineTool.company()
    let running = try RunningTool(
      tool,
      [
        "import", "Employee", "-", "--from", "ndjson", "--on-error", "skip", "--rejects", "bad.ndjson",
        "--error-format", "json",
      ], errors: "errors")
    try running.feed("{\"name\":\"Ann\"}\n")
    running.send(SIGSEGV)
    #expect(running.exitCode() == 70)
    #expect(try String(contentsOfFile: tool.path("errors"), encoding: .utf8).contains("\"number\":136999"))
    let errors = try Data(contentsOf: tool.folder.appendingPathComponent("errors"))
    let object = try #require(try JSONSerialization.jsonObject(with: errors) as? [String: [String: Any]])
    #expect(object["error"]?["code"] as? String == "internal")
    #expect(object["error"]?["exit"] as? Int == 70)
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
    #expect(!names.contains { $0.contains("bad.ndjson") }, "\(names)")
    #expect(try tool.run("count", "Employee").output == "0\n")
  }

  @Test("A folder that was being written is removed with all it holds, and nothing that it only points to")
  func folders() throws {
    let tool = try CommandLineTool()
    let files = FileManager.default
    try files.createDirectory(atPath: tool.path("kept"), withIntermediateDirectories: true)
    try tool.write("x", to: "kept/file")
    try files.createDirectory(atPath: tool.path("half/in/it"), withIntermediateDirectories: true)
    for number in 0..<300 { try tool.write("x", to: "half/in/a file of some length \(number)") }
    try files.createSymbolicLink(atPath: tool.path("half/link"), withDestinationPath: tool.path("kept"))
    #expect(gs_remove_tree(tool.path("half")) == 1)
    #expect(try files.contentsOfDirectory(atPath: tool.folder.path) == ["kept"])
    #expect(gs_remove_tree(tool.path("kept/file")) == 1)
    #expect(gs_remove_tree(tool.path("nothing")) == 0)
  }

  @Test("The terminal is left as it was before the shell")
  func terminal() throws {
    let tool = try CommandLineTool.company()
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1",
      ])
    #expect(terminal.expect("hr> "))
    #expect(!terminal.isCooked)
    terminal.send("fetch Em")
    #expect(terminal.expect("fetch Em"))
    terminal.signal(SIGILL)
    #expect(terminal.expect("\u{1B}[?2004l"))
    #expect(terminal.expect("a defect of its own (SIGILL)"))
    #expect(terminal.wait() == 70)
    #expect(terminal.isCooked)
  }
}
