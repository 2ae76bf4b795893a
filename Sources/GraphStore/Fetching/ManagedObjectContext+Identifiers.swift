import GraphStorePredicates

extension ManagedObjectContext {
  /// The identifiers of the objects that a request selects; no object is made of a row.
  ///
  /// For a request whose `resultType` is `.managedObjectID` the rows are read whole, unless its
  /// `includesPropertyValues` is off, and kept in the row cache: another context realises its objects of the
  /// identifiers without a statement. They stay until the context next processes its changes, as it does
  /// before each fetch, with each save and at the end of a block passed to `perform`; those with an object by
  /// then live on with it. For a request for objects only the keys are read.
  ///
  /// - Throws: `result-type-mismatch` for a request for dictionaries or a count; and as
  ///   ``fetch(_:)->[ManagedObject]``.
  public func fetchIdentifiers<Object>(_ request: FetchRequest<Object>) throws -> [ManagedObjectID] {
    checkQueue()
    let request = try named(request)
    try checkResultType(of: request, is: .managedObjectID, orDefault: true)
    return try counting(request, as: .identifiers, objects: \.count) {
      let prepared = try prepare(request)
      let readsRows =
        fetching.sharesRowCache && request.resultType == .managedObjectID && request.includesPropertyValues
      return try readsRows ? heldIdentifiers(for: prepared) : identifiers(for: prepared)
    }
  }

  /// The identifiers of a request that was prepared; nothing but keys is read where the store can answer the
  /// request.
  func identifiers(for prepared: PreparedFetch) throws -> [ManagedObjectID] {
    try route(of: prepared).answer(
      byStore: { mount in
        try readingPlanned(prepared.request.storeRequest(.identifiers), from: mount) { plan, _ in
          try plan.identifiers().map { identifier($0, storeIndex: mount.index) }
        }
      }, inMemory: { try mergedIdentifiers(prepared, $0, $1) })
  }

  /// The identifiers of a request that was prepared, with the rows kept in the row caches.
  private func heldIdentifiers(for prepared: PreparedFetch) throws -> [ManagedObjectID] {
    let held = HeldRows()
    let identifiers = try route(of: prepared).answer(
      byStore: { try heldIdentifiers(for: prepared, on: $0, by: held) },
      inMemory: { mounts, correction in
        try mergedRows(prepared, mounts, correction) { rows, reader in
          for found in rows {
            if let row = found.row { try hold(row, found.id, by: held, with: reader) }
          }
          return rows.map(\.id)
        }
      })
    fetching.heldRows.append(held)
    return identifiers
  }

  /// The identifiers that one statement yields; nil where memory has to filter or sort rows.
  private func heldIdentifiers(
    for prepared: PreparedFetch, on mount: Mount, by held: HeldRows
  ) throws -> [ManagedObjectID]? {
    let cache = registry.caches[Int(mount.index)]
    return try readingPlanned(prepared.request.storeRequest(.rows), from: mount) { plan, session in
      var identifiers: [ManagedObjectID] = []
      try plan.rows { batch in
        held.hold(batch, in: cache, from: session.origin)
        batch.forEach { key, row in
          renewFault(key, mount.index, with: row)
          identifiers.append(
            identifier(ObjectKey(entity: row.layout.index, key: key), storeIndex: mount.index))
        }
      }
      return identifiers
    }
  }

  private func hold(
    _ row: Row, _ id: ManagedObjectID, by held: HeldRows, with reader: RequestReader
  ) throws {
    guard let index = mounts.first(where: { $0.scope === id.scope })?.index else { return }
    held.hold(
      row, key: id.key, in: registry.caches[Int(index)], from: try reader.session(index).origin)
    renewFault(id.key, index, with: row)
  }

  /// Attaches to a registered fault the row that was just read, as a fetch of objects does (FET-028).
  private func renewFault(_ key: Int64, _ storeIndex: Int32, with row: Row) {
    guard let known = registry.object(row.layout, key: key, store: storeIndex), known.isFault,
      known.layout === row.layout
    else { return }
    known.renewRow(row.block, row.index)
  }
}
