import Foundation
import GraphStore
import Testing

@testable import GraphStoreCommands

/// Dates and numbers as other programs write them.
@Suite("Foreign forms of dates and numbers")
struct ForeignFormTests {
  @Test(
    "Patterns of dates",
    arguments: [
      ("%d.%m.%Y", "14.05.2026", "2026-05-14T00:00:00Z"), ("%d.%m.%Y", "1.2.2026", "2026-02-01T00:00:00Z"),
      ("%m/%d/%y", "12/31/68", "2068-12-31T00:00:00Z"), ("%m/%d/%y", "12/31/69", "1969-12-31T00:00:00Z"),
      ("%d %b %Y %H:%M", "3 March 2026 09:05", "2026-03-03T09:05:00Z"),
      ("%b %d, %Y", "sep 9, 1999", "1999-09-09T00:00:00Z"),
      ("%Y%m%dT%H%M%S%z", "20260514T134759+0200", "2026-05-14T11:47:59Z"),
      ("%Y/%m/%d %H:%M:%S", "2026/05/14 01:02:03.25", "2026-05-14T01:02:03.25Z"),
      ("%%%d-%m-%Y", "%29-02-2024", "2024-02-29T00:00:00Z"),
    ])
  func patterns(_ pattern: String, _ text: String, _ expected: String) throws {
    let read = try #require(seconds(of: text, DatePattern(pattern)))
    #expect(DateText.text(of: read) == expected)
  }

  @Test(
    "What is no date of the pattern is none",
    arguments: [
      ("%d.%m.%Y", "31.02.2026"), ("%d.%m.%Y", "2026-05-14"), ("%d.%m.%Y", "14.05.26"),
      ("%d.%m.%Y", "14.05.2026 "),
      ("%d.%m.%Y", "0.1.2026"), ("%d.%m.%Y", "1.13.2026"), ("%d %b %Y", "1 Foo 2026"),
      ("%d.%m.%Y %H:%M", "1.1.2026 24:00"),
      ("%d.%m.%Y", ""),
    ])
  func noDates(_ pattern: String, _ text: String) throws {
    #expect(seconds(of: text, DatePattern(pattern)) == nil)
  }

  @Test(
    "Patterns that say no day, or have letters that mean nothing",
    arguments: ["", "%Y-%m", "%q", "%d.%m.%Y %", "%d%d%m%Y", "x"])
  func noPatterns(_ text: String) { #expect(DateForm(text) == nil) }

  @Test(
    "Numbers with a comma",
    arguments: [
      ("1.234,50", "1234.50"), ("-1.234.567", "-1234567"), ("12,5", "12.5"), ("7", "7"),
      ("1 234,5", "1234.5"),
      ("1.5", nil), ("1,2,3", nil), ("12.34,5", nil), ("", nil), ("abc", nil), ("0.500", nil),
      ("0.000.001", nil), ("0,500", "0.500"), (",5", nil),
    ])
  func numbers(_ text: String, _ expected: String?) { #expect(FieldForms.withPoint(text) == expected) }

  @Test(
    "A point that stands between no thousands is refused beside decimal commas, in a table as in JSON's texts",
    arguments: ["52.52", "1.5", "0.500", "1.5e3", "-12.34"])
  func points(_ text: String) throws {
    let tool = try CommandLineTool.company()
    try tool.write("name;salary\nAda;52,5\nEve;\(text)\n", to: "a.csv")
    let refused = try tool.run("import", "Employee", "a.csv", "--decimal-comma")
    #expect(refused.code == 65 && refused.errors.contains("a.csv:3:5"), "\(refused.errors)")
    #expect(refused.errors.contains("\"\(text)\" has a point where no thousands end"), "\(refused.errors)")
    try tool.write("{\"name\":\"Ada\",\"salary\":52.52}\n", to: "a.ndjson")
    #expect(
      try tool.run("import", "Employee", "a.ndjson", "--decimal-comma").code == 0, "a number is no text")
  }

  @Test("import takes both on purpose, and says so where it would help")
  func importing() throws {
    let tool = try CommandLineTool.company()
    try tool.write("name;birthday;salary\nAda;10.12.1815;1.234,50\n", to: "a.csv")
    try tool.write("name;birthday\nAda;10.12.1815\n", to: "b.csv")
    let refused = try tool.run("import", "Employee", "b.csv", "--delimiter", ";")
    #expect(refused.code == 65 && refused.errors.contains("--dates %d.%m.%Y"), "\(refused.errors)")
    let comma = try tool.run("import", "Employee", "a.csv", "--delimiter", ";", "--dates", "%d.%m.%Y")
    #expect(comma.code == 65 && comma.errors.contains("--decimal-comma"), "\(comma.errors)")
    let both = try tool.run("import", "Employee", "a.csv", "--delimiter", ";")
    #expect(both.errors.contains("--dates") && both.errors.contains("--decimal-comma"), "\(both.errors)")
    let words = ["import", "Employee", "a.csv", "--delimiter", ";", "--dates", "%d.%m.%Y", "--decimal-comma"]
    let read = try tool.run(CommandLineTool.executable.path, words, input: nil)
    #expect(read.code == 0, "\(read.errors)")
    let found = try tool.run(
      "fetch", "Employee", "--fields", "name,birthday,salary", "-f", "csv", "--no-header")
    #expect(found.output == "Ada,1815-12-10T00:00:00Z,1234.5\n")
    try tool.write("name;birthday\nBob;2024-02-13\n", to: "iso.csv")
    let iso = try tool.run("import", "Employee", "iso.csv", "--delimiter", ";", "--dates", "%Y-%d-%m")
    #expect(iso.code == 65 && iso.errors.contains("not a date of the form %Y-%d-%m"), "\(iso.errors)")
    let wrong = try tool.run("import", "Employee", "a.csv", "--dates", "%q")
    #expect(wrong.code == 64 && wrong.errors.contains("%d.%m.%Y"), "\(wrong.errors)")
  }

  @Test("Links by an attribute are read in the same forms")
  func links() throws {
    let tool = try CommandLineTool.company()
    #expect(
      try tool.run("insert", "Employee", "name=Thousands", "salary=1500", "birthday=2024-02-01").code == 0)
    #expect(try tool.run("insert", "Employee", "name=One", "salary=1.5", "birthday=2024-01-02").code == 0)
    try tool.write("name;salary;manager\nA;0,5;1.500\n", to: "a.csv")
    let words = ["--delimiter", ";", "--decimal-comma", "--link", "manager=salary"]
    let read = try tool.run(
      CommandLineTool.executable.path, ["import", "Employee", "a.csv"] + words, input: nil)
    #expect(read.code == 0, "\(read)")
    try tool.write("name;salary;manager\nB;1;01.02.2024\n", to: "b.csv")
    let dated = try tool.run(
      "import", "Employee", "b.csv", "--delimiter", ";", "--dates", "%d.%m.%Y", "--link", "manager=birthday")
    #expect(dated.code == 0, "\(dated)")
    let found = try tool.run(
      "fetch", "Employee", "-w", "manager != nil", "--fields", "name,manager.name", "-f", "csv", "--no-header"
    )
    #expect(found.output == "A,Thousands\nB,Thousands\n", "\(found)")
  }

  private func seconds(of text: String, _ pattern: DatePattern?) -> Double? {
    var text = text
    return text.withUTF8 { bytes in unsafe pattern?.seconds(of: bytes) }
  }
}
