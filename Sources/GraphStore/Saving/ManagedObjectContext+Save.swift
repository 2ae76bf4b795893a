import GraphStoreModel

extension ManagedObjectContext {
  /// Checks all unsaved changes and writes them in one transaction a store.
  ///
  /// Delete rules are applied, every inserted, updated and deleted object is validated, and all failures come together.
  /// A save that throws has written nothing and leaves every pending change, flag and temporary identifier as it was
  /// (CTX-119). Without changes nothing happens, but that metadata that wait for a save are written. Inside a
  /// coordinator's transaction the save is a part of it.
  ///
  /// - Throws: `validation` or `multiple-validation-errors`, `delete-denied`, `merge-conflict`,
  ///   `constraint-conflict`, `read-only-store`, `store-timeout`, `disk-full`, `store-save-failed`, `recursive-save`.
  public func save() throws {
    guard !isSaving else {
      throw GraphStoreError(
        .recursiveSave, "save() was called while the same context is saving.",
        remedy: "Leave it to the save that is running; it takes up what its hooks change.")
    }
    if let error = deferredErrors.first { throw error }
    isSaving = true
    defer { isSaving = false }
    renewOldPropagation()
    try processPendingChanges()
    guard hasChanges else { return try PendingMetadataSave(self, besides: nil).commit() }
    try settle()
    try observers.contextWillSave()
    try write()
  }

  /// Runs the validation of a save and returns all failures, without saving (OBJ-335).
  public func validateChanges() throws -> [GraphStoreError] {
    try processPendingChanges()
    return try validationFailures()
  }

  /// Accesses that failed where they could not throw; every save throws the first until they are taken (OBJ-173).
  public func takeDeferredErrors() -> [any Error] {
    defer { deferredErrors = [] }
    return deferredErrors
  }

  // MARK: Validation and hooks

  private static let maximumRounds = 1000

  /// Validates and calls `willSave` until a round changes nothing (CTX-092).
  private func settle() throws {
    for _ in 0..<Self.maximumRounds {
      let before = setterCount
      let failures = try validationFailures()
      if let error = GraphStoreError.combining(failures) { throw error.sorted() }
      for object in objectsWithHooks { object.willSave() }
      if setterCount == before { return }
      try processPendingChanges()
    }
    var error = GraphStoreError(
      .changesDoNotSettle,
      "Validation or willSave changed something in each of \(Self.maximumRounds) rounds.",
      remedy: "Compare before setting.")
    error.relatedObjects = changedObjects.prefix(20).map(\.objectID)
    throw error
  }

  private func validationFailures() throws -> [GraphStoreError] {
    var failures: [GraphStoreError] = []
    func validate(_ object: ManagedObject, _ body: () throws -> Void) {
      do { try body() } catch { failures.append(Self.validationError(error, object)) }
    }
    for object in changedObjects where object.isInserted { validate(object, object.validateForInsert) }
    for object in changedObjects where !object.state.contains(.inserted) && !object.isDeleted {
      validate(object, object.validateForUpdate)
    }
    let deleted = deletionOrder.filter { $0.isToBeDeleted && !$0.state.contains(.inaccessible) }
    denialsOfSave = try denials(of: deleted)
    defer { denialsOfSave = nil }
    for object in deleted where type(of: object) != ManagedObject.self || denialsOfSave?[object] != nil {
      validate(object, object.validateForDelete)
    }
    return failures
  }

  /// The objects with unsaved changes whose class may have a hook, in the order in which a save visits them (OBJ-079).
  private var objectsWithHooks: [ManagedObject] {
    func hasHook(_ object: ManagedObject) -> Bool { type(of: object) != ManagedObject.self }
    var objects = changedObjects.filter { hasHook($0) && $0.isInserted }
    objects += changedObjects.lazy.filter {
      hasHook($0) && !$0.state.contains(.inserted) && !$0.isDeleted
    }
    objects += deletionOrder.lazy.filter { hasHook($0) && $0.isToBeDeleted }
    return objects
  }

  private static func validationError(_ error: any Error, _ object: ManagedObject) -> GraphStoreError {
    if let error = error as? GraphStoreError { return error }
    return GraphStoreError(
      .validation, "\(object.objectID.shortForm): \(error)", remedy: "Correct the object and save again.",
      number: 1550, entity: object.entity.name, objectID: object.objectID, underlying: error)
  }

  // MARK: Writing

  private func write() throws {
    let builder = try SaveRequestBuilder(self)
    let metadata = try PendingMetadataSave(self, besides: builder.mount?.index)
    do {
      try write(builder)
    } catch {
      metadata.takeBack()
      throw error
    }
    finish(builder)
    try metadata.commit()
  }

  /// Writes within a transaction of the save's own, or as a savepoint of the one that the context takes part in.
  private func write(_ builder: SaveRequestBuilder) throws {
    guard builder.request != nil, let mount = builder.mount else { return }
    if let transaction {
      guard let session = transaction.session(mount.index) else { throw coordinator.noStore() }
      try session.setSavepoint()
      let saved = try write(builder, session, taking: { try session.rollbackToSavepoint() }) {
        try session.releaseSavepoint()
      }
      transaction.recordSave(by: self)
      transaction.recordMetadata(saved.metadata)
      publish(saved.request, builder, isNested: true)
    } else {
      let session = try mount.store.beginWriting(isShared: false)
      let saved = try write(builder, session, taking: { try session.rollback() }) { try session.commit() }
      publish(saved.request, builder, isNested: false)
      adopt(saved.versions, storeIndex: mount.index)
      coordinator.endPendingMetadata(saved.metadata)
    }
  }

  /// Writes all of a save with a session; a failure leaves the context as it was.
  private func write(
    _ builder: SaveRequestBuilder, _ session: any WriteSession, taking takeBack: () throws -> Void,
    ending end: () throws -> Void
  ) throws -> (request: SaveRequest, versions: [RecordVersion], metadata: PendingMetadata.Written?) {
    var request = builder.request ?? SaveRequest()
    do {
      try builder.reserveKeys(&request, session)
      try builder.addRows(&request)
      let versions = try session.write(request) { check, members in
        try admit(members, check, storeIndex: builder.storeIndex)
      }
      let metadata = try coordinator.writePendingMetadata(builder.storeIndex, session)
      try end()
      return (request, versions, metadata)
    } catch {
      builder.discard()
      renewPropagation()
      try? takeBack()
      throw builder.named(error, request.permanentKeys)
    }
  }
}
