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

  /// The format that a file's name asks for by its ending, if there is one.
  init?(path: String) {
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

  /// The format given by `--from`, else by the file's name; standard input is NDJSON unless said otherwise.
  static func choose(_ explicit: InputFormat?, path: String) throws(InputError) -> InputFormat {
    if let explicit { return explicit }
    if path == "-" { return .ndjson }
    if let format = InputFormat(path: path) { return format }
    throw InputError(
      .unknownFormat,
      "cannot tell the format of \"\(path)\" from its name; say --from ndjson, json, csv or tsv"
    )
  }
}
