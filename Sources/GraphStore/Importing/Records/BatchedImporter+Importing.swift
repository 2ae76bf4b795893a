extension BatchedImporter {
  /// Imports records.
  ///
  /// Positions in errors count from 0. Each batch costs one fetch for the keys, one for each relationship of
  /// ``links``, and the statements of a save. A record that links to one of its own batch or of a later one
  /// waits, on disk, and is imported after the last batch, as a part of one more transaction: an import that
  /// ends before that by an error has not written it. With ``ImportErrorMode/transaction`` its link alone
  /// waits.
  ///
  /// - Parameters:
  ///   - records: The records, read once.
  ///   - transaction: A transaction that the import becomes a part of, such as that of another import.
  ///     Without one each batch is committed by itself, but with ``ImportErrorMode/transaction``.
  /// - Returns: What was done.
  /// - Throws: What is wrong with the first bad record, all of it, with its
  ///   ``GraphStoreError/recordPosition``, but where such records are skipped: what validation and values by
  ///   key throw, `constraint-conflict` for a key or unique values that are taken, `unresolved-link`,
  ///   `not-unique`. `cancelled` between two batches once the task is cancelled; what ``onBatch`` throws.
  ///   Before the first record: `unknown-entity`, `abstract-entity`, `unknown-key`, `wrong-property-kind`,
  ///   `invalid-request`, `no-store`, `read-only-store`.
  @discardableResult
  public func importRecords(
    _ records: some Sequence<ImportRecord>, in transaction: StoreTransaction? = nil
  ) throws -> ImportResult {
    try inWhole(of: transaction) { transaction in
      let run = try BatchedImport(self, in: transaction)
      for record in records { try run.add(record) }
      return try run.finish()
    }
  }

  /// Imports typed values, whose keys are the names of properties; see ``importRecords(_:in:)``.
  ///
  /// What encodes nothing under a key, as a missing value of an optional property does where the compiler
  /// writes the encoding, stays as it is in an object that is there. A nested structure is a composite
  /// attribute, a list a to-many.
  ///
  /// ```swift
  /// struct Joiner: Codable {
  ///   var name: String
  ///   var badge: Int
  ///   var department: String?
  /// }
  /// let json = #"[{"name": "Annie Easley", "badge": 41}, {"name": "Hedy Lamarr", "badge": 42}]"#
  /// var importer = BatchedImporter(entityName: "Employee", coordinator: coordinator)
  /// importer.links = ["department": "name"]
  /// let joiners = try JSONDecoder().decode([Joiner].self, from: Data(json.utf8))
  /// print(try importer.importRecords(encoding: joiners).inserted)  // 2
  /// ```
  ///
  /// - Throws: As that, and what encoding throws; `invalid-request` for a value without keys.
  @discardableResult
  public func importRecords<Records: Sequence>(
    encoding values: Records, in transaction: StoreTransaction? = nil
  ) throws -> ImportResult where Records.Element: Encodable {
    try inWhole(of: transaction) { transaction in
      let run = try BatchedImport(self, in: transaction)
      for value in values { try run.add(try RecordEncoder.record(of: value, entityName)) }
      return try run.finish()
    }
  }

  /// Imports the values of an asynchronous sequence as they come; see ``importRecords(_:in:)``.
  ///
  /// Batches are written where the caller is isolated.
  ///
  /// - Throws: As that, and what the sequence throws; `invalid-request` with
  ///   ``ImportErrorMode/transaction``, which would lock the store as long as the sequence takes.
  @discardableResult
  public func importRecords<Records: AsyncSequence>(
    from records: Records, isolation: isolated (any Actor)? = #isolation
  ) async throws -> ImportResult where Records.Element == ImportRecord {
    guard errorMode != .transaction else {
      throw GraphStoreError(
        .invalidRequest, "An asynchronous sequence cannot be imported as one transaction.",
        remedy: "Collect the records first, or choose another error mode.", entity: entityName)
    }
    let run = try BatchedImport(self, in: nil)
    var iterator = records.makeAsyncIterator()
    while let record = try await iterator.next(isolation: isolation) { try run.add(record) }
    return try run.finish()
  }

  /// Runs an import in the transaction that it is a part of, or that it is.
  private func inWhole<Result>(
    of transaction: StoreTransaction?, _ body: (StoreTransaction?) throws -> Result
  ) throws -> Result {
    guard errorMode == .transaction else { return try body(transaction) }
    if let transaction { return try transaction.savepoint { try body(transaction) } }
    return try coordinator.transaction { try body($0) }
  }
}
