import Foundation
import Testing

/// `graphstore dump --salvage`: what can still be read of a damaged store.
@Suite("dump --salvage")
struct SalvageTests {
  private static let pageSize = 4096
  private static let count = 3000
  private let tool: CommandLineTool

  /// Notes in threads, one of them with a text that fills pages of its own, one with a value in a file.
  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Notes", "entities": [
        {"name": "Thread", "attributes": [{"name": "title", "type": "string"}],
         "relationships": [{"name": "notes", "destination": "Note", "toMany": true, "inverse": "thread"}]},
        {"name": "Note", "attributes": [
          {"name": "title", "type": "string"}, {"name": "text", "type": "string"},
          {"name": "rank", "type": "decimal"},
          {"name": "photo", "type": "binary", "externalStorage": true}],
         "relationships": [{"name": "thread", "destination": "Thread", "inverse": "notes"}]}]}
      """, to: "notes.json")
    let large = String(repeating: "overflow", count: 4000)
    var lines = ["{\"entity\":\"Thread\",\"id\":\"t1\",\"title\":\"thread-1\"}"]
    for number in 1...Self.count {
      let text = number == 1000 ? large : "text of \(number)"
      lines.append(
        "{\"entity\":\"Note\",\"title\":\"note-\(number)-\",\"text\":\"\(text)\",\"thread\":\"t1\"}")
    }
    try tool.write(lines.joined(separator: "\n") + "\n", to: "notes.ndjson")
    let made = try tool.run("init", "n.db", "--model", "notes.json", "--seed", "notes.ndjson")
    try #require(made.code == 0, "\(made.errors)")
    try Data(repeating: 7, count: 300_000).write(to: tool.folder.appendingPathComponent("photo"))
    #expect(try tool.run("update", "Note/p7", "photo=@photo", "--store", "n.db").code == 0)
    #expect(try tool.run("compact", "--store", "n.db").code == 0)
    tool.environment["GRAPHSTORE_STORE"] = "n.db"
  }

  /// Overwrites one of the pages of the file that have a text.
  ///
  /// - Parameter number: Its position among them.
  private func damage(pageWith text: String, _ number: Int = 0) throws {
    let path = tool.folder.appendingPathComponent("n.db")
    var bytes = try Data(contentsOf: path)
    let pages = stride(from: 0, to: bytes.count, by: Self.pageSize).map { $0..<$0 + Self.pageSize }
    let found = pages.filter { bytes[$0].range(of: Data(text.utf8)) != nil }
    try #require(found.count > number)
    bytes.replaceSubrange(found[number], with: Data(repeating: 0, count: Self.pageSize))
    try bytes.write(to: path)
  }

  private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

  @Test("PAT-166: a whole store is written as without --salvage")
  func whole() throws {
    let dumped = try tool.run("dump")
    let salvaged = try tool.run("dump", "--salvage")
    #expect(salvaged.code == 0 && salvaged.output == dumped.output)
    #expect(!salvaged.errors.contains("lost"))
  }

  @Test("PAT-166: the objects of a lost page are told by their ids, and all others make a store")
  func lostPage() throws {
    let before = try tool.run("dump").output
    try damage(pageWith: "note-2000-")
    #expect(try tool.run("dump").code == 74)
    let salvaged = try tool.run("dump", "saved.dump", "--salvage")
    #expect(salvaged.code == 5, "\(salvaged.errors)")
    let lost = try #require(
      salvaged.errors.firstMatch(
        of: /([0-9]+) ids of Note cannot be read[^\n]*\n +Note\/p([0-9]+)–p([0-9]+)/),
      "\(salvaged.errors)")
    let range = try #require(Int(lost.2)).advanced(by: 0)...(try #require(Int(lost.3)))
    #expect(range.contains(2000) && range.count == Int(lost.1) && range.count < 200)
    let saved = try String(contentsOf: tool.folder.appendingPathComponent("saved.dump"), encoding: .utf8)
    let missing = Set(lines(before).dropLast()).subtracting(lines(saved))
    #expect(missing.count == range.count)
    #expect(missing.allSatisfy { line in range.contains { line.contains("\"Note/p\($0)\"") } })
    let loaded = try tool.run("load", "saved.dump", "--pruned", "--store", "saved.db")
    #expect(loaded.code == 0, "\(loaded.errors)")
    #expect(try tool.run("check", "--store", "saved.db").code == 0)
    let count = try tool.run("count", "Note", "--where", "thread.title == 'thread-1'", "--store", "saved.db")
    #expect(count.output == "\(Self.count - range.count)\n")
  }

  @Test("PAT-166: of an object whose large text is lost the rest is kept")
  func lostValue() throws {
    // The first page is one of the table's.
    try damage(pageWith: "overflowoverflow", 3)
    let salvaged = try tool.run("dump", "--salvage")
    #expect(salvaged.code == 5)
    #expect(salvaged.errors.contains("Note.text of 1 object cannot be read"), "\(salvaged.errors)")
    #expect(salvaged.errors.contains("Note/p1000"))
    let line = try #require(lines(salvaged.output).first { $0.contains("\"Note/p1000\"") })
    #expect(line.contains("\"title\":\"note-1000-\"") && line.contains("\"Thread/p1\""))
    #expect(lines(salvaged.output).count == Self.count + 3)
  }

  @Test("PAT-166: a value whose file is lost is told, and missing")
  func lostFile() throws {
    try FileManager.default.removeItem(at: tool.folder.appendingPathComponent(".n_SUPPORT"))
    #expect(try tool.run("dump").code == 66)
    let salvaged = try tool.run("dump", "--salvage")
    #expect(salvaged.code == 5)
    #expect(salvaged.errors.contains("Note.photo of 1 object cannot be read"), "\(salvaged.errors)")
    #expect(lines(salvaged.output).count == Self.count + 3)
  }

  @Test("PAT-166: the last page of a table ends the ids that are lost where ids end")
  func lostEnd() throws {
    try damage(pageWith: "note-\(Self.count)-")
    let salvaged = try tool.run("dump", "--salvage")
    #expect(salvaged.code == 5)
    #expect(salvaged.errors.contains("–p\(Self.count)"), "\(salvaged.errors)")
  }

  @Test("PAT-166: the first page of a table is lost as any other")
  func lostStart() throws {
    try damage(pageWith: "note-1-")
    let salvaged = try tool.run("dump", "--salvage")
    #expect(salvaged.code == 5, "\(salvaged.errors)")
    #expect(salvaged.errors.contains("Note/p1–p"), "\(salvaged.errors)")
    #expect(salvaged.output.contains("\"title\":\"note-\(Self.count)-\""))
  }

  @Test("PAT-166: of rows that are none of the model's what can be read is kept, from the first one on")
  func strangeRows() throws {
    try tool.sqlite("UPDATE ZNOTE SET ZRANK = 'abc' WHERE Z_PK = 1", "n.db")
    try tool.sqlite("UPDATE ZNOTE SET Z_ENT = 77 WHERE Z_PK = 2", "n.db")
    let salvaged = try tool.run("dump", "--salvage")
    #expect(salvaged.code == 5, "\(salvaged.errors)")
    #expect(salvaged.errors.contains("Note.rank of 1 object cannot be read"), "\(salvaged.errors)")
    #expect(salvaged.errors.contains("1 id of Note cannot be read"), "\(salvaged.errors)")
    let first = try #require(lines(salvaged.output).first { $0.contains("\"Note/p1\"") })
    #expect(first.contains("\"title\":\"note-1-\"") && first.contains("\"rank\":null"))
    #expect(lines(salvaged.output).count == Self.count + 2)
  }

  @Test("PAT-166: a table that is missing takes only its own objects with it")
  func lostTable() throws {
    try tool.sqlite("DROP TABLE ZTHREAD", "n.db")
    let salvaged = try tool.run("dump", "--salvage")
    #expect(salvaged.code == 5, "\(salvaged.errors)")
    #expect(salvaged.errors.contains("1 id of Thread cannot be read"), "\(salvaged.errors)")
    #expect(lines(salvaged.output).count == Self.count + 2)
  }
}
