import ArgumentParser
import GraphStoreReports

/// Leaf of the command tree: a command that does something.
///
/// The same command runs from the shell of the system, in a script and at the prompt of a session.
protocol ExecutableCommand: ParsableCommand {
  associatedtype Options: SharedOptionSet
  /// The options that the command shares with all of its kind.
  var options: Options { get }

  /// Applies the command's options to settings that come from the environment or from a session.
  func adjust(_ settings: inout CommandSettings) throws

  /// Refuses an option that would do nothing.
  func refuseIdleOptions() throws(Diagnostic)

  /// What the command's saves do with conflicts; nil for what holds otherwise, and where nothing is saved.
  ///
  /// Asked of every command, since a cast to those that save would search every conformance of the program.
  var conflictPolicy: SaveConflictPolicy? { get }

  /// The author of what the command writes, for histories; nil for the usual one.
  var author: String? { get }

  /// The entity whose objects the command reads by options of a query; nil for a command without.
  var queriedEntity: String? { get }

  /// Whether the command, as it was given, writes to the store past the session's context.
  var writesStoreItself: Bool { get }

  /// Whether the command deals with interrupts itself.
  var handlesSignals: Bool { get }

  /// Does it.
  /// - Returns: the exit code where it is neither 0 nor that of an error.
  func execute(in session: CommandSession) throws -> ExitCode
}

extension ExecutableCommand {
  var handlesSignals: Bool { false }

  var conflictPolicy: SaveConflictPolicy? { nil }

  var author: String? { nil }

  var queriedEntity: String? { nil }

  var writesStoreItself: Bool { false }

  func refuseIdleOptions() throws(Diagnostic) {}

  func adjust(_ settings: inout CommandSettings) throws { try options.apply(to: &settings) }
}

/// Command that may ask a person before it changes objects or replaces a file.
protocol AskingCommand: ExecutableCommand where Options: AskingOptionSet {}

/// Command that prints to standard output or to a file, and asks before it replaces one.
protocol OutputFileCommand: AskingCommand {
  var output: OutputFileOptions { get }
}

extension OutputFileCommand {
  func adjust(_ settings: inout CommandSettings) throws { try applyAll(to: &settings) }

  /// Applies every option that the command shares with others.
  func applyAll(to settings: inout CommandSettings) throws {
    try options.apply(to: &settings)
    settings.apply(output)
  }
}

/// Command that works with a store, or with a model.
protocol StoreCommand: ExecutableCommand where Options: StoreOptionSet {
  /// Options of the store that the command, as it was given, has no use for; nil where it has one for all of
  /// them.
  var idleOptions: IdleStoreOptions? { get }
}

extension StoreCommand {
  var idleOptions: IdleStoreOptions? { nil }
}

/// Command that prints records: objects, or what is known of a store.
protocol RecordCommand: StoreCommand, AskingCommand {
  var output: OutputOptions { get }
  /// The form of what is printed where none is asked for.
  var usualFormat: OutputFormat { get }
}

extension RecordCommand {
  var usualFormat: OutputFormat { .table }

  func adjust(_ settings: inout CommandSettings) throws {
    try options.apply(to: &settings)
    try settings.apply(output)
    try output.refuseIdle(in: settings.format ?? usualFormat)
  }
}

/// Command that prints objects of a store.
protocol ObjectCommand: RecordCommand {
  var identifiers: IdentifierOptions { get }
  var archives: ArchiveOptions { get }
}

extension ObjectCommand {
  func adjust(_ settings: inout CommandSettings) throws {
    try options.apply(to: &settings)
    try settings.apply(output)
    try output.refuseIdle(in: settings.format ?? usualFormat)
    try settings.apply(identifiers, in: settings.format ?? usualFormat)
    settings.apply(archives)
  }
}
