import GraphStore

/// Reads records, hands them to an importer, and decides what becomes of those that fail.
final class ImportRun {
  /// Beyond so many bytes of records a batch is written, however few they are.
  private static let batchBytes = 8 << 20
  static let doneKey = "importedDefaults"

  private let coordinator: PersistentStoreCoordinator
  private let settings: ImportSettings
  private let importer: RecordImporter
  private let mapper: RecordMapper
  private let interruption: Interruption
  private let rejects: RejectFile?
  private var outcome = ImportOutcome()
  private var problems: [ImportProblem] = []
  private var texts: RecordTexts
  private var path = "-"
  private let terminal: TerminalInfo?
  private var skips: Bool { settings.options.skipsFailures }

  /// - Parameter terminal: where progress is shown; nil shows none.
  init(
    _ coordinator: PersistentStoreCoordinator, _ settings: ImportSettings, interruption: Interruption,
    terminal: TerminalInfo? = nil
  ) throws {
    self.coordinator = coordinator
    self.settings = settings
    self.interruption = interruption
    self.terminal = terminal
    importer = try RecordImporter(coordinator, settings.options)
    let updates = settings.options.conflictPolicy == .update || settings.options.conflictPolicy == .replace
    mapper = RecordMapper(importer, coordinator.managedObjectModel, settings.mapping, updates: updates)
    rejects = try settings.rejects.map { try RejectFile(path: $0) }
    texts = RecordTexts(.ndjson, keepsTables: false)
  }

  /// Thrown to take a dry run back.
  private struct DryRun: Error {}

  func run() throws -> ImportOutcome {
    if try wasDoneBefore() {
      outcome.wasDoneBefore = true
      return outcome
    }
    do {
      if settings.commit == .all || settings.isDryRun {
        try coordinator.transaction {
          try readAll()
          if settings.isDryRun { throw DryRun() }
        }
      } else {
        try readAll()
      }
    } catch is DryRun {}
    outcome.counts = importer.counts
    try rejects?.commit()
    return outcome
  }

  private func wasDoneBefore() throws -> Bool {
    guard let name = settings.once, case .list(let done) = try coordinator.metadata()[Self.doneKey] else {
      return false
    }
    return done.contains(.string(name))
  }

  private func readAll() throws {
    for source in settings.sources {
      try read(source)
      if isAtLimit { break }
    }
    try inTransaction {
      settle(try importer.finish())
      try stopAtProblems()
      guard let name = settings.once else { return }
      var done: [Value] = []
      if case .list(let names) = try coordinator.metadata()[Self.doneKey] { done = names }
      try coordinator.setMetadata([Self.doneKey: .list(done + [.string(name)])])
    }
  }

  private var isAtLimit: Bool { settings.stopAfter.map { outcome.read >= $0 } ?? false }

  private func read(_ source: ImportSettings.Source) throws {
    path = source.path
    texts = RecordTexts(source.format, keepsTables: rejects != nil)
    mapper.beginInput(entity: source.entity)
    let file: InputFile
    do throws(InputError) { file = try InputFile(path: source.path) } catch {
      throw Diagnostic(code: error.code.rawValue, message: error.message, exitCode: error.exitCode)
    }
    let reader = RecordReaders.reader(file, format: source.format)
    var progress = terminal.map {
      ProgressBar(title: "importing \(source.path)", total: file.size, terminal: $0)
    }
    defer { progress?.finish() }
    let batchSize = settings.commit == .line ? 1 : max(1, settings.batchSize)
    while !isAtLimit, let record = try next(reader) {
      outcome.read += 1
      take(record, source.format)
      if outcome.read & 255 == 0 {
        try interruption.check()
        progress?.update(done: reader.bytesConsumed, rows: outcome.read)
      }
      if importer.count >= batchSize || texts.count >= Self.batchBytes || problems.count >= batchSize {
        try flush()
      }
    }
    try flush()
  }

  /// The next record that can be read.
  private func next(_ reader: any RecordReader) throws -> Record? {
    while true {
      do throws(InputError) {
        return try reader.next()
      } catch {
        var problem = ImportProblem(error)
        guard skips, error.isRecoverable else {
          if !skips { try flush() }
          throw Diagnostic(problem, file: path)
        }
        outcome.read += 1
        let text = OutputBuffer.memory()
        text.append(jsonString: reader.record.source)
        problem.row = Array(text.bytes)
        problems.append(problem)
        settle([])
      }
    }
  }

  private func take(_ record: Record, _ format: InputFormat) {
    texts.add(record)
    do throws(FieldFault) {
      try mapper.map(record)
      importer.end()
    } catch {
      importer.discard()
      var problem = ImportProblem(code: error.code, message: error.message)
      let position = error.field.flatMap { RecordTexts.position($0, in: record, format) }
      problem.record = record.number
      problem.line = position?.line ?? record.line
      problem.column = position?.column
      problem.key = error.key
      problem.value = error.value
      problem.suggestions = error.suggestions
      problem.hints = error.hints
      if skips { problem.row = texts.row(record.number) }
      problems.append(problem)
    }
  }

  private func inTransaction(_ body: () throws -> Void) throws {
    if settings.commit == .all || settings.isDryRun { return try body() }
    try coordinator.transaction(body)
  }

  private func flush() throws {
    guard importer.count > 0 || !problems.isEmpty else { return }
    try inTransaction {
      settle(try importer.flush())
      try stopAtProblems()
    }
    texts.removeAll()
  }

  /// Gives failures their places, and puts aside what is to be left out.
  private func settle(_ failures: [ImportFailure]) {
    for failure in failures {
      let errors = failure.error.errors.isEmpty ? [failure.error] : failure.error.errors
      var found = errors.map { error -> ImportProblem in
        var problem = ImportProblem(error, record: failure.record, line: failure.line)
        if let key = problem.key, let position = texts.position(failure.record, key: key) {
          problem.line = position.line
          problem.column = position.column
        }
        return problem
      }
      if skips {
        found[0].message = found.map(\.message).joined(separator: "; ")
        found[0].row = texts.row(failure.record)
        found.removeSubrange(1...)
      }
      problems += found
    }
    guard skips else { return }
    for problem in problems { rejects?.add(problem) }
    outcome.rejected += problems.count
    problems = []
  }

  private func stopAtProblems() throws {
    guard !problems.isEmpty else { return }
    throw Diagnostic(problems, file: path)
  }
}
