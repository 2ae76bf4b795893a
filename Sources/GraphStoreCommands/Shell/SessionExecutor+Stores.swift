import GraphStore
import GraphStoreReports

extension SessionExecutor: StoreExecutor {
  func open(_ texts: [String]) throws {
    guard atScript == nil else {
      throw ShellError(
        code: .unclosedTransaction, message: "a script is one transaction over its store",
        hint: "run it with --no-transaction, or a script for each store", wordIndex: 0)
    }
    let status = status
    guard !status.isUnfinished else {
      throw ShellError(
        code: .unclosedTransaction,
        message: status.unsavedCount > 0
          ? "there is \(status.unsavedText)" : "there is a transaction, though nothing is unsaved",
        hint: "end it with .commit or .rollback before another store is opened", wordIndex: 0)
    }
    let former = base
    base.stores = texts.map { StoreName($0) }
    (base.models, base.configuration) = ([], nil)
    do {
      try reopen()
    } catch {
      base = former
      try reopen()
      throw error
    }
    lastQuery = nil
  }

  func checkFields(_ fields: String, of entity: String) throws {
    let coordinator = try context().coordinator
    _ = try ResultColumns(
      session.entity(entity), in: coordinator, fields: fields, variables: [:], format: .table,
      showsIdentifier: true)
  }

  func redirectOutput(to path: String?) throws { try session.redirectOutput(to: path) }
}

extension SessionExecutor: PagingExecutor {
  func printPage(_ text: String, settings: ShellSettings) throws {
    session.settings = base
    session.settings.apply(settings)
    session.settings.outputPath = nil
    defer { session.settings = base }
    try session.withOutput { $0.append(text) }
  }
}

extension SessionExecutor: LastResultExecutor {
  /// The commands whose results can be had again: they read, and end by themselves.
  static let repeatable: Set<String> = ["fetch", "get", "count", "explain", "export"]

  func printLastResult(settings: ShellSettings) throws -> Bool {
    guard let lastQuery else { return false }
    _ = try execute(lastQuery, settings: settings)
    return true
  }
}
