import ArgumentParser
import Foundation
import GraphStore

/// `graphstore import ENTITY|--all FILE|-`
struct ImportCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Make objects from records of a file: NDJSON, JSON, CSV or TSV.",
    discussion: """
      The model gives the values their types. All records are imported or none, unless --on-error or --commit say \
      otherwise. An id in a record is a label: a reference to it means that record, whether it comes before or behind; \
      any other reference means an object that exists. In CSV and TSV the ids of a to-many stand apart by a space, the \
      values of one given by --link by a semicolon. With --all a folder may be named that holds a file for each entity.

      graphstore import Employee people.csv --link department=name
      graphstore import Employee people.csv --key email --on-conflict update --on-error skip --rejects bad.ndjson
      graphstore import --all company.ndjson
      sqlite3 -json old.db 'SELECT * FROM person' | graphstore import Person - --from json
      """)

  @Argument(
    help: ArgumentHelp(
      "Entity (unless --all), and the file, or - for standard input.", valueName: "entity> <file"))
  var arguments: [String]
  @Flag(help: "Each record names its entity.")
  var all = false
  @Option(
    help: ArgumentHelp(
      "Form of the input: ndjson, json, csv or tsv (default: by the file's name).", valueName: "format"))
  var from: InputFormat?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Take a name in the input for a key, or for relationship.key.", valueName: "name=key"))
  var map: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Find the object of a relationship by one of its attributes.", valueName: "relationship=key"))
  var link: [String] = []
  @Option(
    help: ArgumentHelp("Attributes by which a record and an object are the same.", valueName: "attributes"))
  var key: String?
  @Option(
    name: .customLong("on-conflict"),
    help: "What to do with a record whose key exists: error, ignore, update or replace.")
  var onConflict: ConflictOption?
  @Option(name: .customLong("on-error"), help: "At a record that fails: abort, or skip it and exit with 5.")
  var onError = ErrorOption.abort
  @Option(
    help: ArgumentHelp("Write records that were skipped there, as NDJSON.", valueName: "file"),
    completion: .file())
  var rejects: String?
  @Flag(name: .customLong("keep-ids"), help: "Keep the numbers of the ids; there may be no objects yet.")
  var keepIDs = false
  @Option(help: "Commit all at once (default), each batch, or each line.")
  var commit = ImportSettings.Commit.all
  @Option(
    name: .customLong("batch-size"), help: ArgumentHelp("Records written at a time.", valueName: "count"))
  var batchSize = 1000
  @Option(
    name: .customLong("stop-after"), help: ArgumentHelp("Read at most so many records.", valueName: "count"))
  var stopAfter: Int?
  @Option(help: ArgumentHelp("Do nothing if an import of this name was done before.", valueName: "name"))
  var once: String?
  @Flag(help: "Make the store, with --model, if there is none.")
  var create = false
  @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Check everything and write nothing.")
  var dryRun = false
  @Flag(inversion: .prefixedNo, help: "Show how far it has come, on a terminal.")
  var progress = true
  @OptionGroup var short: ShortOptions
  @OptionGroup var shared: SharedOptions

  /// The words of `--on-conflict`.
  enum ConflictOption: String, CaseIterable, ExpressibleByArgument, Sendable {
    case error
    case ignore
    case update
    case replace

    var policy: ImportOptions.ConflictPolicy {
      switch self {
      case .error: .error
      case .ignore: .ignore
      case .update: .update
      case .replace: .replace
      }
    }
  }

  /// The words of `--on-error`.
  enum ErrorOption: String, CaseIterable, ExpressibleByArgument, Sendable {
    case abort
    case skip
  }

  func validate() throws {
    if arguments.count != (all ? 1 : 2) {
      throw ValidationError(
        all ? "import --all takes one file, or -." : "import takes an entity and a file, or -.")
    }
    for text in map + link where !isPair(text) {
      throw ValidationError("--map and --link take name=key, not '\(text)'.")
    }
    if rejects != nil, onError == .abort { throw ValidationError("--rejects needs --on-error skip.") }
    if batchSize < 1 { throw ValidationError("--batch-size takes 1 or more.") }
    if let stopAfter, stopAfter < 0 { throw ValidationError("--stop-after takes 0 or more.") }
    if keepIDs, key != nil || onConflict != nil {
      throw ValidationError("--keep-ids and --key exclude each other.")
    }
  }

  private func isPair(_ text: String) -> Bool {
    guard let equals = text.firstIndex(of: "=") else { return false }
    return equals > text.startIndex && text.index(after: equals) < text.endIndex
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    if create { try StoreCreation.makeStore(in: session) }
    let start = ContinuousClock.now
    let context = try session.context(.write)
    guard !context.hasChanges else {
      throw Diagnostic(
        code: "unsaved-changes", message: "there are unsaved changes, and an import is a save of its own",
        hints: [".commit or .rollback them first"], exitCode: .usage)
    }
    let settings = try ImportPlanner(self, context.coordinator).settings()
    let terminal = session.errorTerminal
    let run = try ImportRun(
      context.coordinator, settings, interruption: session.interruption,
      terminal: progress && terminal.isTerminal && !session.settings.isQuiet ? terminal : nil)
    let outcome = try run.run()
    ImportReport(outcome, settings, elapsed: start.duration(to: .now)).tell(session)
    return outcome.rejected > 0 ? .partial : .success
  }
}

extension InputFormat: ExpressibleByArgument {}
extension ImportSettings.Commit: ExpressibleByArgument {}
