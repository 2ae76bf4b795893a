import GraphStoreModel
import GraphStorePredicates

/// A child's way to read one store through its parent: the session of the parent's own source, corrected by
/// what the parent has in memory.
///
/// Records that the parent has not changed come from the store, or from the row cache, as for a context
/// without parent, and no objects of the parent are made of them. The child has its parent to itself while
/// the session is used.
final class ParentSession: ReadSession {
  let parent: ManagedObjectContext
  let mount: Mount
  /// The session that the parent reads with.
  let base: any ReadSession
  /// Whether that is the session of a transaction or query generation, which others begin and end.
  private let isShared: Bool

  init(of parent: ManagedObjectContext, on mount: Mount, _ use: ReadUse) {
    self.parent = parent
    self.mount = mount
    // Where memory has to judge objects, code of the program may run, and faults of the parent may fire.
    let use = parent.unsaved.objects.isEmpty ? use : use.union(.runsCallbacks)
    let shared = parent.transaction?.session(mount.index) ?? parent.pinnedSession(on: mount)
    isShared = shared != nil
    base = shared ?? parent.source.makeSession(on: mount, use)
  }

  var origin: RowCache.Origin { base.origin }
  var stored: any ReadSession { base.stored }

  func begin() throws { if !isShared { try base.begin() } }

  func endReading() { if !isShared { base.endReading() } }

  func metadata() throws -> [String: Value] { try base.metadata() }

  func greatestKey(_ root: EntityLayout) throws -> Int64 { try base.greatestKey(root) }

  /// None: saving into a parent checks no constraint (CTX-244).
  func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]) -> [ConstraintHolder] {
    []
  }

  // MARK: Requests

  func plan(_ request: StoreRequest) throws -> any StoreFetchPlan {
    if request.output.isOfResults { return try base.plan(request) }
    if request.includesPendingChanges, let answer = try answerInMemory(to: request) { return answer }
    var request = request
    // Memory judges records by parts of their rows, of which only the whole ones can be corrected.
    if case .partialRows(let names) = request.output, !names.isEmpty,
      try parent.hasUnsavedObjects(ofTreeOf: request.entityName)
    {
      request.output = .rows
    }
    let plan = try base.plan(request)
    guard case .rows = request.output else { return plan }
    return CorrectedFetch(plan, by: parent, storeIndex: mount.index)
  }

  /// The parent's own answer, where its unsaved changes alter that of the store.
  private func answerInMemory(to request: StoreRequest) throws -> ParentFetch? {
    try parent.processPendingChanges()
    if parent.unsaved.objects.isEmpty { return nil }
    let prepared = try parent.prepared(request, on: mount)
    var shown: [QueryExpression] = []
    if case .fields(let paths) = request.output {
      shown = try RequestedFields(paths, PredicateTypeChecker(entity: prepared.entity.entity)).expressions
    }
    guard let correction = parent.correction(of: prepared, shown: shown) else { return nil }
    return ParentFetch(prepared: prepared, correction: correction, output: request.output, session: self)
  }

  // MARK: Rows

  func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? {
    switch try parent.unsavedRecord(entity, key: key, storeIndex: mount.index) {
    case .row(let row): row
    case .gone: nil
    case .none: try base.row(entity, key)
    }
  }

  func rows(_ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void) throws {
    var found: [(key: Int64, row: Row)] = []
    var stored: [Int64] = []
    for key in keys {
      switch try parent.unsavedRecord(root, key: key, storeIndex: mount.index) {
      case .row(let row): found.append((key, row))
      case .gone: break
      case .none: stored.append(key)
      }
    }
    try Self.deliver(found, receive)
    if !stored.isEmpty { try base.rows(root, keys: stored, receive) }
  }

  /// Hands over rows by the few dozen.
  static func deliver(
    _ rows: [(key: Int64, row: Row)], _ receive: (inout RowBatch) throws -> Void
  ) throws {
    var batch = RowBatch()
    for (key, row) in rows {
      if batch.isFull {
        try receive(&batch)
        batch.removeAll()
      }
      batch.append(key, row.block, row.index)
    }
    if batch.count > 0 { try receive(&batch) }
  }
}

extension ParentSession: ExplainingSession {
  func prefetchStatements(_ relationship: RelationshipLayout) throws -> [FetchExplanation.Statement] {
    try (base as? any ExplainingSession)?.prefetchStatements(relationship) ?? []
  }
}

extension ManagedObjectContext {
  /// Whether the context has unsaved changes of objects of an entity, of entities above it, or below.
  fileprivate func hasUnsavedObjects(ofTreeOf entityName: String) throws -> Bool {
    if unsaved.objects.isEmpty { return false }
    let root = try layout(named: entityName).rootIndex
    return unsaved.objects.contains { $0.layout.rootIndex == root }
  }

  /// A child's request to one store, as a fetch of this context.
  fileprivate func prepared(_ request: StoreRequest, on mount: Mount) throws -> PreparedFetch {
    var fetch = FetchRequest<ManagedObject>(
      entityName: request.entityName, predicate: request.predicate, sortDescriptors: request.sortDescriptors,
      fetchLimit: request.fetchLimit, fetchOffset: request.fetchOffset,
      includesSubentities: request.includesSubentities)
    fetch.locale = request.locale
    fetch.now = request.now
    fetch.functions = request.functions
    fetch.inMemoryEvaluation = request.inMemoryEvaluation
    if mounts.count > 1 { fetch.affectedStores = [coordinator.reference(mount)] }
    return PreparedFetch(
      request: fetch, entity: try layout(named: request.entityName), mounts: [mount])
  }
}
