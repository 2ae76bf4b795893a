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

/// Layout options of results, as far as the user decides on them.
struct ResultOptions: Sendable {
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
  func write<Task: ResultTask>(to output: OutputBuffer, options: ResultOptions, _ task: Task) throws
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
  func writer(_ output: OutputBuffer, _ options: ResultOptions) -> any ResultWriter {
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
