import ArgumentParser

/// A command that does something: every leaf of the command tree.
///
/// The same command runs from the shell of the system, in a script and at the prompt of a session.
protocol ExecutableCommand: ParsableCommand {
  var shared: SharedOptions { get }
  var short: ShortOptions { get }

  /// Takes the command's options over settings that come from the environment or from a session.
  func adjust(_ settings: inout CommandSettings) throws

  /// Whether the command deals with interrupts itself.
  var takesSignals: Bool { get }

  /// Does it.
  /// - Returns: the exit code where it is neither 0 nor that of an error.
  func execute(in session: CommandSession) throws -> ExitCode
}

extension ExecutableCommand {
  var takesSignals: Bool { false }

  func adjust(_ settings: inout CommandSettings) throws {
    settings.take(shared)
    settings.take(short)
  }
}

/// A command that works with a store, or with a model.
protocol StoreCommand: ExecutableCommand {
  var store: StoreArguments { get }
  var shortStore: ShortStoreArguments { get }
}

extension StoreCommand {
  /// The store that an option names.
  var givenStore: String? { store.path ?? shortStore.path }

  func adjust(_ settings: inout CommandSettings) throws {
    try takeShared(&settings)
  }

  /// Takes the options that all commands of a store have.
  func takeShared(_ settings: inout CommandSettings) throws {
    // First: an error in another option is told in the form that was asked for.
    settings.take(shared)
    settings.take(short)
    try settings.take(store)
    settings.take(shortStore)
  }
}

/// A command that prints records of a store.
protocol RecordCommand: StoreCommand {
  var output: OutputOptions { get }
}

extension RecordCommand {
  func adjust(_ settings: inout CommandSettings) throws {
    try takeShared(&settings)
    try settings.take(output)
  }
}
