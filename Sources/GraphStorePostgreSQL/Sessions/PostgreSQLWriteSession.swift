#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// The connection that writes, inside one transaction.
///
/// No lock of the whole store is taken: rows are written under the versions that contexts have read, and
/// those that links lead to are locked against being deleted until the end. A serialization failure or a
/// deadlock takes back the step of the save alone that has met it, and the step is tried again.
final class PostgreSQLWriteSession: PostgreSQLSession, WriteSession {
  /// Whether several saves are one, so that rows read are stored in the row cache's overlay.
  let isShared: Bool
  /// Whether the transaction makes the store itself, which nobody else sees until it ends.
  private let isMaking: Bool
  /// Whether rows of another store were copied.
  var hasCopied = false
  private var hasEnded = false
  /// The open savepoints of the transaction.
  var savepoints = PostgreSQLSavepoints()

  /// Records saves in the history of the store; nil where it keeps none, as of when it was looked at last
  /// until the server has said so.
  private(set) var history: PostgreSQLHistoryWriter?
  private var hasLookedForHistory = false
  /// The numbers of the transactions of the history that were written.
  var recorded: [Int64] = []

  override var origin: RowCache.Origin { isShared ? .transaction : .commit }

  /// The transaction begins with the first statement.
  init(_ store: PostgreSQLStore, isShared: Bool) throws {
    self.isShared = isShared
    isMaking = false
    try store.checkProcess()
    super.init(store, try store.pool.takeWriter())
    if store.wasKeepingHistory { history = PostgreSQLHistoryWriter(self) }
    beginWriting()
  }

  /// Has the transaction begin, and say what has to be known of it, with the next statement.
  func beginWriting() {
    transaction = nil
    beginTransaction()
    connection.precede(with: PostgreSQLConnection.Command(store.commits.holdForWriting)) { _ in }
    connection.precede(with: PostgreSQLConnection.Command(store.beginning)) { [weak self] in
      try self?.noteBeginning($0)
    }
  }

  private func noteBeginning(_ cursor: PostgreSQLCursor) throws {
    guard try cursor.step() else { throw GraphStoreError.replaced(path) }
    guard isMaking || cursor.int64(at: 1) == store.tableNumber else { throw GraphStoreError.replaced(path) }
    (transaction, serverStart) = (cursor.string(at: 2), cursor.string(at: 3))
    hasLookedForHistory = true
    setHistory(isKept: cursor.int64(at: 0) != 0)
  }

  /// Goes on with the transaction that has made a store, whose one connection has it open.
  init(making store: PostgreSQLStore) throws {
    (isShared, isMaking, hasLookedForHistory) = (false, true, true)
    super.init(store, try store.pool.takeWriter())
    connection.noteUse()
  }

  // MARK: History

  func setHistory(isKept: Bool) {
    store.wasKeepingHistory = isKept
    guard (history != nil) != isKept else { return }
    history = isKept ? PostgreSQLHistoryWriter(self) : nil
  }

  /// Has all other writers wait, and looks whether a history is kept.
  func lockHistory() throws {
    if isUntouched {
      // Two who have looked before would wait for each other.
      _ = connection.forgetPrelude()
      beginTransaction()
    }
    let results = try reporting {
      try connection.run([.once(store.commits.holdForChanging), .init(store.beginning)])
    }
    try noteBeginning(results[1])
  }

  var keepsHistory: Bool {
    // Where that fails, so does what is asked next.
    if !hasLookedForHistory { _ = try? connection.run([.once("SELECT 1")]) }
    return history != nil
  }

  func noteRecorded(_ number: Int64) { recorded.append(number) }

  /// Has the transaction begin with the next statement.
  private func beginTransaction() {
    connection.precede(with: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    for setting in connection.transactionSettings { connection.precede(with: setting) }
  }

  // MARK: Ending

  /// Whether nothing has been asked of the server yet.
  var isUntouched: Bool { connection.hasPrelude && !connection.isInTransaction }

  /// The number of the transaction, once it has begun.
  private var transaction: String?
  /// When the server was started that has the transaction.
  private var serverStart = ""
  /// Whether references were written that the server looks at only in the end.
  var hasWrittenReferences = false

  /// Has the server check what it has deferred to the end of the transaction, where the failure can be told
  /// of the save that has met it.
  func checkCommit() throws {
    guard !hasEnded, !isUntouched, hasWrittenReferences || isMaking else { return }
    try reportingCopies {
      try reporting { _ = try connection.run([.init("SET CONSTRAINTS ALL IMMEDIATE")]) }
    }
    hasWrittenReferences = false
  }

  /// Runs a body whose failure says that what was copied has a link that leads nowhere.
  private func reportingCopies(_ body: () throws -> Void) throws {
    do { try body() } catch let error as GraphStoreError {
      guard hasCopied, let failure = error.underlying as? PostgreSQLError, failure.category == .foreignKey
      else { throw error }
      throw GraphStoreError.danglingCopy(failure, path: path)
    }
  }

  /// Takes note of the number of the transaction, by which it is known after a commit that is not answered.
  func noteTransaction() throws {
    guard transaction == nil else { return }
    try noteBeginning(reporting { try connection.run([.init(store.beginning)])[0] })
  }

  func commit() throws {
    guard !hasEnded else { return }
    let isUntouched = isUntouched
    // Savepoints end with the transaction.
    _ = connection.forgetPrelude()
    if isUntouched { return end() }
    try checkCommit()
    try noteTransaction()
    var isWatched = false
    try store.naming(ownTransactions: recorded) {
      do {
        // Who begins to wait after the look sees what was committed before.
        let looked = try connection.run([.once("COMMIT")], trying: .init(store.commits.looking)).last
        isWatched = try looked?.step() == true && looked?.int64(at: 0) != 0
      } catch let failure as PostgreSQLError {
        guard failure.category == .connectionLost, let transaction else {
          throw GraphStoreError(failure, path: path)
        }
        try PostgreSQLCommitInquiry(store: store, transaction: transaction, serverStart: serverStart)
          .run(after: failure)
      }
    }
    // By a transaction of its own, which nobody waits for: one that notifies has all others that do wait.
    if isWatched { try? connection.post(store.commits.telling) }
    end()
  }

  func rollback() throws {
    guard !hasEnded else { return }
    defer { end() }
    if connection.isOpen, !connection.forgetPrelude() || connection.isInTransaction {
      // A connection that is lost has rolled back by itself.
      _ = try? connection.run([.once("ROLLBACK")])
    }
  }

  private func end() {
    hasEnded = true
    if connection.isInTransaction { connection.close() }
    store.pool.giveBackWriter(connection)
  }

  /// Makes what belongs to the tables of a new store, which are filled, and has the server gather its
  /// statistics of them.
  func finishMaking(_ schema: PostgreSQLSchema) throws {
    let tables = schema.tables.tables.map(\.name) + schema.tables.joinTables.map(\.name)
    let names = tables.map(schema.dialect.tableName).joined(separator: ", ")
    let statements = try schema.otherStatements() + (names.isEmpty ? [] : ["ANALYZE \(names)"])
    try reportingCopies {
      _ = try reporting { try connection.run(statements.map { .once($0) }) }
    }
  }

  // MARK: Keys and metadata

  /// Takes keys from the store's block; where that has too few, the next block is taken by a transaction of
  /// its own, so that no writer waits for another one's keys.
  func reserveKeys(_ root: EntityLayout, count: Int) throws -> Int64 {
    if isMaking { return try takeKeys(root, count: count) }
    return try store.keys.reserve(root, count: count) { number, size in
      try reporting {
        if isUntouched {
          return try connection.withoutPrelude {
            try store.tables.takeKeys(connection, entity: number, count: size)
          }
        }
        return try store.withConnection { try store.tables.takeKeys($0, entity: number, count: size) }
      }
    }
  }

  /// Takes keys within the transaction, and none beyond these.
  private func takeKeys(_ root: EntityLayout, count: Int) throws -> Int64 {
    let number = schema.entities[root.index].namingNumber
    let last = try reporting { try store.tables.takeKeys(connection, entity: number, count: count) }
    return last - Int64(count) + 1
  }

  func setMetadata(_ values: [String: Value?]) throws {
    try reporting {
      var metadata = try store.tables.readMetadata(connection, isLocking: true)
      try metadata.setUserValues(values)
      try store.tables.writeMetadata(metadata, connection)
    }
  }
}
#endif
