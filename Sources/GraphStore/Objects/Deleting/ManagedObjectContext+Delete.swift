import GraphStoreModel
import OrderedCollections

extension ManagedObjectContext {
  /// Marks an object for deletion by the next save; nothing is read and no rule applied yet.
  ///
  /// Rules are applied when pending changes are processed. Deleting an object that is already going, or that
  /// has left its context, does nothing.
  ///
  /// - Throws: `context-mismatch` for an object of another context, `object-invalidated` for one that is
  ///   being released: nothing has changed then. `changes-do-not-settle` where hooks make and delete further
  ///   objects without end: what they did so far stays, and can be rolled back.
  public func delete(_ object: ManagedObject) throws {
    checkQueue()
    guard object.isPresent else { return }
    try checkOwnership(of: object, before: "deleted")
    deletions.pending.append(object)
    try markDeleted(object)
  }

  /// Marks an object deleted and runs its hook.
  ///
  /// - Throws: `changes-do-not-settle`, by hooks that delete without end.
  func markDeleted(_ object: ManagedObject) throws {
    object.enterEvent()
    object.keepUnchangedValues()
    object.changeState(adding: .deleted)
    countSetter()
    recordChange(of: object)
    deletions.order.append(object)
    if object.hasOwnClass { try prepareForDeletion(of: object) }
  }

  /// Applies the delete rules to everything deleted since the last call.
  func propagateDeletions() throws {
    guard !deletions.pending.isEmpty else { return }
    let seeds = deletions.pending
    let commitNumber = source.commitNumber
    let areAll = seeds.count >= deletions.order.count
    deletions.pending = []
    let propagation = DeletionPropagation(context: self, isPreview: false)
    do {
      try runningDeletionHooks { try propagation.find(seeds) }
      try propagation.apply(try propagation.findCuts())
    } catch {
      let known = Set(seeds)
      deletions.pending =
        seeds
        + deletions.order.filter {
          $0.isDeleted && !$0.state.contains(.propagated) && !known.contains($0)
        }
      throw error
    }
    // Where others have saved since earlier deletions were propagated, those stay to be renewed.
    if areAll { deletions.propagationCommitNumber = commitNumber }
    let cascade = propagation.cascade
    if cascade.links.contains(where: { $0.source >= 0 }) { deletions.cascades.append(cascade) }
    var wereInserted = false
    cascade.objects.forEachBorrowed { object in
      object.changeState(adding: .propagated)
      if object.state.contains(.inserted) { wereInserted = true }
    }
    if wereInserted { dropInserted(propagation) }
  }

  /// Removes objects that were never saved, and that a cascade has deleted, from the context.
  private func dropInserted(_ propagation: DeletionPropagation) {
    for (position, object) in propagation.cascade.objects.enumerated() where object.state.contains(.inserted)
    {
      if propagation.isReachedFromRecord(position, deletions.removedObjects) {
        deletions.removedObjects[object] = RemovedObject(object)
      }
      drop(object)
    }
    removeUnlisted()
    deletions.order.removeAll { $0.state.contains(.detached) }
  }

  /// Removes a deleted object that was never saved from the context. One that an earlier event has delivered
  /// is delivered once more.
  func drop(_ object: ManagedObject) {
    if let before = object.eventSnapshot, consumesChanges {
      unsaved.event.left.append(ContextChanges.Change(object, before: before))
      undoManager?.removedObjects.keep(object)
    }
    object.leave(.detached)
  }

  /// Has the delete rules applied anew to everything that is deleted, if another context has saved since they
  /// were.
  func renewOldPropagation() {
    if deletions.propagationCommitNumber != source.commitNumber { renewPropagation() }
  }

  /// Has the delete rules applied anew to everything that is deleted, since the store may have changed
  /// (REL-247).
  func renewPropagation() {
    deletions.pending = deletions.order.filter { $0.isDeleted && !$0.state.contains(.inaccessible) }
  }

  /// Previews deleting objects and saving; changes nothing.
  ///
  /// The context's unsaved changes are taken into account. It costs the statements of the deletion itself.
  ///
  /// - Throws: `context-mismatch` for an object of another context; what reading the objects concerned
  ///   throws.
  public func deletionPreview(of objects: [ManagedObject]) throws -> DeletionPreview {
    try rehearsingDeletion(of: objects) { propagation in
      let cuts = try propagation.findCuts()
      return DeletionPreview(
        deletions: deletions(of: propagation),
        clearings: clearings(cuts),
        danglingReferences: danglingReferences(try propagation.findDangling()),
        denials: try propagation.findDenials().map(\.preview),
        failures: try failures(after: cuts), hooksNotRun: hooksNotRun(propagation))
    }
  }

  /// The numbers of objects that deleting some would delete, change, leave behind or be stopped by, by entity
  /// and rule, without the tree that leads to them: for deletions of very many.
  ///
  /// - Throws: as ``deletionPreview(of:)``.
  public func deletionCounts(of objects: [ManagedObject]) throws -> [DeletionPreview.Count] {
    try rehearsingDeletion(of: objects) { propagation in
      var counts = DeletionCounts()
      for run in propagation.cascade.allRuns {
        let rule: DeleteRule? = run.link == nil ? nil : .cascade
        counts.add(run.positions.count, of: run.layout.entity, by: rule, run.link?.qualifiedName)
      }
      for clearing in clearings(try propagation.findCuts()) {
        counts.add(clearing.objectIDs, by: clearing.rule, clearing.relationship)
      }
      for reference in danglingReferences(try propagation.findDangling()) {
        counts.add(reference.objectIDs, by: .noAction, reference.relationship)
      }
      for denial in try propagation.findDenials() {
        counts.add(1, of: denial.object.entity, by: .deny, denial.relationship.qualifiedName)
      }
      return counts.counts
    }
  }

  /// Looks for what deleting some objects would do, and leaves no trace of it.
  private func rehearsingDeletion<Result>(
    of objects: [ManagedObject], _ body: (DeletionPropagation) throws -> Result
  ) throws -> Result {
    checkQueue()
    for object in objects { try checkOwnership(of: object, before: "deleted") }
    try processPendingChanges()
    let propagation = DeletionPropagation(context: self, isPreview: true)
    defer { propagation.removeMarks() }
    try propagation.find(objects)
    return try body(propagation)
  }

  private func hooksNotRun(_ propagation: DeletionPropagation) -> [String] {
    var names: OrderedSet<String> = []
    for run in propagation.cascade.allRuns where coordinator.objectClass(run.layout) != ManagedObject.self {
      names.append(run.layout.entity.name)
    }
    return names.elements
  }

  private func deletions(of propagation: DeletionPropagation) -> [DeletionPreview.Deletion] {
    let cascade = propagation.cascade
    return cascade.allRuns.flatMap { run -> [DeletionPreview.Deletion] in
      let link = run.link?.qualifiedName
      return run.positions.map { position in
        DeletionPreview.Deletion(
          objectID: cascade.objects[position].objectID, source: cascade.source(at: position)?.objectID,
          relationship: link, depth: Int(cascade.links[position].depth))
      }
    }
  }

  private func clearings(_ cuts: [DeletionPropagation.Cut]) -> [DeletionPreview.Clearing] {
    var clearings: OrderedDictionary<String, DeletionPreview.Clearing> = [:]
    for cut in cuts {
      guard let inverse = cut.relationship.inverseDescription else { continue }
      let name = "\(cut.object.entity.name).\(inverse.name)"
      let start = DeletionPreview.Clearing(
        relationship: name, rule: cut.relationship.deleteRule, objectIDs: [])
      clearings[name, default: start].objectIDs.append(cut.object.objectID)
    }
    return Array(clearings.values)
  }

  private func danglingReferences(
    _ found: [DeletionPropagation.Dangling]
  ) -> [DeletionPreview.DanglingReference] {
    let byRelationship = OrderedDictionary(grouping: found) { dangling in
      "\(dangling.object.entity.name).\(dangling.relationship.inverseDescription?.name ?? "")"
    }
    return byRelationship.map { relationship, found in
      DeletionPreview.DanglingReference(
        relationship: relationship, objectIDs: found.map(\.object.objectID))
    }
  }

  /// Objects that stay with a mandatory relationship empty, or a to-many below its minimum.
  private func failures(after cuts: [DeletionPropagation.Cut]) throws -> [GraphStoreError] {
    struct Loser: Hashable {
      let object: ManagedObject
      let relationship: Int
    }
    var losses: OrderedDictionary<Loser, (relationship: RelationshipLayout, count: Int)> = [:]
    for cut in cuts {
      let inverse = cut.object.layout.relationships[cut.relationship.inverse]
      guard inverse.isConstrained else { continue }
      losses[Loser(object: cut.object, relationship: inverse.number), default: (inverse, 0)].count += 1
    }
    return try losses.compactMap { loser, loss in
      let members = loss.relationship.isToMany ? try loser.object.members(of: loss.relationship).count : 1
      return loser.object.failure(of: loss.relationship, count: members - loss.count)
    }
  }
}

extension RelationshipLayout {
  /// `Department.employees`.
  var qualifiedName: String { "\(description.entity.name).\(description.name)" }

  /// Whether fewer members can make the owner invalid.
  var isConstrained: Bool { description.limitsRemoval }
}
