import ArgumentParser
import GraphStoreReports

/// Options on the form of printed records.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customLong("format"), .customShort("f")],
    help:
      "Form of the result: table, json, ndjson, csv, tsv, markdown, html, line or ids (GRAPHSTORE_FORMAT).")
  var format: OutputFormat?

  @Flag(help: "Same as --format json.")
  var json = false

  @Flag(help: "Same as --format ndjson.")
  var ndjson = false

  @Flag(help: "JSON with a line for each value.")
  var pretty = false

  @OptionGroup var file: OutputFileOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("What stands for a missing value.", valueName: "text"))
  var null: String?

  @Flag(name: .customLong("no-header"), help: "No names of columns, only values.")
  var noHeader = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fit tables and lines into so many columns; 0 never cuts.", valueName: "columns"))
  var width: Int?

  @Option(
    name: .customLong("time-zone"),
    help: ArgumentHelp("Zone in which dates are shown, except in JSON (default: UTC).", valueName: "zone"))
  var timeZone: String?

  func validate() throws {
    if [format != nil, json, ndjson].filter({ $0 }).count > 1 {
      throw ValidationError("Give one of --format, --json and --ndjson.")
    }
    if let width, width < 0 { throw ValidationError("--width takes a number of columns, or 0 for no limit.") }
  }

  /// Refuses what a form has no use for.
  ///
  /// - Parameter form: The form of what is printed.
  func refuseIdle(in form: OutputFormat) throws(Diagnostic) {
    let isTable = form == .table || form.isTableOfRecords
    let isText = isTable || form == .line
    let idle: [(option: String, isIdle: Bool)] = [
      ("--null", null != nil && !isText), ("--no-header", noHeader && !isText),
      ("--width", width != nil && form != .table && form != .line),
      ("--time-zone", timeZone != nil && form == .ids), ("--pretty", pretty && form != .json),
    ]
    if let (option, _) = idle.first(where: \.isIdle) {
      throw Diagnostic(
        code: "usage", message: "\(option) is of no use in the form \(form.rawValue)",
        hints: ["leave it out, or choose another form with --format"], exitCode: .usage)
    }
    guard let null, let wrong = form.problem(ofNull: null) else { return }
    throw Diagnostic(
      code: "usage", message: "--null \(wrong)", hints: ["choose another text"], exitCode: .usage)
  }

  /// The format asked for by an option that names one.
  var chosenFormat: OutputFormat? { format ?? (json ? .json : ndjson ? .ndjson : nil) }

  /// The format asked for, whichever way: the name of a file says more than what holds for all commands.
  var askedFormat: OutputFormat? {
    chosenFormat ?? file.path.flatMap { OutputFormat(path: $0) } ?? (pretty ? .json : nil)
  }
}

extension OutputOptions: FastPathOptions {
  static var plain: OutputOptions {
    var options = OutputOptions()
    options.format = nil
    options.json = false
    options.ndjson = false
    options.pretty = false
    options.file = OutputFileOptions()
    options.file.path = nil
    options.null = nil
    options.noHeader = false
    options.width = nil
    options.timeZone = nil
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--format", "-f": format = line.word("--format")
    case "--json": json = line.flag(option)
    case "--ndjson": ndjson = line.flag(option)
    case "--pretty": pretty = line.flag(option)
    case "--output", "-o": file.path = line.text("--output")
    case "--null": null = line.text(option, isUnconditional: true)
    case "--no-header": noHeader = line.flag(option)
    case "--width": width = line.integer(option)
    case "--time-zone": timeZone = line.text(option)
    default: return false
    }
    return true
  }
}

extension OutputFormat: ExpressibleByArgument {}

/// Option that names an output file.
struct OutputFileOptions: ParsableArguments {
  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp(
      "Write to a file, which appears when it is whole; asks before one is replaced; with gzip where its name ends in .gz. - is standard output.",
      valueName: "file"),
    completion: .file())
  var path: String?

  /// Refuses a name that stands for a form of other programs, where no option says what is meant.
  func refuseForeignForm() throws(Diagnostic) {
    guard let path, let ending = OutputFormat.foreignEnding(of: path) else { return }
    throw Diagnostic(
      code: "unknown-form", message: "\(path): results are not written as \(ending)",
      hints: [
        "end the name in .csv, .tsv, .json, .ndjson, .md, .html or .txt, with .gz behind it if you like, "
          + "or say the form with --format"
      ], exitCode: .usage)
  }
}
