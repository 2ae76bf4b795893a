import GraphStoreReports

/// Reader of records, one after the other.
///
/// Memory stays bounded by the longest record. A reader belongs to one thread.
protocol RecordReader: AnyObject {
  /// The next record, or nil at the end.
  ///
  /// The record is the same object every time and valid until the next call. After an error that is
  /// recoverable the next call goes on with the record behind the malformed one; `record` then still shows
  /// the source of the malformed one.
  func next() throws(InputError) -> Record?
  /// The record read last.
  var record: Record { get }
}

/// Factory of record readers, by format.
enum RecordReaders {
  /// A reader for a file, or for standard input with the path `-`.
  static func open(path: String, format: InputFormat) throws(InputError) -> any RecordReader {
    reader(try InputFile(path: path), format: format)
  }

  /// A reader for a file that is open.
  ///
  /// - Parameter delimiter: what stands between the cells of CSV; nil to find it in the header.
  static func reader(
    _ file: InputFile, format: InputFormat, delimiter: CSVDelimiter? = nil
  ) -> any RecordReader {
    switch format {
    case .ndjson: NDJSONReader(file)
    case .json: JSONArrayReader(file)
    case .csv: CSVReader(file, delimiter: delimiter)
    case .tsv: TSVReader(file)
    }
  }
}

/// The forms in which records are read.
enum InputFormat: String, Sendable, CaseIterable {
  /// One JSON object a line.
  case ndjson
  /// One array of objects, or a single object.
  case json
  /// Comma-separated values with a header row (RFC 4180).
  case csv
  /// Tab-separated values with a header row and backslash escapes.
  case tsv

  /// The format that a file's name asks for by its ending, before `.gz` too, if there is one.
  init?(path: String) {
    let path = FileEnding.withoutGzip(path)
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "ndjson", "jsonl": self = .ndjson
    case "json": self = .json
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    default: return nil
    }
  }

  /// Its name in sentences.
  var name: String { rawValue.uppercased() }

  /// The format given by `--from`, else by the file's name; a delimiter says that it is CSV where nothing
  /// else does. Standard input is a list of JSON where it begins as one, and else NDJSON.
  static func choose(
    _ explicit: InputFormat?, path: String, encoding: TextEncoding? = nil, hasDelimiter: Bool = false
  ) throws(InputError) -> InputFormat {
    if let explicit { return explicit }
    if hasDelimiter, path == "-" || InputFormat(path: path) == nil { return .csv }
    if path == "-" { return try StandardInput.beginsWithList(in: encoding) ? .json : .ndjson }
    if let format = InputFormat(path: path) { return format }
    throw InputError(
      .unknownFormat,
      "cannot tell the format of \"\(path)\" from its name; say --from ndjson, json, csv or tsv"
    )
  }
}
