import GraphStoreModel
import OrderedCollections

extension ManagedObjectContext {
  /// Carries out steps of undo or redo, the first one first, as one event. Everything is read before anything
  /// changes.
  ///
  /// - Returns: The steps that take them back, the identifiers of objects that could not be reached, and what
  ///   runs hooks and notifies observers in the end, which may change and save what they like.
  func carryOut(
    _ steps: [UndoStep], for manager: GraphUndoManager
  ) throws -> (inverses: [UndoStep], unreached: [ManagedObjectID], finish: () -> Void) {
    var run = UndoRun(self, manager)
    try run.prepare(steps)
    let inverses = steps.map { run.carryOut($0) }
    return (inverses, run.unreached, { [run] in run.finish() })
  }
}

/// One run of undo or redo: its findings, and its changes.
struct UndoRun {
  /// Effect of the run on one object.
  private struct Effect {
    let object: ManagedObject
    /// The state that observers were notified of before.
    let before: EventSnapshot
    var events: SnapshotEvents = []
    var members: [(ordinal: Int, log: MembershipLog)] = []
  }

  let context: ManagedObjectContext
  /// Has what objects were that have left the context.
  let manager: GraphUndoManager
  private(set) var unreached: [ManagedObjectID] = []
  private var isUnreached: Set<ObjectIdentifier> = []
  private var effects: OrderedDictionary<ObjectIdentifier, Effect> = [:]
  /// Objects that have got the flags back that they had.
  private var marked: [ManagedObject] = []
  private var leaving: OrderedSet<ManagedObject> = []
  /// Destinations whose records are gone: others have deleted them, or their own objects have left.
  private(set) var missing: Set<ManagedObject> = []
  /// Whether there was no save between the step that is carried out and the changes it reverts.
  private(set) var isUnsaved = false
  /// The reversals that the step being carried out has postponed.
  var postponements: [Postponement] = []

  fileprivate init(_ context: ManagedObjectContext, _ manager: GraphUndoManager) {
    self.context = context
    self.manager = manager
  }

  // MARK: Reading

  /// Brings values and members into memory that are to be changed, and finds the objects that cannot be
  /// reached.
  fileprivate mutating func prepare(_ steps: [UndoStep]) throws {
    let reversals = steps.flatMap(\.reversals)
    for reversal in reversals where !isReachable(reversal) { leaveOut(reversal.object) }
    let returning = reversals.map(\.object).filter {
      $0.state.contains(.detached) && $0.key > 0 && !isUnreached.contains(ObjectIdentifier($0))
    }
    let linked = try linked(byReturning: returning)
    let ofOthers = linked.filter {
      $0.context === context && $0.key > 0 && $0.state.isDisjoint(with: [.inserted, .detached])
    }
    try findMissing(OrderedSet(ofOthers + representatives(for: linked + reversals.flatMap(\.linked))))
    let late = reversals.map(\.object).filter { $0.state.contains(.detached) }
      .flatMap { manager.removedObjects.waiting(for: $0) }
    let present = (reversals + late).filter { $0.object.context === context }
    try context.loadRows(of: present.map(\.object).filter { $0.isFault && $0.block == nil })
    for object in present.map(\.object) where object.state.contains(.fault) {
      try object.realize()
      if object.state.contains(.inaccessible) { leaveOut(object) }
    }
    for reversal in present where !reversal.object.state.contains(.inaccessible) {
      if case .goes = reversal.presence, !reversal.object.state.contains(.inserted) {
        // To-ones matter only where they are known: a destination may be about to return.
        try reversal.object.loadMembers()
      }
      for (ordinal, log) in reversal.members where log.order != nil {
        _ = try reversal.object.storedMembers(of: reversal.object.layout.relationships[ordinal])
      }
    }
    try loadOtherEnds(of: reversals.flatMap { links(claimedBy: $0) })
  }

  /// The objects that returning records are linked to. A record that another writer has written again has its
  /// object already.
  private mutating func linked(byReturning objects: [ManagedObject]) throws -> [ManagedObject] {
    for object in objects {
      let other = context.registry.object(object.layout, key: object.key, store: object.storeIndex)
      if let other, other !== object, !other.state.contains(.inaccessible), try context.isStored(other) {
        leaveOut(object)
      } else {
        manager.removedObjects.findDestinations(of: object, in: context)
      }
    }
    return objects.compactMap { manager.removedObjects[$0] }.flatMap { removedObject in
      removedObject.members.values.flatMap(\.self) + removedObject.destinations.values
    }
  }

  /// The faults that represent those of some objects that have left: No Action leaves references to a record
  /// that is gone, and reading one makes a fault. A link that is restored must not lead to it.
  private func representatives(for objects: [ManagedObject]) -> [ManagedObject] {
    objects.compactMap { object in
      guard object.key > 0 else { return nil }
      let hasLeft = object.state.contains(.detached)
      guard hasLeft || manager.removedObjects.object(of: RecordKey(object), in: object.storeIndex) != nil,
        let known = context.registry.object(object.layout, key: object.key, store: object.storeIndex)
      else { return nil }
      return known.isFault ? known : nil
    }
  }

  /// Finds those of some objects whose records are gone, with one statement an entity tree: a link to one
  /// could not be saved.
  private mutating func findMissing(_ asked: OrderedSet<ManagedObject>) throws {
    for (store, objects) in OrderedDictionary(grouping: asked, by: \.storeIndex) {
      for (rootIndex, objects) in OrderedDictionary(grouping: objects, by: \.layout.rootIndex) {
        let root = context.coordinator.layout.entities[rootIndex]
        var present: Set<Int64> = []
        try context.readingOnce(from: store) { session in
          try session.rows(root, keys: objects.map(\.key)) { $0.forEach { key, _ in present.insert(key) } }
        }
        missing.formUnion(objects.filter { !present.contains($0.key) })
      }
    }
    for object in missing where representative(for: object) === object { leaveOut(object) }
  }

  /// Whether a reversal can be carried out, at once or when its object returns.
  private func isReachable(_ reversal: ObjectReversal) -> Bool {
    let object = reversal.object
    if !object.state.isDisjoint(with: [.invalidated, .inaccessible]) { return false }
    guard object.state.contains(.detached) else { return true }
    if case .goes = reversal.presence { return false }
    return manager.removedObjects[object]?.row != nil
  }

  private mutating func leaveOut(_ object: ManagedObject) {
    if isUnreached.insert(ObjectIdentifier(object)).inserted { unreached.append(object.objectID) }
  }

  // MARK: Carrying out

  /// Carries out one step and returns the one that undoes it.
  ///
  /// Reversals that wait for objects that return belong to it: they are of later steps, and run first. In the
  /// end both ends of all links that it has changed agree.
  fileprivate mutating func carryOut(_ step: UndoStep) -> UndoStep {
    let withdrawn = manager.removedObjects.withdraw(step.postponements)
    isUnsaved = step.generation == context.saving.generation
    let reversals = step.reversals.filter { isCarriedOutNow($0) }
    var opposites = reversals.map { ObjectReversal(flagsOf: $0.object) }
    var late: [ObjectReversal] = []
    for (index, reversal) in reversals.enumerated() {
      note(reversal)
      guard case .comes = reversal.presence else { continue }
      opposites[index].presence = .goes
      late += reinsert(reversal.object)
    }
    for reversal in reversals {
      if case .comes = reversal.presence { postponeLinks(of: reversal.object) }
    }
    late = late.filter { isCarriedOutNow($0) }.map { withoutTakenPlaces($0) }
    let oppositesOfLate = late.map { apply($0, marking: .differences) }
    for (index, reversal) in reversals.enumerated() {
      setValues(of: reversal, marking: isUnsaved ? .former : .all, opposite: &opposites[index])
    }
    var changed = OrderedSet((reversals + late + opposites).flatMap { links(claimedBy: $0) })
    for (index, reversal) in reversals.enumerated() {
      guard case .goes = reversal.presence else { continue }
      changed.formUnion(links(of: reversal.object))
      opposites[index].presence = .comes
      takeOut(reversal.object, opposite: &opposites[index])
    }
    opposites.postponeAgain(withdrawn)
    let oppositesOfEnds = changed.compactMap { link in
      completion(of: link).map { apply($0, marking: .differences) }
    }
    defer { postponements = [] }
    return UndoStep(
      generation: context.saving.generation,
      reversals: oppositesOfEnds.reversed() + opposites.lastOfEachFirst + oppositesOfLate.reversed(),
      postponements: postponements)
  }

  /// Whether a reversal can be carried out now; one of an object that has left waits for its return.
  private mutating func isCarriedOutNow(_ reversal: ObjectReversal) -> Bool {
    if isUnreached.contains(ObjectIdentifier(reversal.object)) { return false }
    guard reversal.object.state.contains(.detached) else { return true }
    if case .comes = reversal.presence { return true }
    postpone(reversal, until: reversal.object)
    return false
  }

  /// Carries out one reversal as a change that is to be saved, and returns the reversal that undoes it.
  private mutating func apply(_ reversal: ObjectReversal, marking changes: MarkedChanges) -> ObjectReversal {
    var opposite = ObjectReversal(flagsOf: reversal.object)
    note(reversal)
    setValues(of: reversal, marking: changes, opposite: &opposite)
    return opposite
  }

  private mutating func note(_ reversal: ObjectReversal) {
    let effect = Effect(object: reversal.object, before: EventSnapshot(reversal.object))
    effects[ObjectIdentifier(reversal.object), default: effect].events.insert(
      reversal.presence.snapshotEvents)
  }

  /// Withdraws a deletion, or registers an object again; returns the reversals that have waited for that.
  private mutating func reinsert(_ object: ManagedObject) -> [ObjectReversal] {
    guard object.state.contains(.detached) else {
      object.changeState(removing: [.deleted, .propagated])
      return []
    }
    let late = manager.removedObjects.waiting(for: object)
    guard let removedObject = manager.removedObjects.take(object) else { return [] }
    context.reinsert(object, removedObject)
    for membership in removedObject.memberships {
      // Sets that were read keep deleted members; the record is to be written again, and with it the link.
      let relationship = membership.owner.layout.relationships[membership.ordinal]
      membership.owner.countAsJoined(object, relationship)
    }
    return late
  }

  /// Takes an object out of the context that was never saved. Another one is marked deleted, without links
  /// that delete rules could follow: what it led to is not concerned. Links that deny the deletion stay, so
  /// that it is denied as before.
  private mutating func takeOut(_ object: ManagedObject, opposite: inout ObjectReversal) {
    if object.state.contains(.inserted) {
      leaving.append(object)
      return
    }
    if object.state.contains(.deleted) { return }
    object.keepUnchangedValues()
    var emptied = ObjectReversal(object)
    let relationships = object.layout.relationships
    for (place, leaf) in object.layout.leaves.enumerated() where leaf.kind == .toOne {
      if isDenied(object, relationships[leaf.relationship]) { continue }
      object.makeRowWritable()
      guard let value = object.exchange(.destination(nil), at: place, in: context) else { continue }
      emptied.values.append((place, value))
    }
    for relationship in relationships where relationship.isToMany && !isDenied(object, relationship) {
      let log = object.toMany(relationship).empty()
      if !log.isEmpty { emptied.members.append((relationship.ordinal, log)) }
    }
    // The last change is undone first.
    opposite.values = emptied.values + opposite.values
    opposite.members = emptied.members + opposite.members
    object.changeState(adding: [.deleted, .propagated])
    context.recordChange(of: object)
    context.deletions.order.append(object)
  }

  /// Whether an object is to leave the context when the run ends.
  func isLeaving(_ object: ManagedObject) -> Bool { leaving.contains(object) }

  /// Whether a Deny relationship leads to objects that are linked back. An inserted object is not linked back
  /// any more when its insertion is undone.
  func isDenied(_ object: ManagedObject, _ relationship: RelationshipLayout) -> Bool {
    guard relationship.deleteRule == .deny, relationship.inverse >= 0 else { return false }
    return ((try? object.resolvedDestinations(of: relationship)) ?? []).contains { other in
      let inverse = other.layout.relationships[relationship.inverse]
      guard inverse.isToMany else { return (try? other.storedObject(of: inverse)) === object }
      guard let links = other.relationshipIfTouched(inverse.ordinal) as? ToManyRelationship else {
        return true
      }
      return links.isResolved ? links.hasMember(object) : !links.removed.contains(object)
    }
  }

  private mutating func setValues(
    of reversal: ObjectReversal, marking changes: MarkedChanges, opposite: inout ObjectReversal
  ) {
    let object = reversal.object
    object.keepUnchangedValues()
    if !reversal.values.isEmpty {
      object.makeRowWritable(keepsFormer: context.deliversChanges)
      opposite.values = reversal.values.compactMap { place, value in
        object.exchange(present(value, at: place, of: object), at: place, in: context).map { (place, $0) }
      }.reversed()
    }
    for (ordinal, log) in reversal.members.map({ ($0.ordinal, present($0.log, of: $0.ordinal, object)) }) {
      let members = object.toMany(object.layout.relationships[ordinal])
      let former = members.opposite(of: log)
      opposite.members.insert((ordinal, former), at: 0)
      effects[ObjectIdentifier(object)]?.members.append((ordinal, former))
      members.restore(log, isUnsaved: changes == .former)
    }
    object.mark(changes, of: reversal, in: context)
    if changes == .former { marked.append(object) }
  }

  // MARK: Finishing

  /// Puts the lists of changes in order, runs the hooks, and notifies observers.
  fileprivate func finish() {
    for object in marked { object.markDifferingLinks(in: context) }
    context.deletions.order.removeAll { !$0.state.contains(.deleted) }
    context.deletions.pending.removeAll { !$0.state.contains(.deleted) }
    // Not before the last step: one that changes the object again would list it twice.
    for effect in effects.values where effect.object.state.isDisjoint(with: .changed) {
      effect.object.changeState(removing: .listing)
      effect.object.returnToCommittedRow()
    }
    context.removeUnlisted()
    context.resetEvent()
    context.countSetter()
    for effect in effects.values where effect.object.hasOwnClass {
      effect.object.awake(fromSnapshotEvents: effect.events)
    }
    for object in leaving {
      manager.removedObjects.keep(object)
      object.leave(.detached)
    }
    if !leaving.isEmpty { context.removeUnlisted() }
    for effect in effects.values where effect.object.state.contains(.observed) {
      context.delivery.keyObservers?.reportAll(of: effect.object)
    }
    guard context.deliversChanges else { return }
    context.unsaved.isProcessing = true
    defer { context.unsaved.isProcessing = false }
    context.deliver(changes)
  }

  /// The changes for observers: objects that have appeared are inserted, those that have gone deleted, the
  /// rest updated (CTX-155).
  private var changes: ContextChanges {
    var changes = ContextChanges()
    for effect in effects.values {
      let wasPresent = effect.before.state.isDisjoint(with: [.deleted, .detached])
      let isPresent = effect.object.state.isDisjoint(with: [.deleted, .detached])
      let change = ContextChanges.Change(
        object: effect.object, before: effect.before, members: effect.members)
      switch (wasPresent, isPresent) {
      case (true, true): changes.updated.append(change)
      case (true, false): changes.deleted.append(change)
      case (false, true): changes.inserted.append(effect.object)
      case (false, false): break
      }
    }
    return changes
  }
}

extension [ObjectReversal] {
  /// Adds reversals that were postponed until now: undoing that postpones them again, unless its object has
  /// returned by then.
  fileprivate mutating func postponeAgain(_ withdrawn: [ObjectReversal]) {
    for reversal in withdrawn {
      if let index = lastIndex(where: { $0.object === reversal.object }) {
        self[index].values += reversal.values
        self[index].members += reversal.members
      } else {
        append(reversal)
      }
    }
  }

  /// The reversals, those of one object in the opposite order: its last change is undone first.
  fileprivate var lastOfEachFirst: [ObjectReversal] {
    var byObject = Dictionary(grouping: self) { ObjectIdentifier($0.object) }
    return map { byObject[ObjectIdentifier($0.object)]?.popLast() ?? $0 }
  }
}

extension ObjectReversal.Presence {
  fileprivate var snapshotEvents: SnapshotEvents {
    switch self {
    case .comes: .undoDeletion
    case .goes: .undoInsertion
    case .stays: .undoUpdate
    }
  }
}

extension ObjectReversal {
  /// Makes the reversal that restores the present flags of an object.
  fileprivate init(flagsOf object: ManagedObject) {
    self.init(object)
    touched = object.extra?.touched ?? PropertySet()
    wasUpdated = object.state.contains(.updated)
  }
}

extension ManagedObject {
  /// Restores a value and returns the former one; nil for one that could not be read, or is not here.
  fileprivate final func exchange(
    _ value: ObjectReversal.FormerValue, at place: Int, in context: ManagedObjectContext
  ) -> ObjectReversal.FormerValue? {
    if case .any(let former) = value {
      let extra = ensureExtra()
      defer { extra.decoded[place] = former }
      return .any(extra.decoded[place])
    }
    let leaf = layout.leaves[place]
    guard let row = currentRow else { return nil }
    let present = context.formerValue(of: leaf, in: row, self)
    switch value {
    case .attribute(let former): replace(former, of: leaf)
    case .destination(let former): writeReference(former, of: layout.relationships[leaf.relationship])
    case .any: break
    }
    return present
  }
}
