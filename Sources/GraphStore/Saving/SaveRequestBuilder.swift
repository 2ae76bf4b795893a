import GraphStoreModel

/// Turns the unsaved changes of a context into what a store has to write.
final class SaveRequestBuilder {
  let context: ManagedObjectContext
  let inserted: [ManagedObject]
  let updated: [ManagedObject]
  let deleted: [ManagedObject]
  /// The store that is written to; nil where nothing persistent has changed.
  private(set) var mount: Mount?
  private(set) var request: SaveRequest?
  /// Updated objects whose rows are written.
  private(set) var written: [ManagedObject] = []
  /// Relationships that were given order values for this save.
  private var ordered: [ToManyRelationship] = []
  private var phantomChecks = PhantomChecks()

  init(_ context: ManagedObjectContext) throws {
    self.context = context
    var inserted: [ManagedObject] = []
    var updated: [ManagedObject] = []
    for object in context.changedObjects where !object.isDeleted {
      if object.isInserted { inserted.append(object) } else if object.isUpdated { updated.append(object) }
    }
    self.inserted = inserted
    self.updated = updated
    deleted = context.deletedObjects
    try checkIdentifiers()
    guard needsStore else { return }
    // Makes room for objects of stores that were added since the context was made.
    _ = context.mounts
    let mount = try context.coordinator.writableStore()
    let stored = mount.store.entities
    for object in inserted where !stored.contains(object.entity) {
      throw context.coordinator.noStore(for: object.entity, object.objectID)
    }
    self.mount = mount
    request = SaveRequest()
  }

  var storeIndex: Int32 { mount?.index ?? 0 }

  private var needsStore: Bool {
    !inserted.isEmpty || deleted.contains { !$0.state.contains(.inaccessible) }
      || updated.contains { !$0.changedKeys.isEmpty }
  }

  /// Makes sure that no updated or deleted object has a temporary identifier (OBJ-128): stores refuse rows with keys such
  /// as those have, so that one who does has come there by a fault of the library.
  private func checkIdentifiers() throws {
    guard updated.contains(where: { $0.key < 0 }) || deleted.contains(where: { $0.key < 0 }) else { return }
    let strays = (updated + deleted).filter { $0.key < 0 }
    let names = strays.prefix(3).map(\.objectID.shortForm).joined(separator: ", ")
    var error = GraphStoreError(
      .inconsistentContext, "Objects that were never saved are to be updated or deleted: \(names).",
      remedy: "Nothing was written. Reset the context; this is a fault of the library, please report it.",
      entity: strays[0].entity.name, objectID: strays[0].objectID)
    error.relatedObjects = strays.map(\.objectID)
    throw error
  }

  /// Forgets what a save that failed was about to store.
  func discard() {
    for relationship in ordered { relationship.pendingOrderKeys = [:] }
  }

  /// Takes a range of keys for each entity tree; objects get theirs in order of insertion (OBJ-051).
  func reserveKeys(_ request: inout SaveRequest, _ session: any WriteSession) throws {
    guard !inserted.isEmpty else { return }
    let layouts = context.coordinator.layout.entities
    var counts = [Int](repeating: 0, count: layouts.count)
    var newest = Int64(0)
    var oldest = Int64.min
    for object in inserted {
      counts[object.layout.rootIndex] += 1
      newest = min(newest, object.key)
      oldest = max(oldest, object.key)
    }
    var next = [Int64](repeating: 0, count: layouts.count)
    for root in layouts.indices where counts[root] > 0 {
      next[root] = try session.reserveKeys(layouts[root], count: counts[root])
    }
    request.permanentKeys = TemporaryKeyMap(from: newest, through: oldest)
    for object in inserted {
      let root = object.layout.rootIndex
      request.permanentKeys[object.key] = next[root]
      next[root] += 1
    }
  }

  func addRows(_ request: inout SaveRequest) throws {
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
      phantomChecks.note(deleted: object)
    }
  }

  /// False where no column of the object's row changes.
  private func addUpdate(_ object: ManagedObject, _ request: inout SaveRequest) -> Bool {
    guard let row = object.currentRow, let extra = object.extra, let committed = extra.committed else {
      return false
    }
    var changed = PropertySet()
    extra.touched.forEach { number in
      let property = object.layout.properties[number]
      if property.isPersistent, property.slot >= 0, !row.isEqual(committed, property) {
        changed.insert(number)
      }
    }
    guard !changed.isEmpty else { return false }
    written.append(object)
    request.updates.append(
      SaveRequest.Update(row: row, key: object.key, committed: committed, changed: changed))
    if !object.layout.oneToOnes.isEmpty {
      phantomChecks.note(changed: row, key: object.key, changed, request.permanentKeys)
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
    guard let inverse = relationship.description.inverse else { return true }
    guard inverse.isToMany else { return false }
    let own = (relationship.description.entity.index, relationship.description.number)
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
