import Foundation
import GraphStoreModel
import GraphStorePredicates

/// The one transaction that changes an in-memory store: it works on a copy of the state, which replaces it on
/// commit.
final class InMemoryWriteSession: InMemorySession, WriteSession, RecordWriting {
  /// Whether several saves are one, so that rows read are stored in the row cache's overlay.
  let isShared: Bool
  /// Whether what is written was another store's, whose links are taken as they are.
  var isCopying = false
  private var savepoints: [InMemoryState] = []
  private var hasEnded = false
  /// The number of changes of the state that it began with.
  private let firstChangeCount: Int
  /// Whether it has taken keys, which nobody else gets then.
  private var hasReservedKeys = false

  override var origin: RowCache.Origin { isShared ? .transaction : .commit }

  init(_ store: InMemoryStore, isShared: Bool) throws {
    self.isShared = isShared
    let state = try store.database.beginWriting()
    firstChangeCount = state.changeCount
    super.init(store, state)
  }

  // MARK: Ending

  /// Whether there is something to be kept.
  private var hasChanges: Bool { hasReservedKeys || state.changeCount != firstChangeCount }

  func checkCommit() throws {
    if !hasEnded, hasChanges { try store.database.checkKeeping() }
  }

  func commit() throws {
    guard !hasEnded else { return }
    if hasChanges { try store.database.keep(state) }
    end(with: state)
  }

  func rollback() throws { end(with: nil) }

  private func end(with state: InMemoryState?) {
    guard !hasEnded else { return }
    hasEnded = true
    savepoints = []
    store.database.endWriting(state)
  }

  // MARK: Keys

  func reserveKeys(_ root: EntityLayout, count: Int) throws -> Int64 {
    let first = try store.database.reserveKeys(root, count: count)
    if count > 0 { hasReservedKeys = true }
    return first
  }

  var makesReferences: Bool { store.database.naming != nil }

  func assignReferences(to records: [NewRecord]) throws {
    guard let naming = store.database.naming else { return }
    for record in records {
      try naming.assign(to: record) { state.row(record.layout.rootIndex, $0) != nil }
    }
  }

  // MARK: Savepoints

  func setSavepoint() throws { savepoints.append(state) }

  func releaseSavepoint() throws { savepoints.removeLast() }

  func rollbackToSavepoint() throws { state = savepoints.removeLast() }

  // MARK: Metadata

  func setMetadata(_ values: [String: Value?]) throws {
    var metadata = state.metadata
    try metadata.setUserValues(values)
    _ = try PropertyList.data(metadata.values)
    state.metadata = metadata
  }
}

extension InMemoryWriteSession {
  /// The store keeps no history.
  func recordHistory(of record: CommitRecord) -> CommitRecord.HistoryTransaction? { nil }

  func storeDerivedValues(
    of derived: DerivedAttribute, keys: [Int64]?, date: Date
  ) throws -> [DerivedValue] {
    let root = derived.entity.rootEntity.index
    let evaluator = try derived.expression.map {
      try ExpressionEvaluator(PredicateTypeChecker(entity: derived.entity).check($0).expression)
    }
    let source = InMemoryRecord.Source(state, scope)
    var copier = RowCopier(keys: PermanentKeyMap())
    var values: [DerivedValue] = []
    for key in keys ?? state.keys(root) {
      guard let stored = state.row(root, key), stored.layout.entity.isKind(of: derived.entity),
        let property = stored.layout.property(named: derived.attribute.name)
      else { continue }
      var value = Value.date(date)
      if let evaluator {
        let record = InMemoryRecord(of: source, layout: stored.layout, key: key, row: stored)
        value = try derived.value(try Self.value(of: derived, by: evaluator, record))
      }
      guard try stored.value(of: property) != value else { continue }
      let row = try copier.copy(stored, version: stored.version)
      row.block.setValue(value, of: property, inRow: row.index)
      state.put(row, key)
      values.append(DerivedValue(root: root, key: key, attribute: derived.attribute, value: value))
    }
    return values
  }

  private static func value(
    of derived: DerivedAttribute, by evaluator: ExpressionEvaluator, _ record: InMemoryRecord
  ) throws -> Value {
    do {
      if case .value(let computed) = try evaluator.operand(for: .source(record)) { return computed }
      return .null
    } catch let error as QueryPredicateError where error.code == .arithmeticOverflow {
      throw derived.outOfRange()
    }
  }
}
