import GraphStore
import GraphStoreReports

/// File of records, which can be read as often as needed.
struct RecordFile {
  var path: String
  var format: InputFormat
  /// What was said about its encoding; nil is UTF-8, or what a byte-order mark says.
  var encoding: TextEncoding?
  /// What stands between the cells of CSV.
  var delimiter: UInt8
  /// The entity of records that do not name theirs.
  var entity: String

  /// Whether the records are rows under a header.
  var isTable: Bool { format == .csv || format == .tsv }

  /// Hands every record to `body`, with the line on which it begins.
  ///
  /// - Returns: the names in the header of a table.
  @discardableResult
  func forEach(
    _ interruption: StatementInterruption, _ body: (_ members: [SampleMember], _ line: Int) throws -> Void
  ) throws -> [String] {
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
    let names = reader.record.names
    return isTable ? (0..<names.count).map { names[$0] } : []
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
    guard names.count == 1, format == .csv || format == .tsv else { return }
    let others = [(";", "semicolons", ";"), ("\t", "tabs", "\\t"), ("|", "bars", "|"), (",", "commas", ",")]
    guard let found = others.first(where: { names[0].contains($0.0) }) else { return }
    throw Diagnostic(
      code: "header-invalid",
      message: "the header is one column, \"\(names[0].prefix(80))\": its columns are divided by \(found.1)",
      location: Diagnostic.Location(file: path, line: 1),
      hints: [
        format == .csv
          ? "say so with --delimiter '\(found.2)'" : "it is no TSV: say --from csv --delimiter '\(found.2)'"
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
