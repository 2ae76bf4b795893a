import GraphStore
import GraphStoreReports

/// Import from the first record to the last: its transactions, and how often the input is read.
///
/// As a whole it is one transaction. Where records that fail are skipped and one proves to be wrong after it
/// was written (its link leads nowhere, say), all is taken back and read again without it, so that the store
/// is as if the record had never been there. By batch each batch is a transaction; records that refer to what
/// is not there yet are put aside and imported at the end, as a whole.
final class ImportRun {
  static let doneKey = "importedDefaults"

  private let coordinator: PersistentStoreCoordinator
  private let settings: ImportSettings
  private let rejects: RejectBook
  private let sources: ImportSources
  private let work: ImportWork
  private var outcome = ImportOutcome()
  private var skips: Bool { settings.options.skipsFailures }

  /// Thrown to take a dry run back.
  private struct DryRun: Error {}
  /// Thrown to read the input again.
  private struct Again: Error {}

  /// - Parameter terminal: where progress is shown; nil shows none.
  init(
    _ coordinator: PersistentStoreCoordinator, _ settings: ImportSettings,
    interruption: StatementInterruption,
    terminal: TerminalInfo? = nil
  ) throws {
    self.coordinator = coordinator
    self.settings = settings
    rejects = try RejectBook(path: settings.rejects)
    sources = ImportSources(
      settings.sources, readsAgain: settings.isWhole && settings.options.skipsFailures)
    work = ImportWork(
      settings, rejects: rejects, sources: sources, interruption: interruption, terminal: terminal)
  }

  func run() throws -> ImportOutcome {
    if try wasDoneBefore() {
      outcome.wasDoneBefore = true
      return outcome
    }
    do {
      if settings.isWhole { try importAtOnce() } else { try importByBatch() }
    } catch is DryRun {
    } catch {
      guard !settings.isWhole else { throw error }
      // Batches before are committed, and so is what was left out of them.
      if skips { try? rejects.write() }
      throw work.explained(error)
    }
    outcome.read = work.read
    outcome.rejected = rejects.count
    outcome.ignoredNames = work.ignoredNames
    outcome.proposedMaps = work.proposedMaps
    outcome.foundDelimiters = work.foundDelimiters
    try rejects.write()
    return outcome
  }

  // MARK: Transactions

  private func importAtOnce() throws {
    try CommandTransaction.run(on: coordinator, reaching: .all) { transaction in
      try importRest(after: nil, in: transaction)
      try rememberName(in: transaction)
      if settings.isDryRun { throw DryRun() }
    }
  }

  private func importByBatch() throws {
    let importer = try importer(completesBatches: true, after: nil)
    let pass = ImportPass(importer, coordinator: coordinator, work: work)
    defer { note(importer) }
    try pass.read(sources.firstReading)
    guard sources.hasSpools || settings.once != nil else { return }
    try CommandTransaction.run(on: coordinator, reaching: .all) { transaction in
      if sources.hasSpools { try importRest(after: importer, in: transaction) }
      try rememberName(in: transaction)
    }
  }

  /// Imports all that is not imported yet, inside the transaction that is open.
  private func importRest(after earlier: RecordImporter?, in transaction: StoreTransaction) throws {
    var isFirst = earlier == nil
    while true {
      let importer = try importer(completesBatches: false, after: earlier)
      let pass = ImportPass(importer, coordinator: coordinator, work: work)
      let inputs = isFirst ? sources.firstReading : sources.laterReading
      isFirst = false
      do {
        if skips {
          try transaction.savepoint { try complete(pass, inputs, in: transaction) }
        } else {
          try complete(pass, inputs, in: transaction)
        }
        note(importer)
        return
      } catch is Again {}
    }
  }

  private func note(_ importer: RecordImporter) {
    outcome.counts.add(importer.counts)
    outcome.storedLabel = outcome.storedLabel ?? importer.storedLabel
  }

  private func complete(
    _ pass: ImportPass, _ inputs: ImportSources.Reading, in transaction: StoreTransaction
  ) throws {
    try pass.read(inputs)
    let failures = try pass.importer.finish(in: transaction)
    try work.reject(failures, texts: nil)
    if !failures.isEmpty { throw Again() }
  }

  private func importer(completesBatches: Bool, after earlier: RecordImporter?) throws -> RecordImporter {
    var options = settings.options
    options.completesBatches = completesBatches
    let importer = try RecordImporter(coordinator, options, earlier: earlier)
    importer.placeText = sources.placeText
    return importer
  }

  // MARK: Names

  private func wasDoneBefore() throws -> Bool {
    guard let name = settings.once, case .list(let done) = try metadata()[Self.doneKey] else {
      return false
    }
    return done.contains(.string(name))
  }

  private func metadata() throws -> [String: Value] {
    try coordinator.currentTransaction?.metadata() ?? coordinator.metadata()
  }

  private func rememberName(in transaction: StoreTransaction) throws {
    guard let name = settings.once else { return }
    var done: [Value] = []
    if case .list(let names) = try transaction.metadata()[Self.doneKey] { done = names }
    try transaction.setMetadata([Self.doneKey: .list(done + [.string(name)])])
  }
}
