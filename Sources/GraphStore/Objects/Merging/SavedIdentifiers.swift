/// The identifiers of a save, or of several, which are all that a merge goes by.
struct SavedIdentifiers: Sendable {
  var inserted: Set<ManagedObjectID> = []
  var updated: Set<ManagedObjectID> = []
  var deleted: Set<ManagedObjectID> = []
  /// Other records of which derived values have changed, by identifiers of their root entities.
  var derived: Set<ManagedObjectID> = []
  /// Tells the coordinator of the save from others, also when it is gone; nil where the row caches have the
  /// rows already.
  private(set) var coordinatorScope: StoreIdentity?

  init() {}

  /// Records that others than the coordinators of this process have changed in a store.
  init(updated: Set<ManagedObjectID>, scope: StoreIdentity) {
    self.updated = updated
    coordinatorScope = scope
  }

  init(_ changes: SavedChanges) {
    (inserted, updated, deleted) = (changes.inserted, changes.updated, changes.deleted)
    derived = changes.derived
    coordinatorScope = changes.coordinatorScope
  }

  init(_ payload: ContextDidSaveObjectIDs) {
    (inserted, updated, deleted) = (payload.inserted, payload.updated, payload.deleted)
    derived = payload.derived
    coordinatorScope = payload.context.coordinator.temporaryScope
  }

  init(_ payload: ContextDidSave) {
    inserted = Set(payload.inserted.lazy.map(\.objectID))
    updated = Set(payload.updated.lazy.map(\.objectID))
    deleted = Set(payload.deleted.lazy.map(\.objectID))
    derived = payload.derived
    coordinatorScope = payload.context.coordinator.temporaryScope
  }

  /// The identifiers by which a context knows what these name: contexts above may have got permanent ones
  /// since (CTX-274).
  func present(in context: ManagedObjectContext) -> SavedIdentifiers {
    func present(_ ids: Set<ManagedObjectID>) -> Set<ManagedObjectID> {
      ids.contains(where: \.isTemporaryID) ? Set(ids.map(context.presentIdentifier)) : ids
    }
    var identifiers = self
    identifiers.inserted = present(inserted)
    identifiers.updated = present(updated)
    identifiers.deleted = present(deleted)
    return identifiers
  }

  /// Whether the row caches of a coordinator have not taken part in the save.
  func isForeign(to coordinator: PersistentStoreCoordinator) -> Bool {
    coordinatorScope.map { $0 !== coordinator.temporaryScope } ?? false
  }
}

/// Records of one entity and store, by key.
struct RecordGroup {
  let layout: EntityLayout
  let storeIndex: Int32
  var keys: [Int64] = []

  /// Whether the keys are temporary: those of objects that no store has, and contexts of one family know.
  var isTemporary: Bool { keys.first.map { $0 < 0 } ?? false }

  /// The records that identifiers name in a context's stores, each group by ascending key; those of other
  /// stores are left out.
  static func groups(_ ids: Set<ManagedObjectID>, in context: ManagedObjectContext) -> [RecordGroup] {
    var groups: [RecordGroup] = []
    var places: [Place: Int] = [:]
    var last: (place: Place, group: Int)?
    for id in ids {
      let place = Place(scope: ObjectIdentifier(id.scope), entity: id.entityIndex)
      if let last, last.place == place {
        if last.group >= 0 { groups[last.group].keys.append(id.key) }
        continue
      }
      let group = places[place] ?? addGroup(for: id, to: &groups, in: context)
      places[place] = group
      last = (place, group)
      if group >= 0 { groups[group].keys.append(id.key) }
    }
    for index in groups.indices { groups[index].keys.sort() }
    return groups.sorted { ($0.storeIndex, $0.layout.index) < ($1.storeIndex, $1.layout.index) }
  }

  private struct Place: Hashable {
    let scope: ObjectIdentifier
    let entity: Int
  }

  /// - Returns: The position of the new group; -1 for a store that is not open here.
  private static func addGroup(
    for id: ManagedObjectID, to groups: inout [RecordGroup], in context: ManagedObjectContext
  ) -> Int {
    guard let (layout, storeIndex) = context.place(of: id) else { return -1 }
    groups.append(RecordGroup(layout: layout, storeIndex: storeIndex))
    return groups.count - 1
  }
}

extension ManagedObjectContext {
  /// The registered objects of a group of records. The one place where a merge finds objects.
  func registeredObjects(of group: RecordGroup) -> [ManagedObject] {
    if group.isTemporary {
      return group.keys.compactMap { registry.object(group.layout, key: $0, store: group.storeIndex) }
    }
    return registry.objects(group.layout, keys: group.keys, store: group.storeIndex).compactMap(\.self)
  }

  /// The objects of records, those that are wanted, with their rows in memory: read by a statement an entity
  /// tree where the row cache lacks them. Records that are gone are left out.
  func objects(
    of groups: [RecordGroup], selects: (ManagedObject) -> Bool
  ) throws -> [ManagedObject] {
    var objects: [ManagedObject] = []
    for group in groups {
      try checkClass(group.layout.index)
      objects += group.keys.compactMap { fault(of: group, key: $0) }.filter { $0.isPresent && selects($0) }
    }
    try loadRows(of: objects)
    // A parent has those that are not saved yet.
    for object in objects where object.key < 0 && object.isFault { try object.realize() }
    return objects.filter { $0.currentRow != nil }
  }

  /// The object of a record, or a new fault; nil for an object with a temporary key that no context above
  /// has.
  func fault(of group: RecordGroup, key: Int64) -> ManagedObject? {
    if !group.isTemporary { return fault(group.layout, key: key, storeIndex: group.storeIndex) }
    if let known = registry.object(group.layout, key: key, store: group.storeIndex) { return known }
    return source.storeIndex(ofTemporary: key, group.layout).map {
      fault(group.layout, key: key, storeIndex: $0)
    }
  }
}
