import Foundation

@testable import GraphStoreCommands

/// A file for one test, removed at its end.
final class TestFile {
  let path: String

  init(_ bytes: some Sequence<UInt8> = [], name: String = "input") throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)-\(name)").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  convenience init(_ text: String, name: String = "input") throws {
    try self.init(Array(text.utf8), name: name)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}

/// Text of all kinds: letters, quotes, controls, wide and combining characters.
func arbitraryText(_ generator: inout SeededGenerator) -> String {
  let pieces = [
    "a", "Z", "0", " ", ",", "\"", "\\", "\n", "\r", "\t", "\r\n", "\0", "é", "日本", "👩‍👩‍👧", "e\u{301}", "שלום",
    "|", "N",
    "\\N", "\u{7F}", "\u{9B}", "\u{FEFF}", "/", "{", "]", "-",
  ]
  return (0..<Int.random(in: 0...12, using: &generator)).map { _ in
    pieces[Int.random(in: 0..<pieces.count, using: &generator)]
  }.joined()
}

/// What a reader gives, as plain values: one line of text a field, or the error.
func readAll(_ text: String, _ format: InputFormat) throws -> [String] {
  try readAll(Array(text.utf8), format)
}

func readAll(_ bytes: [UInt8], _ format: InputFormat) throws -> [String] {
  let file = try TestFile(bytes)
  let reader = try RecordReaders.open(path: file.path, format: format)
  var results: [String] = []
  while true {
    do {
      guard let record = try reader.next() else { return results }
      results.append(
        record.fields.map { "\(record.name($0))=\($0.kind):\(record.text($0))" }.joined(separator: ";"))
    } catch {
      results.append(
        "\(error.code.rawValue) \(error.line ?? 0):\(error.column ?? 0)\(error.isRecoverable ? "" : " final")"
      )
      if !error.isRecoverable { return results }
    }
  }
}
