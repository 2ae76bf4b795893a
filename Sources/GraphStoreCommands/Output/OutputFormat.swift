/// The forms in which results are written.
enum OutputFormat: String, Sendable, CaseIterable {
  /// Aligned columns; boxed on a terminal.
  case table
  /// One array of objects, streamed.
  case json
  /// One JSON object a line.
  case ndjson
  /// Comma-separated values (RFC 4180).
  case csv
  /// Tab-separated values with backslash escapes.
  case tsv
  /// A GitHub-flavoured Markdown table.
  case markdown
  /// One field a line, a blank line between objects.
  case line
  /// One object id a line.
  case ids

  /// Whether records are JSON objects.
  var isJSON: Bool { self == .json || self == .ndjson }

  /// Whether each record names its keys, so that records may have different ones.
  var namesKeysOfRecords: Bool { isJSON || self == .line }

  /// The format that a file's name asks for by its ending, if there is one.
  init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "json": self = .json
    case "ndjson", "jsonl": self = .ndjson
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "md", "markdown": self = .markdown
    default: return nil
    }
  }
}
