import Foundation
import GraphStore
import GraphStoreReports

extension CommandSession {
  /// Opens stores as the commands of the session need them.
  ///
  /// - Parameters:
  ///   - isReadOnly: Whether they are opened for reading only.
  ///   - mayOnlyRead: Whether they are opened so where they cannot be written, with a warning.
  func open(
    _ stores: [StoreName], isReadOnly: Bool, orForReading mayOnlyRead: Bool
  ) throws -> PersistentStoreCoordinator {
    do {
      return try open(stores, storeOptions(isReadOnly: isReadOnly))
    } catch let error as GraphStoreError where error.code == .storePermission && mayOnlyRead && !isReadOnly {
      let coordinator = try open(stores, storeOptions(isReadOnly: true))
      report(
        Diagnostic(
          .warning, code: "store-permission",
          message: DiagnosticMapper.sentence(error.message) + "; it is open for reading only",
          exitCode: .success))
      return coordinator
    }
  }

  /// Opens a store, or several as one.
  func open(_ stores: [StoreName], _ options: StoreOptions) throws -> PersistentStoreCoordinator {
    if settings.sqlLevel > 0, let address = stores.lazy.compactMap({ ServerAddress($0.path) }).first {
      throw Diagnostic(
        code: "usage", message: "the SQL log tells what SQLite is asked, and \(address.text) is on a server",
        hints: ["have the server log statements: log_statement"], exitCode: .usage)
    }
    let model = try givenModel()
    // One without a name needs none: all of its ids are its own.
    let named = stores.count == 1 && stores[0].name == nil ? nil : try StoreName.named(stores)
    return try recovering(stores.map(\.path)) {
      if let named {
        return try PersistentStoreCoordinator.open(stores: named, options: options, model: model)
      }
      do {
        return try PersistentStoreCoordinator.open(storeAt: stores[0].path, options: options, model: model)
      } catch var error as GraphStoreError
        where error.code == .incompatibleModel && settings.models.count == 1
      {
        // The line to type (MIG-025).
        error.remedy = error.remedy.replacing(
          "Migrate it to this model",
          with: "graphstore migrate plan --store \(ShellQuoting.word(stores[0].path))"
            + " --to \(ShellQuoting.word(settings.models[0]))")
        throw error
      }
    }
  }

  /// Runs a body that only reads the store at a path, as ``recovering(_:_:)`` does for several.
  func recovering<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    try recovering([path], body)
  }

  /// Runs a body that only reads the stores at some paths; once more where a store's last change was
  /// interrupted, after it has been taken back.
  ///
  /// Reading alone cannot take a change back, so that a store that nobody writes to would stay closed. With
  /// `--read-only` nothing is written, and the error stays.
  func recovering<Result>(_ paths: [String], _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as GraphStoreError where error.code == .storeOpen && !settings.isReadOnly {
      let recovered = try paths.filter { try StoreRecovery.run(path: $0, timeout: timeout) }
      guard !recovered.isEmpty else { throw error }
      for path in recovered {
        report(
          Diagnostic(
            .warning, code: "change-taken-back",
            message: "the last change of \(path) was interrupted; it was taken back", exitCode: .success))
      }
      return try body()
    }
  }

  /// Tells what was found in a store when it was opened, as far as it concerns what is asked of it.
  func report(_ warnings: [StoreWarning]) {
    for warning in warnings {
      report(
        Diagnostic(
          .warning, code: warning.code, message: DiagnosticMapper.sentence(warning.message),
          hints: [DiagnosticMapper.hint(warning.remedy)], exitCode: .success))
    }
  }

  /// How a store is opened or made by what the settings say.
  func storeOptions(isReadOnly: Bool = false) -> StoreOptions {
    StoreOptions(isReadOnly: isReadOnly, timeout: timeout, configuration: settings.configuration)
  }

  /// How long a locked store is waited for.
  var timeout: Duration { .milliseconds(Int(min(settings.timeout, 1e9) * 1000)) }

  /// Runs a body that writes to the store that the settings name; where there is no file yet, the store is
  /// made first, with their model.
  ///
  /// A store that was made is removed again if the body fails before anything is saved in it, and after a
  /// rehearsal.
  ///
  /// - Parameters:
  ///   - type: The type of a store that is made; nil for SQLite, whatever its name ends in.
  ///   - isWorthKeeping: Whether a store with this result stays.
  func makingStore<Result>(
    _ type: StoreType? = nil, isRehearsal: Bool, keptIf isWorthKeeping: (Result) -> Bool,
    _ body: () throws -> Result
  ) throws -> Result {
    let path = try storePath()
    guard openContext == nil, try !StorePlace(path: path).isTaken(timeout: timeout) else {
      return try body()
    }
    if settings.isReadOnly { throw readOnly(path) }
    let model = try loadModel(try modelPaths())
    var options = storeOptions()
    options.type = type
    return try makingStore(
      at: path, model, options, for: isRehearsal ? .rehearsal : .kept, keptIf: isWorthKeeping, body)
  }

  /// Runs a body that writes to a store which is made first.
  ///
  /// - Parameter isWorthKeeping: Whether the store stays with this result.
  func makingStore<Result>(
    at path: String, _ model: ManagedObjectModel, _ options: StoreOptions, for use: MadeStore.Use,
    keptIf isWorthKeeping: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
  ) throws -> Result {
    let made = try MadeStore(path: path, model: model, options: options, for: use)
    settings.stores = [StoreName(path: made.path)]
    do {
      let result = try body()
      if use == .rehearsal || !isWorthKeeping(result) { discard(made) } else { try keep(made, at: path) }
      return result
    } catch {
      // What is saved stays, also where it could not be told.
      if use != .rehearsal, SaveProgress.current == .all || (SaveProgress.current == .part && use == .kept) {
        try keep(made, at: path)
      } else {
        discard(made)
      }
      throw error
    }
  }

  private func keep(_ store: MadeStore, at path: String) throws {
    guard store.path != path else { return }
    close()
    try store.finish()
    settings.stores = [StoreName(path: path)]
  }

  private func discard(_ store: MadeStore) {
    close()
    store.remove()
  }
}
