import GraphStore
import GraphStoreReports

/// File of records, which can be read as often as needed.
struct RecordFile {
  var path: String
  var format: InputFormat
  /// What was said about its encoding; nil is UTF-8, or what a byte-order mark says.
  var encoding: TextEncoding?
  /// What stands between the cells of CSV; nil to find it in the header.
  var delimiter: CSVDelimiter?
  /// The entity of records that do not name theirs.
  var entity: String

  /// Header of a table.
  struct Header {
    var names: [String] = []
    /// What divides the columns, where it was found in the header and is no comma.
    var foundDelimiter: CSVDelimiter?
  }

  /// Whether the records are rows under a header.
  var isTable: Bool { format == .csv || format == .tsv }

  /// Hands every record to `body`, with the line on which it begins.
  ///
  /// - Returns: the header of a table; an empty one of other records.
  @discardableResult
  func forEach(
    _ interruption: StatementInterruption, _ body: (_ members: [SampleMember], _ line: Int) throws -> Void
  ) throws -> Header {
    let reader: any RecordReader
    do throws(InputError) {
      reader = RecordReaders.reader(
        try InputFile(path: path, as: .text(encoding)), format: format, delimiter: delimiter)
    } catch {
      throw diagnostic(of: error)
    }
    var isHeaderChecked = !isTable
    while true {
      let record: Record?
      do throws(InputError) { record = try reader.next() } catch { throw diagnostic(of: error) }
      if !isHeaderChecked {
        try checkHeader(reader.record.names)
        isHeaderChecked = true
      }
      guard let record else { break }
      if record.number & 255 == 0 { try interruption.check() }
      try body(try members(of: record), record.line)
    }
    guard isTable else { return Header() }
    let names = reader.record.names
    let found = delimiter == nil ? (reader as? CSVReader)?.delimiter : nil
    return Header(
      names: (0..<names.count).map { names[$0] }, foundDelimiter: found == .comma ? nil : found)
  }

  private func members(of record: Record) throws(Diagnostic) -> [SampleMember] {
    do throws(JSONError) { return try SampleValue.members(of: record) } catch {
      throw Diagnostic(
        code: error.code.rawValue, message: error.message,
        location: Diagnostic.Location(file: path, line: record.line), exitCode: .dataError)
    }
  }

  /// A header of one column that holds another delimiter is one that was read wrongly.
  private func checkHeader(_ names: FieldNames) throws {
    guard names.count == 1, let found = CSVDelimiter(dividing: names[0]) else { return }
    throw Diagnostic(
      code: "header-invalid",
      message:
        "the header is one column, \"\(names[0].prefix(80))\": its columns are divided by \(found.words)",
      location: Diagnostic.Location(file: path, line: 1),
      hints: [
        format == .csv
          ? "say so with --delimiter '\(found.option)'"
          : "it is no TSV: say --from csv --delimiter '\(found.option)'"
      ], exitCode: .dataError)
  }

  private func diagnostic(of error: InputError) -> Diagnostic {
    Diagnostic(
      code: error.code.rawValue, message: error.message,
      location: error.line.map { Diagnostic.Location(file: path, line: $0, column: error.column) },
      hints: Self.hints(for: error), exitCode: error.exitCode)
  }

  private static func hints(for error: InputError) -> [String] {
    switch error.code {
    case .jsonSyntax: ["a file of one JSON object a line is read with --from ndjson"]
    case .headerMissing, .headerInvalid: ["give every column of the first line a name of its own"]
    case .fieldCount: ["put cells that hold the delimiter in quotes"]
    default: error.encodingHints
    }
  }
}
