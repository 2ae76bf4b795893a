import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Driver of stores in SQLite files.
struct SQLiteStoreDriver: StoreDriver {
  private static let beginning = Array("SQLite format 3\0".utf8)

  var type: StoreType { .sqlite }

  func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: Self.beginning) }

  func isAlwaysNew(at path: String) -> Bool { path == SQLiteStore.privateLocation }

  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> any PersistentStore {
    try SQLiteStore.create(
      path, options, model: model, layout: form.layout, identifier: form.identifier,
      keepingPairsOf: form.paired, rowCache: form.rowCache)
  }

  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm,
    _ present: PresentStore, filling fill: (any WriteSession) throws -> Void
  ) throws -> String? {
    let destination = try StoreDestination(
      path, from: nil, isReplacing: present != .refused, mindsObstacles: false, timeout: options.timeout)
    if present != .refused {
      if OpenStores.contains(destination.path) { throw LockedStore.inUse(destination.path) }
      try StoreType.checkIsReplaceableBySQLite(destination.path)
    }
    TemporaryStore.removeLeftovers(beside: destination.path)
    let temporary = try TemporaryStore(beside: destination.path)
    temporary.takeUsualMode()
    let store = try create(temporary.path, options, model, form)
    do {
      try store.write(fill)
    } catch {
      store.close()
      throw error
    }
    try store.closeWhenUnused()
    try temporary.finish()
    return try destination.place(temporary, keepsReplaced: present == .keptAsBackup)
  }

  func checkCopying(from source: any PersistentStore, to path: String) throws {
    guard path != SQLiteStore.privateLocation, source.isInFile else { return }
    _ = try StoreDestination(path, from: source.path, isReplacing: false)
  }

  func open(
    _ path: String, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse
  ) throws -> any PersistentStore {
    switch wanted {
    case .carried: try SQLiteStore.open(path, options, model: nil, layout: use.layout)
    case .model(let model): try SQLiteStore.open(path, options, model: model, layout: use.layout)
    case .entities(let entities):
      try SQLiteStore.open(path, options, holding: entities, layout: use.layout, label: use.label)
    }
  }

  func metadata(at path: String, timeout: Duration) throws -> StoreMetadata {
    try SQLiteMetadataFile.read(path, timeout: timeout)
  }

  func carriedModel(at path: String, timeout: Duration) throws -> LoadedModel {
    // The probe reads the definitions of all tables for itself, as long as all the rest takes.
    if SQLiteProbe.isProbablyStore(path), let model = try? readModel(path, timeout) { return model }
    let metadata = try SQLiteProbe.probe(path).metadata(path: path)
    do {
      if let model = try readModel(path, timeout) { return model }
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
    return try metadata.carriedModel(ofStoreAt: path, isTrusted: false)
  }

  /// The model that a store carries; nil where its metadata cannot be read whole.
  private func readModel(_ path: String, _ timeout: Duration) throws -> LoadedModel? {
    let connection = try SQLiteConnection(path: path, mode: .reading(path), busyTimeout: timeout)
    defer { connection.close() }
    let contents = try StoreHeader.read(connection).get()
    guard contents.damage == nil else { return nil }
    return try EmbeddedModelReader.read(connection, contents, path: path, isTrusted: false)
  }

  func changeMetadata(
    at path: String, timeout: Duration, _ changes: ([String: Value]) throws -> [String: Value?]
  ) throws {
    try SQLiteMetadataFile.change(path, timeout: timeout, changes)
  }

  func copy(
    _ source: String, to destination: String, _ present: PresentStore, isOneFile: Bool, timeout: Duration
  ) throws -> StoreBackupResult {
    try SQLiteStoreFiles.copy(source, to: destination, present, isOneFile: isOneFile, timeout: timeout)
  }

  func destroy(_ path: String, isForced: Bool, timeout: Duration) throws {
    try SQLiteStoreFiles.destroy(path, isForced: isForced, timeout: timeout)
  }
}
