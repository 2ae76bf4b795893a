import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore import ENTITY|--all FILE|-`
struct ImportCommand: StoreCommand, AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Make objects from records of a file: NDJSON, JSON, CSV or TSV.",
    discussion: """
      The model gives the values their types. All records are imported or none, unless --on-error or --commit say \
      otherwise. Several files are one input. An id in a record is a label, a text or a number, which a table of its own may \
      have for each tree of entities: a reference to it means that record, whether it comes before or behind; \
      any other reference such as Employee/p1 means an object that exists. In CSV and TSV the ids of a to-many stand apart by a space, the \
      values of one given by --link by a semicolon. With --all a folder may be named that holds a file for each entity.

      Names of columns are the keys of the entity, without regard to case, blanks and signs: First Name is firstName. A file \
      that is compressed with gzip is read as what it holds. Text is UTF-8 unless --encoding or a byte-order mark says otherwise.

      In JSON a link may be an object with the id, or with one attribute, of what it leads to: {"department": {"name": "R&D"}}. \
      With --create-links an object that a link names by an attribute, and that is not there, is made with that attribute.

      With --on-error skip a record is in or out as a whole. What refers to a record that is left out is left out too, and \
      objects that exist are changed by records that are in, and by no others. With --commit batch or line a record that refers to what is not \
      there yet, or whose links are too few as yet, waits: it is imported at the end, with all others that wait, at once. \
      So does a record that refers by an id such as Employee/p1 to an object of an entity that is being imported, \
      because a later record may have that id.

      graphstore import Employee people.csv --link department=name
      graphstore import Employee people.csv --key email --on-conflict update \\
        --on-error skip --rejects bad.ndjson
      graphstore import --all company.ndjson.gz
      graphstore import Employee leute.csv --encoding windows-1252 --dates %d.%m.%Y \\
        --decimal-comma --link department=name --create-links
      sqlite3 -json old.db 'SELECT * FROM person' |
        graphstore import Person -
      """)

  @Argument(
    help: ArgumentHelp(
      "Entity (unless --all), and the files, or - for standard input.", valueName: "entity> <file"))
  var arguments: [String]
  @Flag(help: "Each record names its entity.")
  var all = false
  @Option(
    help: ArgumentHelp(
      "Form of the input: ndjson, json, csv or tsv (default: by the file's name; of standard input ndjson, or json where it is a list).",
      valueName: "format"))
  var from: InputFormat?
  @OptionGroup var text: TextOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What stands between the cells of CSV (default: what the header has: a comma, else a semicolon, tab or bar).",
      valueName: "char"))
  var delimiter: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What stands for a missing value in CSV and TSV, besides an empty cell and \\N; in quotes it is a text.",
      valueName: "text"))
  var null: String?
  @Flag(name: .customLong("ignore-unknown"), help: "Leave out names that are no keys of the entity.")
  var ignoreUnknown = false
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Take a name in the input for a key, or for relationship.key.", valueName: "name=key"))
  var map: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Find the object of a relationship by one of its attributes.", valueName: "relationship=key"))
  var link: [String] = []
  @Flag(
    name: .customLong("create-links"),
    help: "Make the objects that links name by an attribute, and that are not there, with that attribute.")
  var createLinks = false
  @OptionGroup var archives: ArchiveOptions
  @OptionGroup var authorOptions: AuthorOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Read dates by a pattern such as %d.%m.%Y (%Y %y %m %b %d %H %M %S %z), or numbers as dates, beside ISO 8601: seconds-1970 or seconds-2001.",
      valueName: "form"))
  var dates: String?
  @Flag(
    name: .customLong("decimal-comma"),
    help: "Texts of numbers have a comma before their fraction: 1.234,50.")
  var decimalComma = false
  @Option(
    help: ArgumentHelp(
      "Attributes by which a record and an object are the same, or id: a record with the id of an object changes it, one without is new.",
      valueName: "attributes"))
  var key: String?
  @Option(
    name: .customLong("on-conflict"),
    help: "What to do with a record whose key exists: error, ignore, update or replace.")
  var onConflict: ConflictOption?
  @Option(name: .customLong("on-error"), help: "At a record that fails: abort, or skip it and exit with 5.")
  var onError = ErrorOption.abort
  @Option(
    help: ArgumentHelp(
      "Write records that were skipped there, as NDJSON; asks before a file is replaced. - is standard output.",
      valueName: "file"),
    completion: .file())
  var rejects: String?
  @Flag(name: .customLong("keep-ids"), help: "Keep the numbers of the ids; there may be no objects yet.")
  var keepIDs = false
  @Option(help: "Commit all at once (default), each batch, or each line.")
  var commit = ImportSettings.Commit.all
  @Option(
    name: .customLong("batch-size"), parsing: .unconditional,
    help: ArgumentHelp("Records written at a time.", valueName: "count"))
  var batchSize = 1000
  @Option(
    name: .customLong("stop-after"), parsing: .unconditional,
    help: ArgumentHelp("Read at most so many records.", valueName: "count"))
  var stopAfter: Int?
  @Option(help: ArgumentHelp("Do nothing if an import of this name was done before.", valueName: "name"))
  var once: String?
  @Flag(help: "Make the store, with --model, if there is none.")
  var create = false
  @Option(help: "The type of a store that --create makes.") var type: StoreTypeName?
  @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Check everything and write nothing.")
  var dryRun = false
  @Flag(inversion: .prefixedNo, help: "Show how far it has come, on a terminal.")
  var progress = true
  @OptionGroup var options: AskingStoreCommandOptions

  var author: String? { authorOptions.author }

  /// The words of `--on-conflict`.
  enum ConflictOption: String, CaseIterable, ExpressibleByArgument, Sendable {
    case error
    case ignore
    case update
    case replace

    var policy: ImportConflictPolicy {
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
    if arguments.count < (all ? 1 : 2) {
      throw ValidationError(
        all ? "import --all takes a file, or -." : "import takes an entity and a file, or -.")
    }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("- can be read only once.") }
    if delimiter != nil, Self.delimiter(delimiter) == nil {
      throw ValidationError("--delimiter takes one ASCII character that is no quote, letter or digit.")
    }
    if let dates, DateForm(dates) == nil {
      throw ValidationError(
        "--dates takes seconds-1970, seconds-2001 or a pattern of day, month and year, such as %d.%m.%Y; not '\(dates)'."
      )
    }
    for text in map + link where !isPair(text) {
      throw ValidationError("--map and --link take name=key, not '\(text)'.")
    }
    if type != nil, !create { throw ValidationError("--type is of the store that --create makes.") }
    if rejects != nil, onError == .abort { throw ValidationError("--rejects needs --on-error skip.") }
    if batchSize < 1 { throw ValidationError("--batch-size takes 1 or more.") }
    if let stopAfter, stopAfter < 0 { throw ValidationError("--stop-after takes 0 or more.") }
    if keepIDs, key != nil || onConflict != nil {
      throw ValidationError("--keep-ids and --key exclude each other.")
    }
    if keepIDs, createLinks {
      throw ValidationError(
        "--keep-ids and --create-links exclude each other: new objects would get ids of records.")
    }
  }

  /// A dry run writes too, and takes it back.
  var writesStoreItself: Bool { true }

  /// The files that are named.
  var files: [String] { Array(arguments.dropFirst(all ? 0 : 1)) }

  /// A delimiter, given as it is or as `\\t`; nil where it cannot be one.
  static func delimiter(_ text: String?) -> CSVDelimiter? {
    let text = text == "\\t" ? "\t" : text
    guard let text, text.utf8.count == 1, let byte = text.utf8.first,
      byte == 0x09 || (0x20..<0x7F).contains(byte),
      byte != UInt8(ascii: "\""), !(0x30...0x39).contains(byte), !(0x41...0x5A).contains(byte & ~0x20)
    else { return nil }
    return CSVDelimiter(byte: byte)
  }

  private func isPair(_ text: String) -> Bool {
    guard let equals = text.firstIndex(of: "=") else { return false }
    return equals > text.startIndex && text.index(after: equals) < text.endIndex
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    _ = try session.storePath()
    if let rejects { try session.confirmFile(rejects, as: "--rejects") }
    try session.refuseLog(amongInputs: files.flatMap(Self.readableFiles))
    let outcome =
      try create
      ? session.makingStore(type?.type, isRehearsal: dryRun, keptIf: { !$0.isOfRejectsOnly }) {
        try importRecords(in: session)
      }
      : importRecords(in: session)
    return outcome.rejected > 0 ? .partial : .success
  }

  /// What may be read of a path: itself, or the files of a folder whose names tell their form.
  static func readableFiles(at path: String) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [path] }
    return names.filter { InputFormat(path: $0) != nil }.map { (path as NSString).appendingPathComponent($0) }
  }

  /// Says of a file in a folder that nothing of it is read: its name may be a slip.
  private func tell(strayFile path: String, of model: ManagedObjectModel, in session: CommandSession) {
    let name = ((FileEnding.withoutGzip(path) as NSString).lastPathComponent as NSString)
      .deletingPathExtension
    let names = model.entities.filter { !$0.isAbstract }.map(\.name)
    session.report(
      Diagnostic(
        .warning, code: "unknown-entity", message: "\(path) is named after no entity, and left out",
        suggestions: NearestNames.names(near: name, among: names), exitCode: .success))
  }

  private func importRecords(in session: CommandSession) throws -> ImportOutcome {
    let start = ContinuousClock.now
    let context = try session.context(.write)
    guard !context.hasChanges else {
      throw Diagnostic(
        code: "unsaved-changes", message: "there are unsaved changes, and an import is a save of its own",
        hints: [".commit or .rollback them first"], exitCode: .usage)
    }
    var settings = try ImportPlanner(self, context.coordinator).settings()
    settings.options.author = context.transactionAuthor
    for path in settings.strayFiles {
      tell(strayFile: path, of: context.coordinator.managedObjectModel, in: session)
    }
    let terminal = session.errorTerminal
    let run = try ImportRun(
      context.coordinator, settings, interruption: session.interruption,
      terminal: progress && terminal.isTerminal && !session.settings.isQuiet ? terminal : nil)
    let outcome = try run.run()
    session.hasChanged = !dryRun
    if !dryRun { session.present?.history.endUndo() }
    ImportReport(outcome, settings, elapsed: start.duration(to: .now)).tell(session)
    return outcome
  }
}

extension InputFormat: ExpressibleByArgument {}
extension ImportSettings.Commit: ExpressibleByArgument {}
