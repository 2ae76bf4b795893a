import Foundation
import GraphStoreModel
import OrderedCollections

/// The part of a save that one store has: the changes of its objects, the request to write them, and the
/// store's answer.
final class StoreSave {
  let context: ManagedObjectContext
  /// The store that is written to.
  let mount: Mount
  let changes: PendingSave
  /// The records that other writers have changed or deleted; where there are any, nothing of the save is
  /// kept.
  private(set) var conflicts: [RowConflict] = []
  /// The request that was, or was to be, written.
  private(set) var request = SaveRequest()
  /// The commit record of the store; nil where it has written nothing.
  private(set) var record: CommitRecord?
  /// Updated objects whose rows are written.
  private(set) var written: [ManagedObject] = []
  /// Updated objects whose values are what they were.
  private var unwritten: [ManagedObject] = []
  /// Relationships that were assigned order values for this save.
  private var ordered: [ToManyRelationship] = []
  @safe @exclusivity(unchecked) private var phantomChecks = PhantomChecks()

  init(_ context: ManagedObjectContext, _ mount: Mount, _ changes: PendingSave) {
    self.context = context
    self.mount = mount
    self.changes = changes
  }

  /// Writes everything with a session, which is neither committed nor rolled back; records that others have
  /// changed are in ``conflicts`` instead.
  func write(_ session: any WriteSession) throws {
    var request = context.makeSaveRequest()
    request.date = changes.date
    defer { self.request = request }
    try reserveKeys(&request, session)
    try addRows(&request)
    switch try session.write(request) {
    case .written(let rows):
      for found in rows.phantoms { try context.resolvePhantoms(found, storeIndex: mount.index) }
      record = try session.complete(rows)
    case .conflicts(let found): conflicts = found
    }
  }

  /// Looks at the records of changes of which nothing is written, which needs no transaction that writes;
  /// what others have changed is in ``conflicts``.
  func look() throws {
    try addRows(&request)
    conflicts = try context.readingOnce(from: mount.index) { session in
      try request.locked.flatMap {
        try session.conflicts(
          among: $0, mount.store.rowCache, in: isInTransaction ? .transaction : .committed)
      }
    }
  }

  /// Whether rows that are read belong to a transaction.
  private var isInTransaction: Bool { context.transaction != nil }

  /// Forgets what a save that failed was about to store.
  func discard() {
    for relationship in ordered { relationship.pendingOrderKeys = [:] }
  }

  /// Takes keys for the new objects that have none yet.
  private func reserveKeys(_ request: inout SaveRequest, _ session: any WriteSession) throws {
    let new = changes.inserted.filter { $0.key < 0 }
    if new.isEmpty { return }
    request.permanentKeys = try PermanentKeyMap(
      reservedFor: new, context.coordinator.layout.entities, session)
  }

  private func addRows(_ request: inout SaveRequest) throws {
    request.insertions.reserveCapacity(changes.inserted.count)
    changes.inserted.forEachBorrowed { object in
      guard let row = object.currentRow else { return }
      request.insertions.append(SaveRequest.Insertion(row: row, key: request.permanentKeys[object.key]))
      addRelationships(of: object, &request)
    }
    request.updates.reserveCapacity(changes.updated.count)
    changes.updated.forEachBorrowed { object in
      let isWritten = addUpdate(object, &request)
      addRelationships(of: object, &request)
      if !isWritten, object.isSetInRow { unwritten.append(object) }
      if !isWritten, object.hasChangedMembers {
        request.touched[object.layout.rootIndex, default: []].append(object.key)
      }
    }
    addDeletions(&request)
    addLocked(&request)
    request.phantomChecks = phantomChecks.checks
  }

  /// The deleted records by entity tree, trees in order of their first.
  private func addDeletions(_ request: inout SaveRequest) {
    let layouts = context.coordinator.layout.entities
    var positions = [Int](repeating: -1, count: layouts.count)
    changes.deleted.forEachBorrowed { object in
      if object.state.contains(.inaccessible) { return }
      let root = object.layout.rootIndex
      if positions[root] < 0 {
        positions[root] = request.deletions.count
        request.deletions.append(SaveRequest.Deletion(root: layouts[root]))
      }
      request.deletions[positions[root]].keys.append(object.key)
      if let row = object.committedRow {
        request.deletions[positions[root]].committed.append(
          SaveRequest.FetchedRow(key: object.key, row: row))
      }
      phantomChecks.add(deleted: object)
    }
  }

  /// Adds objects that are locked and not written; objects that were set to the values they have are checked
  /// as well (CTX-171).
  private func addLocked(_ request: inout SaveRequest) {
    if changes.locked.isEmpty, unwritten.isEmpty { return }
    let written = Set(written)
    let watched = OrderedSet(changes.locked.filter { !written.contains($0) } + unwritten)
    request.locked = SaveRequest.Locked.grouping(watched, context.coordinator.layout.entities)
  }

  /// False where no column of the object's row changes.
  private func addUpdate(_ object: ManagedObject, _ request: inout SaveRequest) -> Bool {
    guard let row = object.currentRow, let extra = object.extra, let committed = extra.committed else {
      return false
    }
    if !extra.primitives.isEmpty { object.renewPrimitiveReferences() }
    var changed = PropertySet()
    extra.written.forEach { number in
      let property = object.layout.properties[number]
      guard property.isPersistent, property.isInRow, !row.hasEqualValue(committed, property) else { return }
      changed.insert(number)
      guard property.kind == .composite else { return }
      // Only elements of a composite attribute that differ are written.
      for leaf in property.leaves where !row.isEqual(committed, leaf) {
        changed.insert(object.layout.field(of: leaf))
      }
    }
    guard !changed.isEmpty else { return false }
    written.append(object)
    request.updates.append(
      SaveRequest.Update(row: row, key: object.key, committed: committed, changed: changed))
    if !object.layout.oneToOnes.isEmpty {
      phantomChecks.add(changed: row, key: object.key, changed, request.permanentKeys)
    }
    return true
  }

  @inline(__always)
  private func addRelationships(of object: ManagedObject, _ request: inout SaveRequest) {
    guard let extra = object.extra, !extra.relationships.isEmpty else { return }
    addToMany(of: object, extra, &request)
  }

  private func addToMany(of object: ManagedObject, _ extra: ObjectExtra, _ request: inout SaveRequest) {
    for relationship in object.layout.relationships where relationship.isToMany && relationship.isPersistent {
      guard let state = extra.relationships[relationship.ordinal] as? ToManyRelationship, state.hasChanges
      else {
        continue
      }
      if relationship.inverseDescription?.isToMany != false,
        state.removed.elements.contains(where: \.isDeleted)
      {
        request.lostMembers.append(
          SaveRequest.LostMembers(
            relationship: relationship, owner: request.permanentKeys[object.key]))
      }
      if isStoredHere(relationship) { addLinks(of: object, relationship, state: state, request: &request) }
      if relationship.isOrdered { addOrder(of: object, relationship, state: state, request: &request) }
    }
  }

  /// Whether the links of a to-many are written from this side: a to-one inverse holds the key itself, and of
  /// two to-many ends the one with the smaller entity and number writes.
  private func isStoredHere(_ relationship: RelationshipLayout) -> Bool {
    guard let inverse = relationship.inverseDescription else { return true }
    guard inverse.isToMany else { return false }
    let own = (relationship.description.entityIndex, relationship.description.number)
    return own <= (inverse.entity.index, inverse.number)
  }

  private func addLinks(
    of object: ManagedObject, _ relationship: RelationshipLayout, state: ToManyRelationship,
    request: inout SaveRequest
  ) {
    let keys = request.permanentKeys
    // Links of a deleted object are deleted with its row; No Action leaves those of one that has left before
    // it was saved.
    let added = state.added.elements.filter(\.isPresent).map { keys[$0.key] }.filter { $0 > 0 }
    let removed = state.removed.elements
      .filter { $0.key > 0 && !$0.isDeleted && !state.added.contains($0) }.map(\.key)
    guard !added.isEmpty || !removed.isEmpty else { return }
    request.links.append(
      SaveRequest.LinkChange(
        relationship: relationship, owner: keys[object.key], added: added, removed: removed))
  }

  private func addOrder(
    of object: ManagedObject, _ relationship: RelationshipLayout, state: ToManyRelationship,
    request: inout SaveRequest
  ) {
    let keys = request.permanentKeys
    ordered.append(state)
    guard let members = state.members?.elements.filter(\.isPresent) else {
      let appended = state.added.elements.filter(\.isPresent).map {
        (member: keys[$0.key], hasLeft: state.removed.contains($0))
      }
      guard !appended.isEmpty else { return }
      request.orders.append(
        SaveRequest.OrderChange(
          relationship: relationship, owner: keys[object.key], orders: [], isOwnerNew: object.isInserted,
          appended: appended))
      return
    }
    let orders = OrderKeys.assign(members.map { state.orderKeys[ObjectIdentifier($0)] })
    var changed: [(member: Int64, order: Int64)] = []
    for (member, order) in zip(members, orders) where state.orderKeys[ObjectIdentifier(member)] != order {
      changed.append((keys[member.key], order))
      state.pendingOrderKeys[ObjectIdentifier(member)] = order
    }
    guard !changed.isEmpty else { return }
    request.orders.append(
      SaveRequest.OrderChange(
        relationship: relationship, owner: keys[object.key], orders: changed, isOwnerNew: object.isInserted,
        appended: [], members: mount.store.ordersByLists ? members.map { keys[$0.key] } : nil))
  }
}

extension ManagedObject {
  /// Whether a property was set that is stored in the row, or in none.
  final var isSetInRow: Bool {
    guard let extra, currentRow != nil else { return false }
    return layout.properties.contains { $0.kind != .toMany && extra.written.contains($0.number) }
  }
}

extension StoreSave {
  /// A conflict in the names that its objects have: the keys that a save was about to assign to new ones
  /// belong to none once it has failed.
  func named(_ error: any Error) -> any Error {
    guard var conflict = error as? GraphStoreError, conflict.code == .constraintConflict else { return error }
    conflict.objectID = conflict.objectID.map { present($0) }
    conflict.relatedObjects = conflict.relatedObjects.map { present($0) }
    guard !conflict.relatedObjects.isEmpty else { return conflict }
    conflict.details = conflict.relatedObjects.map { "\($0.shortForm) has it" }
    return conflict
  }

  private func present(_ id: ManagedObjectID) -> ManagedObjectID {
    let keys = request.permanentKeys
    let root = context.coordinator.layout.entities[id.entityIndex].rootIndex
    return changes.inserted.first { $0.layout.rootIndex == root && keys[$0.key] == id.key }?.objectID ?? id
  }
}

extension ManagedObjectContext {
  /// An empty request of the context's to write, which says to a history who writes.
  func makeSaveRequest() -> SaveRequest {
    var request = SaveRequest()
    (request.author, request.contextName) = (transactionAuthor, name)
    return request
  }
}
