import Foundation
import GraphStoreFiles
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteStore {
  /// Opens the store at a path, which is left as it is.
  ///
  /// Checks stop at the first failure: file, type, format, model, hashes, lock. A file that fails one is left
  /// byte for byte as it was, the log beside it too; but a change that was interrupted has been rolled back
  /// by then.
  ///
  /// - Parameters:
  ///   - given: The model; nil for the one that the store carries.
  ///   - layout: The layouts of the passed model that other stores have, which this one is to share.
  ///   - former: The store, where it was open at another path, whose identity and row cache it keeps.
  /// - Throws: `store-option` and `unknown-configuration` before the file is touched; what is wrong with the
  ///   path, from `store-not-found` to `store-corrupt`; `incompatible-model` when the store was made with
  ///   another model than the one passed; `not-supported` for a store that cannot share the layouts.
  static func open(
    _ path: String, _ options: StoreOptions, model given: ManagedObjectModel?, layout: ModelLayout? = nil,
    continuing former: SQLiteStore? = nil
  ) throws -> SQLiteStore {
    try options.check(isInFile: true)
    let wanted = try given.map { try StoredEntities($0, configuration: options.configuration) }
    return try open(path, options, holding: wanted, layout: layout, continuing: former)
  }

  /// Opens the store at a path under entities of a model, as ``open(_:_:model:layout:)`` does.
  ///
  /// - Parameters:
  ///   - wanted: The entities that it holds; nil for those of the model that it carries.
  ///   - layout: The layouts of their model that other stores have, which this one is to share.
  ///   - label: Its label beside others, with which it is opened under a union of models: the file keeps
  ///     carrying its own.
  ///   - former: The store, where it was open at another path, whose identity and row cache it keeps.
  static func open(
    _ path: String, _ options: StoreOptions, holding wanted: StoredEntities?, layout: ModelLayout? = nil,
    label: StoreLabel? = nil, continuing former: SQLiteStore? = nil
  ) throws -> SQLiteStore {
    try options.check(isInFile: true)
    Diagnostics.readEnvironment()
    let request = SQLLogRequest.begin()
    defer { request?.end() }
    let log = SQLiteStoreLog(path)
    log.connecting()
    let (connection, contents) = try connect(path, options, log) { metadata in
      guard let wanted, !options.ignoresVersioning else { return }
      try checkForm(metadata, given: wanted.narrowed(by: metadata), path: path)
    }
    let metadata = contents.metadata
    var stored =
      try
      (wanted
      ?? carried(connection, contents: contents, configuration: options.configuration, path: path))
      .narrowed(by: metadata)
    stored.leavesOutForeignForms = !metadata.isOurs
    if !options.ignoresVersioning { try checkForm(metadata, given: stored, path: path) }
    let schema = try schema(
      connection, contents: contents, stored: stored, path: path, isGiven: wanted != nil,
      ignoresVersioning: options.ignoresVersioning)
    if options.historyTracking == false, contents.tracksHistory {
      connection.close()
      throw GraphStoreError.tracksHistory(path)
    }
    let obstacles = StoreWarning.obstacles(contents, schema, path: path)
    guard options.isReadOnly || obstacles.isEmpty else {
      connection.close()
      var reading = options
      reading.isReadOnly = true
      return try open(path, reading, holding: wanted, layout: layout, label: label, continuing: former)
    }
    if let layout, !layout.fits(stored) {
      connection.close()
      throw unfit(path, isMadeByCoreData: metadata.format == nil)
    }
    if !options.isReadOnly {
      try checkWritable(connection, path)
      removeSecondNames(of: path, connection)
    }
    connection.setKeepsLog(false)
    let store = try SQLiteStore(
      path: path, identifier: metadata.identifier,
      layout: layout ?? ModelLayout(stored),
      schema: schema, connection: connection, options, isMadeByCoreData: metadata.format == nil,
      externalPrefix: reporting(path) { try externalPrefix(metadata, connection, schema) },
      warnings: [StoreWarning.damage(contents, path: path)].compactMap { $0 } + obstacles,
      modelToCarry: wanted != nil && label == nil && metadata.isOther(stored) && !options.isReadOnly
        ? stored : nil,
      label: label, continuing: former, log: log)
    try store.renewIndexes(contents, connection)
    try store.prepareHistory(contents, connection)
    try store.careWhenAdded()
    return store
  }

  /// The entities of the model that the store carries, of the configuration that it was made with unless
  /// another is named.
  private static func carried(
    _ connection: SQLiteConnection, contents: StoreHeader, configuration: String?, path: String
  ) throws -> StoredEntities {
    let model = try reporting(path) { try EmbeddedModelReader.read(connection, contents, path: path).model }
    return try StoredEntities(model, configuration: configuration ?? contents.metadata.configuration)
  }

  /// Opens the file and reads what it says of itself.
  ///
  /// A file that looks like a store is opened at once. Where that fails, the file is inspected first without
  /// changing anything, which finds what is wrong with it.
  ///
  /// - Parameter check: Checks the metadata before the file is opened for writing, where there is a log
  ///   beside it: closing it again would write the log into it.
  static func connect(
    _ path: String, _ options: StoreOptions, _ log: SQLiteStoreLog? = nil,
    check: (StoreMetadata) throws -> Void = { _ in }
  ) throws -> (SQLiteConnection, StoreHeader) {
    for _ in 0..<10 {
      let opened = try connectOnce(path, options, log, check: check)
      // A connection that waits for a migration to replace the file gets the file that was replaced. One that
      // has read from the file at the path keeps it from being replaced.
      guard opened.0.hasFileMoved else { return opened }
      opened.0.close()
    }
    throw replaced(path)
  }

  private static func replaced(_ path: String) -> GraphStoreError {
    GraphStoreError(.storeOpen, "\(path) was replaced while it was opened.", remedy: "Try again.")
  }

  private static func connectOnce(
    _ path: String, _ options: StoreOptions, _ log: SQLiteStoreLog?, check: (StoreMetadata) throws -> Void
  ) throws -> (SQLiteConnection, StoreHeader) {
    if SQLiteProbe.isProbablyStore(path), let opened = try? connectAtOnce(path, options, log) {
      return opened
    }
    let found = SQLiteProbe.probe(path)
    switch found {
    case .needsRecovery where !options.isReadOnly: try StoreRecovery.run(path: path, timeout: options.timeout)
    case .damagedMetadata where options.isReadOnly: break
    default: try check(try found.metadata(path: path))
    }
    if !options.isReadOnly {
      if SQLiteProbe.SideFiles(path).hasUnreadableLog { throw unwritable(path) }
      try StoreRecovery.checkJournal(path)
    }
    do {
      let connection =
        try options.isReadOnly
        ? SQLiteConnection.openForReading(path, busyTimeout: options.timeout)
        : SQLiteConnection(path: path, mode: .readWrite, busyTimeout: options.timeout)
      connection.log = log
      if !options.isReadOnly { connection.setKeepsLog(SQLiteProbe.hasLog(path)) }
      return (connection, try StoreHeader.read(connection).get())
    } catch let error as SQLiteError {
      // A log cannot be read without a writable folder for its index.
      if !options.isReadOnly, [.cantOpen, .readOnly].contains(error.category), !isWritable(path) {
        throw unwritable(path, underlying: error)
      }
      throw GraphStoreError(error, path: path)
    } catch is StoreHeader.Problem {
      // Another process has replaced the file meanwhile.
      _ = try SQLiteProbe.probe(path).metadata(path: path)
      throw replaced(path)
    }
  }

  /// Removes second names that a killed migration has given the file, unless another process writes.
  private static func removeSecondNames(of path: String, _ connection: SQLiteConnection) {
    guard FileIdentity.hasSeveralNames(path) else { return }
    let timeout = connection.busyTimeout
    connection.busyTimeout = .zero
    defer { connection.busyTimeout = timeout }
    guard (try? connection.begin(.immediate)) != nil else { return }
    StoreReplacement(path: ResolvedPath.of(path)).removeSecondNames()
    try? connection.rollback()
  }

  private static func connectAtOnce(
    _ path: String, _ options: StoreOptions, _ log: SQLiteStoreLog?
  ) throws -> (SQLiteConnection, StoreHeader) {
    let connection = try SQLiteConnection(
      path: path, mode: options.isReadOnly ? .readOnly : .readWrite, busyTimeout: .zero)
    connection.log = log
    let contents = try StoreHeader.read(connection).get()
    guard options.isReadOnly || contents.damage == nil else { throw StoreHeader.Problem.notAStore }
    connection.busyTimeout = options.timeout
    return (connection, contents)
  }

  /// Makes a store at a path that is free, or holds an empty file; for `/dev/null` one in memory.
  ///
  /// - Parameters:
  ///   - identifier: Its UUID.
  ///   - paired: The to-many relationships without inverse that keep their table of pairs (STO-255).
  ///   - rowCache: The row cache that it takes over; nil for its own.
  /// - Throws: `store-exists`, `store-permission`, `disk-full`; nothing is left behind then.
  static func create(
    _ path: String, _ options: StoreOptions, model: ManagedObjectModel, layout: ModelLayout? = nil,
    identifier: UUID = UUID(), keepingPairsOf paired: Set<RelationshipDescription> = [],
    rowCache: RowCache? = nil
  ) throws -> SQLiteStore {
    let isPrivate = AbsolutePath.of(path) == privateLocation
    try options.check(isInFile: !isPrivate)
    let form = SQLiteFileForm(try SQLitePragmas(options.sqlitePragmas, isInFile: !isPrivate))
    let stored = try StoredEntities(model, configuration: options.configuration)
    if let layout, !layout.fits(stored) { throw unfit(path, isMadeByCoreData: false) }
    let schema = SQLSchema(stored, keepingPairsOf: paired)
    let text = String(decoding: model.jsonData(), as: UTF8.self)
    let history =
      options.historyTracking == true
      ? SQLiteHistoryTables(tombstoneCount: SQLiteHistory.tombstoneCount(schema)) : nil
    var metadata = StoreMetadata(identifier: identifier, stored, modelText: text)
    if try !SQLiteIndexedFunctions.indexes(schema).isEmpty {
      metadata.values[StoreMetadata.Key.functions] = SQLiteIndexedFunctions.version
    }
    Diagnostics.readEnvironment()
    let request = SQLLogRequest.begin()
    defer { request?.end() }
    let log = SQLiteStoreLog(path)
    log.connecting()
    let connection =
      isPrivate
      ? try SQLiteLayout.createInMemory(
        schema: schema, metadata: metadata, history, form: form, busyTimeout: options.timeout, log)
      : try SQLiteLayout.create(
        at: path, schema: schema, metadata: metadata, history, form: form, busyTimeout: options.timeout, log)
    var options = options
    options.isReadOnly = false
    do {
      let refusal = try isPrivate || !form.usesLog ? nil : logRefusal(connection, path)
      return try SQLiteStore(
        path: path, identifier: metadata.identifier, layout: layout ?? ModelLayout(model),
        schema: schema, connection: connection, options, isMadeByCoreData: !metadata.isOurs,
        warnings: refusal.map { [$0] } ?? [], rowCache: rowCache, log: log)
    } catch {
      connection.close()
      if !isPrivate { removeNew(path) }
      throw error
    }
  }

  /// The warning that a file system refuses a log, which a new file is to have; nil where it has one.
  private static func logRefusal(_ connection: SQLiteConnection, _ path: String) throws -> StoreWarning? {
    let usesLog = try reporting(path) { try connection.withoutCounting { try connection.usesLog() } }
    return usesLog ? nil : StoreWarning.refusedLog(path)
  }

  /// Removes the files of a store that was made just now, and cannot be opened as it was asked for.
  private static func removeNew(_ path: String) {
    for suffix in ["-wal", "-shm", "-journal", ""] { unsafe unlink(path + suffix) }
  }

  /// Does what options ask for while the store is being added.
  private func careWhenAdded() throws {
    guard !isReadOnly, options.vacuumsWhenAdded || options.analyzesWhenAdded else { return }
    do {
      if options.vacuumsWhenAdded { try vacuum() }
      if options.analyzesWhenAdded { try analyze() }
    } catch {
      close()
      throw error
    }
  }

  /// The layout of a model in the store; that of a store of Core Data has to fit the model first.
  private static func schema(
    _ connection: SQLiteConnection, contents: StoreHeader, stored: StoredEntities, path: String,
    isGiven: Bool, ignoresVersioning: Bool
  ) throws -> SQLSchema {
    if ignoresVersioning {
      return try reporting(path) {
        try CoreDataSchemaMatcher.partialSchema(connection, contents: contents, stored: stored, path: path)
      }
    }
    guard contents.metadata.format == nil else {
      return try SQLSchema(
        stored, entityNumbers: contents.entityNumbers, existingTables: contents.existingTables)
    }
    return try reporting(path) {
      let carried = isGiven ? try? EmbeddedModelReader.read(connection, contents, path: path).model : nil
      if let carried, let held = try? StoredEntities(carried, configuration: stored.configuration) {
        let differing = stored.attributesStoredOtherwise(than: held.externalAttributes)
        if !differing.isEmpty { throw GraphStoreError.otherForm(of: differing, path: path) }
      }
      return try CoreDataSchemaMatcher.schema(
        connection, contents: contents, stored: stored, carried: carried, path: path)
    }
  }

  /// Failures of SQLite in the words of a store.
  private static func reporting<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// The version since which values with external storage have their prefix. A store of an earlier version
  /// that has none yet is treated as a new one, also by readers: the next value is written with the prefix.
  private static func externalPrefix(
    _ metadata: StoreMetadata, _ connection: SQLiteConnection, _ schema: SQLSchema
  ) throws -> ExternalPrefix {
    if metadata.hasExternalPrefixes { return .always }
    return try hasExternalValues(connection, schema) ? .never : .sinceFirstWrite
  }

  /// Whether a column of external storage has a value.
  private static func hasExternalValues(_ connection: SQLiteConnection, _ schema: SQLSchema) throws -> Bool {
    for table in schema.tables {
      for column in table.columns where column.isExternal {
        let sql = "SELECT 1 FROM \(table.quotedName) WHERE \(column.quotedName) IS NOT NULL LIMIT 1"
        if try connection.withStatement(sql, { try $0.step() }) { return true }
      }
    }
    return false
  }

  /// Objects of one coordinator hold the same attributes whatever store they are of.
  private static func unfit(_ path: String, isMadeByCoreData: Bool) -> GraphStoreError {
    GraphStoreError(
      .notSupported,
      isMadeByCoreData
        ? "\(path) was made by Core Data, whose columns of composite attributes are not known: its objects do not hold "
          + "their values, and those of the coordinator's other stores do."
        : "Objects of \(path) hold values of composite attributes, and those of the coordinator's other stores, which "
          + "Core Data made, do not.",
      remedy: "Open it under a coordinator of its own: PersistentStoreCoordinator.open(storeAt:).")
  }

  /// - Throws: `incompatible-model`.
  private static func checkForm(_ metadata: StoreMetadata, given: StoredEntities, path: String) throws {
    guard metadata.format != nil,
      metadata.versionHashes != given.versionHashes
        || !metadata.attributesStoredOtherwise(than: given).isEmpty
    else { return }
    throw GraphStoreError.incompatibility(metadata, given: given, path: path)
  }

  static func checkWritable(_ connection: SQLiteConnection, _ path: String) throws {
    guard connection.isReadOnly else { return }
    if let header = SQLiteFileHeader(path: path), header.needsNewerWriter {
      throw GraphStoreError(
        .storePermission,
        "\(path) may be written by a newer SQLite only: its header has the write version \(header.writeVersion).",
        remedy:
          "Open it for reading only. If no newer SQLite has written it, the header is damaged: export the "
          + "store, and import it into a new one.")
    }
    throw unwritable(path)
  }

  /// Makes sure that the process may write the file, and make others beside it.
  ///
  /// - Throws: `store-permission`.
  static func checkWritable(_ path: String) throws {
    guard isWritable(path) else { throw unwritable(path) }
  }

  /// Whether the process may write the file, and make others beside it.
  private static func isWritable(_ path: String) -> Bool {
    let path = ResolvedPath.of(path)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    return RegularFile.isWritable(path) && RegularFile.isWritable(folder)
  }

  private static func unwritable(_ path: String, underlying: SQLiteError? = nil) -> GraphStoreError {
    GraphStoreError(
      .storePermission, "\(path) cannot be written.",
      remedy: "See to the right to write the file and its folder, or open it for reading only.",
      underlying: underlying)
  }
}
