import Dispatch
import Synchronization

@testable import GraphStore
import GraphStorePredicates
import GraphStoreModel

/// A store over another one whose sessions fail where a test says so, and whose commits a test reads.
final class WatchedStore: PersistentStore {
  enum Step { case begin, write, commit, release }

  struct Refusal: Error {}

  let base: any PersistentStore
  private let step = Mutex<Step?>(nil)
  private let commits = Mutex<[[RecordKey: CommitRecord.Change]]>([])

  init(_ base: any PersistentStore) { self.base = base }

  var layout: ModelLayout { base.layout }

  /// What each commit since the last call has changed.
  func takeCommits() -> [[RecordKey: CommitRecord.Change]] {
    commits.withLock { commits in
      defer { commits = [] }
      return commits
    }
  }

  fileprivate func add(_ commit: [RecordKey: CommitRecord.Change]) { commits.withLock { $0.append(commit) } }

  /// The step that fails; nil lets everything through.
  var refused: Step? {
    get { step.withLock(\.self) }
    set { step.withLock { $0 = newValue } }
  }

  func check(_ step: Step) throws { if refused == step { throw Refusal() } }

  var scope: StoreIdentity { base.scope }
  var rowCache: RowCache { base.rowCache }
  var isReadOnly: Bool { base.isReadOnly }
  var warnings: [StoreWarning] { base.warnings }
  var typeName: String { "Watched" }
  var path: String { base.path }
  var isInFile: Bool { base.isInFile }
  var options: StoreOptions { base.options }
  var entities: StoredEntities { base.entities }
  var isMadeByCoreData: Bool { base.isMadeByCoreData }
  var statementCounts: StatementCounts { base.statementCounts }

  func sharing() -> any PersistentStore { WatchedStore(base.sharing()) }

  func makeSession(_ use: ReadUse) -> any ReadSession { base.makeSession(use) }

  func beginWriting(isShared: Bool) throws -> any WriteSession {
    try check(.begin)
    return WatchedSession(self, try base.beginWriting(isShared: isShared))
  }

  func setStopped(_ isStopped: Bool) { base.setStopped(isStopped) }
  func close() { base.close() }
  func closeWhenUnused() throws { try base.closeWhenUnused() }
  func setExclusiveAccess(_ use: ExclusiveAccess?) { base.setExclusiveAccess(use) }
  func waitUntilUnused(but own: [any ReadSession], until deadline: DispatchTime) throws {
    try base.waitUntilUnused(but: own.map(Self.base), until: deadline)
  }
  func isUnused(but own: [any ReadSession], and condition: () -> Bool) -> Bool {
    base.isUnused(but: own.map(Self.base), and: condition)
  }

  private static func base(_ session: any ReadSession) -> any ReadSession {
    (session as? WatchedSession)?.base ?? session
  }
}

private final class WatchedSession: WriteSession {
  private let store: WatchedStore
  let base: any WriteSession
  /// What each write has changed that was not taken back, with those before each savepoint.
  private var written: [[RecordKey: CommitRecord.Change]] = []
  private var savepoints: [Int] = []

  init(_ store: WatchedStore, _ base: any WriteSession) {
    self.store = store
    self.base = base
  }

  var origin: RowCache.Origin { base.origin }

  func plan(_ request: StoreRequest) throws -> any StoreFetchPlan { try base.plan(request) }
  func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? { try base.row(entity, key) }
  func rows(_ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void) throws {
    try base.rows(root, keys: keys, receive)
  }
  func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    try base.members(relationship, owners: owners)
  }
  func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]) throws
    -> [ConstraintHolder]
  {
    try base.holders(of: constraint, rows: rows)
  }
  func metadata() throws -> [String: Value] { try base.metadata() }
  func greatestKey(_ root: EntityLayout) throws -> Int64 { try base.greatestKey(root) }
  func reserveKeys(_ root: EntityLayout, count: Int) throws -> Int64 {
    try base.reserveKeys(root, count: count)
  }
  func write(_ save: SaveRequest) throws -> StoreWriteOutcome {
    let outcome = try base.write(save)
    try store.check(.write)
    return outcome
  }
  func finish(_ rows: WrittenRows) throws -> CommitRecord { try base.finish(rows) }
  func recordHistory(of record: CommitRecord) throws -> CommitRecord.HistoryTransaction? {
    written.append(record.changes(store.layout))
    return try base.recordHistory(of: record)
  }
  /// Whoever watches is told of each record.
  var keepsHistory: Bool { true }
  func write(_ update: SetUpdate) throws -> SetOutcome? { try base.write(update) }
  func write(_ deletion: SetDeletion) throws -> Int? { try base.write(deletion) }
  func deleteMembers(_ relationship: RelationshipLayout, owners: [Int64]) throws -> Int? {
    try base.deleteMembers(relationship, owners: owners)
  }
  func setMetadata(_ values: [String: Value?]) throws { try base.setMetadata(values) }
  func writeCopies(_ save: SaveRequest) throws { try base.writeCopies(save) }
  func setSavepoint() throws {
    try base.setSavepoint()
    savepoints.append(written.count)
  }
  func releaseSavepoint() throws {
    try store.check(.release)
    try base.releaseSavepoint()
    savepoints.removeLast()
  }
  func rollbackToSavepoint() throws {
    written.removeSubrange(savepoints.removeLast()...)
    try base.rollbackToSavepoint()
  }
  func commit() throws {
    try store.check(.commit)
    try base.commit()
    if !written.isEmpty { store.add(written.reduce(into: [:]) { $0.follow(with: $1) }) }
  }
  func rollback() throws { try base.rollback() }
}

extension [RecordKey: CommitRecord.Change] {
  /// Adds what a later write has changed.
  fileprivate mutating func follow(with later: Self) {
    for (record, change) in later {
      switch (self[record], change) {
      case (.inserted, .updated): continue
      case (.inserted, .deleted): self[record] = nil
      case (.updated(let first), .updated(let second)): self[record] = .updated(first.union(second))
      default: self[record] = change
      }
    }
  }
}
