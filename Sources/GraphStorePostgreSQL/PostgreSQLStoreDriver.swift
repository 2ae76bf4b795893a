#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// Driver of stores on PostgreSQL servers.
struct PostgreSQLStoreDriver: StoreDriver {
  var type: StoreType { .postgreSQL }

  var keepsFiles: Bool { false }

  func recognizes(_ beginning: [UInt8]) -> Bool { false }

  func isAlwaysNew(at path: String) -> Bool { false }

  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> any PersistentStore {
    try PostgreSQLStore.create(PostgreSQLAddress(path), options, model, form)
  }

  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm,
    _ present: PresentStore, filling fill: (any WriteSession) throws -> Void
  ) throws -> String? {
    try PostgreSQLStore.create(PostgreSQLAddress(path), options, model, form, present, filling: fill)
  }

  func open(
    _ path: String, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse
  ) throws -> any PersistentStore {
    let address = try PostgreSQLAddress(path)
    do {
      return try PostgreSQLStore.open(address, options, wanted, use)
    } catch let error as GraphStoreError where error.code == .storeNotFound && use.makesMissing {
      guard !options.isReadOnly, let model = wanted.givenModel else { throw error }
      return try PostgreSQLStore.create(address, options, model, NewStoreForm(layout: use.layout))
    }
  }

  func checkCopying(from source: any PersistentStore, to path: String) throws {
    do {
      _ = try metadata(at: path, timeout: source.options.timeout)
    } catch let error as GraphStoreError where error.code == .storeNotFound {
      return
    }
    throw GraphStoreError(
      .storeExists, "There is a store at \(try PostgreSQLAddress(path).text) already.",
      remedy: "Choose another address, or another schema: ?schema=name.")
  }

  // MARK: Stores that are not open

  func metadata(at path: String, timeout: Duration) throws -> StoreMetadata {
    try withConnection(path, timeout) { connection, address in
      try PostgreSQLStore.contents(connection, address).metadata
    }
  }

  func changeMetadata(
    at path: String, timeout: Duration, _ changes: ([String: Value]) throws -> [String: Value?]
  ) throws {
    let store = try open(path, StoreOptions(timeout: timeout), .carried, StoreUse())
    defer { store.close() }
    try store.write { session in try session.setMetadata(changes(session.metadata())) }
  }

  func copy(
    _ source: String, to destination: String, _ present: PresentStore, isOneFile: Bool, timeout: Duration
  ) throws -> StoreBackupResult {
    guard !isOneFile else {
      throw GraphStoreError.unsupportedRequest(
        "Writing large values into the file of a copy", of: type.rawValue,
        instead: "Make a copy without, and copy that one into one file.")
    }
    let type = StoreType.detected(at: destination) ?? .sqlite
    return try StoreConversion(to: type, present, timeout: timeout).run(source, to: destination)
  }

  /// Removes the tables and views of a store, and its schema where nothing else is in it.
  ///
  /// - Throws: `store-not-found`, `no-model`; `store-operation-failed` where objects of others depend on
  ///   them, and all is as it was.
  func destroy(_ path: String, isForced: Bool, timeout: Duration) throws {
    try withConnection(path, timeout) { connection, address in
      try PostgreSQLStore.remove(connection, address)
    }
  }

  func withConnection<Result>(
    _ path: String, _ timeout: Duration, _ body: (PostgreSQLConnection, PostgreSQLAddress) throws -> Result
  ) throws -> Result {
    let address = try PostgreSQLAddress(path)
    let connection = try PostgreSQLStore.connect(address, timeout)
    defer { connection.close() }
    return try reportingPostgreSQL(address.text) { try body(connection, address) }
  }
}
#endif
