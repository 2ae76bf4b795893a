import GraphStoreModel

/// One import of records from the first to the last: its batches and transactions.
///
/// Batches that are committed one by one are whole when they are: a record that links to one that comes later
/// waits until all others are there. Those that wait are imported together; where one of them proves to be
/// wrong after it was written, all of them are taken back, and imported again without it.
final class BatchedImport {
  private let settings: BatchedImporter
  /// The transaction that all batches are parts of; nil where each has its own.
  private let transaction: StoreTransaction?
  private let importer: RecordImporter
  private let reader: RecordReader
  private let waiting: WaitingRecords
  private var batch: [ImportRecord] = []
  private var result = ImportResult()
  /// The record of the batch that cannot be read, and ends the import with it.
  private var unreadable: GraphStoreError?

  private var skips: Bool { settings.errorMode == .skip }

  /// Thrown to import again without records that have proved to be wrong.
  private struct Again: Error {}

  init(_ settings: BatchedImporter, in transaction: StoreTransaction?) throws {
    self.settings = settings
    self.transaction = transaction
    let request = try ImportRequest(settings)
    importer = try request.importer(completesBatches: settings.errorMode != .transaction)
    reader = try RecordReader(request)
    waiting = WaitingRecords(reader)
  }

  // MARK: Records

  func add(_ record: ImportRecord) throws {
    let position = result.read
    result.read += 1
    batch.append(record)
    if let error = reader.read(record, at: position, into: importer) {
      if !skips {
        unreadable = error
      } else {
        result.rejects.append(error)
      }
    }
    if batch.count >= settings.batchSize || unreadable != nil { try flush() }
  }

  func finish() throws -> ImportResult {
    if !batch.isEmpty { try flush() }
    if settings.errorMode == .transaction, let transaction {
      try fail(importer.finish(in: transaction))
      result.counts = importer.counts
    } else if !waiting.isEmpty {
      try importWaiting()
    }
    result.rejects.sort { ($0.recordPosition ?? 0) < ($1.recordPosition ?? 0) }
    return result
  }

  // MARK: Batches

  private func flush() throws {
    defer { batch.removeAll(keepingCapacity: true) }
    if RequestCancellation.isRequested { throw GraphStoreError.cancelledRequest }
    let first = result.read - batch.count
    if importer.count > 0 || unreadable != nil {
      try writing { transaction in
        let written = try importer.flush(in: transaction)
        try fail(written.failures, or: unreadable)
        for position in written.waiting { try waiting.add(batch[position - first], at: position) }
      }
      result.counts = importer.counts
    }
    try settings.onBatch?(result)
  }

  /// Runs a body in a transaction, or as a part of the one that there is.
  private func writing(_ body: (StoreTransaction) throws -> Void) throws {
    guard let transaction else { return try settings.coordinator.transaction { try body($0) } }
    if settings.errorMode == .transaction { return try body(transaction) }
    try transaction.savepoint { try body(transaction) }
  }

  /// Leaves out records that cannot be imported, or ends the import by the first of them.
  private func fail(_ failures: [ImportFailure], or unreadable: GraphStoreError? = nil) throws {
    let errors = Dictionary(grouping: failures, by: \.record).compactMap { record, failures in
      GraphStoreError.combining(failures.map(\.error))?.ofRecord(at: record)
    }
    if skips { return result.rejects += errors }
    let all = errors + (unreadable.map { [$0] } ?? [])
    if let first = all.min(by: { ($0.recordPosition ?? 0) < ($1.recordPosition ?? 0) }) { throw first }
  }

  // MARK: Records that wait

  private func importWaiting() throws {
    var rejected: Set<Int> = []
    while true {
      let (rejects, later) = (result.rejects.count, try reader.request.importer(after: importer))
      do {
        try writing { transaction in
          try waiting.forEach { position, record in
            if rejected.contains(position) { return }
            if let error = reader.read(record, at: position, into: later) { throw error }
            if later.count >= settings.batchSize { try flush(later, in: transaction) }
          }
          if later.count > 0 { try flush(later, in: transaction) }
          let failures = try later.finish(in: transaction)
          try fail(failures)
          if !failures.isEmpty { throw Again() }
        }
        result.counts.add(later.counts)
        try settings.onBatch?(result)
        return
      } catch is Again {
        rejected.formUnion(result.rejects[rejects...].compactMap(\.recordPosition))
      }
    }
  }

  private func flush(_ importer: RecordImporter, in transaction: StoreTransaction) throws {
    if RequestCancellation.isRequested { throw GraphStoreError.cancelledRequest }
    try fail(importer.flush(in: transaction).failures)
  }
}
