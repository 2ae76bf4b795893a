import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// The answer of a fetch as it would be if the context's changes had just been saved: everything is judged in memory.
  func correctedObjects(
    _ prepared: PreparedFetch, _ mounts: [Mount], with reader: RequestReader
  ) throws -> [ManagedObject] {
    if prepared.request.inMemoryEvaluation == .refused {
      // What the store cannot run is refused whether or not changes make memory judge this time (FET-018).
      for mount in mounts { _ = try source.plan(prepared.request, .identifiers, on: mount) }
    }
    var trusted: Set<ManagedObject> = []
    var objects = try storedCandidates(prepared, on: mounts, with: reader, trusted: &trusted)
    objects += insertedObjects(for: prepared).filter { selects($0, prepared) }
    if let predicate = prepared.request.predicate {
      let doubtful = Set(
        try filter(objects.filter { !trusted.contains($0) }, predicate: predicate, request: prepared.request))
      objects = objects.filter { trusted.contains($0) || doubtful.contains($0) }
    }
    return window(try sort(objects, prepared.request), prepared.request)
  }

  /// Stored objects that may match: what the store selects, and what has changed since; where the predicate looks at
  /// other objects, which may have changed too, all of the entity.
  ///
  /// What the store selects by the whole predicate, and this context has not changed, is trusted: it stays in the
  /// answer whatever values its object was read with before.
  private func storedCandidates(
    _ prepared: PreparedFetch, on mounts: [Mount], with reader: RequestReader,
    trusted: inout Set<ManagedObject>
  ) throws -> [ManagedObject] {
    let request = prepared.request
    var found: [ManagedObject] = []
    for mount in mounts {
      let (candidates, plan) = try candidates(of: prepared, in: mount)
      let selected = try materialize(plan, from: mount, in: reader.session(mount.index))
      if candidates.predicate != nil, plan.residual == nil {
        trusted.formUnion(selected.filter { !$0.hasChanges })
      }
      found += selected
    }
    let known = Set(found.map(ObjectIdentifier.init))
    found += updatedObjects.filter { object in
      !known.contains(ObjectIdentifier(object)) && selects(object, prepared)
        && (request.affectedStores == nil || mounts.contains { $0.index == object.storeIndex })
    }
    return found.filter { !$0.isDeleted }
  }

  /// What a store is asked for where memory judges: no order, no window, and no predicate that looks at other objects
  /// while some are changed.
  func candidates(
    of prepared: PreparedFetch, in mount: Mount
  ) throws -> (request: FetchRequest<ManagedObject>, plan: any StoreFetchPlan) {
    var request = prepared.request
    request.fetchLimit = 0
    request.fetchOffset = 0
    request.sortDescriptors = []
    let plan = try source.plan(request, .rows, on: mount)
    guard plan.crossesRelationships, needsCorrection(prepared) else { return (request, plan) }
    request.predicate = nil
    return (request, try source.plan(request, .rows, on: mount))
  }

  private func selects(_ object: ManagedObject, _ prepared: PreparedFetch) -> Bool {
    prepared.request.includesSubentities
      ? object.entity.isKind(of: prepared.entity.entity) : object.layout === prepared.entity
  }

  /// Sorts by the request's descriptors; equal objects follow by key, unsaved ones last in order of insertion
  /// (FET-046, FET-047).
  func sort(_ objects: [ManagedObject], _ request: FetchRequest<ManagedObject>) throws -> [ManagedObject] {
    let ascending = request.sortDescriptors.last?.ascending ?? true
    var compared = 0
    let keyed = try objects.sorted { left, right in
      compared &+= 1
      if compared & 0xFFF == 0 { try checkInterruption() }
      if (left.key < 0) != (right.key < 0) { return right.key < 0 }
      if left.key < 0 { return left.key > right.key }
      if left.storeIndex != right.storeIndex { return left.storeIndex < right.storeIndex }
      return ascending ? left.key < right.key : left.key > right.key
    }
    guard !request.sortDescriptors.isEmpty else { return keyed }
    return try readingStoredValues {
      try keyed.sorted(
        using: SortEvaluator(request.sortDescriptors, options: request.evaluation),
        checking: checkInterruption)
    }
  }
}
