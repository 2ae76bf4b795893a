import Foundation
import GraphStoreModel
import GraphStorePredicates

/// What a coordinator asks of a store, whatever keeps its records.
///
/// The coordinator calls a store under its lock, one call at a time. Keys are positive and never given twice.
protocol PersistentStore: AnyObject, Sendable {
  var scope: StoreIdentity { get }
  var rowCache: RowCache { get }
  var isReadOnly: Bool { get }
  /// What was found when it was opened and stops nothing.
  var warnings: [StoreWarning] { get }
  /// The absolute path of its file.
  var path: String { get }
  /// The entities that it holds.
  var entities: StoredEntities { get }
  /// Whether Core Data made it: it then records Core Data's hashes, and has the values of derived attributes.
  var isMadeByCoreData: Bool { get }

  // MARK: Reading

  /// Works out how a request, checked and with its variables replaced, is going to run.
  func plan(_ request: FetchRequest, _ output: FetchOutput) throws -> StoreFetchPlan
  /// Hands over matching rows by the few dozen.
  func rows(_ plan: StoreFetchPlan, _ receive: (RowBatch) throws -> Void) throws
  func identifiers(_ plan: StoreFetchPlan) throws -> [ObjectKey]
  func count(_ plan: StoreFetchPlan) throws -> Int
  /// Hands over the requested fields of matching records, one record at a time, without making objects.
  func fields(_ plan: StoreFetchPlan, _ receive: (any FieldRow) throws -> Void) throws
  /// The whole row of a record, or nil if there is none.
  func row(_ entity: EntityLayout, _ key: Int64) throws -> Row?
  /// The rows of several records of one entity tree, in one statement.
  func rows(_ root: EntityLayout, keys: [Int64], _ receive: (RowBatch) throws -> Void) throws
  /// The stored members of a to-many of several owners, in one statement; in stored order, else by key.
  func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow]
  /// How the store would run a request, for people.
  func explanation(_ plan: StoreFetchPlan, _ request: FetchRequest) throws -> FetchExplanation
  /// The statements that read a relationship's destinations for a result, none of them counted.
  func prefetchStatements(_ relationship: RelationshipLayout) throws -> [FetchExplanation.Statement]

  // MARK: Writing

  func reserveKeys(_ root: EntityLayout, count: Int) throws -> Int64
  /// Writes all of a save inside the transaction that is open.
  ///
  /// - Parameter phantoms: Is told, after the rows were deleted and before anything becomes final, which members another
  ///   writer has added to deleted records. It throws where the save cannot go on; otherwise their references are cleared.
  /// - Returns: The new versions of the records whose versions alone were to rise.
  func write(
    _ save: SaveRequest, phantoms: (SaveRequest.PhantomCheck, [LinkRow]) throws -> Void
  ) throws -> [RecordVersion]
  func begin() throws
  func commit() throws
  func rollback() throws
  func setSavepoint() throws
  func releaseSavepoint() throws
  func rollbackToSavepoint() throws
  /// Ends what the store is doing and lets nothing but a rollback begin, or lets it work again. Unlike all else it may be
  /// called from any thread at any moment.
  func setStopped(_ isStopped: Bool)

  // MARK: Indexes

  /// Brings the indexes into line with the model, within the transaction that is open.
  func rebuildIndexes() throws -> IndexChanges
  /// What that would change.
  func indexDifference() throws -> IndexChanges

  // MARK: Metadata

  func metadata() throws -> [String: Value]
  func setMetadata(_ values: [String: Value?]) throws

  /// Counts of statements run, for tests and for `--trace`.
  var statementCount: Int { get }
  func close()
}

extension PersistentStore {
  /// Writes a save without deletions, of objects that no context holds.
  func write(_ save: SaveRequest) throws { _ = try write(save) { _, _ in } }
}
