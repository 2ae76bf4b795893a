import Foundation
import GraphStoreTestSupport
import Testing

/// Text that tools tend to spoil, on its way through every command.
struct StrangeTextTests {
  private static let texts = [
    "a\u{0}b\u{0}", "\u{0}", "👩‍🚀🇩🇪👍🏽", "e\u{301} \u{E9} \u{1E9B}\u{323}", "\u{202E}שלום\u{202C} مرحبا",
    "line\r\nbreak\ttab\u{1B}[31mred", "\u{FEFF}mark", "\u{2028}\u{85}", "\"quoted\", 'both' \\ back",
    " ends ",
    "\\N", "NULL", "", "=1+1", "\u{10FFFF}\u{FFFD}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  ]

  /// A store of projects, whose title is any text.
  private func store(_ texts: [String]) throws -> CommandLineTool {
    let tool = try CommandLineTool.company()
    let records = try texts.map { text in
      String(decoding: try JSONEncoder().encode(["title": text]), as: UTF8.self) + "\n"
    }
    let made = try tool.run("insert", "Project", "-", input: records.joined())
    try #require(made.code == 0, "\(made.errors)")
    return tool
  }

  private func titles(_ tool: CommandLineTool, _ store: String = "hr.db") throws -> [[UInt8]] {
    struct Record: Decodable { var title: String }
    let outcome = try tool.run("fetch", "Project", "-f", "json", "--fields", "title", "-s", store)
    return try JSONDecoder().decode([Record].self, from: Data(outcome.output.utf8)).map {
      Array($0.title.utf8)
    }
  }

  @Test("STO-241: text comes back byte for byte from insert and fetch")
  func insertAndFetch() throws {
    #expect(try titles(store(Self.texts)) == Self.texts.map { Array($0.utf8) })
  }

  @Test("STO-241: what is exported imports back equal", arguments: ["ndjson", "json", "csv", "tsv"])
  func exportAndImport(_ format: String) throws {
    let tool = try store(Self.texts)
    let file = "out.\(format)"
    #expect(try tool.run("export", "Project", "--format", format, "-o", file).code == 0)
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    #expect(try tool.run("init", "copy.db", "--model", model).code == 0)
    let outcome = try tool.run("import", "Project", file, "-s", "copy.db")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try titles(tool, "copy.db") == Self.texts.map { Array($0.utf8) })
  }

  @Test("STO-241: 10 MB of text go in and out unchanged", arguments: ["ndjson", "csv"])
  func large(_ format: String) throws {
    let text = String(repeating: "x\u{0}é👩‍🚀", count: 700_000)
    let tool = try store([text])
    #expect(text.utf8.count > 10_000_000)
    #expect(try tool.run("export", "Project", "--format", format, "-o", "out.\(format)").code == 0)
    #expect(try tool.run("import", "Project", "out.\(format)").code == 0)
    let stored = try titles(tool)
    #expect(stored.count == 2)
    #expect(stored.allSatisfy { $0 == Array(text.utf8) })
  }

  @Test("STO-220: values that look like SQL are stored, found and shown as values")
  func sql() throws {
    let texts = [
      "Robert'); DROP TABLE ZPROJECT;--", "\" OR \"\"=\"", "' OR 1=1 --", "?1", "$title", ":x", "@y",
      "%_*?[a]",
      "x'00'", "/* */ ;", "NULL", "ZTITLE", "\\",
    ]
    let tool = try store(texts)
    for (index, text) in texts.enumerated() {
      let found = try tool.run(
        "fetch", "Project", "-w",
        "title == $t AND title BEGINSWITH $t AND title ENDSWITH $t AND title IN {$t}",
        "--var", "t=\(text)", "-f", "ids")
      #expect(found.output == "Project/p\(index + 1)\n", "\(text): \(found.errors)")
    }
    let containing = try tool.run("count", "Project", "-w", "title CONTAINS $t", "--var", "t=' OR 1=1 --")
    #expect(containing.output == "1\n")
    #expect(try titles(tool) == texts.map { Array($0.utf8) })
    #expect(try tool.run("check").code == 0)
  }

  @Test("PRD-213: SQL where a name or predicate belongs is refused with 64, and nothing happens")
  func names() throws {
    let tool = try store(["kept"])
    let commands = [
      ["fetch", "Project; DROP TABLE ZPROJECT"],
      ["fetch", "Project", "--sort", "title; DROP TABLE ZPROJECT"],
      ["fetch", "Project", "-w", "title == 'x'; DROP TABLE ZPROJECT"],
      ["fetch", "Project", "--fields", "title, (SELECT 1)"], ["fetch", "Project", "-w", "1 UNION SELECT 2"],
      ["fetch", "sqlite_master"], ["fetch", "ZPROJECT"], ["fetch", "Project", "-w", "ZTITLE == 'x'"],
      ["fetch", "Project", "-w", "Z_PK == 1"],
    ]
    for arguments in commands {
      let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
      #expect(outcome.code == 64, "\(arguments): \(outcome.errors)")
    }
    #expect(try tool.run("count", "Project").output == "1\n")
  }
}
