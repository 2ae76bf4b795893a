import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// One step of a migration, from a complete store into a temporary one.
struct MigrationStepRun {
  let step: MigrationStep
  /// Whether no other step follows.
  let isLast: Bool
  let sourcePath: String
  let store: TemporaryStore
  let stored: StoredVersion
  /// The metadata of the store that is migrated.
  let metadata: StoreMetadata
  let identifier: UUID
  let options: MigrationOptions

  /// Fills the store, checks it and makes it durable.
  ///
  /// - Returns: The number of objects by the names of new entities.
  func run(
    progress: (Double) throws -> Void, isCancelled: @escaping () -> Bool
  ) throws -> [String: Int] {
    if options.usesStoreSpecificMigrationManager, let run = try setBased() {
      return try self.run(run, progress: progress, isCancelled: isCancelled)
    }
    return try byObjects(progress: progress)
  }

  /// Object by object, by the mappings of the step.
  private func byObjects(progress: (Double) throws -> Void) throws -> [String: Int] {
    let manager = MigrationManager(
      sourceModel: step.source.model, destinationModel: step.destination.model)
    manager.batchSize = options.batchSize
    manager.allowsInexactConversion = options.allowsInexactConversion
    manager.log = options.log
    func opening(_ model: ManagedObjectModel) -> StoreOptions {
      StoreOptions(timeout: options.timeout, configuration: stored.entities(of: model).configuration)
    }
    let counts = try withoutActuallyEscaping(progress) { progress in
      manager.onProgress = progress
      defer { manager.onProgress = nil }
      return try manager.migrateStore(
        at: sourcePath, nil, opening(step.source.model), parts: step.mappings, to: store.path, nil,
        opening(step.destination.model), identifier: identifier)
    }
    try takeOverForeignParts() ? store.finish() : store.flush()
    return counts
  }

  // MARK: Statements over sets

  /// The step as statements over sets; nil for written mappings that ask for more, or whose data break a
  /// rule: the migration by objects reports which it is.
  private func setBased() throws -> SQLiteSetBasedStep? {
    guard step.kind == .written else { return setBased(step.difference.pairing) }
    guard !options.allowsInexactConversion, let pairing = WrittenPairing(step.mappings) else { return nil }
    var run = setBased(pairing)
    run.isChecked = try run.findings().isEmpty
    return run.isChecked ? run : nil
  }

  private func setBased(_ pairing: any MigrationPairing) -> SQLiteSetBasedStep {
    let destination = stored.entities(of: step.destination.model)
    var run = SQLiteSetBasedStep(
      sourcePath: sourcePath, source: stored.entities(of: step.source.model), destination: destination,
      metadata: StoreMetadata(migrating: metadata, to: destination, identifier: identifier), pairing: pairing)
    run.allowsInexact = options.allowsInexactConversion
    // Core Data makes no indexes later.
    run.defersIndexes = isLast && options.defersIndexes && destination.coreDataHashes == nil
    run.timeout = options.timeout
    if options.log.level >= .statements {
      let log = options.log
      run.onStatement = { statement in log.write(.statements, statement) }
    }
    return run
  }

  private func run(
    _ run: SQLiteSetBasedStep, progress: (Double) throws -> Void, isCancelled: @escaping () -> Bool
  ) throws -> [String: Int] {
    let destination = run.destination
    let counts = try run.run(into: store.path, progress: progress, isCancelled: isCancelled)
    _ = try takeOverForeignParts()
    try StoreRegistry.open(
      store.path, StoreOptions(isReadOnly: true, configuration: destination.configuration),
      .model(step.destination.model)
    ).close()
    try store.finish()
    return counts
  }
}

extension StoreMetadata {
  /// The metadata of a migrated store: what programs noted stays, the rest is that of the new version
  /// (MIG-273).
  init(migrating old: StoreMetadata, to stored: StoredEntities, identifier: UUID) {
    self.init(identifier: identifier, stored)
    for (key, value) in old.userValues { values[key] = value }
    if let indexes = try? SQLiteIndexedFunctions.indexes(SQLSchema(stored)), !indexes.isEmpty {
      values[Key.functions] = SQLiteIndexedFunctions.version
    }
  }
}

extension MigrationStepRun {
  /// Copies the parts of the store that are not in its model, as far as the new version does not conflict
  /// with them (MIG-279).
  ///
  /// - Returns: Whether there was such a thing.
  func takeOverForeignParts() throws -> Bool {
    do {
      let parts = try foreignParts().kept(beside: SQLSchema(stored.entities(of: step.destination.model)))
      if parts.isEmpty { return false }
      let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
      defer { connection.close() }
      try connection.withStatement("ATTACH ?1 AS \(MigrationText.oldSchema)") { statement in
        try statement.bind(AbsolutePath.of(sourcePath), at: 1)
        try statement.run()
      }
      try parts.copy(into: connection, from: MigrationText.oldSchema)
      return true
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: store.path)
    }
  }

  private func foreignParts() throws -> ForeignParts {
    let reading = try SQLiteConnection.openForReading(sourcePath, busyTimeout: options.timeout)
    defer { reading.close() }
    let header = try StoreHeader.read(reading).get()
    let schema = try SQLSchema(
      stored.entities(of: step.source.model), entityNumbers: header.entityNumbers,
      existingTables: header.existingTables)
    return try ForeignParts(reading, beside: schema, isOurs: header.metadata.isOurs)
  }
}

/// Fate of the parts of a store's file that are not in its model, for people (MIG-279).
struct ForeignPartsSurvey: Sendable {
  /// Data that are left behind.
  private(set) var losses: [MigrationLoss] = []
  /// One sentence each on parts that are copied, and on parts that are dropped and can be made again.
  private(set) var notices: [String] = []

  /// Nothing.
  init() {}

  /// - Parameters:
  ///   - parts: What the store has.
  ///   - kept: What the migrated one has.
  ///   - version: The version of the store.
  init(_ parts: ForeignParts, kept: ForeignParts, version: String) {
    for column in parts.columns where column.count > 0 {
      losses.append(
        MigrationLoss(
          version: version, path: "\(column.table).\(column.name)",
          reason: "the column is not the model's, and its values are left behind", count: column.count,
          remedy: "Copy them to a table of your own first, which is taken over."))
    }
    let keptTables = kept.tables.map(\.name)
    for table in parts.tables where !table.isEmpty && !keptTables.contains(table.name) {
      losses.append(
        MigrationLoss(
          version: version, path: table.name,
          reason: "the table is not the model's, and the new version has one of that name", count: nil,
          remedy: "Rename it first."))
    }
    let taken = keptTables.map { "the table \($0)" } + kept.indexes.map { "the index \($0.name)" }
    let keptIndexes = kept.indexes.map(\.name)
    let dropped =
      parts.columns.filter { $0.count == 0 }.map { "the column \($0.table).\($0.name)" }
      + parts.tables.filter { $0.isEmpty && !keptTables.contains($0.name) }.map { "the table \($0.name)" }
      + parts.indexes.filter { !keptIndexes.contains($0.name) }.map { "the index \($0.name)" } + parts.others
    if !taken.isEmpty { notices.append("Not the model's, and taken over: \(taken.joined(separator: ", ")).") }
    if !dropped.isEmpty {
      notices.append("Not the model's, and not taken over: \(dropped.joined(separator: ", ")).")
    }
  }
}
