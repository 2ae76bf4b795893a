/// One merge of what others have saved into a context: updates, then insertions, then deletions.
struct ContextMerge {
  let context: ManagedObjectContext
  /// What did-merge is going to carry; nil where nobody is told.
  private(set) var report: ContextDidMerge?
  private var links = RefreshedLinks()
  private let deliversChanges: Bool
  private let isForeign: Bool
  /// Whether records without an object have a consumer.
  private let notesRecords: Bool
  /// Registered objects whose records were not found any more.
  private var missing: Set<ManagedObject> = []

  /// - Parameter isForeign: Whether another coordinator has saved, so that rows are to be read anew.
  init(_ context: ManagedObjectContext, isForeign: Bool) {
    self.context = context
    self.isForeign = isForeign
    report = context.deliversMerges ? ContextDidMerge(context) : nil
    deliversChanges = context.deliversChanges
    notesRecords = context.delivery.observers.wantsMergedRecords
  }

  // MARK: Updates

  /// Refreshes the registered objects of records that others have changed, keeping unsaved changes.
  ///
  /// - Parameter deletesMissing: Whether objects whose records are gone count as deleted, since the
  ///   deletions are not known.
  mutating func update(_ ids: Set<ManagedObjectID>, deletesMissing: Bool = false) throws {
    let groups = RecordGroup.groups(ids, in: context)
    if notesRecords { context.unsaved.event.mergedRecords += groups }
    try update(groups, deletesMissing: deletesMissing)
  }

  /// Refreshes the registered objects of records of which others have changed derived values alone.
  mutating func renew(_ ids: Set<ManagedObjectID>) throws {
    if ids.isEmpty { return }
    let groups = RecordGroup.groups(ids, in: context)
    if notesRecords { context.unsaved.event.derivedTrees.formUnion(groups.map(\.layout.rootIndex)) }
    try update(groups)
  }

  private mutating func update(_ groups: [RecordGroup], deletesMissing: Bool = false) throws {
    if isForeign, context.parent == nil { try readAnew(groups) }
    for group in groups {
      let objects = context.registeredObjects(of: group)
      if objects.isEmpty { continue }
      for (object, row) in zip(objects, try context.cachedRows(of: objects))
      where !deletesMissing || !missing.contains(object) {
        try update(object, row)
      }
    }
    try adjustLinks()
    if deletesMissing { try delete(Set(missing.map(\.objectID))) }
  }

  /// Reads the rows of registered objects, by a statement an entity tree (CTX-268). Those that siblings have
  /// cached are forgotten: a fault made later would take them.
  private mutating func readAnew(_ groups: [RecordGroup]) throws {
    if groups.isEmpty { return }
    for group in groups { context.forgetRows(of: group) }
    context.coordinator.recordSave()
    missing.formUnion(try context.readAnew(groups.flatMap { context.registeredObjects(of: $0) }))
  }

  private mutating func update(_ object: ManagedObject, _ row: Row?) throws {
    if object.isToBeDeleted, let row { return object.adoptSnapshot(row) }
    guard object.isPresent, !object.state.contains(.inserted), !object.knows(row) else { return }
    report?.refreshed.insert(object.objectID)
    try context.refreshKeepingChanges(of: object, row: row, &links)
  }

  // MARK: Insertions

  /// Registers faults for records that others have inserted, as long as observers are being notified.
  mutating func insert(_ ids: Set<ManagedObjectID>) throws {
    // Where nobody can take hold of a fault it is not made.
    guard deliversChanges || context.registry.holdsAll || report != nil else { return }
    let groups = RecordGroup.groups(ids, in: context)
    try refreshKnown(groups)
    for group in groups {
      try context.checkClass(group.layout.index)
      for key in group.keys {
        guard let object = context.fault(of: group, key: key) else { continue }
        guard object.isPresent, !object.state.contains(.inserted) else { continue }
        if deliversChanges { context.unsaved.event.mergedInsertions.append(object) }
        report?.inserted.insert(object.objectID)
      }
    }
  }

  /// Refreshes objects that the context has of records that others have inserted: a child that has inserted
  /// them itself, and whose parent has changed them before its save.
  private mutating func refreshKnown(_ groups: [RecordGroup]) throws {
    for group in groups {
      let objects = context.registeredObjects(of: group).filter { !$0.isFault && $0.isPresent }
      if objects.isEmpty { continue }
      for (object, row) in zip(objects, try context.cachedRows(of: objects)) { try update(object, row) }
    }
    try adjustLinks()
  }

  private mutating func adjustLinks() throws {
    try context.adjust(links)
    links = RefreshedLinks()
  }

  // MARK: Deletions

  /// Takes the objects of records that others have deleted out of the context.
  mutating func delete(_ ids: Set<ManagedObjectID>) throws {
    var deleted: [ManagedObject] = []
    for group in RecordGroup.groups(ids, in: context) {
      if isForeign { context.forgetRows(of: group) }
      if notesRecords {
        context.unsaved.event.mergedRecords.append(group)
        context.unsaved.event.mergedDeletionTrees.insert(group.layout.rootIndex)
      }
      deleted += context.registeredObjects(of: group).filter { $0.state.isDisjoint(with: .detached) }
    }
    if deleted.isEmpty { return }
    let changed = try context.mergeDeletions(of: deleted)
    report?.deleted.formUnion(deleted.map(\.objectID))
    report?.updated.formUnion(changed.map(\.objectID))
  }
}

extension ManagedObject {
  /// Has the deletion of the object, which is pending, allow for what others have saved since: it wins.
  fileprivate final func adoptSnapshot(_ row: Row) {
    if state.contains(.inaccessible) { return }
    if state.contains(.fault) { return exchangeRow(for: row) }
    ensureExtra().committed = row
  }

  /// Whether the object is what others have saved: it has their row, with derived values, which change under
  /// the same version, and no members that were read before.
  fileprivate final func knows(_ row: Row?) -> Bool {
    guard let row, !state.contains(.fault), let own = committedRow else { return false }
    let isOwn = own.block === row.block && own.index == row.index
    guard isOwn || own.version == row.version && own.hasEqualValues(row) else { return false }
    guard let extra else { return true }
    return !extra.relationships.contains { ($0 as? ToManyRelationship)?.isResolved == true }
  }
}
