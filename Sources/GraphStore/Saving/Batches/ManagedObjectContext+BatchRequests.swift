extension ManagedObjectContext {
  /// Gives records new values in the stores.
  ///
  /// Nothing of it passes through objects: no hook runs, nothing is registered for undo, and neither the
  /// context's unsaved changes nor objects that are realised play a part in it or change. Versions of
  /// written records rise, so that a save of an older copy meets a conflict; derived attributes follow; the
  /// history of a store that keeps one has a transaction of it. Contexts see it once its identifiers are
  /// merged into them (`mergeChanges(fromRemoteContextSave:into:)`). A child context and a pinned one
  /// write the stores as they are now.
  ///
  /// Each store has one transaction; within ``PersistentStoreCoordinator/transaction(with:body:)`` it is a
  /// part of that. Where all records get the same values, a SQLite store runs one statement, or two where
  /// the predicate follows relationships. Expressions that yield just the type of their attribute, as a sum
  /// of integers does, take one more, which looks for a value to be refused. Other expressions, decimals,
  /// unique values, values in files and values that others are derived from are written row by row, by one
  /// prepared statement, with the rows in memory. It is fastest where no row of the entity is cached, no
  /// history is kept and no identifiers are asked for: nobody needs to know then which records were written.
  ///
  /// - Throws: `invalid-request`, `unknown-key`, and `invalid-property` for what is no stored attribute;
  ///   `value-type` and `value-out-of-range`; 1570 for a mandatory attribute without a value, and any rule
  ///   where the request validates; `constraint-conflict`; `read-only-store`; as
  ///   ``fetch(_:)->[ManagedObject]``. Nothing has changed then, but for `incomplete-save` of several
  ///   stores.
  @discardableResult
  public func execute(_ request: BatchUpdateRequest) throws -> BatchResult {
    checkQueue()
    return try logging(.update) {
      let run = BatchRun(self, request.resultType, isDry: request.isDryRun)
      let update = try BatchUpdate(request, run)
      let result = try run.write(to: update.mounts) {
        for mount in update.mounts { try update.write(to: mount) }
      }
      return (result, request.entityName)
    }
  }

  /// Deletes records from the stores, with what delete rules make of it.
  ///
  /// Nothing of it passes through objects, as ``execute(_:)-(BatchUpdateRequest)`` says. References to the
  /// records are cleared, pairs of links removed, and cascades followed, by statements over sets: their
  /// number follows from the relationships and the depth of the cascade. No Action leaves the other side
  /// alone. Files of values are removed after the commit.
  ///
  /// - Throws: 1600 (`delete-denied`) where a Deny rule leads to a record that stays; 1570 and 1580 where
  ///   one that stays would lose what it needs; `unknown-store` for identifiers of others than the
  ///   coordinator's stores, `temporary-id` for one that was never saved, and `invalid-request` for
  ///   several entity trees; `read-only-store`; as ``fetch(_:)->[ManagedObject]``. Nothing has changed
  ///   then, but for `incomplete-save` of several stores.
  @discardableResult
  public func execute(_ request: BatchDeleteRequest) throws -> BatchResult {
    checkQueue()
    return try logging(.delete) {
      let run = BatchRun(self, request.resultType, isDry: request.isDryRun)
      let deletion = try BatchDeletion(request, run)
      return (try run.write(to: deletion.mounts) { _ = try deletion.write() }, deletion.entityName)
    }
  }

  /// Deletes what a fetch selects as a batch request does.
  ///
  /// - Returns: How many records were selected.
  func deleteInStores<Object>(_ fetchRequest: FetchRequest<Object>) throws -> Int {
    checkQueue()
    var count = 0
    _ = try logging(.delete) {
      let run = BatchRun(self, .statusOnly, isDry: false)
      let deletion = try BatchDeletion(BatchDeleteRequest(fetchRequest), run)
      return (try run.write(to: deletion.mounts) { count = try deletion.write() }, deletion.entityName)
    }
    return count
  }

  /// Inserts records into the first store that can have them.
  ///
  /// Nothing of it passes through objects that belong to a context, as ``execute(_:)-(BatchUpdateRequest)``
  /// says. Attributes that are not set have the model's defaults, derived ones are computed, and
  /// relationships are empty. An object that meets a record under a uniqueness constraint is treated as the
  /// context's ``mergePolicy`` says by its type: the record takes the attributes that were set, or all, or
  /// the object is dropped; by ``MergePolicyType/error`` the request fails. One prepared statement writes
  /// any number of records, a thousand at a time, and the form with a closure has no more than those in
  /// memory.
  ///
  /// - Throws: `abstract-entity`; `unknown-key`, and `invalid-property` for what is no stored attribute;
  ///   `value-type` and `value-out-of-range`; 1570 for a mandatory attribute or relationship without a
  ///   value, and any rule where the request validates; `constraint-conflict`; each says which object of
  ///   the input it is about. `read-only-store`, `no-store-for-object`; what the closure throws. Nothing
  ///   has changed then.
  @discardableResult
  public func execute(_ request: BatchInsertRequest) throws -> BatchResult {
    checkQueue()
    return try logging(.insert) {
      let run = BatchRun(self, request.resultType, isDry: request.isDryRun)
      let insertion = try BatchInsertion(request, run)
      return (try run.write(to: [insertion.mount]) { try insertion.write() }, insertion.entityName)
    }
  }

  // MARK: Logging

  /// Kind of a batch request.
  private enum BatchKind: String {
    case insert, update, delete
  }

  /// Runs a batch request, whose lines of the SQL log stand together.
  ///
  /// - Parameter body: Returns the name of the entity too.
  private func logging(
    _ kind: BatchKind, _ body: () throws -> (BatchResult, entity: String)
  ) throws -> BatchResult {
    let logged = SQLLogRequest.begin()
    defer { logged?.end() }
    let (result, entity) = try body()
    logged?.add(annotation: "batch \(kind.rawValue) of \(entity) affected \(result.count) rows.")
    return result
  }
}
