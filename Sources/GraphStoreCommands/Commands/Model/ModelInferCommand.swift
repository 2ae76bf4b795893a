import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model infer FILE…`
struct ModelInferCommand: OutputFileCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer", abstract: "Make a model of what files of records, databases and schemas hold.",
    discussion: """
      Reads CSV, TSV, NDJSON and JSON, also compressed with gzip, databases of SQLite and JSON schemas, all records of them, \
      and prints a model as JSON, to be edited. Why each entity and property is as it is, is told on standard error, a line each: the \
      type, how many records have a value, the reason, and what did not fit; with --error-format json as JSON.

      An entity is called by its file, table or key, in the singular. Dates are those of ISO 8601 alone; numbers stay \
      numbers; amounts such as 1.50 are decimals. What every record has is mandatory. `id` and `uuid` are unique where \
      their values are; `department_id` is a relationship where every value is the key of a Department in another of the \
      files. Objects within records become composite attributes, or entities where they have keys or lists of objects. \
      Of a database the declared types, keys, foreign keys, UNIQUE and NOT NULL are kept, and tables of links become \
      many-to-many relationships.

      graphstore model infer employees.csv departments.csv -o Staff.json
      graphstore model infer old.db > Old.json
      graphstore model infer person.schema.json | graphstore model validate -
      """)

  @Argument(help: "Files of records, databases and schemas, or - for standard input.", completion: .file())
  var files: [String]
  @OptionGroup var reading: InferenceOptions
  @OptionGroup var output: OutputFileOptions
  @OptionGroup var options: AskingCommandOptions

  func validate() throws {
    if files.isEmpty { throw ValidationError("infer takes files, or -.") }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("- can be read only once.") }
    if let path = output.path { try ModelDestination.validate(path) }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    try refuseInput(as: output.path)
    try session.confirmOutput()
    try session.refuseLog(amongInputs: files)
    let inference = try ModelInference(
      files, reading.reading(timeout: session.timeout, isRepeated: false), session.interruption)
    try inference.run()
    let model = try inference.model()
    InferenceExplanation(choices: inference.choices).tell(session)
    try session.print(json: model.jsonData())
    return .success
  }
}

extension ModelInferCommand {
  /// The model does not take the place of what it is made of.
  private func refuseInput(as path: String?) throws {
    guard let path, path != "-" else { return }
    let target = PathTarget(path)
    guard let input = files.first(where: { $0 != "-" && PathTarget($0) == target }) else { return }
    throw Diagnostic(
      code: "usage", message: "the output would replace \(input), which is read",
      hints: ["name another file"],
      exitCode: .usage)
  }
}

/// Options on how the files are read that a model is inferred from.
struct InferenceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Form of the records: ndjson, json, csv or tsv (default: by the file's name).", valueName: "format"))
  var from: InputFormat?
  @OptionGroup var text: TextOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What stands between the cells of CSV (default: what the header has: a comma, else a semicolon, tab or bar).",
      valueName: "char"))
  var delimiter: String?

  func validate() throws {
    if delimiter != nil, ImportCommand.delimiter(delimiter) == nil {
      throw ValidationError("--delimiter takes one ASCII character that is no quote, letter or digit.")
    }
    if delimiter != nil, let from, from != .csv { throw ValidationError("--delimiter is for CSV.") }
  }

  /// Whether one of them is given.
  var isGiven: Bool { from != nil || delimiter != nil || text.encodingName != nil }

  func reading(timeout: Duration, isRepeated: Bool) -> InferenceFile.Reading {
    InferenceFile.Reading(
      format: from, encoding: text.encoding, delimiter: delimiter, timeout: timeout, isRepeated: isRepeated)
  }
}
