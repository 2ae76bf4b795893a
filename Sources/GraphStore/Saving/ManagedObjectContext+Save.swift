import GraphStoreModel

extension ManagedObjectContext {
  /// Checks all unsaved changes and writes them in one transaction a store, each object to its own.
  ///
  /// Delete rules are applied, every inserted, updated and deleted object is validated, and all failures come together.
  /// A save that throws has written nothing and leaves every pending change, flag and temporary identifier as it was
  /// (CTX-119). Without changes nothing happens, but that metadata that wait for a save are written. Inside a
  /// coordinator's transaction the save is a part of it.
  ///
  /// All stores are written before the first is committed (STO-131). Where a commit fails after another one,
  /// `incomplete-save` names the stores of both kinds: objects of those that were written are saved, all others keep their
  /// changes (STO-132).
  ///
  /// - Throws: `validation` or `multiple-validation-errors`, `delete-denied`, `merge-conflict`,
  ///   `constraint-conflict`, `no-store-for-object`, `cross-store-relationship`, `read-only-store`, `store-timeout`,
  ///   `disk-full`, `store-save-failed`, `incomplete-save`, `recursive-save`.
  public func save() throws {
    checkQueue()
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
    guard hasChanges else { return try saveMetadata() }
    try validateUntilStable()
    try observers.contextWillSave()
    try saveChanges()
  }

  /// Runs the validation of a save and returns all failures, without saving (OBJ-335).
  public func validateChanges() throws -> [GraphStoreError] {
    checkQueue()
    try processPendingChanges()
    return try validationFailures()
  }

  /// Accesses that failed where they could not throw; every save throws the first until they are taken (OBJ-173).
  public func takeDeferredErrors() -> [any Error] {
    checkQueue()
    defer { deferredErrors = [] }
    return deferredErrors
  }

  // MARK: Validation and hooks

  private static let maximumRounds = 1000

  /// Validates and calls `willSave` until a round changes nothing (CTX-092).
  private func validateUntilStable() throws {
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
    for object in changedObjects where object.state.isInsertion { validate(object, object.validateForInsert) }
    for object in changedObjects where object.state.isDisjoint(with: [.inserted, .deleted]) {
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
    var objects = changedObjects.filter { hasHook($0) && $0.state.isInsertion }
    objects += changedObjects.lazy.filter {
      hasHook($0) && $0.state.isDisjoint(with: [.inserted, .deleted])
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

  // MARK: Saving to the source

  /// Has the metadata written that wait for a save, and nothing else.
  private func saveMetadata() throws {
    if let failure = try source.save(PendingSave(), of: self).failure { throw failure }
  }

  /// Hands the changes to the source and takes over what comes of them; a failure leaves the context as it was.
  private func saveChanges() throws {
    let changes = PendingSave(self)
    let outcome = try source.save(changes, of: self)
    retireWorkingBlocks()
    for part in outcome.written { publish(part, isNested: transaction != nil) }
    guard let failure = outcome.failure else { return finish(changes) }
    for part in outcome.written { finish(part) }
    renewPropagation()
    throw failure
  }
}
