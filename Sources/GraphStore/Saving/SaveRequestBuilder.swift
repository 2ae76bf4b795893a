import GraphStoreModel

/// Turns the unsaved changes of a context to objects of one store into what the store has to write.
final class SaveRequestBuilder {
  let context: ManagedObjectContext
  /// The store that is written to.
  let mount: Mount
  let inserted: [ManagedObject]
  let updated: [ManagedObject]
  let deleted: [ManagedObject]
  /// What was, or was to be, written.
  private(set) var request = SaveRequest()
  /// The new versions of the records whose versions alone have risen.
  private(set) var versions: [RecordVersion] = []
  /// Updated objects whose rows are written.
  private(set) var written: [ManagedObject] = []
  /// Relationships that were given order values for this save.
  private var ordered: [ToManyRelationship] = []
  private var phantomChecks = PhantomChecks()

  init(
    _ context: ManagedObjectContext, _ mount: Mount, inserted: [ManagedObject], updated: [ManagedObject],
    deleted: [ManagedObject]
  ) {
    self.context = context
    self.mount = mount
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  /// Writes everything with a session, which is neither committed nor taken back.
  func write(_ session: any WriteSession) throws {
    var request = SaveRequest()
    defer { self.request = request }
    try reserveKeys(&request, session)
    try addRows(&request)
    versions = try session.write(request) { [context, mount] check, members in
      try context.admit(members, check, storeIndex: mount.index)
    }
  }

  /// Forgets what a save that failed was about to store.
  func discard() {
    for relationship in ordered { relationship.pendingOrderKeys = [:] }
  }

  /// Takes keys for the new objects that have none yet.
  private func reserveKeys(_ request: inout SaveRequest, _ session: any WriteSession) throws {
    let new = inserted.filter { $0.key < 0 }
    if new.isEmpty { return }
    request.permanentKeys = try PermanentKeyMap(
      reservedFor: new, context.coordinator.layout.entities, session)
  }

  private func addRows(_ request: inout SaveRequest) throws {
    request.insertions.reserveCapacity(inserted.count)
    for object in inserted {
      guard let row = object.currentRow else { continue }
      request.insertions.append(SaveRequest.Insertion(row: row, key: request.permanentKeys[object.key]))
      addRelationships(of: object, &request)
    }
    request.updates.reserveCapacity(updated.count)
    for object in updated {
      let isWritten = addUpdate(object, &request)
      addRelationships(of: object, &request)
      if !isWritten, object.hasChangedMembers {
        request.touched[object.layout.rootIndex, default: []].append(object.key)
      }
    }
    addDeletions(&request)
    request.phantomChecks = phantomChecks.checks
  }

  /// The deleted records by entity tree, trees in order of their first.
  private func addDeletions(_ request: inout SaveRequest) {
    let layouts = context.coordinator.layout.entities
    var positions = [Int](repeating: -1, count: layouts.count)
    for object in deleted where !object.state.contains(.inaccessible) {
      let root = object.layout.rootIndex
      if positions[root] < 0 {
        positions[root] = request.deletions.count
        request.deletions.append(SaveRequest.Deletion(root: layouts[root]))
      }
      request.deletions[positions[root]].keys.append(object.key)
      if let row = object.extra?.committed ?? object.currentRow {
        request.deletions[positions[root]].committed.append(.init(key: object.key, row: row))
      }
      phantomChecks.add(deleted: object)
    }
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
      guard property.isPersistent, property.isInRow, !row.isEqual(committed, property) else { return }
      changed.insert(number)
      guard property.kind == .composite else { return }
      // Of a composite attribute only elements that differ are written.
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
      if isStoredHere(relationship) { addLinks(of: object, relationship, state: state, request: &request) }
      if relationship.isOrdered { addOrder(of: object, relationship, state: state, request: &request) }
    }
  }

  /// Whether the links of a to-many are written from this side: a to-one inverse holds the key itself, and of two
  /// to-many ends the one with the smaller entity and number writes.
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
    // Links of a deleted object go with its row.
    let added = state.added.elements.filter { !$0.isDeleted }.map { keys[$0.key] }.filter { $0 > 0 }
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
    guard let members = state.members?.elements.filter({ !$0.isDeleted }) else {
      let appended = state.added.elements.filter { !$0.isDeleted }.map {
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
        appended: []))
  }
}
