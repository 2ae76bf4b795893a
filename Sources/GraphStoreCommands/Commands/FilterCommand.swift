import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore filter EXPR [FILE|-]`
struct FilterCommand: OutputFileCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter", abstract: "Print the JSON records that match a predicate; no store is needed.",
    discussion: """
      Reads one JSON value a line (NDJSON), or one array, and prints the records that match as they came. Keys are those \
      of the record, one it does not have is nil; a key that is no identifier stands in backquotes: `user-id` == 5. \
      SELF is the whole record, which may be any JSON value; what is no object has no keys and does not match.

      A date, a UUID and the like are text in JSON: CAST(birthday, "NSDate") compares the text of a key as a date. In \
      values and in records an object with a single key stands for what JSON lacks: {"$date": "2024-05-01"}, \
      {"$data": base64}, {"$uuid": text}, {"$url": text}, {"$decimal": "12.50"}, {"$set": []}, {"$orderedset": []}. \
      Objects of a store have no such form.

      graphstore filter 'age >= 18 AND city == "Oslo"' people.ndjson --sort -age
      graphstore filter '%K CONTAINS[c] %@' --arg '"name"' --arg '"ann"' people.json
      graphstore filter 'ANY tags IN $wanted' --var wanted='["red", "blue"]' \\
        --count parts.ndjson
      graphstore filter 'CAST(time, "NSDate") > $t' \\
        --var t='{"$date": "2024-05-01"}' log.ndjson
      """)

  @Argument(help: ArgumentHelp("Predicate.", valueName: "predicate")) var expression: String
  @Argument(
    help: ArgumentHelp("File of records; - is standard input.", valueName: "file"), completion: .file())
  var file = "-"
  @OptionGroup var values: ValueOptions

  @Option(
    name: .customLong("sort"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Order: keys, key paths or expressions, - before one that descends: -age,name (or age:desc); records without a value as age:nulls-first or :nulls-last. Repeat it for further keys. Keeps the records in memory.",
      valueName: "keys"))
  var sorts: [String] = []

  @Flag(help: "The records that do not match.") var invert = false
  @Option(parsing: .unconditional, help: ArgumentHelp("At most so many.", valueName: "count")) var limit: Int?
  @Flag(help: "Print only how many match.") var count = false
  @Flag(
    name: .customLong("exit-code"), help: "Exit 2 if nothing matched; with --quiet print nothing.")
  var exitCode = false

  @Option(
    help: ArgumentHelp(
      "Form of the input: ndjson (a value a line) or json (an array, or one value). Default: ndjson for files named .ndjson or .jsonl, else json for what begins with a bracket.",
      valueName: "form"))
  var from: JSONRecordStream.Form?

  @Flag(help: "Print one array, whatever was read.") var json = false
  @Flag(help: "Print one record a line, whatever was read.") var ndjson = false

  @OptionGroup var output: OutputFileOptions

  @OptionGroup var options: AskingCommandOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more.") }
    if json, ndjson { throw ValidationError("Give one of --json and --ndjson.") }
    if count, json || ndjson {
      throw ValidationError("--count prints a number; leave out --json and --ndjson.")
    }
    if let path = output.path, !count, !json, !ndjson, OutputFormat(path: path).map({ !$0.isJSON }) ?? false {
      throw ValidationError("filter prints records as they came, as JSON; '\(path)' is called otherwise.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let start = ContinuousClock.now
    let filter = try filter(in: session)
    let input: InputFile
    do throws(InputError) { input = try InputFile(path: file) } catch { throw diagnostic(error) }
    let outcome: RecordFilter.Outcome
    if exitCode, session.settings.isQuiet {
      var first = filter
      first.limit = min(1, limit ?? 1)
      outcome = try read { try first.run(try JSONRecordStream(input, form: form) {}, nil) }
    } else {
      outcome = try session.withOutput { output in
        try read { try run(filter, input: input, output: output, isShown: session.outputTerminal.isTerminal) }
      }
    }
    if outcome.strangers > 0, !session.settings.isQuiet {
      session.report(
        Diagnostic(
          .warning, code: "no-object",
          message: outcome.strangers == 1
            ? "1 record is no object and has no keys"
            : "\(outcome.strangers) records are no objects and have no keys",
          exitCode: .success))
    }
    let hints = PredicateHints(
      filter.expression.predicate, variables: filter.expression.variables.mapValues(\.value))
    session.warn(of: hints, selected: outcome.matched)
    session.reportResult("\(outcome.matched) of \(outcome.read) records", since: start)
    return exitCode && outcome.matched == 0 ? .negativeAnswer : .success
  }

  private func run(
    _ filter: RecordFilter, input: InputFile, output: OutputBuffer, isShown: Bool
  ) throws -> RecordFilter.Outcome {
    do {
      let stream = try JSONRecordStream(input, form: form) { try output.flush() }
      let printer = count ? nil : RecordPrinter(output, printedForm(stream), isShown: isShown)
      let outcome = try filter.run(stream, printer)
      if count { output.append("\(outcome.matched)\n") }
      return outcome
    } catch {
      // What matched before the problem is shown; a file does not appear.
      try output.flush()
      throw error
    }
  }

  private func filter(in session: CommandSession) throws -> RecordFilter {
    let text = try PredicateText(expression, values: values, in: session)
    let evaluator = try text.located { try PredicateEvaluator(text.predicate, variables: text.variables) }
    var filter = RecordFilter(
      expression: text, evaluator: evaluator, isInverted: invert, limit: limit, name: name,
      interruption: session.interruption)
    if let sort = sorts.joinedList {
      do throws(QueryPredicateError) { filter.sorter = try RecordSorter(parsing: sort) } catch {
        throw LocatedPredicateError(error: error, label: "--sort", text: sort)
      }
    }
    return filter
  }

  // MARK: Input

  private var name: String { file == "-" ? "<stdin>" : file }

  /// The form asked for, or that of the file's name; nil looks at the first byte.
  private var form: JSONRecordStream.Form? {
    from ?? (InputFormat(path: file) == .ndjson ? .ndjson : nil)
  }

  private func printedForm(_ stream: JSONRecordStream) -> RecordPrinter.Form {
    let named = json || ndjson ? nil : output.path.flatMap { OutputFormat(path: $0) }
    if ndjson || named == .ndjson { return .compactLines }
    if stream.isArray { return .arrayAsItCame }
    return json || named == .json ? .array : .lines
  }

  /// Runs something that reads, and says in which file a problem lies.
  private func read<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as InputError {
      throw diagnostic(error)
    }
  }

  private func diagnostic(_ error: InputError) -> Diagnostic {
    var diagnostic = DiagnosticMapper.diagnostic(for: error)
    diagnostic.location = error.line.map {
      Diagnostic.Location(file: name, line: $0, column: error.column)
    }
    guard error.code == .jsonSyntax, from == nil else { return diagnostic }
    if form == nil, error.message.hasPrefix("there is text after the end of the JSON value") {
      diagnostic.hints = ["for one array a line say --from ndjson"]
    } else if error.message.hasPrefix("the text ends"), form != nil || error.line == 1 {
      diagnostic.hints = [
        "each record stands on a line of its own; for one value over several lines say --from json"
      ]
    }
    return diagnostic
  }
}

extension JSONRecordStream.Form: ExpressibleByArgument {}
