import GraphStoreModel

/// The validation of a save: its rounds, and the failures of all objects, gathered.
extension ManagedObjectContext {
  /// Runs the validation of a save and returns all failures, without saving.
  public func validateChanges() throws -> [GraphStoreError] {
    checkQueue()
    try processPendingChanges()
    var changes = PendingSave(self)
    return try validationFailures(of: &changes).flatMap(\.parts)
  }

  /// Validates and calls `willSave` until a round changes nothing (CTX-092).
  func validateUntilStable() throws {
    defer { validation.unstableChanges = nil }
    for round in 0..<Self.maximumRounds {
      if round == Self.maximumRounds - 2 { validation.unstableChanges = UnstableChanges() }
      let before = setterCount
      var changes = PendingSave(self)
      let failures = saving.mode == .checked ? try validationFailures(of: &changes) : []
      if let error = GraphStoreError.combining(failures) { throw error.sorted() }
      if coordinator.hasClasses {
        changes.forEachObject { if $0.hasOwnClass, $0.state.isToBeSaved { $0.willSave() } }
      }
      if setterCount == before { return }
      try processPendingChanges()
    }
    throw unstable("Validation or willSave changed something", validation.unstableChanges?.list ?? [])
  }

  /// The failures of changes by the rules of the model and of classes.
  ///
  /// - Parameter changes: Become others where classes change something as they validate.
  private func validationFailures(of changes: inout PendingSave) throws -> [GraphStoreError] {
    validation.trees = []
    defer { validation.trees = nil }
    var failures: [GraphStoreError] = []
    func validate(_ object: ManagedObject, _ rules: (ManagedObject) throws -> Void) {
      do { try rules(object) } catch { failures.append(.failure(error, of: object)) }
    }
    // Known first, so that who blocks a deletion is not blamed for referring to a deleted object.
    let before = setterCount
    validation.denials = try denials(of: changes.deleted)
    defer { validation.denials = nil }
    changes.inserted.forEachBorrowed { object in
      if object.state.isInsertion { validate(object) { try $0.validateForInsert() } }
    }
    if setterCount != before { changes = PendingSave(self) }
    changes.updated.forEachBorrowed { object in
      if object.state.isUpdate, !object.state.isDeletion { validate(object) { try $0.validateForUpdate() } }
    }
    if setterCount != before {
      changes = PendingSave(self)
      validation.denials = try denials(of: changes.deleted)
    }
    changes.deleted.forEachBorrowed { object in
      guard object.isToBeDeleted, !object.state.contains(.inaccessible),
        object.hasOwnClass || validation.denials?[object] != nil
      else { return }
      validate(object) { try $0.validateForDelete() }
    }
    if setterCount != before { changes = PendingSave(self) }
    return failures
  }
}
