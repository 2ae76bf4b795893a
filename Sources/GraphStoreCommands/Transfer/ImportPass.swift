import GraphStore
import GraphStoreReports

/// One pass over the input: hands its records to an importer, batch by batch, but for those that are rejected
/// already.
final class ImportPass {
  /// Beyond so many bytes of records a batch is written, however few they are.
  private static let batchBytes = 8 << 20

  let importer: RecordImporter
  private let coordinator: PersistentStoreCoordinator
  private let work: ImportWork
  private let mapper: RecordMapper
  private let batchSize: Int
  private var texts: RecordTexts
  private var problems: [ImportProblem] = []
  private var settings: ImportSettings { work.settings }

  init(_ importer: RecordImporter, coordinator: PersistentStoreCoordinator, work: ImportWork) {
    self.importer = importer
    self.coordinator = coordinator
    self.work = work
    let options = work.settings.options
    let updates = options.conflictPolicy == .update || options.conflictPolicy == .replace
    mapper = RecordMapper(
      importer, model: coordinator.managedObjectModel, mapping: work.settings.mapping, updates: updates)
    mapper.ignore = { [work] in work.ignore($0, proposing: $1) }
    batchSize =
      importer.completesBatches && work.settings.commit == .line ? 1 : max(1, work.settings.batchSize)
    texts = RecordTexts(isJSON: true, keepsRows: false, keepsSources: false)
  }

  /// Reads all sources.
  func read(_ open: ImportSources.Reading) throws {
    for index in 0..<work.sources.count {
      guard let input = try open(index) else { continue }
      if try !read(input, index) { break }
    }
  }

  /// - Returns: whether there may be more to read.
  private func read(_ input: ImportInput, _ index: Int) throws -> Bool {
    texts = RecordTexts(
      isJSON: input.isJSON, keepsRows: settings.rejects != nil, keepsSources: importer.completesBatches)
    mapper.beginInput(entity: input.source.entity, isTable: !input.isJSON)
    var progress = work.terminal.map {
      ProgressBar(title: "importing \(input.source.path)", total: input.size, terminal: $0)
    }
    defer { progress?.finish() }
    // What can be read once only is put aside, should it have to be read again.
    let spools = work.sources.needsSpool(index) && !input.isSpool
    let limit = input.isSpool ? Int.max : settings.stopAfter ?? .max
    var isLast = false
    while true {
      if input.number >= limit {
        isLast = true
        break
      }
      guard let record = try next(input, index) else { break }
      work.read = max(work.read, input.number)
      if spools {
        try unsafe work.sources.spool(index, of: input.source).append(
          record.source, number: input.number, line: record.line, names: record.names)
      }
      try importRecord(record, from: input)
      if input.number & 255 == 0 {
        try work.interruption.check()
        progress?.update(done: input.bytesRead, rows: input.number)
      }
      if importer.count >= batchSize || texts.count >= Self.batchBytes || problems.count >= batchSize {
        try flush(input, index)
      }
    }
    try flush(input, index)
    work.sources.end(index, at: input.number)
    return !isLast
  }

  /// The next record that can be read.
  private func next(_ input: ImportInput, _ index: Int) throws -> Record? {
    while true {
      do throws(InputFailure) {
        return try input.next { names throws(InputFailure) in
          work.noteDelimiter(of: input)
          if let diagnostic = mapper.checkHeader(names, file: input.source.path) { throw .header(diagnostic) }
        }
      } catch {
        switch error {
        case .header(let diagnostic): throw diagnostic
        case .input(let error):
          var problem = ImportProblem(error)
          problem.hints = error.encodingHints
          problem.record = input.number
          guard work.skips, error.isRecoverable else {
            if work.skips { throw Diagnostic(problem, file: input.source.path) }
            // The records before it in the batch may be wrong as well; none of them is kept.
            problems.append(problem)
            try flush(input, index)
            return nil
          }
          work.read = max(work.read, input.number)
          let text = OutputBuffer.memory()
          unsafe text.append(jsonString: input.reader.record.source)
          problem.row = unsafe Array(text.bytes)
          try work.reject([], texts: nil, earlier: [problem])
        }
      }
      if let limit = settings.stopAfter, !input.isSpool, input.number >= limit { return nil }
    }
  }

  private func importRecord(_ record: Record, from input: ImportInput) throws {
    let number = input.number
    if work.skips, work.rejects.contains(number) {
      guard work.rejects.lacksRow(number) else { return }
      let row = RecordTexts(isJSON: input.isJSON, keepsRows: true, keepsSources: false)
      row.add(record, number: number)
      return try work.rejects.setRow(row.row(number), of: number)
    }
    texts.add(record, number: number)
    do throws(FieldProblem) {
      try mapper.map(record, number: number)
      importer.end()
    } catch {
      importer.discard()
      try reject(record, from: input)
    }
  }

  /// Leaves out a record that cannot be mapped, or has it end the import with the batch.
  private func reject(_ record: Record, from input: ImportInput) throws {
    let found = try mapper.problems(of: record, number: input.number)
    let all =
      found.fields.map { problem($0, of: record, from: input) }
      + found.rules.map { work.problem($0, record: input.number, line: record.line, texts: texts) }
    guard work.skips else {
      problems += all
      return
    }
    var joined = ImportProblem(joining: all)
    joined.row = texts.row(input.number)
    try work.reject([], texts: nil, earlier: [joined])
  }

  private func problem(
    _ problem: FieldProblem, of record: Record, from input: ImportInput
  ) -> ImportProblem {
    let position = problem.field.flatMap { RecordTexts.position($0, in: record, isJSON: input.isJSON) }
    var located = ImportProblem(problem)
    located.record = input.number
    located.line = position?.line ?? record.line
    located.column = position?.column
    return located
  }

  // MARK: Batches

  private func flush(_ input: ImportInput, _ index: Int) throws {
    defer { texts.removeAll() }
    guard importer.count > 0 || !problems.isEmpty else { return }
    let count = importer.count
    guard importer.completesBatches else {
      guard let transaction = coordinator.currentTransaction else { return }
      return try write(input, index, in: transaction)
    }
    let waiting = work.waiting
    let rejected = work.rejects.count
    try CommandTransaction.run(on: coordinator, reaching: .part) { try write(input, index, in: $0) }
    work.committed += count - (work.waiting - waiting) - (work.rejects.count - rejected)
  }

  private func write(_ input: ImportInput, _ index: Int, in transaction: StoreTransaction) throws {
    let batch = try importer.flush(in: transaction)
    let earlier = problems
    problems = []
    try work.reject(batch.failures, texts: texts, earlier: earlier)
    for number in batch.waiting {
      guard let (text, line) = unsafe texts.source(number) else { continue }
      try unsafe work.sources.spool(index, of: input.source).append(
        text, number: number, line: line, names: input.reader.record.names)
    }
    work.waiting += batch.waiting.count
  }
}
