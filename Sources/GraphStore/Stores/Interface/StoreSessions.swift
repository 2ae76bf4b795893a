import GraphStoreModel
import GraphStorePredicates

/// A way to read a store: one snapshot of it, however many statements run.
///
/// A session can plan requests at once, and takes its connection when it begins. It is passed to the code
/// that reads, is used by one thread at a time, and is ended by the code that began it.
package protocol ReadSession: AnyObject {
  /// The origin of rows that it reads.
  var origin: RowCache.Origin { get }
  /// The session of the store itself, without what parent contexts have in memory.
  var stored: any ReadSession { get }

  /// Works out how a request is going to run in this session, which need not have begun; reads nothing.
  func plan(_ request: StoreRequest) throws -> any StoreFetchPlan
  /// Begins the read transaction; of a session that writes, nothing happens.
  ///
  /// - Throws: `store-timeout` where all readers are in use for too long; `no-store` once the store is
  ///   closed.
  func begin() throws
  /// The whole row of a record, or nil if there is none.
  func row(_ entity: EntityLayout, _ key: Int64) throws -> Row?
  /// The rows of several records of one entity tree, in one statement.
  func rows(_ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void) throws
  /// The stored members of a to-many of several owners, in one statement; in stored order, else by key.
  func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow]
  /// The members together with their rows, which are of the tree of an entity: each row is handed over once,
  /// and a store that runs statements runs one for all (FLT-143).
  func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow]
  /// The records that have the values of rows under a uniqueness constraint, each row's own aside, in the
  /// order of the rows; rows without one of the values collide with nothing.
  func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]) throws
    -> [ConstraintHolder]
  func metadata() throws -> [String: Value]
  /// The greatest key that a record of an entity tree has, or was ever assigned; 0 where there was none.
  func greatestKey(_ root: EntityLayout) throws -> Int64
  /// Ends the read transaction; of a session that writes, or has not begun, nothing happens.
  func endReading()
}

extension ReadSession {
  package var stored: any ReadSession { self }

  package func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow] {
    let links = try members(relationship, owners: owners)
    if !links.isEmpty { try rows(root, keys: Set(links.map(\.member.key)).sorted(), receive) }
    return links
  }
}

/// The way to write a store: the one transaction that it has open, and what is read within it.
package protocol WriteSession: ReadSession {
  /// Takes the next keys of an entity tree; keys are positive and never assigned twice.
  ///
  /// - Returns: The first of them.
  func reserveKeys(_ root: EntityLayout, count: Int) throws -> Int64
  /// Whether the store makes references of new records.
  var makesReferences: Bool { get }
  /// Has the store make the references of records whose keys were taken, before anybody sees their
  /// identifiers.
  func assignReferences(to records: [NewRecord]) throws
  /// The keys of new records, in their order, where the store itself assigns them to records that it is
  /// shown; nil where they are reserved by ``reserveKeys(_:count:)``.
  func keys(ofNew rows: () -> [Row]) throws -> [Int64]?
  /// Writes the rows of a save.
  ///
  /// Objects that other writers have linked to deleted records meanwhile lose their references, and the
  /// outcome lists them: whether the save goes on is not the store's decision.
  ///
  /// - Returns: The rows; or the conflicts with other writers, and the writes have to be rolled back.
  func write(_ save: SaveRequest) throws -> StoreWriteOutcome
  /// Writes what belongs to rows: links, order, versions and derived values.
  ///
  /// - Returns: The changes of the save, which are in no history yet.
  func finish(_ rows: WrittenRows) throws -> CommitRecord
  /// Adds a write, all of which is done, to the history of a store that keeps one.
  ///
  /// - Returns: The transaction; nil where no history is kept, or nothing has changed.
  func recordHistory(of record: CommitRecord) throws -> CommitRecord.HistoryTransaction?
  /// Whether the store keeps a history.
  var keepsHistory: Bool { get }
  /// Gives all records that a request selects the same values by one statement, and raises their versions.
  ///
  /// - Returns: Nil where the store has no such statement, and nothing was written.
  func write(_ update: SetUpdate) throws -> SetOutcome?
  /// Deletes all records that a request selects by one statement.
  ///
  /// - Returns: Their number; nil where the store has no such statement, and nothing was written.
  func write(_ deletion: SetDeletion) throws -> Int?
  /// Deletes the members of a to-many of several owners, whose rows name them, by one statement.
  ///
  /// - Returns: Their number; nil where the store has no such statement, and nothing was written.
  func deleteMembers(_ relationship: RelationshipLayout, owners: [Int64]) throws -> Int?
  func setMetadata(_ values: [String: Value?]) throws
  /// Writes records of another store as they are, with their keys and derived values, and links and order
  /// values of records that are there. Nothing is checked: what rows refer to may follow, and no history
  /// lists them.
  func writeCopies(_ save: SaveRequest) throws

  func setSavepoint() throws
  func releaseSavepoint() throws
  func rollbackToSavepoint() throws
  /// Looks for what would keep a commit from succeeding, before any store of several is committed.
  func checkCommit() throws
  /// Makes everything durable and ends the session; where it throws, the transaction stays open.
  func commit() throws
  /// Takes everything back and ends the session.
  func rollback() throws
}

extension WriteSession {
  package func checkCommit() throws {}

  package var makesReferences: Bool { false }

  package func assignReferences(to records: [NewRecord]) throws {}
  package func keys(ofNew rows: () -> [Row]) throws -> [Int64]? { nil }

  /// Writes what belongs to rows, and adds the save to the history.
  ///
  /// - Returns: The changes of the save.
  package func complete(_ rows: WrittenRows) throws -> CommitRecord {
    var record = try finish(rows)
    record.historyTransaction = try recordHistory(of: record)
    return record
  }

  package var keepsHistory: Bool { false }

  package func write(_ update: SetUpdate) throws -> SetOutcome? { nil }

  package func write(_ deletion: SetDeletion) throws -> Int? { nil }

  package func deleteMembers(_ relationship: RelationshipLayout, owners: [Int64]) throws -> Int? { nil }

  /// Writes rows that no other connection can know, as imports and migrations do.
  ///
  /// - Throws: `merge-conflict` where another writer has changed one all the same.
  package func writeRows(_ save: SaveRequest) throws {
    switch try write(save) {
    case .written(let rows): _ = try complete(rows)
    case .conflicts(let conflicts):
      let names = conflicts.prefix(5).map { "\($0.committed.layout.entity.name)/p\($0.key)" }
      throw GraphStoreError(
        .mergeConflict, "Somebody else has changed \(names.joined(separator: ", ")) meanwhile.",
        remedy: "Try it again; nothing was written.")
    }
  }

  package func begin() {}

  package func endReading() {}
}

/// Purpose of a read session.
package struct ReadUse: OptionSet {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// More than one statement is going to run, and all have to see the same state.
  package static let severalStatements = ReadUse(rawValue: 1)
  /// Code of the program runs while the session is open, which may take any time and use the store itself:
  /// the session is none of those that others wait for.
  package static let runsCallbacks = ReadUse(rawValue: 2)
  /// All that a store holds is read, while other statements run between.
  package static let wholeStore = ReadUse(rawValue: 8)
  /// One record is read, by its key.
  package static let oneRecord = ReadUse(rawValue: 4)
}

/// A session that can say how relationships are prefetched.
package protocol ExplainingSession: ReadSession {
  /// The statement that reads a relationship's destinations for a result; none where the store does not hold
  /// them.
  func prefetchStatements(_ relationship: RelationshipLayout) throws -> [FetchExplanation.Statement]
}

/// A session that can compare a store's indexes with its model.
package protocol IndexReadingSession: ReadSession {
  /// The changes that ``IndexWritingSession/rebuildIndexes()`` would make.
  func indexDifference() throws -> IndexChanges
}

/// A session that can bring a store's indexes into line with its model.
package protocol IndexWritingSession: WriteSession {
  func rebuildIndexes() throws -> IndexChanges
  /// Does what a migration has left for later, all of it or one piece.
  func finishDeferredMigration(onePiece: Bool) throws
}
