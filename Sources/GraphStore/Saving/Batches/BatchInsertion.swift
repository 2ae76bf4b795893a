import GraphStoreModel

/// A batch insert, checked against the model: rows are made one after the other, and written by portions.
final class BatchInsertion {
  /// Rows that are written together: more save no work, and use more memory.
  private static let portion = 1024

  private let request: BatchInsertRequest
  private let run: BatchRun
  private let layout: EntityLayout
  /// The store that gets the records.
  let mount: Mount
  private let template: RowTemplate
  /// The entity that records are inserted of.
  var entityName: String { layout.entity.name }
  /// The attributes of the entity by the keys that dictionaries have used.
  private var attributes: [String: PropertyLayout] = [:]
  /// What becomes of objects that meet records; nil where the request fails then.
  private var upsert: BatchUpsert?
  private var waiting: [BatchUpsert.Candidate] = []
  /// How many objects of the input have been made.
  private var count = 0
  private var record: CommitRecord
  /// The key of the first record that was inserted; 0 before.
  private var firstInserted: Int64 = 0
  /// The records that were there, and which of their properties were written.
  private var updated: [ObjectKey: PropertySet] = [:]
  /// How many objects were inserted, or have changed records.
  private var written = 0
  /// Their records in the order of the input, where identifiers are asked for.
  private var objects: [ObjectKey] = []

  /// - Throws: `unknown-entity`, `abstract-entity`, `class-mismatch`, `class-not-found`; 1570 for a mandatory
  ///   relationship; `no-store-for-object`, `unknown-store`.
  init(_ request: BatchInsertRequest, _ run: BatchRun) throws {
    self.request = request
    self.run = run
    let context = run.reader
    switch request.target {
    case .entity(let name):
      layout = try context.insertedLayout(named: name)
      template = RowTemplate(layout, as: request.templateType(layout, context.coordinator), in: context)
    case .type(let type):
      layout = try context.concreteLayout(context.coordinator.layout(representedBy: type))
      template = RowTemplate(layout, as: context.coordinator.objectClass(layout), in: context)
    }
    mount = try Self.mount(for: layout, among: request.affectedStores, context.coordinator)
    record = CommitRecord(request: run.makeSaveRequest())
    let type = run.context.mergePolicy.type
    if type != .error, !layout.uniquenessConstraints.isEmpty {
      upsert = BatchUpsert(
        layout, root: context.coordinator.layout.entities[layout.rootIndex], type, mount.scope)
    }
    try checkRelationships()
  }

  private static func mount(
    for layout: EntityLayout, among stores: [PersistentStoreReference]?,
    _ coordinator: PersistentStoreCoordinator
  ) throws -> Mount {
    let mounts = try stores?.map { try coordinator.mounted($0) } ?? coordinator.mounts
    if stores?.isEmpty == true {
      throw GraphStoreError(
        .invalidRequest, "A batch insert of \(layout.entity.name) has no store to write to.",
        remedy: "Name one in affectedStores, or leave it nil.", entity: layout.entity.name)
    }
    guard !mounts.isEmpty else { throw coordinator.noStore() }
    let holding = mounts.filter { $0.store.entities.contains(layout.entity) }
    guard let mount = holding.first(where: { !$0.store.isReadOnly }) else {
      if let closed = holding.first { throw coordinator.readOnlyStore(closed.store) }
      throw coordinator.noStore(for: layout.entity, nil, mounts)
    }
    return mount
  }

  private func checkRelationships() throws {
    if request.allowsMissingRelationships { return }
    let failures = layout.relationships.flatMap { relationship in
      relationship.isPersistent
        ? relationship.description.validate(count: 0, in: layout.entity).map {
          GraphStoreError($0, of: layout.properties[relationship.number], in: layout.entity, objectID: nil)
        } : []
    }
    guard var error = GraphStoreError.combining(failures) else { return }
    error.remedy = "Insert objects and link them, or allow missing relationships."
    throw error
  }

  // MARK: Writing

  func write() throws {
    while try make() {
      if waiting.count == Self.portion { try flush() }
    }
    try flush()
    for (object, properties) in updated.sorted(by: {
      ($0.key.entity, $0.key.key) < ($1.key.entity, $1.key.key)
    }) {
      record.sets.update(run.reader.coordinator.layout.entities[object.entity], object.key, properties)
    }
    try run.end(record, on: mount, count: written, objects: objects)
  }

  /// Makes the row of the next object of the input; false where there is none.
  private func make() throws -> Bool {
    template.beginDefaults()
    guard let describe = try next() else { return false }
    do {
      try describe()
      let (row, given) = try template.end()
      let failures = try template.failures(row, among: nil, isWhole: request.validates)
      if let error = GraphStoreError.combining(failures) { throw error }
      waiting.append(BatchUpsert.Candidate(row: row, given: given))
      count += 1
      return true
    } catch let error as GraphStoreError {
      throw error.ofObject(at: count)
    }
  }

  /// What sets the values of the next object, or has set them; nil where there is none.
  private func next() throws -> (() throws -> Void)? {
    switch request.source {
    case .dictionaries(let dictionaries):
      guard count < dictionaries.count else { return nil }
      return { [self] in try set(dictionaries[count]) }
    case .dictionaryHandler(let handler):
      var values: [String: Any?] = [:]
      if try handler(&values) { return nil }
      return { [self] in try set(values) }
    case .objectHandler(let handler):
      do { return try handler(template.object) ? nil : {} } catch let error as GraphStoreError {
        // Others are not about the object.
        throw error.objectID == template.object.objectID ? error.ofObject(at: count) : error
      }
    }
  }

  private func set(_ values: [String: Any?]) throws {
    for (key, value) in values {
      let attribute = try attributes[key] ?? template.attribute(key)
      attributes[key] = attribute
      try template.set(value, of: attribute)
    }
  }

  // MARK: Portions

  /// Writes the rows that wait.
  private func flush() throws {
    if waiting.isEmpty { return }
    let first = count - waiting.count
    defer { waiting.removeAll(keepingCapacity: true) }
    let session = try run.session(mount)
    let portion =
      try upsert?.resolve(waiting, after: first, session) ?? BatchUpsert.Portion(inserting: waiting)
    let firstKey =
      try portion.insertions.isEmpty ? 0 : session.reserveKeys(root, count: portion.insertions.count)
    if firstInserted == 0 { firstInserted = firstKey }
    do { try write(portion, firstKey: firstKey, session) } catch let error as GraphStoreError {
      throw located(error, portion, firstKey: firstKey, after: first)
    }
    written += portion.outcomes.count { $0 != .dropped }
    if run.needsIdentifiers { objects += portion.objects(firstKey: firstKey, of: layout) }
  }

  private var root: EntityLayout { run.reader.coordinator.layout.entities[layout.rootIndex] }

  private func write(_ portion: BatchUpsert.Portion, firstKey: Int64, _ session: any WriteSession) throws {
    var save = run.makeSaveRequest()
    save.insertions = portion.insertions.enumerated().map { position, row in
      SaveRequest.Insertion(row: row, key: firstKey + Int64(position))
    }
    save.updates = portion.updates
    if save.isEmpty { return }
    guard case .written(let rows) = try session.write(save) else {
      throw GraphStoreError.changedWithinTransaction(mount)
    }
    let part = try session.finish(rows)
    record.sets.insert(layout, firstKey..<firstKey + Int64(portion.insertions.count))
    for update in portion.updates where !isInserted(layout.rootIndex, update.key) {
      let record = ObjectKey(entity: update.row.layout.index, key: update.key)
      updated[record] = (updated[record] ?? PropertySet()).union(update.properties)
    }
    record.derived += part.derived.prefix(part.derivedChangeCount).filter { !isInserted($0.root, $0.key) }
    record.derivedChangeCount = record.derived.count
  }

  /// Whether the request has inserted a record: keys only rise.
  private func isInserted(_ root: Int, _ key: Int64) -> Bool {
    root == layout.rootIndex && firstInserted > 0 && key >= firstInserted
  }

  /// The error of a store, with the object of the input that it is about. Keys of the request were never
  /// anybody's.
  private func located(
    _ error: GraphStoreError, _ portion: BatchUpsert.Portion, firstKey: Int64, after first: Int
  ) -> GraphStoreError {
    guard error.code == .constraintConflict, let id = error.objectID,
      let position = portion.position(of: id.key, firstKey: firstKey)
    else { return error }
    var error = error.ofObject(at: first + position)
    error.objectID = nil
    guard error.relatedObjects.contains(where: { isInserted(layout.rootIndex, $0.key) }) else { return error }
    error.relatedObjects.removeAll { isInserted(layout.rootIndex, $0.key) }
    error.details =
      error.relatedObjects.map { "\($0.shortForm) has it" } + ["another object of the input has it"]
    return error
  }
}

extension BatchInsertRequest {
  /// The class of the object that a closure is given; dictionaries pass the accessors of classes by.
  fileprivate func templateType(
    _ layout: EntityLayout, _ coordinator: PersistentStoreCoordinator
  ) -> ManagedObject.Type {
    if case .objectHandler = source { coordinator.objectClass(layout) } else { ManagedObject.self }
  }
}

extension GraphStoreError {
  /// The error as that of an object of the input of a batch insert, which has no identifier yet.
  func ofObject(at position: Int) -> GraphStoreError {
    var error = ofRecord(at: position)
    error.objectID = objectID.flatMap { $0.isTemporaryID ? nil : $0 }
    error.errors = errors.map { $0.ofObject(at: position) }
    return error
  }

  /// The error of rows that differ from those that the same transaction has read.
  static func changedWithinTransaction(_ mount: Mount) -> GraphStoreError {
    GraphStoreError(
      .internalInconsistency,
      "Rows of \(mount.store.path) were changed within the transaction that had read them.",
      remedy: "Nothing was written; this is a defect of the library, please report it.")
  }
}
