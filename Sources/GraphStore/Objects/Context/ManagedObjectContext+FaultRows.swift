import OrderedCollections

extension ManagedObjectContext {
  /// The row of an object: from the row cache, else from the source; nil when the record is gone.
  func row(for object: ManagedObject) throws -> Row? { try rowOfFault(object)?.row }

  /// The row of a fault that fires, and whether the row cache has it.
  func rowOfFault(_ object: ManagedObject) throws -> (row: Row, isCached: Bool)? {
    guard isSaved(object) else { return nil }
    try checkClass(object.layout.index)
    let known = try knownRow(for: object)
    if case .gone = known { return nil }
    var cached: Row?
    if case .row(let row) = known { cached = row }
    guard let row = try cached ?? storedRow(for: object) else { return nil }
    guard row.layout === object.layout else {
      throw GraphStoreError(
        .objectNotFound, "\(object.objectID.shortForm) is a \(row.layout.entity.name).",
        remedy:
          "Use the identifier \(row.layout.entity.name)/p\(object.key); if a relationship led here, check "
          + "the store, which finds references to objects of other entities.", objectID: object.objectID)
    }
    return (row, cached != nil)
  }

  /// The row of an object in memory: as contexts above have it, else as the row cache.
  @inline(__always)
  private func knownRow(for object: ManagedObject) throws -> UnsavedRecord {
    if parent != nil { return try rowInFamily(of: object) }
    return cachedRow(for: object).map { .row($0) } ?? .none
  }

  /// The row of an object in memory; nil where it is still to be read, or the record is gone.
  func rowInMemory(of object: ManagedObject) throws -> Row? {
    if case .row(let row) = try knownRow(for: object) { row } else { nil }
  }

  @inline(never)
  private func rowInFamily(of object: ManagedObject) throws -> UnsavedRecord {
    synchronizeWithFamily()
    guard object.key > 0 || findPlace(of: object) else { return .gone }
    let record = try source.unsavedRecord(object.layout, key: object.key, storeIndex: object.storeIndex)
    guard case .none = record else { return record }
    return cachedRow(for: object).map { .row($0) } ?? .none
  }

  /// The row of an object in the row cache, which has nothing to say of a former state.
  @inline(__always)
  private func cachedRow(for object: ManagedObject) -> Row? {
    guard fetching.sharesRowCache, let row = registry.cachedRow(for: object) else { return nil }
    return isStale(row, in: object.storeIndex) ? nil : row
  }

  /// Whether a row was read too long ago to be used for a fault (FLT-068).
  @inline(__always)
  func isStale(_ row: Row, in storeIndex: Int32) -> Bool {
    stalenessInterval > 0 && registry.caches[Int(storeIndex)].age(of: row) > stalenessInterval
  }

  /// Reads a row and caches it.
  private func storedRow(for object: ManagedObject) throws -> Row? {
    let logged = SQLLogRequest.begin()
    defer { logged?.end() }
    let row = try readRow(for: object)
    if let logged {
      logged.addFetchTimes(rows: row == nil ? 0 : 1)
      if row != nil { logged.addObjectFault(of: object.objectID) }
    }
    return row
  }

  private func readRow(for object: ManagedObject) throws -> Row? {
    // What has a row already is refreshed, and in want of another one.
    if !fetching.faultBatches.isEmpty, object.block == nil, let row = try batchedRow(for: object) {
      return row
    }
    return try readingOnce(from: object.storeIndex, for: .oneRecord) { session in
      guard let row = try session.row(object.layout, object.key) else { return nil }
      holdRow(row, for: object, from: session.origin)
      return row
    }
  }

  /// Counts an object among the holders of its cached row.
  func holdRow(_ row: Row, for object: ManagedObject, from origin: RowCache.Origin) {
    if row.block.isPrivate { return }
    if case .generation = origin { return }
    let isHolder = object.state.contains(.holdsRow)
    registry.caches[Int(object.storeIndex)]
      .put(row, key: object.key, holders: isHolder ? 0 : 1, from: origin)
    object.changeState(adding: .holdsRow)
  }

  /// Brings the rows of faults into memory, with one statement an entity tree; the objects stay faults.
  ///
  /// A fault whose record is gone is left without a row.
  ///
  /// - Parameters:
  ///   - reader: What the request reads with, if these rows are a part of one.
  ///   - receive: Called with each object whose row the source has returned.
  func loadRows(
    of objects: [ManagedObject], with reader: RequestReader? = nil,
    _ receive: (ManagedObject) -> Void = { _ in }
  ) throws {
    var waiting: [ManagedObject] = []
    for object in objects where !hasUsableRow(object) && isSaved(object) {
      try checkClass(object.layout.index)
      switch try knownRow(for: object) {
      case .row(let row) where row.layout === object.layout:
        object.exchangeRow(for: row)
        continue
      case .gone: continue
      case .row, .none: break
      }
      waiting.append(object)
    }
    if waiting.isEmpty { return }
    try readRows(of: waiting, with: reader) { object, row, origin in
      guard row.layout === object.layout else { return }
      object.exchangeRow(for: row)
      holdRow(row, for: object, from: origin)
      receive(object)
    }
  }

  /// Whether an object has a row, and one that is not too old if it is a fault.
  private func hasUsableRow(_ object: ManagedObject) -> Bool {
    guard stalenessInterval > 0 else { return object.block != nil }
    guard let row = object.currentRow else { return false }
    return !object.isFault || !isStale(row, in: object.storeIndex)
  }

  /// Reads the rows of objects from the source, whatever is in memory, with one statement an entity tree; the
  /// objects stay as they are.
  ///
  /// - Parameters:
  ///   - reader: What the request reads with, if these rows are a part of one.
  ///   - receive: Takes each object that has a record, the row, and the origin of that.
  func readRows(
    of objects: [ManagedObject], with reader: RequestReader? = nil,
    _ receive: (ManagedObject, Row, RowCache.Origin) -> Void
  ) throws {
    for (tree, objects) in OrderedDictionary(grouping: objects, by: \.tree) {
      if let reader {
        try readRows(of: objects, in: tree, from: reader.session(tree.storeIndex), receive)
      } else {
        try readingOnce(from: tree.storeIndex) { try readRows(of: objects, in: tree, from: $0, receive) }
      }
    }
  }

  /// Reads the rows of objects of one entity tree from a session.
  func readRows(
    of objects: [ManagedObject], in tree: EntityTree, from session: any ReadSession,
    _ receive: (ManagedObject, Row, RowCache.Origin) -> Void
  ) throws {
    var byKey: [Int64: ManagedObject] = [:]
    for object in objects { byKey[object.key] = object }
    let root = coordinator.layout.entities[tree.rootIndex]
    try session.rows(root, keys: objects.map(\.key)) { batch in
      batch.forEach { key, row in
        if let object = byKey[key] { receive(object, row, session.origin) }
      }
    }
  }

  /// Realises all faults of a collection, with one statement an entity tree, and none where there are no
  /// faults.
  ///
  /// - Throws: `context-mismatch` for an object of another context, before anything is read; what the stores
  ///   throw.
  public func realizeFaults(in objects: [ManagedObject]) throws {
    checkQueue()
    for object in objects { try checkOwnership(of: object, before: "realised") }
    let faults = objects.filter { $0.isFault && $0.context === self }
    let logged = SQLLogRequest.begin()
    defer { logged?.end() }
    let clock = clock(for: TraceKind.faultBits)
    var read: [ManagedObject] = []
    try loadRows(of: faults) { read.append($0) }
    logged?.addFetchTimes(rows: read.count)
    for fault in read where fault.isFault {
      fault.becomeRealized()
      recordFault(of: fault, isCached: false, since: clock)
    }
    for fault in faults where fault.block != nil { try fault.realize() }
  }
}

extension ManagedObjectContext {
  /// Whether the source can have an object, whose identifier below a parent context may still be temporary
  /// (CTX-304).
  @inline(__always)
  func isSaved(_ object: ManagedObject) -> Bool {
    object.key > 0 || (fetching.knowsTemporaryKeys && !object.state.contains(.inserted))
  }

  /// Adopts the store that a parent context has for an object with a temporary identifier; false where it has
  /// none.
  func findPlace(of object: ManagedObject) -> Bool {
    guard let index = source.storeIndex(ofTemporary: object.key, object.layout) else { return false }
    object.storeIndex = index
    return true
  }
}
