import Foundation

/// Output format of results.
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
    switch FileEnding.of(path) {
    case "json": self = .json
    case "ndjson", "jsonl": self = .ndjson
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "md", "markdown": self = .markdown
    default: return nil
    }
  }
}

extension OutputFormat {
  /// The ending of a file's name that stands for a form of other programs, with its dot; nil for one that
  /// stands for none.
  static func foreignEnding(of path: String) -> String? {
    guard OutputFormat(path: path) == nil, let ending = FileEnding.of(path), foreignEndings.contains(ending)
    else { return nil }
    return "." + ending
  }

  private static let foreignEndings: Set<String> = [
    "arrow", "avro", "bz2", "db", "doc", "docx", "gz", "htm", "html", "ods", "orc", "parquet", "pdf", "plist",
    "rtf",
    "sql", "sqlite", "toml", "xls", "xlsx", "xml", "xz", "yaml", "yml", "zip", "zst",
  ]
}

extension OutputFormat {
  /// Why a text cannot stand for a missing value, as the rest of a sentence; nil where it can.
  ///
  /// It stands without quotes and escapes, which tell it from a value.
  func problem(ofNull text: String) -> String? {
    let separators: [UInt8] =
      switch self {
      case .csv: [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D]
      case .tsv: [0x09, 0x0A, 0x0D]
      default: []
      }
    return text.utf8.contains(where: separators.contains)
      ? "takes a text that is one cell of \(rawValue), not '\(VisibleText.escape(text))'" : nil
  }
}

/// Ending of a file's name.
enum FileEnding {
  /// The letters behind the last dot, in lower case; nil where there is none.
  static func of(_ path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.index(after: dot) != name.endIndex
    else {
      return nil
    }
    return name[name.index(after: dot)...].lowercased()
  }
}

/// Layout options of results, as far as the user decides on them.
struct WriterOptions: Sendable {
  /// What stands for null; nil takes the format's own.
  var nullText: String?
  /// Whether table, csv, tsv and markdown begin with the columns' names.
  var showsHeader: Bool
  /// Columns to fit a table into; 0 never cuts; nil takes the terminal's width, and never cuts elsewhere.
  var width: Int?
  /// The zone dates are shown in (not in JSON, which is always UTC); nil is UTC.
  var timeZone: TimeZone?
  /// What the output goes to.
  var terminal: TerminalInfo
  /// Whether every row reaches the reader at once.
  var flushesEveryRow: Bool

  init(
    nullText: String? = nil, showsHeader: Bool = true, width: Int? = nil, timeZone: TimeZone? = nil,
    terminal: TerminalInfo = .plain, flushesEveryRow: Bool = false
  ) {
    self.nullText = nullText
    self.showsHeader = showsHeader
    self.width = width
    self.timeZone = timeZone
    self.terminal = terminal
    self.flushesEveryRow = flushesEveryRow
  }

  /// What stands for null in formats for people.
  var visibleNull: String { nullText ?? (terminal.isUTF8 ? "∅" : "NULL") }
}

extension OutputFormat {
  /// Runs work with the writer of this format.
  func write<Task: ResultTask>(to output: OutputBuffer, options: WriterOptions, _ task: Task) throws
    -> Task.Outcome
  {
    switch self {
    case .table: try task.run(TableResultWriter(output, options))
    case .json: try task.run(JSONResultWriter(output, options, isArray: true))
    case .ndjson: try task.run(JSONResultWriter(output, options, isArray: false))
    case .csv: try task.run(DelimitedResultWriter<CSVSyntax>(output, options))
    case .tsv: try task.run(DelimitedResultWriter<TSVSyntax>(output, options))
    case .markdown: try task.run(MarkdownResultWriter(output, options))
    case .line: try task.run(LineResultWriter(output, options))
    case .ids: try task.run(IDResultWriter(output, options))
    }
  }

  /// A writer of this format, for results of a few rows.
  func writer(_ output: OutputBuffer, _ options: WriterOptions) -> any ResultWriter {
    switch self {
    case .table: TableResultWriter(output, options)
    case .json: JSONResultWriter(output, options, isArray: true)
    case .ndjson: JSONResultWriter(output, options, isArray: false)
    case .csv: DelimitedResultWriter<CSVSyntax>(output, options)
    case .tsv: DelimitedResultWriter<TSVSyntax>(output, options)
    case .markdown: MarkdownResultWriter(output, options)
    case .line: LineResultWriter(output, options)
    case .ids: IDResultWriter(output, options)
    }
  }
}
