import ArgumentParser

/// Options that commands of one kind share, in the order in which help shows them.
protocol SharedOptionSet: ParsableArguments {
  var short: ShortOptions { get }
  var shared: SharedOptions { get }

  /// Applies the options to settings that come from the environment or from a session.
  func apply(to settings: inout CommandSettings) throws
}

/// Options shared by commands that may ask.
protocol AskingOptionSet: SharedOptionSet {
  var shortConsent: ShortConsentOptions { get }
  var consent: ConsentOptions { get }
}

/// Options shared by commands that work with a store.
protocol StoreOptionSet: SharedOptionSet {
  var shortStore: ShortStoreArguments { get }
  var store: StoreArguments { get }
}

// MARK: Applying

extension SharedOptionSet {
  func apply(to settings: inout CommandSettings) throws { try applyCommon(to: &settings) }

  fileprivate func applyCommon(to settings: inout CommandSettings) throws {
    try settings.apply(shared)
    settings.apply(short)
  }
}

extension AskingOptionSet {
  func apply(to settings: inout CommandSettings) throws {
    try applyCommon(to: &settings)
    applyConsent(to: &settings)
  }

  fileprivate func applyConsent(to settings: inout CommandSettings) {
    settings.apply(consent)
    settings.apply(shortConsent)
  }
}

extension StoreOptionSet {
  func apply(to settings: inout CommandSettings) throws {
    try applyCommon(to: &settings)
    try applyStore(to: &settings)
  }

  /// Behind the options of all commands: an error in one of these is told in the form that was asked for.
  fileprivate func applyStore(to settings: inout CommandSettings) throws {
    try settings.apply(store, shortStore)
  }
}

extension StoreOptionSet where Self: AskingOptionSet {
  func apply(to settings: inout CommandSettings) throws {
    try applyCommon(to: &settings)
    applyConsent(to: &settings)
    try applyStore(to: &settings)
  }
}

// MARK: Kinds of commands

/// Options of every command.
struct CommandOptions: SharedOptionSet {
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions
}

/// Options of commands that may ask and work without a store.
struct AskingCommandOptions: AskingOptionSet {
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Short forms") var shortConsent: ShortConsentOptions
  @OptionGroup(title: "Questions") var consent: ConsentOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions
}

/// Options of commands that work with a store and never ask.
struct StoreCommandOptions: StoreOptionSet {
  @OptionGroup(title: "Short forms") var shortStore: ShortStoreArguments
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Store") var store: StoreArguments
  @OptionGroup(title: "Every command") var shared: SharedOptions
}

/// Options of commands that work with a store and may ask.
struct AskingStoreCommandOptions: StoreOptionSet, AskingOptionSet {
  @OptionGroup(title: "Short forms") var shortStore: ShortStoreArguments
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Short forms") var shortConsent: ShortConsentOptions
  @OptionGroup(title: "Store") var store: StoreArguments
  @OptionGroup(title: "Questions") var consent: ConsentOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions
}

// MARK: Plain command lines

extension CommandOptions {
  /// The options as they are when none is given.
  static var plain: CommandOptions {
    var options = CommandOptions()
    options.short = .plain
    options.shared = .plain
    return options
  }
}

extension StoreCommandOptions: FastPathOptions {
  static var plain: StoreCommandOptions {
    var options = StoreCommandOptions()
    options.shortStore = .plain
    options.short = .plain
    options.store = .plain
    options.shared = .plain
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    store.consume(option, from: &line) || shortStore.consume(option, from: &line)
      || shared.consume(option, from: &line) || short.consume(option, from: &line)
  }
}

extension AskingStoreCommandOptions: FastPathOptions {
  static var plain: AskingStoreCommandOptions {
    var options = AskingStoreCommandOptions()
    options.shortStore = .plain
    options.short = .plain
    options.shortConsent = .plain
    options.store = .plain
    options.consent = .plain
    options.shared = .plain
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    store.consume(option, from: &line) || shortStore.consume(option, from: &line)
      || consent.consume(option, from: &line) || shortConsent.consume(option, from: &line)
      || shared.consume(option, from: &line) || short.consume(option, from: &line)
  }
}
