import Foundation
import GraphStoreTestSupport
import Testing

@Suite("Stores that are one document, through the command")
struct StoreTypeCommandTests {
  private static let types = ["json", "binary", "xml"]
  private let company = Repository.root.appendingPathComponent("Models/company.json").path
  private let sample = Repository.root.appendingPathComponent("Examples/company/company.ndjson").path

  private func made(_ type: String) throws -> CommandLineTool {
    let tool = try CommandLineTool()
    let made = try tool.run("init", "hr", "--type", type, "--model", company)
    try #require(made.code == 0, "\(made.errors)")
    tool.environment["GRAPHSTORE_STORE"] = "hr"
    return tool
  }

  @Test(
    "DGN-109, CTX-441: a healthy document is ok to doctor, and one that cannot be watched is not",
    arguments: types)
  func examined(_ type: String) throws {
    let tool = try made(type)
    let doctor = try tool.run("doctor")
    #expect(doctor.code == 0 && !doctor.output.contains("FAIL"), "\(doctor)")
    for words in [["watch", "Employee", "--for", "1"], ["fetch", "Employee", "--watch"]] {
      let outcome = try tool.run(CommandLineTool.executable.path, words, input: nil)
      #expect(outcome.code == 64 && outcome.errors.contains("not-supported"), "\(outcome)")
    }
  }

  @Test(
    "CTX-430, STO-059: of two stores none is written where the document of one was changed by others",
    arguments: types)
  func twoStores(_ type: String) throws {
    let tool = try made(type)
    #expect(try tool.run("init", "other.db", "--model", company).code == 0)
    try tool.write(
      """
      insert Department name=One --into-store other
      insert Department name=Two --into-store hr
      """, to: "script.gs")
    let running = try RunningTool(
      tool, ["run", "-", "--store", "other=other.db", "--store", "hr=hr"])
    try running.feed(String(contentsOfFile: tool.path("script.gs"), encoding: .utf8) + "\n")
    usleep(700_000)
    let meanwhile = try tool.run("insert", "Department", "name=Three")
    #expect(meanwhile.code == 0, "\(meanwhile)")
    running.endInput()
    #expect(running.exitCode() == 3)
    #expect(try tool.run("count", "Department", "--store", "other.db").output == "0\n")
    #expect(try tool.run("count", "Department").output == "1\n")
  }

  @Test(
    "STO-065, STO-062, STO-049: every command works from the store alone, with the result it has elsewhere",
    arguments: types)
  func everyday(_ type: String) throws {
    let tool = try made(type)
    let other = try CommandLineTool.company()
    let lines = [
      "import --all --keep-ids '\(sample)'", "count Employee",
      "fetch Employee -w 'salary > 75000' --sort -salary --ndjson",
      "insert Employee name=Eve salary=5 badge=99 'department?=name == \"Sales\"'",
      "update Employee/p2 salary=90000",
      "link Project/p1.members Employee/p10", "delete Department/p3", "get Project/p1 --ndjson",
      "export --all",
      "fetch Employee --group-by department.name --aggregate count", "metadata set note=x",
      "metadata get note",
      "model from-store",
    ]
    // One counter gives the keys of an XML store.
    let new = type == "xml" ? "Employee/p16" : "Employee/p10"
    for line in lines {
      let here = try tool.runShell("graphstore \(line.replacing("Employee/p10", with: new))")
      let there = try other.runShell("graphstore \(line)")
      #expect(
        here.code == 0 && here.output.replacing(new, with: "Employee/p10") == there.output,
        "\(line): \(here.output) \(here.errors) \(there.output)")
    }
    #expect(try tool.run("info").output.contains(type))
    #expect(try tool.run("init", "hr", "--type", type, "--model", company).code == 73)
    // Out of one type, and into another: the same objects.
    let exported = try tool.run("export", "--all").output
    let copied = try CommandLineTool.company()
    #expect(try copied.run("import", "--all", "-", input: exported).code == 0)
    #expect(try copied.run("count", "Employee").output == tool.run("count", "Employee").output)
  }

  @Test("STO-063: help says which type is for what, and init takes each that it names")
  func help() throws {
    let tool = try CommandLineTool()
    let text = try tool.run("help", "store-types").output
    for type in Self.types + ["sqlite"] {
      #expect(text.contains("\n  \(type) "))
      #expect(try tool.run("init", type, "--type", type, "--model", company).code == 0)
    }
    #expect(text.contains("(default)"))
  }

  @Test("STO-064: help says where large values belong, and that documents are no place for them")
  func largeValues() throws {
    let text = try CommandLineTool().run("help", "large-values").output
    for word in ["kilobytes", "100 KB", "externalStorage", "an entity of its own", "the path as a text"] {
      #expect(text.contains(word), "\(text)")
    }
    #expect(text.contains("do not belong into json, xml and binary stores"))
  }

  @Test(
    "DGN-221, STO-065: what only SQLite stores have is refused with the way, and so is a type that is not built",
    arguments: types)
  func refusals(_ type: String) throws {
    let tool = try made(type)
    for (words, code) in [
      (["check", "--repair", "--yes"], "not-supported"), (["compact"], "not-supported"),
      (["history", "enable"], "store-option"),
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, words, input: nil)
      #expect(outcome.code == 64 && outcome.errors.contains("[\(code)]"), "\(words): \(outcome.errors)")
    }
    #expect(try tool.run("init", "x", "--type", "ledger", "--model", company).code == 64)
    let hashes = try tool.run("init", "x", "--type", type, "--model", company, "--hashes-from", company)
    #expect(hashes.code == 64 && hashes.errors.contains("sqlite"))
    #expect(!FileManager.default.fileExists(atPath: tool.path("x")))
  }

  @Test(
    "STO-117, DGN-195: a file that another program has changed ends the command with 3, and is left alone",
    arguments: types)
  func changedByOthers(_ type: String) throws {
    let tool = try made(type)
    let running = try RunningTool(tool, ["import", "Employee", "-", "--from", "ndjson"], errors: "errors")
    // What does not fit a pipe is taken by a command that has opened the store.
    for part in 0..<4 {
      try running.feed((0..<800).map { "{\"name\":\"p\(part * 800 + $0)\"}\n" }.joined())
    }
    #expect(try tool.run("insert", "Department", "name=theirs").code == 0)
    running.endInput()
    #expect(running.exitCode() == 3)
    let errors = try String(contentsOfFile: tool.path("errors"), encoding: .utf8)
    #expect(errors.contains("nother program has changed the file"), "\(errors)")
    #expect(errors.contains("file-changed"))
    #expect(
      try tool.run("fetch", "Department", "--fields", "name", "-f", "csv").lines.dropFirst() == ["theirs"])
  }

  @Test(
    "STO-335: check and stats say what holds of a document, and an edit that breaks it is told with its line",
    arguments: types)
  func cared(_ type: String) throws {
    let tool = try made(type)
    #expect(try tool.run("import", "--all", sample).code == 0)
    let check = try tool.run("check")
    #expect(check.code == 0 && check.output.contains("ok    document"), "\(check)")
    let stats = try tool.run("stats", "Employee", "-f", "csv")
    #expect(stats.code == 0 && stats.output.contains("salary"), "\(stats.errors)")
    guard type != "binary" else { return }
    let text = try String(contentsOfFile: tool.path("hr"), encoding: .utf8)
    let edited = text.replacing(
      type == "json" ? "\"department\":\"Department/p1\"" : "idrefs=\"z1\"",
      with: type == "json" ? "\"department\":\"Department/p99\"" : "idrefs=\"z99\"", maxReplacements: 1)
    try tool.write(edited, to: "hr")
    let broken = try tool.run("check")
    #expect(broken.code == 74 && broken.errors.contains(", line "), "\(broken)")
  }

  @Test(
    "STO-117, STO-334: in the shell a statement reads what another program has written, and .refresh does within .begin",
    arguments: types)
  func refreshed(_ type: String) throws {
    let tool = try made(type)
    #expect(try tool.run("insert", "Department", "name=One").code == 0)
    let outcome = try tool.runShell(
      """
      mkfifo in; graphstore run --no-transaction - <in >out 2>&1 & p=$!
      exec 3>in; echo 'count Department' >&3; for i in $(seq 500); do grep -q 1 out && break; sleep 0.02; done
      graphstore insert Department name=Two >/dev/null
      echo 'update Department/p1 name=Mine' >&3; echo 'count Department' >&3
      for i in $(seq 500); do grep -q 2 out && break; sleep 0.02; done
      echo .begin >&3; echo 'update Department/p1 name=Again' >&3; echo .status >&3
      for i in $(seq 500); do grep -q '^[~+-] ' out && break; sleep 0.02; done
      graphstore insert Department name=Three >/dev/null
      echo .refresh >&3; echo .commit >&3; echo 'count Department' >&3
      exec 3>&-; wait $p; code=$?; cat out; exit $code
      """)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.output.contains("read ") && outcome.output.contains(" anew: 1 inserted"), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("3\n"), "\(outcome.output)")
    let names = try tool.run("fetch", "Department", "--fields", "name", "-f", "csv", "--no-header")
    #expect(Set(names.lines) == ["Again", "Two", "Three"])
  }

  @Test(
    "STO-336: a save whose folder cannot be flushed says that the new content is in place",
    arguments: ["json"])
  func unflushed(_ type: String) throws {
    let tool = try made(type)
    var unflushed = 0
    // The folder is opened last, and for want of descriptors it cannot be.
    for limit in 5...12 {
      let before = try tool.run("count", "Department").output
      let outcome = try tool.runShell("ulimit -n \(limit); graphstore insert Department name=d\(limit)")
      let after = try tool.run("count", "Department").output
      if outcome.errors.contains("is in place") {
        unflushed += 1
        #expect(outcome.code == 74 && after != before, "\(limit): \(outcome)")
      } else {
        #expect((outcome.code == 0) == (after != before), "\(limit): \(outcome)")
      }
    }
    #expect(unflushed > 0)
  }

  @Test(
    "STO-079: a document of a newer form ends the command with 78", arguments: ["json", "xml"])
  func newer(_ type: String) throws {
    let tool = try made(type)
    let text = try String(contentsOfFile: tool.path("hr"), encoding: .utf8)
    let newer =
      type == "json"
      ? text.replacing("\"graphstore\": 1", with: "\"graphstore\": 9")
      : text.replacing(/(_GSFormat<\/key>\s*<integer>)1/) { "\($0.output.1)9" }
    try tool.write(newer, to: "hr")
    #expect(newer != text)
    let outcome = try tool.run("count", "Employee")
    #expect(outcome.code == 78 && outcome.errors.contains("newer"), "\(outcome)")
  }

  @Test(
    "STO-163, STO-065: a SQLite backup is not put over a document, and import --create makes a store of a type",
    arguments: types)
  func otherTypes(_ type: String) throws {
    let tool = try made(type)
    #expect(try tool.run("init", "other.db", "--model", company).code == 0)
    let restored = try tool.run("restore", "other.db", "--yes", "--store", "hr")
    #expect(restored.code == 65 && restored.errors.contains("store-type-mismatch"), "\(restored)")
    let made = try tool.run(
      "import", "--all", sample, "--create", "--type", type, "--model", company, "--store", "new")
    #expect(made.code == 0, "\(made)")
    #expect(try tool.run("info", "new").output.lowercased().contains(type))
    #expect(try tool.run("import", "--all", sample, "--type", type, "--store", "new").code == 64)
  }

  @Test(
    "STO-056: a command killed while it saves leaves the old or the new content, and the next one clears up",
    arguments: types, TestSeed.sequence(1, from: 560))
  func killed(_ type: String, seed: TestSeed) throws {
    var random = seed.generator
    let tool = try made(type)
    let people = (1...2000).map { "{\"name\":\"p\($0)\",\"badge\":\($0),\"salary\":1}\n" }.joined()
    #expect(try tool.run("import", "Employee", "-", "-q", input: people).code == 0)
    let line = "graphstore update Employee -w 'salary >= 0' salary=5 -s"
    try FileManager.default.copyItem(atPath: tool.path("hr"), toPath: tool.path("whole"))
    let start = Date()
    #expect(try tool.runShell("\(line) whole").code == 0)
    let whole = Date().timeIntervalSince(start)
    for moment in 0..<6 {
      let store = "killed\(moment)"
      try FileManager.default.copyItem(atPath: tool.path("hr"), toPath: tool.path(store))
      // Most of them towards the end, where it is written.
      let share = 0.5 + 0.55 * (Double(moment) + Double.random(in: 0...1, using: &random)) / 6
      _ = try tool.runShell(
        "\(line) \(store) & sleep \(String(format: "%.4f", whole * share)); kill -9 $! 2>/dev/null; wait $!; true"
      )
      let count = try tool.run("count", "Employee", "-w", "salary == 5", "-s", store)
      #expect(["0\n", "2000\n"].contains(count.output), "\(seed), \(moment): \(count.errors)")
      #expect(try tool.run("insert", "Department", "name=After", "-s", store).code == 0)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
    #expect(!names.contains { $0.contains("saving") }, "\(names)")
  }

  @Test(
    "STO-056, STO-059: of commands that save at once each is whole, and one that comes too late says so",
    arguments: types)
  func atOnce(_ type: String) throws {
    let tool = try made(type)
    let running = try (1...8).map { try RunningTool(tool, ["insert", "Department", "name=d\($0)"]) }
    let codes = running.map { $0.exitCode() }
    let count = try tool.run("count", "Department").output
    #expect(codes.allSatisfy { $0 == 0 || $0 == 3 }, "\(codes)")
    #expect(count == "\(codes.count { $0 == 0 })\n", "\(codes)")
  }
}
