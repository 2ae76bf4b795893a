import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Limits of input")
struct InputLimitTests {
  private static let limit = 300_000

  /// A file with one record before one that is too long.
  private func open(_ first: String, _ long: String) throws -> (TestFile, InputFile) {
    let test = try TestFile(first + long)
    let file = try InputFile(path: test.path)
    file.recordLimit = Self.limit
    return (test, file)
  }

  private func expectLimit(line: Int?, _ body: () throws -> Void) throws {
    let error = try #require(throws: InputError.self, performing: body)
    #expect(error.code == .recordTooLong && error.exitCode == .dataError && !error.isRecoverable)
    #expect(error.line == line && error.message.contains("300 000 bytes"), "\(error)")
  }

  private static let text = String(repeating: "x", count: 1_000_000)

  @Test(
    "DGN-245: a record without end is refused once as many bytes have come as one may have, with its line",
    arguments: [
      (InputFormat.ndjson, "{\"a\":1}\n", "{\"a\":\"\(text)", 2), (.ndjson, "", text, 1),
      (.csv, "a,b\n1,2\n", "\"\(text)", 3), (.csv, "", text, 1), (.tsv, "a\tb\n1\t2\n", text, 3),
      (.json, "[{\"a\":1},\n", "{\"a\":\"\(text)", 2),
    ])
  func records(format: InputFormat, first: String, long: String, line: Int) throws {
    let (test, file) = try open(first, long)
    defer { withExtendedLifetime(test) {} }
    try expectLimit(line: line) {
      let reader = RecordReaders.reader(file, format: format)
      while try reader.next() != nil {}
    }
  }

  @Test(
    "DGN-245: filter refuses them too",
    arguments: [("{\"a\":1}\n", "{\"a\":\"\(text)", 2), ("[1,\n", "\"\(text)", 2), ("\n\n", "[\"\(text)", 3)])
  func values(first: String, long: String, line: Int) throws {
    let (test, file) = try open(first, long)
    defer { withExtendedLifetime(test) {} }
    try expectLimit(line: line) {
      let stream = try JSONRecordStream(file, form: nil) {}
      while try stream.next() {}
    }
  }

  @Test("DGN-245: records up to the limit are read, however many there are")
  func below() throws {
    let lines = String(repeating: "{\"a\":\"\(String(repeating: "x", count: 250_000))\"}\n", count: 5)
    let (test, file) = try open("", lines)
    defer { withExtendedLifetime(test) {} }
    let reader = RecordReaders.reader(file, format: .ndjson)
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 5)
  }

  @Test("DGN-201: a file as a value is refused by its size, and what has no size once too much has come")
  func files() throws {
    let test = try TestFile(String(repeating: "x", count: 1000))
    #expect(try InputFile.contents(path: test.path, limit: 1001).count == 1000)
    for path in [test.path, "/dev/zero"] {
      let error = try #require(throws: InputError.self) { try InputFile.contents(path: path, limit: 1000) }
      #expect(error.code == .valueTooLarge && error.exitCode == .dataError)
      #expect(error.message.contains(path) && error.message.contains("fewer than 1 000"), "\(error)")
    }
  }
}

@Suite("Files as values that no store can hold")
struct LargeValueTests {
  @Test(
    "DGN-201, STO-205: the file's size and the limit are told, and nothing of it is read",
    arguments: [
      "insert P image=@large", "insert P name=@large", "update P/p1 image=@large", "metadata set a=@large",
    ])
  func refused(_ line: String) throws {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"entities": [{"name": "P", "attributes": [
        {"name": "name", "type": "string"}, {"name": "image", "type": "binary"}]}]}
      """, to: "p.json")
    tool.environment["GRAPHSTORE_STORE"] = "p.db"
    try #require(tool.runShell("graphstore init p.db --model p.json && graphstore insert P name=a").code == 0)
    // A sparse file, whose content would take more memory than many machines have.
    try tool.write("", to: "large")
    try #require(truncate(tool.path("large"), 1 << 40) == 0, "errno \(errno)")
    let outcome = try tool.runShell("graphstore \(line)")
    #expect(outcome.code == 65 && outcome.errors.contains("[value-too-large]"), "\(outcome)")
    #expect(outcome.errors.contains("1 099 511 627 776 bytes") && outcome.errors.contains("1 000 000 000"))
  }
}
