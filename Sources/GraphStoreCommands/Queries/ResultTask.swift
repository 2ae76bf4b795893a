/// Work that writes a result in whichever format was chosen.
///
/// It is generic over the writer, so that the compiler makes one version a format and every call for a cell is direct.
protocol ResultTask {
  associatedtype Outcome
  /// Whether the rows show objects, and so have ids.
  static var showsObjects: Bool { get }
  func run(_ writer: some ResultWriter) throws -> Outcome
}

extension ResultTask {
  static var showsObjects: Bool { true }
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
    case .csv: try task.run(CSVResultWriter(output, options))
    case .tsv: try task.run(TSVResultWriter(output, options))
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
    case .csv: CSVResultWriter(output, options)
    case .tsv: TSVResultWriter(output, options)
    case .markdown: MarkdownResultWriter(output, options)
    case .line: LineResultWriter(output, options)
    case .ids: IDResultWriter(output, options)
    }
  }
}
