import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext.PreparedFetch {
  /// What each of several stores is asked for: the rows up to the end of the window (STO-124).
  var part: Self {
    var part = self
    let (end, isBeyond) = request.fetchLimit.addingReportingOverflow(request.fetchOffset)
    part.request.fetchLimit = request.fetchLimit == 0 || isBeyond ? 0 : end
    part.request.fetchOffset = 0
    return part
  }

  /// Of how many objects the window leaves how many.
  func windowed(_ count: Int) -> Int {
    let rest = max(0, count - request.fetchOffset)
    return request.fetchLimit > 0 ? min(rest, request.fetchLimit) : rest
  }
}

extension ManagedObjectContext {
  /// The objects of several stores as one sequence (FET-034, FET-048): in the order of the request, else store by store in
  /// the order in which these were added (STO-125).
  func mergedObjects(_ prepared: PreparedFetch, _ mounts: [Mount]) throws -> [ManagedObject] {
    let part = prepared.part
    let plans = try mounts.map { try source.plan(part.request, .rows, on: $0) }
    let isSorted = !prepared.request.sortDescriptors.isEmpty
    let runsCallbacks = coordinator.hasClasses || isSorted || !plans.allSatisfy(\.runsInStore)
    return try reading(runsCallbacks: runsCallbacks) { reader in
      var objects: [ManagedObject] = []
      for (mount, plan) in zip(mounts, plans) {
        let stored = try materialize(plan, from: mount, in: reader.session(mount.index))
        objects += try finishInMemory(stored, prepared: part, plan: plan)
        let isFull = part.request.fetchLimit > 0 && objects.count >= part.request.fetchLimit
        if isFull, !isSorted { break }
      }
      if isSorted {
        // Stable: equal ones stay in the order of the stores.
        let request = prepared.request
        objects = try objects.sorted(
          using: SortEvaluator(request.sortDescriptors, options: request.evaluation),
          checking: checkInterruption)
      }
      objects = window(objects, prepared.request)
      try prefetch(prepared.request.relationshipKeyPathsForPrefetching, of: objects, with: reader)
      return objects
    }
  }

  /// The sum of what each store counts, as the window leaves it; nil where the stores cannot count alone.
  func mergedCount(_ prepared: PreparedFetch, _ mounts: [Mount]) throws -> Int? {
    let part = prepared.part
    let plans = try mounts.map { try source.plan(part.request, .count, on: $0) }
    guard plans.allSatisfy({ $0.residual == nil }) else { return nil }
    return prepared.windowed(
      try zip(mounts, plans).reduce(0) { total, part in
        try total + readingOnce(from: part.0.index) { try $0.count(part.1) }
      })
  }

  /// The identifiers from each store in turn; nil where objects have to be made to sort or to judge them.
  func mergedIdentifiers(_ prepared: PreparedFetch, _ mounts: [Mount]) throws -> [ManagedObjectID]? {
    guard prepared.request.sortDescriptors.isEmpty else { return nil }
    let part = prepared.part
    let plans = try mounts.map { try source.plan(part.request, .identifiers, on: $0) }
    guard plans.allSatisfy({ $0.residual == nil && $0.isSortedByStore && $0.isWindowedByStore }) else {
      return nil
    }
    let identifiers = try zip(mounts, plans).flatMap { mount, plan in
      try readingOnce(from: mount.index) { try $0.identifiers(plan) }.map {
        identifier($0, storeIndex: mount.index)
      }
    }
    let rest = identifiers.dropFirst(prepared.request.fetchOffset)
    return Array(prepared.request.fetchLimit > 0 ? rest.prefix(prepared.request.fetchLimit) : rest)
  }

  /// What one of several stores is asked for.
  func part(
    of prepared: PreparedFetch, in mount: Mount
  ) throws -> (request: FetchRequest<ManagedObject>, plan: any StoreFetchPlan) {
    if needsCorrection(prepared) { return try candidates(of: prepared, in: mount) }
    let request = prepared.part.request
    return (request, try source.plan(request, .rows, on: mount))
  }

  // MARK: Affected stores

  /// - Throws: `unknown-store` for one that the coordinator does not have (FET-017).
  func checkAffectedStores(_ request: FetchRequest<ManagedObject>) throws {
    for store in request.affectedStores ?? [] { _ = try coordinator.mounted(store) }
  }

  /// The inserted objects that a fetch is to look at: where it asks for some stores only, those that a save would put there
  /// (FET-067).
  func insertedObjects(for prepared: PreparedFetch) -> [ManagedObject] {
    let inserted = insertedObjects
    guard let stores = prepared.request.affectedStores, !inserted.isEmpty else { return inserted }
    let placement = StorePlacement(of: inserted, updated: updatedObjects, coordinator, mounts)
    return inserted.filter { object in
      placement.failures[ObjectIdentifier(object)] == nil
        && stores.contains { $0.mount.index == object.storeIndex }
    }
  }
}
