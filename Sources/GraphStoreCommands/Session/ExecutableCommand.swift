import ArgumentParser

/// Leaf of the command tree: a command that does something.
///
/// The same command runs from the shell of the system, in a script and at the prompt of a session.
protocol ExecutableCommand: ParsableCommand {
  var shared: SharedOptions { get }
  var short: ShortOptions { get }

  /// Applies the command's options to settings that come from the environment or from a session.
  func adjust(_ settings: inout CommandSettings) throws

  /// Whether the command deals with interrupts itself.
  var handlesSignals: Bool { get }

  /// Does it.
  /// - Returns: the exit code where it is neither 0 nor that of an error.
  func execute(in session: CommandSession) throws -> ExitCode
}

extension ExecutableCommand {
  var handlesSignals: Bool { false }

  func adjust(_ settings: inout CommandSettings) throws { applyShared(to: &settings) }

  /// Applies the options that all commands have.
  func applyShared(to settings: inout CommandSettings) {
    settings.apply(shared)
    settings.apply(short)
  }
}

/// Command that may ask a person before it changes objects or replaces a file.
protocol AskingCommand: ExecutableCommand {
  var consent: ConsentOptions { get }
  var shortConsent: ShortConsentOptions { get }
}

extension AskingCommand {
  func adjust(_ settings: inout CommandSettings) throws { applyConsent(to: &settings) }

  /// Applies the options that all commands have, and those on questions.
  func applyConsent(to settings: inout CommandSettings) {
    applyShared(to: &settings)
    settings.apply(consent)
    settings.apply(shortConsent)
  }
}

/// Command that prints to standard output or to a file, and asks before it replaces one.
protocol OutputFileCommand: AskingCommand {
  var output: OutputFileOptions { get }
}

extension OutputFileCommand {
  func adjust(_ settings: inout CommandSettings) throws {
    applyConsent(to: &settings)
    settings.apply(output)
  }
}

/// Command that works with a store, or with a model.
protocol StoreCommand: ExecutableCommand {
  var store: StoreArguments { get }
  var shortStore: ShortStoreArguments { get }
}

extension StoreCommand {
  /// The store that an option names.
  var givenStore: String? { store.path ?? shortStore.path }

  func adjust(_ settings: inout CommandSettings) throws {
    applyShared(to: &settings)
    try applyStore(to: &settings)
  }

  /// Applies the options that name a store and say how it is opened.
  ///
  /// Behind those of all commands: an error in one of them is told in the form that was asked for.
  func applyStore(to settings: inout CommandSettings) throws {
    try settings.apply(store)
    settings.apply(shortStore)
  }
}

extension StoreCommand where Self: AskingCommand {
  func adjust(_ settings: inout CommandSettings) throws {
    applyConsent(to: &settings)
    try applyStore(to: &settings)
  }
}

extension StoreCommand where Self: OutputFileCommand {
  func adjust(_ settings: inout CommandSettings) throws { try applyAll(to: &settings) }

  /// Applies every option that the command shares with others.
  func applyAll(to settings: inout CommandSettings) throws {
    applyConsent(to: &settings)
    try applyStore(to: &settings)
    settings.apply(output)
  }
}

/// Command that prints records of a store.
protocol RecordCommand: StoreCommand, AskingCommand {
  var output: OutputOptions { get }
}

extension RecordCommand {
  func adjust(_ settings: inout CommandSettings) throws {
    applyConsent(to: &settings)
    try applyStore(to: &settings)
    try settings.apply(output)
  }
}
