import GraphStore
import GraphStoreReports

extension CommandSession {
  /// Makes a command's change: whatever the body changes is one save.
  ///
  /// The store's write lock is held from before the body's first look until the save is done, so that no
  /// other process comes between what was read and what is written. Another writer is waited for as long as
  /// `--timeout` says. A store on a server has no such lock: where another writer comes between, everything
  /// is taken back, and the body runs anew, for as long. No lock is held while a person thinks: where the
  /// body comes to a question that has not been answered yet, everything is taken back, the person is asked,
  /// and the body runs anew on what is stored then.
  ///
  /// Between `.begin` and `.commit` the change stays in the context and no lock is taken.
  ///
  /// - Parameters:
  ///   - isRehearsal: takes the change back once all checks, those by the store included, have passed.
  ///   - store: where new objects go; nil leaves it to the save.
  ///   - isRepeatable: whether the body can run anew where it meets a conflict; not where it reads its input
  ///     while it runs.
  func change<Outcome>(
    isRehearsal: Bool = false, into store: PersistentStoreReference? = nil, isRepeatable: Bool = true,
    _ body: (ChangeWriter) throws -> Outcome
  ) throws -> Outcome {
    var repetition = ChangeRepetition(for: timeout)
    while true {
      let writer = try ChangeWriter(self, into: store)
      do {
        let outcome = try attempt(isRehearsal) { try body(writer) }
        hasChanged = !isRehearsal
        return outcome
      } catch let question as UnansweredQuestion {
        rollBackCommand()
        try ask(question)
      } catch {
        guard isRepeatable, isAmongUnlockedWriters, repetition.isWorthwhile(after: error) else {
          throw writer.origins.locate(error)
        }
        rollBackCommand()
        present?.readAnew()
        repetition.wait()
      }
    }
  }

  /// Whether others can write between what a change has read and what it writes, and are not to be
  /// overwritten.
  private var isAmongUnlockedWriters: Bool {
    guard savePolicy == .everyCommand, settings.conflictPolicy == .error,
      let coordinator = openContext?.coordinator, coordinator.currentTransaction == nil
    else { return false }
    return coordinator.persistentStores.contains { ServerAddress($0.path) != nil }
  }

  private func attempt<Outcome>(_ isRehearsal: Bool, _ body: () throws -> Outcome) throws -> Outcome {
    let context = try context(.write)
    context.mergePolicy = settings.conflictPolicy.mergePolicy
    SaveProgress.begin()
    guard savePolicy == .everyCommand else {
      let outcome = try body()
      guard isRehearsal else { return outcome }
      let failures = try context.validateChanges()
      rollBackCommand()
      if let error = GraphStoreError.combining(failures) { throw error.sorted() }
      return outcome
    }
    func save() throws -> Outcome {
      let outcome = try body()
      try context.save()
      try interruption.check()
      return outcome
    }
    let coordinator = context.coordinator
    if isRehearsal {
      defer { context.reset() }
      return try CommandTransaction.rehearse(on: coordinator, with: context, save)
    }
    // A script's transaction has the lock already, and a save that fails takes itself back.
    if coordinator.currentTransaction != nil { return try save() }
    return try CommandTransaction.run(
      on: coordinator, with: context, reaching: isShared ? .part : .all
    ) { _ in try save() }
  }

  /// Prints how many objects were changed, or would be, for programs.
  func print(_ counts: ChangeCounts) throws {
    let isSaved = !counts.isDryRun && SaveProgress.current.isSaved
    try telling(isSaved ? "the change is saved" : nil) { try printJSON { counts.writeJSON(to: $0) } }
  }

  /// Says what a dry run would have done.
  func tellRehearsal(_ description: String) throws {
    try print(["would \(description); nothing written"])
  }

  /// Says of a command that prints objects what a dry run would have done, in the form that was asked for.
  func tellRehearsal(inserting inserted: Int, updating updated: Int, _ entity: String) throws {
    if settings.format?.isJSON == true {
      return try print(ChangeCounts(counts: [("inserted", inserted), ("updated", updated)], isDryRun: true))
    }
    let parts = [(inserted, "insert"), (updated, "update")].filter { $0.0 > 0 }
      .map { "\($0.1) \($0.0.grouped)" }
    try tellRehearsal((parts.isEmpty ? "insert 0" : parts.joined(separator: " and ")) + " \(entity)")
  }

  /// What the save of the running command has written and dropped; nothing within a transaction, which is
  /// saved later.
  var saveSummary: SaveSummary {
    guard savePolicy == .everyCommand, let openContext else { return SaveSummary() }
    return openContext.lastSave
  }
}
