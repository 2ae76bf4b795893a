import GraphStoreModel

@testable import GraphStore

/// What a parent context has of one store, its unsaved changes included.
final class ParentSession: ReadSession {
  private let source: ParentSource
  private let storeIndex: Int32

  init(_ source: ParentSource, _ storeIndex: Int32) {
    self.source = source
    self.storeIndex = storeIndex
  }

  var origin: RowCache.Origin { .context }

  private var parent: ManagedObjectContext { source.parent }

  func begin() {}

  func endReading() {}

  func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]) -> [ConstraintHolder] {
    []
  }

  func metadata() throws -> [String: Value] { [:] }

  func greatestKey(_ root: EntityLayout) throws -> Int64 { 0 }

  // MARK: Requests

  func plan(_ request: StoreRequest) throws -> any StoreFetchPlan {
    var fetch = FetchRequest<ManagedObject>(
      entityName: request.entityName, predicate: request.predicate, sortDescriptors: request.sortDescriptors,
      fetchLimit: request.fetchLimit, fetchOffset: request.fetchOffset,
      includesSubentities: request.includesSubentities)
    fetch.locale = request.locale
    let mounts = parent.mounts
    if mounts.count > 1 {
      fetch.affectedStores = mounts.filter { $0.index == storeIndex }.map(source.root.reference)
    }
    return ParentFetch(
      entity: try source.root.layout.entity(named: request.entityName), output: request.output,
      request: fetch,
      session: self)
  }

  fileprivate func rows(
    _ request: FetchRequest<ManagedObject>, _ receive: (inout RowBatch) throws -> Void
  ) throws {
    let found = try source.onQueue {
      try parent.fetch(request).compactMap { object in
        try row(of: object).map { (key: object.key, row: $0) }
      }
    }
    try deliver(found, receive)
  }

  fileprivate func count(_ request: FetchRequest<ManagedObject>) throws -> Int {
    try source.onQueue { try parent.count(for: request) }
  }

  fileprivate func identifiers(_ request: FetchRequest<ManagedObject>) throws -> [ObjectKey] {
    try source.onQueue {
      try parent.fetchIdentifiers(request).map { ObjectKey(entity: $0.entityIndex, key: $0.key) }
    }
  }

  private func deliver(
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

  // MARK: Single objects

  func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? {
    try source.onQueue {
      guard let object = try object(entity, key), !object.isDeleted else { return nil }
      return try row(of: object)
    }
  }

  func rows(_ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void) throws {
    try deliver(
      keys.compactMap { key in try row(root, key).map { (key: key, row: $0) } }, receive)
  }

  /// The parent's object, realised; nil where there is none.
  private func object(_ entity: EntityLayout, _ key: Int64) throws -> ManagedObject? {
    if key < 0 { return source.object(entity, key) }
    let scope = parent.registry.scope(key, storeIndex)
    do {
      return try parent.existingObject(
        with: ManagedObjectID(scope: scope, entityIndex: entity.entity.rootEntity.index, key: key))
    } catch let error as GraphStoreError where error.code == .objectNotFound {
      return nil
    }
  }

  /// The row of an object as it is now: one that the parent may still write to is copied.
  private func row(of object: ManagedObject) throws -> Row? {
    if object.currentRow == nil { try object.realize() }
    guard let row = object.currentRow, object.state.contains(.ownsRow) else { return object.currentRow }
    let block = RowBlock(layout: object.layout, capacity: 1)
    return Row(block: block, index: block.appendRow(copying: row))
  }

  // MARK: Members

  func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    try source.onQueue {
      try owners.flatMap { key -> [LinkRow] in
        let entity = parent.coordinator.layout.entities[relationship.description.entityIndex]
        guard let owner = try object(entity, key) else { return [] }
        let members = try owner.members(of: relationship)
        let ordered = relationship.isOrdered ? members : members.sortedByIdentifier()
        return ordered.enumerated().map { position, member in
          LinkRow(
            owner: key, member: ObjectKey(entity: member.layout.index, key: member.key),
            order: relationship.isOrdered ? OrderKeys.first + OrderKeys.step * Int64(position) : 0)
        }
      }
    }
  }
}

/// A fetch that the parent context runs, with all that belongs to it.
private struct ParentFetch: StoreFetchPlan {
  let entity: EntityLayout
  let output: StoreRequest.Output
  let request: FetchRequest<ManagedObject>
  let session: ParentSession

  var residual: QueryPredicate? { nil }
  var isSortedByStore: Bool { true }
  var isWindowedByStore: Bool { true }
  var parts: [FetchExplanation.Part] { [] }

  /// Fields are read from objects of the child.
  var hasAllFields: Bool {
    if case .fields = output { false } else { true }
  }

  func rows(_ receive: (inout RowBatch) throws -> Void) throws { try session.rows(request, receive) }

  func identifiers() throws -> [ObjectKey] { try session.identifiers(request) }

  func count() throws -> Int { try session.count(request) }

  func fields(_ receive: (any FieldRow) throws -> Void) throws {
    throw GraphStoreError(.notSupported, "A parent context has objects only.", remedy: "")
  }

  func explanation() throws -> FetchExplanation {
    throw GraphStoreError(.notSupported, "A parent context does not say how requests run.", remedy: "")
  }
}
