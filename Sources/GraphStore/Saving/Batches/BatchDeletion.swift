import GraphStoreModel

/// A batch delete: the records of each store are found by waves of cascades over keys, then deleted as a save
/// deletes records of which nothing was read.
struct BatchDeletion {
  private let run: BatchRun
  private let fetch: ManagedObjectContext.PreparedFetch
  /// The stores that are written.
  let mounts: [Mount]

  /// The entity of which records are selected.
  var entityName: String { fetch.request.entityName }

  /// - Throws: `invalid-request`, `unknown-store`, `temporary-id`, and as preparing a fetch does;
  ///   nothing has been read then.
  init(_ request: BatchDeleteRequest, _ run: BatchRun) throws {
    self.run = run
    var selection = try Self.selection(request, run.context)
    selection.returnsObjectsAsFaults = true
    if let stores = request.affectedStores {
      let indices = try stores.map { try run.context.coordinator.mounted($0).index }
      selection.affectedStores =
        selection.affectedStores.map { $0.filter { indices.contains($0.mount.index) } } ?? stores
    }
    let fetch = try run.reader.prepare(selection)
    self.fetch = fetch
    mounts = run.reader.mounts(for: fetch)
  }

  /// The part of a fetch that counts, or a fetch of the records that identifiers name.
  private static func selection(
    _ request: BatchDeleteRequest, _ context: ManagedObjectContext
  ) throws -> FetchRequest<ManagedObject> {
    switch request.selection {
    case .request(let given):
      var selection = FetchRequest(
        entityName: given.entityName, predicate: given.predicate, sortDescriptors: given.sortDescriptors,
        fetchLimit: given.fetchLimit, fetchOffset: given.fetchOffset,
        includesSubentities: given.includesSubentities)
      (selection.variables, selection.affectedStores) = (given.variables, given.affectedStores)
      if selection.entityName.isEmpty, request.objectType != ManagedObject.self {
        selection.entityName = try context.entityName(of: request.objectType)
      }
      return selection
    case .identifiers(let identifiers): return try selection(identifiers, context)
    }
  }

  private static func selection(
    _ identifiers: [ManagedObjectID], _ context: ManagedObjectContext
  ) throws -> FetchRequest<ManagedObject> {
    guard let first = identifiers.first else {
      throw GraphStoreError(
        .invalidRequest, "A batch delete has no identifiers.", remedy: "Give at least one.")
    }
    let root = first.entity.rootEntity
    for id in identifiers {
      if id.isTemporaryID { throw id.refusalOfTemporary() }
      guard id.entity.rootEntity.name == root.name else {
        throw GraphStoreError(
          .invalidRequest,
          "A batch delete has identifiers of several entity trees: \(first.shortForm) and \(id.shortForm).",
          remedy: "Make one request for each.", objectID: id)
      }
      guard context.mounts.contains(where: { $0.scope.uuid == id.scope.uuid }) else {
        throw GraphStoreError(
          .unknownStore, "\(id.shortForm) is of a store that is not open here.",
          remedy: "Add its store to the coordinator of the context.", objectID: id)
      }
    }
    var selection = FetchRequest(
      entityName: root.name,
      predicate: .compare(
        .evaluatedObject, .in, .init(.constant(.list(identifiers.map { .object(ObjectReference($0)) })))))
    let scopes = Set(identifiers.map(\.scope.uuid))
    selection.affectedStores = context.coordinator.mounts.filter { scopes.contains($0.scope.uuid) }
      .map(context.coordinator.reference)
    return selection
  }

  /// - Returns: How many records were selected.
  func write() throws -> Int {
    var (count, others) = (0, [Mount]())
    for mount in mounts {
      if let deleted = try deleteAtOnce(from: mount) { count += deleted } else { others.append(mount) }
    }
    return try others.isEmpty ? count : count + write(to: others)
  }

  /// Deletes by the conditions of the request, where it matters neither which records they are nor what leads
  /// to them: listing their keys and looking each up again takes longer than deleting them.
  ///
  /// - Returns: Their number; nil where nothing was deleted.
  private func deleteAtOnce(from mount: Mount) throws -> Int? {
    let root = fetch.entity.rootIndex
    guard run.reader.coordinator.layout.hasPlainRows(root), try !run.needsKeys(ofTree: root, on: mount),
      let count = try run.session(mount).write(
        SetDeletion(request: fetch.request.storeRequest(.identifiers)))
    else { return nil }
    run.end(count, ofTree: root, on: mount)
    return count
  }

  private func write(to mounts: [Mount]) throws -> Int {
    let selected = try run.reader.identifiers(
      for: ManagedObjectContext.PreparedFetch(
        request: fetch.request, entity: fetch.entity, mounts: mounts))
    for mount in mounts {
      let keys = selected.lazy.filter { $0.scope === mount.scope }
        .map { ObjectKey(entity: $0.entityIndex, key: $0.key) }
      if keys.isEmpty { continue }
      try write(Array(keys), to: mount)
    }
    return selected.count
  }

  private func write(_ selected: [ObjectKey], to mount: Mount) throws {
    let session = try run.session(mount)
    var cascade = RecordCascade(run.reader.coordinator.layout, session, mount.scope) { [run] in
      try run.needsKeys(ofTree: $0, on: mount)
    }
    try cascade.find(from: selected)
    try cascade.checkDenials()
    let losses = try cascade.losses()
    var save = run.makeSaveRequest()
    cascade.addDeletions(to: &save)
    guard case .written(let rows) = try session.write(save) else {
      throw GraphStoreError.changedWithinTransaction(mount)
    }
    try cascade.checkNeeds(of: rows.phantoms)
    let record = try session.finish(rows)
    try cascade.checkCounts(losses)
    try run.end(record, on: mount, count: cascade.records.count, objects: cascade.records)
    for (root, count) in cascade.members { run.end(count, ofTree: root, on: mount) }
  }
}
