import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// A store in one SQLite file, in the layout of Core Data.
///
/// Nothing outside `Stores/SQLite` sees its connection. Its coordinator calls it under a lock.
final class SQLiteStore: PersistentStore, @unchecked Sendable {
  let path: String
  let scope: StoreIdentity
  let rowCache: RowCache
  let isReadOnly: Bool
  let isMadeByCoreData: Bool
  var warnings: [StoreWarning] = []
  let layout: ModelLayout
  let schema: SQLSchema
  let connection: SQLiteConnection
  let statements: SQLiteStatements
  let indexedForms: IndexExpressionMatcher
  let applicationFunctions = SQLiteApplicationFunctions()
  /// By entity; made when the first fault of a tree fires.
  var keyReaders: [SQLiteKeyReader?]
  /// The model that the file is to carry from the first write on, where it carries another one with the same hashes.
  var modelToCarry: StoredEntities?

  init(
    path: String, uuid: String, layout: ModelLayout, schema: SQLSchema, connection: SQLiteConnection,
    isReadOnly: Bool, isMadeByCoreData: Bool = false
  ) throws {
    self.path = AbsolutePath.of(path)
    self.layout = layout
    self.schema = schema
    self.connection = connection
    self.isReadOnly = isReadOnly
    self.isMadeByCoreData = isMadeByCoreData
    scope = StoreIdentity(uuid: uuid, model: layout.model)
    rowCache = RowCache(layout)
    statements = SQLiteStatements(schema: schema, layout: layout)
    indexedForms = IndexExpressionMatcher(schema, SQLiteDialect())
    keyReaders = [SQLiteKeyReader?](repeating: nil, count: layout.entities.count)
    try SQLiteDialect.install(on: connection)
  }

  var entities: StoredEntities { schema.stored }

  var statementCount: Int { connection.statementCount }

  func setStopped(_ isStopped: Bool) {
    isStopped ? connection.interrupter.stop() : connection.interrupter.resume()
  }

  func close() {
    for index in keyReaders.indices { keyReaders[index] = nil }
    connection.close()
  }

  // MARK: Transactions

  /// - Throws: `store-replaced` where the file is not the one that was opened any more: what would be written to it
  ///   nobody would see (STO-170).
  func begin() throws {
    try reporting { try connection.begin(.immediate) }
    do {
      try checkFile()
      if let model = modelToCarry { try carry(model) }
    } catch {
      try? connection.rollback()
      throw error
    }
  }

  /// - Throws: `store-replaced` where the file is not the one that was opened any more.
  func checkFile() throws {
    guard connection.hasFileMoved else { return }
    let exists = FileManager.default.fileExists(atPath: path)
    throw GraphStoreError(
      .storeReplaced,
      exists
        ? "\(path) is another file than the one that was opened: it was replaced meanwhile."
        : "\(path) was removed or moved after it was opened.",
      remedy: "Open the store anew and repeat the change; nothing was written.")
  }

  func commit() throws {
    try reporting { try connection.commit() }
    modelToCarry = nil
  }

  func rollback() throws { try reporting { try connection.rollback() } }

  /// - Throws: `store-save-failed` where SQLite has taken back the transaction itself, as it does when a disk is full:
  ///   a savepoint would then be a transaction of its own.
  func setSavepoint() throws {
    guard connection.isInTransaction else {
      throw GraphStoreError(
        .storeSaveFailed, "The transaction of \(path) was taken back after an earlier error.",
        remedy: "Leave the transaction and begin it again.")
    }
    try reporting { try connection.execute("SAVEPOINT gs_save") }
  }

  func releaseSavepoint() throws { try reporting { try connection.execute("RELEASE gs_save") } }

  func rollbackToSavepoint() throws {
    try reporting {
      try connection.execute("ROLLBACK TO gs_save")
      try connection.execute("RELEASE gs_save")
    }
  }

  /// Runs a body and turns what SQLite says into an error of the store's.
  func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLiteError {
      if let failure = applicationFunctions.takeFailure() { throw failure }
      throw GraphStoreError(error, path: path)
    }
  }
}
