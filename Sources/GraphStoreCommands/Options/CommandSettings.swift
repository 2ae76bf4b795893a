import Foundation
import GraphStore
import GraphStoreReports

/// Settings of a command: options over environment over configuration files.
struct CommandSettings: Sendable {
  /// Several are opened as one.
  var stores: [StoreName] = []
  /// The model of `GRAPHSTORE_MODEL` or of a configuration file, for commands that need a model file.
  var defaultModel: String?
  /// The models given by options; several are merged.
  var models: [String] = []
  /// The configuration whose entities the store holds; nil for the one that it records, or that fits.
  var configuration: String?
  var isReadOnly = false
  /// Seconds.
  var timeout = StoreOptions.defaultTimeout / .seconds(1)
  var color = When.auto
  var errorFormat = DiagnosticPrinter.Format.text
  var isQuiet = false
  /// Whether a result that is longer than the screen goes through a pager.
  var usesPager = true
  var showsTime = false
  /// What is told on standard error while it is done.
  var tracedKinds: Set<TraceKind> = []
  /// Whether what was done is said at the end, with advice.
  var isVerbose = false
  /// How much is told on standard error of what SQLite is asked.
  var sqlLevel = 0
  /// How much is told on standard error of a migration.
  var migrationLevel = 0
  /// Whether each fetch says first how it runs.
  var explains = false
  var answersYes = false
  var neverAsks = false
  var format: OutputFormat?
  /// Nil is standard output.
  var outputPath: String?
  var nullText: String?
  var showsHeader = true
  /// Whether an array of JSON has a line for each value.
  var indentsJSON = false
  /// Whether objects are printed with their own ids where nobody has named them.
  var showsIdentifier = true
  var width: Int?
  var timeZone: TimeZone?
  /// Whether values of transformable attributes are shown and taken as JSON.
  var decodes = false
  /// What saves do with conflicts.
  var conflictPolicy = SaveConflictPolicy.error
  /// The author of what is written, for histories.
  var author = AuthorOptions.standard
  /// What a session prints of the objects of an entity, by its name, where a command does not say.
  var fields: [String: String] = [:]
  /// Values of `$name` that a session has set.
  var variables: [PredicateVariable] = []
  /// The history file that the environment or a configuration file names; empty for none.
  var historyPath: String?
  /// Whether the shell keeps a history for each store where no file is named.
  var keepsHistoryPerStore = false

  init() {}

  mutating func apply(_ options: StoreArguments, _ short: ShortStoreArguments) throws {
    let given = options.paths + short.paths
    if !given.isEmpty { stores = given.map { StoreName($0) } }
    models += options.model + short.model
    if let given = options.configuration { configuration = given }
    if options.readOnly { isReadOnly = true }
    if let given = options.timeout {
      guard given >= 0, given.isFinite else {
        throw Diagnostic(
          code: "usage", message: "--timeout takes a number of seconds, 0 or more", exitCode: .usage)
      }
      timeout = given
    }
    if options.verbose || short.verbose { isVerbose = true }
    if let given = options.trace { tracedKinds = try Self.kinds(given, of: "--trace") }
    if let given = options.sqlLog { sqlLevel = try Self.sqlLevel(given, of: "--sql-log") }
  }

  mutating func apply(_ options: SharedOptions) throws {
    if let given = options.errorFormat { errorFormat = given }
    if let given = options.color { color = given }
    if options.noColor { color = .never }
    if options.quiet { isQuiet = true }
    if options.noPager { usesPager = false }
    if options.time { showsTime = true }
  }

  mutating func apply(_ options: ShortOptions) {
    if options.quiet { isQuiet = true }
  }

  mutating func apply(_ options: ConsentOptions) {
    if options.yes { answersYes = true }
    if options.noInput { neverAsks = true }
  }

  mutating func apply(_ options: ShortConsentOptions) {
    if options.yes { answersYes = true }
  }

  /// Refuses a name that stands for a form of other programs; that of a file of the store is refused as such.
  private func refuseForeignForm(_ options: OutputFileOptions) throws {
    if let path = options.path, stores.contains(where: { StoreFiles($0.path).file(at: path) != nil }) {
      return
    }
    try options.refuseForeignForm()
  }

  mutating func apply(_ options: OutputFileOptions) {
    if let given = options.path { outputPath = given == "-" ? nil : given }
  }

  mutating func apply(_ options: OutputOptions) throws {
    if let given = options.askedFormat { format = given } else { try refuseForeignForm(options.file) }
    if options.pretty { indentsJSON = true }
    apply(options.file)
    if let given = options.null { nullText = given }
    if options.noHeader { showsHeader = false }
    if let given = options.width { width = given }
    if let given = options.timeZone {
      guard let zone = TimeZone(identifier: given) ?? TimeZone(abbreviation: given) else {
        throw Diagnostic(
          code: "unknown-time-zone", message: "there is no time zone \"\(given)\"",
          hints: ["write one such as Europe/Berlin, UTC or GMT+2"], exitCode: .usage)
      }
      timeZone = zone
    }
  }

  /// - Parameter form: The form of what is printed.
  mutating func apply(_ options: IdentifierOptions, in form: OutputFormat) throws(Diagnostic) {
    guard options.noIdentifier else { return }
    guard form != .ids else {
      throw Diagnostic(
        code: "usage", message: "--no-id is of no use where ids alone are printed", hints: ["leave it out"],
        exitCode: .usage)
    }
    showsIdentifier = false
  }

  mutating func apply(_ options: ArchiveOptions) {
    if options.decode { decodes = true }
  }

  /// All options of a command.
  mutating func apply(_ command: any ExecutableCommand) throws {
    // First, so that what is refused is told in the form that was asked for.
    try apply(command.options.shared)
    try command.refuseIdleOptions()
    try command.adjust(&self)
    if let policy = command.conflictPolicy { conflictPolicy = policy }
    if let author = command.author { self.author = author }
  }

  /// What dot commands of a session have set.
  mutating func apply(_ settings: ShellSettings) {
    if let name = settings.format { format = OutputFormat(rawValue: name) }
    if let text = settings.null { nullText = text }
    if let columns = settings.width { width = columns }
    if let color = settings.color { self.color = color }
    fields = settings.fields
    if let path = settings.nextOutputPath ?? settings.outputPath {
      outputPath = path
      // A file's name says more than what holds for all commands.
      if settings.format == nil, let form = OutputFormat(path: path) { format = form }
    }
    if !settings.isInteractive { usesPager = false }
    variables = settings.variables
    explains = settings.explains
    if let kinds = settings.tracedKinds { tracedKinds = kinds }
  }
}
