import GraphStoreModel
import GraphStorePredicates

/// The unsaved changes of a context that can alter the answer of a request.
struct PendingCorrection {
  /// By the numbers of their stores, the keys of saved objects of which a store cannot say whether and where
  /// they belong: those changed in properties that the request reads, and deleted ones.
  private(set) var uncertainKeys: [Int32: Set<Int64>] = [:]
  /// Changed and new objects of the entity, which memory judges.
  private(set) var candidates: [ManagedObject] = []
  /// Whether changes of other objects may let objects without changes belong, or not belong, to the answer
  /// (FET-062).
  private(set) var dependsOnOthers = false

  fileprivate init(
    _ changed: [ManagedObject], new: [ManagedObject], _ reach: RequestDependencies,
    selects: (ManagedObject) -> Bool, isAsked: (Int32) -> Bool
  ) {
    for object in changed {
      if !dependsOnOthers { dependsOnOthers = reach.includes(object) }
      guard !object.isInserted, selects(object) else { continue }
      let isDeleted = object.isDeleted
      guard isDeleted || reach.isUnbounded || object.hasChanged(reach.own) else { continue }
      uncertainKeys[object.storeIndex, default: []].insert(object.key)
      if !isDeleted, isAsked(object.storeIndex) { candidates.append(object) }
    }
    candidates += new.filter(selects)
  }

  var isNothing: Bool { uncertainKeys.isEmpty && candidates.isEmpty && !dependsOnOthers }
}

extension ManagedObjectContext {
  /// The unsaved changes that can alter the answer of a request; nil where there are none (FET-070).
  ///
  /// Looks at the list of changed objects and evaluates none.
  ///
  /// - Parameter shown: The fields of the objects, where the answer is not the objects themselves.
  func correction(of prepared: PreparedFetch, shown: [QueryExpression] = []) -> PendingCorrection? {
    let request = prepared.request
    guard request.includesPendingChanges, !unsaved.objects.isEmpty else { return nil }
    let correction = PendingCorrection(
      unsaved.objects, new: insertedObjects(for: prepared),
      RequestDependencies(request, of: prepared.entity.entity, shown: shown),
      selects: { object in
        request.includesSubentities
          ? object.entity.isKind(of: prepared.entity.entity) : object.layout === prepared.entity
      },
      isAsked: { index in
        request.affectedStores?.contains { $0.mount.index == index } ?? true
      })
    return correction.isNothing ? nil : correction
  }

  /// The inserted objects that a fetch has to check: where it asks for some stores only, those that a save
  /// would put there (FET-067).
  func insertedObjects(for prepared: PreparedFetch) -> [ManagedObject] {
    let inserted = insertedObjects
    guard let stores = prepared.request.affectedStores, !inserted.isEmpty else { return inserted }
    let placement = StorePlacement(of: inserted, updated: updatedObjects, coordinator, mounts)
    return inserted.filter { object in
      placement.failures[ObjectIdentifier(object)] == nil
        && stores.contains { $0.mount.index == object.storeIndex }
    }
  }

  /// Whether unsaved changes can alter the answer.
  ///
  /// - Parameter shown: The fields of the objects, where the answer is not the objects themselves.
  func needsCorrection(_ prepared: PreparedFetch, shown: [QueryExpression] = []) -> Bool {
    correction(of: prepared, shown: shown) != nil
  }

  /// The changed and new objects that a request selects, in its order.
  func matches(among correction: PendingCorrection?, _ request: FetchRequest<ManagedObject>) throws
    -> [ManagedObject]
  {
    guard let correction, !correction.candidates.isEmpty else { return [] }
    var found = correction.candidates
    if let predicate = request.predicate { found = try filter(found, predicate: predicate, request: request) }
    return try sort(found, request)
  }

  /// The objects for which a predicate is true, in three-valued logic as in a store (FET-061).
  private func filter(
    _ objects: [ManagedObject], predicate: QueryPredicate, request: FetchRequest<ManagedObject>
  ) throws -> [ManagedObject] {
    var options = request.evaluation
    options.check = { [self] in try checkInterruption() }
    let evaluator = try PredicateEvaluator(predicate, options: options)
    return try readingStoredValues { try objects.filter { try evaluator.evaluate($0) } }
  }

  /// Sorts by the request's descriptors; equal objects follow by key, unsaved ones last in order of insertion
  /// (FET-046, FET-047).
  private func sort(_ objects: [ManagedObject], _ request: FetchRequest<ManagedObject>) throws
    -> [ManagedObject]
  {
    let order = PlaceOrder(request)
    let placed = objects.sorted { order.precedes(RecordLocation($0), RecordLocation($1)) }
    guard !request.sortDescriptors.isEmpty else { return placed }
    return try readingStoredValues {
      try placed.sorted(
        using: SortEvaluator(request.sortDescriptors, options: request.evaluation),
        checking: checkInterruption)
    }
  }
}
