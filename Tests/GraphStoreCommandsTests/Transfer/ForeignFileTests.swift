import Foundation
import Testing

@testable import GraphStoreCommands

/// Files of other programs: compressed, in other encodings, and results in forms that others read.
@Suite("Round trips with other programs")
struct ForeignFileTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: tool.path(name)))
  }

  private func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: tool.path(name)))
  }

  private func run(_ line: String) throws -> CommandLineTool.Outcome { try tool.runShell(line) }

  @Test("STO-338: export, import, dump, load and inference write and read gzip, from standard input too")
  func gzip() throws {
    #expect(
      try run("graphstore export --all -o all.ndjson.gz && graphstore export Employee -o e.csv.gz").code == 0)
    let plain = try run("graphstore export --all")
    #expect(try run("gzip -dc all.ndjson.gz").output == plain.output)
    #expect(try run("gzip -dc e.csv.gz").output == run("graphstore export Employee -f csv").output)
    let model = tool.path("m.json")
    #expect(
      try run(
        "graphstore model from-store -o '\(model)' && graphstore init b.db -m '\(model)' --seed all.ndjson.gz"
      ).code == 0)
    #expect(try run("graphstore export --all -s b.db").output == plain.output)
    let piped = try run(
      "graphstore init c.db -m '\(model)' && graphstore import --all - -s c.db < all.ndjson.gz")
    #expect(piped.code == 0, "\(piped.errors)")
    #expect(try run("graphstore export --all -s c.db").output == plain.output)
    let list = try run(
      "graphstore export Department --json | gzip | graphstore import Department - -n --on-conflict ignore")
    #expect(list.code == 0 && list.errors.contains("2 read"), "\(list.errors)")
    #expect(try run("graphstore dump d.dump.gz && graphstore load d.dump.gz -s d.db").code == 0)
    #expect(try run("graphstore dump -s d.db").output == run("gzip -dc d.dump.gz").output)
    let made = try run("graphstore init e.db --infer e.csv.gz")
    #expect(made.code == 0 && made.errors.contains("E.salary: "), "\(made.errors)")
    let filtered = try run("graphstore filter 'salary == nil' all.ndjson.gz --count")
    #expect(filtered.code == 0 && filtered.output == "3\n", "\(filtered)")
  }

  @Test("STO-338: of a file that is damaged or cut short nothing is imported")
  func damagedGzip() throws {
    let text = (0..<20_000).map { "{\"name\":\"d\($0)\"}\n" }.joined()
    try tool.write(text, to: "d.ndjson")
    let before = try run("graphstore dump").output
    #expect(try run("gzip -kf d.ndjson").code == 0)
    for line in ["head -c 30000 d.ndjson.gz", "head -c -8 d.ndjson.gz; echo 12345678"] {
      let failed = try run("(\(line)) > x.ndjson.gz; graphstore import Department x.ndjson.gz")
      #expect(failed.code == 65 && failed.errors.hasPrefix("x.ndjson.gz: error: "), "\(failed.errors)")
      #expect(failed.errors.contains("[gzip-damaged]"), "\(failed.errors)")
      #expect(try run("graphstore dump").output == before)
      let skipped = try run("graphstore import Department x.ndjson.gz --on-error skip")
      #expect(skipped.code == 65, "\(skipped)")
      #expect(try run("graphstore dump").output == before)
    }
    #expect(try run("graphstore init x.db --infer x.ndjson.gz").code == 65)
    #expect(!FileManager.default.fileExists(atPath: tool.path("x.db")))
    #expect(
      try run(
        "graphstore dump d.dump.gz; head -c 200 d.dump.gz > x.dump.gz; graphstore load x.dump.gz -s x.db"
      ).code == 65)
    #expect(!FileManager.default.fileExists(atPath: tool.path("x.db")))
  }

  @Test("STO-338: an output with gzip that fails leaves nothing behind, and replaces nothing")
  func failedOutput() throws {
    try tool.write("old", to: "o.csv.gz")
    #expect(try run("graphstore export Employee -o o.csv.gz").code == 4)
    #expect(try run("cat o.csv.gz").output == "old")
    let full = try run("ln -s /dev/full f.ndjson.gz && graphstore export --all -o f.ndjson.gz")
    #expect(full.code == 74 && full.errors.contains("f.ndjson.gz"), "\(full)")
    #expect(try !run("ls -A").output.contains(".o.csv"))
  }

  @Test("STO-339: --encoding reads what spreadsheets write, and an error of UTF-8 proposes it")
  func encodings() throws {
    let text = "Name;Gehalt\nJörg Müller;1.234,50\nZoë – Köln €;2,5\n"
    try write(try #require(text.data(using: .windowsCP1252)), to: "w.csv")
    let refused = try run("graphstore import Employee w.csv --delimiter ';' --map Gehalt=salary")
    #expect(refused.code == 65 && refused.errors.contains("[not-utf8]"), "\(refused.errors)")
    #expect(
      refused.errors.contains("w.csv:2:2") && refused.errors.contains("--encoding windows-1252"),
      "\(refused.errors)")
    let options = "--delimiter ';' --map Gehalt=salary --decimal-comma"
    let read = try run("graphstore import Employee w.csv --encoding windows-1252 \(options)")
    #expect(read.code == 0, "\(read.errors)")
    let found = try run(
      "graphstore fetch Employee -w 'salary < 2000' --fields name,salary -f csv --no-header")
    #expect(found.output == "Jörg Müller,1234.5\nZoë – Köln €,2.5\n", "\(found)")
    try write(try #require("\u{FEFF}\(text)".data(using: .utf16LittleEndian)), to: "u.csv")
    #expect(try run("graphstore import Employee u.csv \(options) -n").code == 0)
    #expect(try run("gzip -c w.csv | graphstore import Employee - --encoding cp1252 \(options) -n").code == 0)
    let inferred = try run("graphstore model infer w.csv --encoding windows-1252 --delimiter ';' -q")
    #expect(inferred.code == 0 && inferred.output.contains("\"W\""), "\(inferred)")
    let hinted = try run("graphstore model infer w.csv --delimiter ';'")
    #expect(hinted.code == 65 && hinted.errors.contains("--encoding"), "\(hinted.errors)")
    let wrong = try run("graphstore import Employee w.csv --encoding utf-61 \(options)")
    #expect(wrong.code == 64 && wrong.errors.contains("utf-16"), "\(wrong.errors)")
    try write([0x6E, 0x61, 0x6D, 0x65, 0x0A, 0x41, 0x0A, 0x42, 0x81, 0x0A], to: "b.csv")
    let bad = try run("graphstore import Employee b.csv --encoding windows-1252; graphstore count Employee")
    #expect(
      bad.errors.contains("b.csv:3:2: error: the byte 0x81") && bad.errors.contains("[wrong-encoding]"),
      "\(bad.errors)")
    #expect(bad.output == "5\n")
  }

  @Test("Results in HTML, indented JSON, and the form that a name says")
  func forms() throws {
    let html = try run("graphstore fetch Employee --fields name,salary --sort name --limit 1 -f html")
    #expect(
      html.output == """
        <table>
        <thead>
        <tr><th scope="col">name</th><th scope="col" style="text-align:right">salary</th></tr>
        </thead>
        <tbody>
        <tr><td>Ada</td><td style="text-align:right">72000.5</td></tr>
        </tbody>
        </table>

        """, "\(html)")
    let pretty = try run("graphstore fetch Department --limit 1 --pretty")
    #expect(
      pretty.output == "[\n  {\n    \"id\": \"Department/p1\",\n    \"name\": \"Engineering\"\n  }\n]\n",
      "\(pretty)")
    #expect(try run("graphstore fetch Department --pretty -f csv").code == 64)
    for (name, start) in [
      ("d.html", "<table>"), ("d.md", "| id |"), ("d.txt", "id "), ("d.tsv", "id\tname"),
      ("d.json", "[\n  {\"id\""),
    ] {
      #expect(try run("graphstore fetch Department -o \(name)").code == 0)
      #expect(try run("cat \(name)").output.hasPrefix(start), "\(name)")
      #expect(
        try run("graphstore fetch Department -o \(name).gz && gzip -dc \(name).gz | cmp - \(name)").code == 0)
    }
    #expect(try run("graphstore export Department -o e.html").code == 0)
    #expect(try run("graphstore export Department -o e.txt").code == 64)
    #expect(
      try run("graphstore filter 'name != nil' d.json -o f.ndjson && cat f.ndjson").output.hasPrefix(
        "{\"id\""))
    #expect(try run("graphstore filter 'name != nil' d.json -o f.csv").code == 64)
    #expect(
      try run("graphstore model from-store -o m.json && graphstore model merge m.json m.json n.json.gz").code
        == 64)
  }

  @Test("Who reads a table is told of data what they are; CSV and JSON have them")
  func binaryData() throws {
    try tool.write(
      #"{"name":"P","entities":[{"name":"Photo","attributes":[{"name":"image","type":"binary"}]}]}"#,
      to: "p.json")
    try write(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 1_400_000), to: "a.png")
    #expect(
      try run("graphstore init p.db -m p.json && graphstore insert Photo image=@a.png -s p.db").code == 0)
    for form in ["table", "line", "html"] {
      let shown = try run("graphstore fetch Photo -f \(form) -s p.db").output.replacing("&lt;", with: "<")
        .replacing("&gt;", with: ">")
      #expect(shown.contains("<1.4 MB image/png>") && shown.utf8.count < 500, "\(shown.prefix(500))")
    }
    #expect(try run("graphstore get Photo/p1 -s p.db").output.contains("<1.4 MB image/png>"))
    #expect(try run("graphstore fetch Photo -f csv --no-header -s p.db").output.contains("iVBORw0KGgoH"))
    #expect(try run("graphstore fetch Photo --ndjson -s p.db").output.contains("iVBORw0KGgoH"))
  }
}
