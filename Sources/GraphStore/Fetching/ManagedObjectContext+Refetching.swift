extension ManagedObjectContext {
  /// Refreshes and realises the objects that a fetch has found, as its request asks.
  func completeFetched(_ objects: [ManagedObject], _ request: FetchRequest<ManagedObject>) throws {
    if request.shouldRefreshRefetchedObjects { try refreshRefetched(objects) }
    if !request.returnsObjectsAsFaults { try realizeFetched(objects) }
  }

  /// Sets in objects that have just been fetched the values of their records: unchanged ones all, changed
  /// ones those of the properties without unsaved changes; deleted ones stay as they are (FET-110).
  private func refreshRefetched(_ objects: [ManagedObject]) throws {
    guard fetching.sharesRowCache, parent == nil else { return try refreshUncached(objects) }
    // Rows that a fetch skips, since memory decides whether they match, have not been read.
    try readRows(of: objects.filter { $0.isUpdated && !$0.isDeleted }) { holdRow($1, for: $0, from: $2) }
    try refreshKeepingChanges(of: objects.filter { $0.isRealizedRecord && hasNewerRow($0) })
  }

  /// Where rows are not shared, those of changed objects are read by one statement a tree, and so are those
  /// of unchanged ones, which become faults.
  private func refreshUncached(_ objects: [ManagedObject]) throws {
    let known = objects.filter(\.isRealizedRecord)
    var rows: [ObjectIdentifier: Row] = [:]
    try readRows(of: known.filter { $0.hasChanges && isSaved($0) }) { object, row, _ in
      rows[ObjectIdentifier(object)] = row
    }
    try refreshKeepingChanges(of: known) { rows[ObjectIdentifier($0)] }
    try loadRows(of: known.filter(\.isFault))
  }

  /// Whether the row cache has another row than the one that an object's values were read from.
  private func hasNewerRow(_ object: ManagedObject) -> Bool {
    guard let cached = registry.cachedRow(for: object), let own = object.committedRow else { return true }
    return cached.block !== own.block || cached.index != own.index
  }

  /// Realises the objects that a fetch has found, without a statement for those that have their row
  /// (FET-108).
  private func realizeFetched(_ objects: [ManagedObject]) throws {
    for object in objects where object.state.contains(.fault) {
      if object.block == nil { try object.realize() } else { object.becomeRealized() }
    }
  }
}

extension ManagedObject {
  /// Whether the object has the values of a record, with or without unsaved changes.
  fileprivate final var isRealizedRecord: Bool {
    state.isDisjoint(with: [.fault, .inserted, .deleted, .inaccessible])
  }
}
