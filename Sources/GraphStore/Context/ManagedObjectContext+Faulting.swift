import OrderedCollections

extension ManagedObjectContext {
  /// The row of a fault that fires: from the row cache, else from the store; nil when the record is gone.
  func row(for object: ManagedObject) throws -> Row? {
    guard object.key > 0 else { return nil }
    try coordinator.checkClass(object.layout)
    guard let row = try registry.cachedRow(for: object) ?? storedRow(for: object) else { return nil }
    guard row.layout === object.layout else {
      throw GraphStoreError(
        .objectNotFound, "\(object.objectID.shortForm) is a \(row.layout.entity.name).",
        remedy: "Use the identifier \(row.layout.entity.name)/p\(object.key).", objectID: object.objectID)
    }
    return row
  }

  /// Reads a row and caches it.
  private func storedRow(for object: ManagedObject) throws -> Row? {
    try readingOnce(from: object.storeIndex, for: .oneRecord) { session in
      guard let row = try session.row(object.layout, object.key) else { return nil }
      holdRow(row, for: object, from: session.origin)
      return row
    }
  }

  /// Counts an object among the holders of its cached row.
  func holdRow(_ row: Row, for object: ManagedObject, from origin: RowCache.Origin) {
    let isHolder = object.state.contains(.holdsRow)
    registry.caches[Int(object.storeIndex)]
      .put(object.layout.rootIndex, object.key, row, holders: isHolder ? 0 : 1, from: origin)
    object.changeState(adding: .holdsRow)
  }

  /// Brings the rows of faults into memory, with one statement an entity tree; the objects stay faults.
  ///
  /// A fault whose record is gone is left without a row.
  ///
  /// - Parameter reader: What the request reads with, if these rows are a part of one.
  func loadRows(of objects: [ManagedObject], with reader: RequestReader? = nil) throws {
    var waiting: OrderedDictionary<Int, [ManagedObject]> = [:]
    for object in objects where object.block == nil && object.key > 0 {
      try coordinator.checkClass(object.layout)
      if let row = registry.cachedRow(for: object), row.layout === object.layout {
        object.attach(row)
        continue
      }
      let tree = Int(object.storeIndex) << 16 | object.layout.rootIndex
      waiting[tree, default: []].append(object)
    }
    for (tree, objects) in waiting {
      let (index, root) = (Int32(tree >> 16), coordinator.layout.entities[tree & 0xFFFF])
      if let reader {
        try loadRows(of: objects, root, reader.session(index))
      } else {
        try readingOnce(from: index) { try loadRows(of: objects, root, $0) }
      }
    }
  }

  private func loadRows(
    of objects: [ManagedObject], _ root: EntityLayout, _ session: any ReadSession
  ) throws {
    var byKey: [Int64: ManagedObject] = [:]
    for object in objects { byKey[object.key] = object }
    try session.rows(root, keys: objects.map(\.key)) { batch in
      batch.forEach { key, row in
        guard let object = byKey[key], row.layout === object.layout else { return }
        object.attach(row)
        holdRow(row, for: object, from: session.origin)
      }
    }
  }

  /// Realises all faults of a collection, with one statement an entity tree, and none where there are no faults.
  ///
  /// - Throws: `context-mismatch` for an object of another context, before anything is read; what the stores throw.
  public func realizeFaults(in objects: [ManagedObject]) throws {
    checkQueue()
    for object in objects { try checkMembership(of: object, before: "realised") }
    let faults = objects.filter { $0.isFault && $0.context === self }
    try loadRows(of: faults)
    for fault in faults where fault.block != nil { try fault.realize() }
  }
}
