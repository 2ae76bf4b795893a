import GraphStoreReports
import Testing

@testable import GraphStoreCommands

@Suite("Results that are read back")
struct ReadingBackTests {
  /// Result of rows of texts, some of which are missing.
  private struct TextRows: ResultTask {
    let columns: [String]
    let rows: [[String?]]

    func write(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws {
      try run(as: format, to: output, options: options)
    }

    func run(_ writer: some ResultWriter) throws {
      writer.begin(columns: columns.map { OutputColumn($0) })
      for row in rows {
        writer.beginRow()
        for text in row { if let text { writer.text(text) } else { writer.null() } }
        try writer.endRow()
      }
      try writer.end()
    }
  }

  @Test(
    "What is written is read back equal", arguments: [OutputFormat.ndjson, .json, .csv, .tsv],
    TestSeed.sequence(1, from: 222))
  func roundTrip(format: OutputFormat, seed: TestSeed) throws {
    var generator = seed.generator
    let columns = ["a", "é,\"x\"", "tab\there"]
    for _ in 0..<40 {
      let rows: [[String?]] = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        columns.map { _ in Int.random(in: 0..<4, using: &generator) == 0 ? nil : arbitraryText(&generator) }
      }
      let output = OutputBuffer.memory()
      try TextRows(columns: columns, rows: rows).write(as: format, to: output, options: WriterOptions())
      let file = try TestFile(output.consumeString())
      let input = try #require(InputFormat(rawValue: format.rawValue))
      let reader = try RecordReaders.open(path: file.path, format: input)
      var read: [[String?]] = []
      while let record = try reader.next() {
        #expect(record.fields.map { record.name($0) } == columns)
        read.append(record.fields.map { $0.kind == .null ? nil : record.text($0) })
      }
      #expect(read == rows, "\(seed)")
    }
  }
}
