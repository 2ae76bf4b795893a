import ArgumentParser
import GraphStoreReports

/// The options of a store, in the order in which they are refused where a command has no use for them.
enum StoreOption: String, CaseIterable, Sendable {
  case store = "--store"
  case model = "--model"
  case configuration = "--configuration"
  case readOnly = "--read-only"
  case timeout = "--timeout"
  case trace = "--trace"
  case sqlLog = "--sql-log"
  case verbose = "--verbose"
}

/// Options of a store that a command, as it was given, would pass over in silence.
struct IdleStoreOptions {
  let options: Set<StoreOption>
  /// Why they are of no use, as a hint.
  let reason: String

  /// - Parameter options: The options; what is not traced has nothing to tell of itself at its end either.
  init(options: Set<StoreOption>, reason: String) {
    self.options = options.contains(.trace) ? options.union([.verbose]) : options
    self.reason = reason
  }

  /// Those of a command that works on model files: all of them.
  static let ofModelFiles = IdleStoreOptions(
    options: Set(StoreOption.allCases), reason: "the command reads the models that are named, and no store")

  /// Those of a command that looks past any context, whose work nobody tells of.
  static let ofUntracedWork = IdleStoreOptions(
    options: [.trace], reason: "the command's work with the store is not traced")

  /// Those of a command that reads the file of a store, without opening the store.
  static let ofWorkOnFiles = IdleStoreOptions(
    options: [.trace, .sqlLog], reason: "the command reads the store's file, which is not traced")
}

extension StoreCommand {
  /// Whether an option names a store.
  var isStoreGiven: Bool { isGiven(.store) }

  /// Whether an option names a model.
  var isModelGiven: Bool { isGiven(.model) }

  private func isGiven(_ option: StoreOption) -> Bool {
    switch option {
    case .store: !options.store.paths.isEmpty || !options.shortStore.paths.isEmpty
    case .model: !options.store.model.isEmpty || !options.shortStore.model.isEmpty
    case .configuration: options.store.configuration != nil
    case .readOnly: options.store.readOnly
    case .timeout: options.store.timeout != nil
    case .trace: options.store.trace != nil
    case .sqlLog: options.store.sqlLog != nil
    case .verbose: options.store.verbose || options.shortStore.verbose
    }
  }

  /// Refuses an option of the store that would do nothing.
  func refuseIdleOptions() throws(Diagnostic) {
    guard let idle = idleOptions,
      let option = StoreOption.allCases.first(where: { idle.options.contains($0) && isGiven($0) })
    else { return }
    throw Diagnostic(
      code: "usage", message: "\(option.rawValue) is of no use here", hints: [idle.reason], exitCode: .usage)
  }
}
