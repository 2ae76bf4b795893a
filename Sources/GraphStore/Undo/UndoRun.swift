import GraphStoreModel
import OrderedCollections

extension ManagedObjectContext {
  /// Carries out steps of undo or redo, the first one first, as one event. Everything is read before anything changes.
  ///
  /// - Returns: The steps that take them back, the identifiers of objects that could not be reached, and what runs hooks and
  ///   tells observers in the end, who may change and save what they like.
  func carryOut(
    _ steps: [UndoStep], for manager: GraphUndoManager
  ) throws -> (inverses: [UndoStep], unreached: [ManagedObjectID], finish: () -> Void) {
    var run = UndoRun(self, manager)
    try run.prepare(steps)
    let inverses = steps.map { run.carryOut($0) }
    return (inverses, run.unreached, { [run] in run.finish() })
  }
}

/// One run of undo or redo: what it has found, and what it has done.
private struct UndoRun {
  /// What the run does to one object.
  private struct Effect {
    let object: ManagedObject
    /// What observers were told of it before.
    let before: EventSnapshot
    var events: SnapshotEvents = []
    var members: [(ordinal: Int, log: MembershipLog)] = []
  }

  private let context: ManagedObjectContext
  /// Has what objects were that have left the context.
  private let manager: GraphUndoManager
  private(set) var unreached: [ManagedObjectID] = []
  private var isUnreached: Set<ObjectIdentifier> = []
  private var effects: OrderedDictionary<ObjectIdentifier, Effect> = [:]
  private var leaving: [ManagedObject] = []
  /// What returning records were linked to and others have deleted meanwhile.
  private var missing: Set<ManagedObject> = []

  init(_ context: ManagedObjectContext, _ manager: GraphUndoManager) {
    self.context = context
    self.manager = manager
  }

  // MARK: Reading

  /// Brings values and members into memory that are to be changed, and finds the objects that cannot be reached.
  mutating func prepare(_ steps: [UndoStep]) throws {
    var coming: Set<ObjectIdentifier> = []
    for reversal in steps.flatMap(\.reversals) {
      let identifier = ObjectIdentifier(reversal.object)
      if case .comes = reversal.presence { coming.insert(identifier) }
      if !isReachable(reversal.object, isComing: coming.contains(identifier)) { leaveOut(reversal.object) }
    }
    let returning = steps.flatMap(\.reversals).map(\.object).filter {
      $0.state.contains(.detached) && $0.key > 0 && !isUnreached.contains(ObjectIdentifier($0))
    }
    if !returning.isEmpty { try findMissing(among: returning) }
    let present = steps.flatMap(\.reversals).filter { $0.object.context === context }
    try context.loadRows(of: present.map(\.object).filter { $0.isFault && $0.block == nil })
    for object in present.map(\.object) where object.state.contains(.fault) {
      try object.realize()
      if object.state.contains(.inaccessible) { leaveOut(object) }
    }
    for reversal in present where !reversal.object.state.contains(.inaccessible) {
      if case .goes = reversal.presence, !reversal.object.state.contains(.inserted) {
        // Of to-ones only those are of interest that are known: a destination may be about to come back.
        try reversal.object.loadMembers()
      }
      for (ordinal, log) in reversal.members where log.order != nil {
        _ = try reversal.object.storedMembers(of: reversal.object.layout.relationships[ordinal])
      }
    }
  }

  /// Finds those of the objects that returning records are linked to whose own records are gone, with one statement an entity
  /// tree: a link to one could not be saved.
  private mutating func findMissing(among returning: [ManagedObject]) throws {
    var asked: OrderedSet<ManagedObject> = []
    for departure in returning.compactMap(manager.departure) {
      for object in departure.members.values.flatMap(\.self) + departure.destinations.values
      where object.context === context && object.key > 0
        && object.state.isDisjoint(with: [.inserted, .detached])
      {
        asked.append(object)
      }
    }
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
    for object in missing { leaveOut(object) }
  }

  private func isReachable(_ object: ManagedObject, isComing: Bool) -> Bool {
    if !object.state.isDisjoint(with: [.invalidated, .inaccessible]) { return false }
    guard object.state.contains(.detached) else { return true }
    return isComing && manager.departure(of: object)?.row != nil
  }

  private mutating func leaveOut(_ object: ManagedObject) {
    if isUnreached.insert(ObjectIdentifier(object)).inserted { unreached.append(object.objectID) }
  }

  // MARK: Carrying out

  /// Carries out one step and gives the one that takes it back.
  mutating func carryOut(_ step: UndoStep) -> UndoStep {
    let isUnsaved = step.generation == context.saveGeneration
    let reversals = step.reversals.filter { !isUnreached.contains(ObjectIdentifier($0.object)) }
    var opposites = reversals.map { ObjectReversal(flagsOf: $0.object) }
    for (index, reversal) in reversals.enumerated() {
      note(reversal)
      guard case .comes = reversal.presence else { continue }
      opposites[index].presence = .goes
      bringBack(reversal.object)
    }
    for reversal in reversals {
      guard case .comes = reversal.presence else { continue }
      reversal.object.dropLinks { !$0.state.isDisjoint(with: [.detached, .invalidated]) }
    }
    for (index, reversal) in reversals.enumerated() {
      setValues(of: reversal, isUnsaved: isUnsaved, opposite: &opposites[index])
    }
    if !missing.isEmpty {
      for reversal in reversals { reversal.object.dropLinks(to: missing.contains) }
    }
    for (index, reversal) in reversals.enumerated() {
      guard case .goes = reversal.presence else { continue }
      opposites[index].presence = .comes
      takeOut(reversal.object, opposite: &opposites[index])
    }
    return UndoStep(generation: context.saveGeneration, reversals: opposites)
  }

  private mutating func note(_ reversal: ObjectReversal) {
    let effect = Effect(object: reversal.object, before: EventSnapshot(reversal.object))
    effects[ObjectIdentifier(reversal.object), default: effect].events.insert(
      reversal.presence.snapshotEvents)
  }

  /// Withdraws a deletion, or has an object enter the context again.
  private mutating func bringBack(_ object: ManagedObject) {
    guard object.state.contains(.detached) else {
      return object.changeState(removing: [.deleted, .propagated])
    }
    guard let departure = manager.takeDeparture(of: object) else { return }
    object.comeBack(departure, to: context)
    context.registry.register(object)
  }

  /// Takes an object out of the context that was never saved. Another one is marked deleted, without links that delete rules
  /// could follow: what it led to is not concerned. Links that deny the deletion stay, so that it is denied as before.
  private mutating func takeOut(_ object: ManagedObject, opposite: inout ObjectReversal) {
    guard !object.state.contains(.inserted) else { return leaving.append(object) }
    if object.state.contains(.deleted) { return }
    object.keepUnchangedValues()
    var emptied = ObjectReversal(object)
    let relationships = object.layout.relationships
    for (place, leaf) in object.layout.leaves.enumerated() where leaf.kind == .toOne {
      if isDenied(object, relationships[leaf.relationship]) { continue }
      if !object.ownsWritableRow { object.copyRowToWrite() }
      guard let value = object.exchange(.destination(nil), at: place, in: context) else { continue }
      emptied.values.append((place, value))
    }
    for relationship in relationships where relationship.isToMany && !isDenied(object, relationship) {
      let log = object.toMany(relationship).empty()
      if !log.isEmpty { emptied.members.append((relationship.ordinal, log)) }
    }
    // What was done last is taken back first.
    opposite.values = emptied.values + opposite.values
    opposite.members = emptied.members + opposite.members
    object.changeState(adding: [.deleted, .propagated])
    context.recordChange(of: object)
    context.deletionOrder.append(object)
  }

  /// Whether a Deny relationship leads to objects that are linked back. What was inserted is not linked back any more when
  /// its insertion is undone.
  private func isDenied(_ object: ManagedObject, _ relationship: RelationshipLayout) -> Bool {
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
    of reversal: ObjectReversal, isUnsaved: Bool, opposite: inout ObjectReversal
  ) {
    let object = reversal.object
    object.keepUnchangedValues()
    if !reversal.values.isEmpty {
      // Observers may ask for what the row was.
      if context.tellsChanges || !object.ownsWritableRow { object.copyRowToWrite() }
      opposite.values = reversal.values.compactMap { place, value in
        object.exchange(value, at: place, in: context).map { (place, $0) }
      }.reversed()
    }
    for (ordinal, log) in reversal.members {
      let members = object.toMany(object.layout.relationships[ordinal])
      let former = members.opposite(of: log)
      opposite.members.insert((ordinal, former), at: 0)
      effects[ObjectIdentifier(object)]?.members.append((ordinal, former))
      members.restore(log, isUnsaved: isUnsaved)
    }
    object.setFlags(of: reversal, isUnsaved: isUnsaved, in: context)
    opposite.touchedAfter = object.extra?.touched ?? PropertySet()
  }

  // MARK: Finishing

  /// Puts the lists of changes in order, runs the hooks, and tells observers.
  func finish() {
    context.deletionOrder.removeAll { !$0.state.contains(.deleted) }
    context.pendingDeletions.removeAll { !$0.state.contains(.deleted) }
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
      manager.keep(object)
      object.leave(.detached)
    }
    if !leaving.isEmpty { context.removeUnlisted() }
    for effect in effects.values where effect.object.state.contains(.observed) {
      context.keyObservers?.reportAll(of: effect.object)
    }
    guard context.tellsChanges else { return }
    context.isProcessing = true
    defer { context.isProcessing = false }
    context.tell(changes)
  }

  /// What observers are told: what has come is inserted, what has gone deleted, the rest updated (CTX-155).
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
  /// What returns to the flags that an object has now.
  fileprivate init(flagsOf object: ManagedObject) {
    self.init(object)
    touched = object.extra?.touched ?? PropertySet()
    wasUpdated = object.state.contains(.updated)
  }
}

extension ManagedObject {
  /// Enters a context again that the object has left by deletion: as a new object, whose key stays what it was.
  final func comeBack(_ departure: Departure, to context: ManagedObjectContext) {
    changeState(removing: [.detached, .propagated, .fault], adding: .inserted)
    // A record goes back to the store whose key it has; another one keeps the store that was chosen for it (STO-144).
    if key > 0 { changeState(adding: .assigned) }
    if let row = departure.row {
      let block = context.workingBlock(for: layout)
      setRow(block, block.appendRow(copying: row))
      changeState(adding: .ownsRow)
    }
    context.recordChange(of: self)
    if key < 0 {
      attachment = departure.attachment
      extra?.endEvent()
    } else {
      for (ordinal, members) in departure.members {
        let relationship = layout.relationships[ordinal]
        setToMany(ordinal, ToManyRelationship(added: members, isOrdered: relationship.isOrdered))
      }
      for (ordinal, destination) in departure.destinations { setDestination(ordinal, destination) }
    }
    renewPrimitiveReferences()
  }

  /// Puts a value back and gives the one that was there; nil for one that could not be read, or is not here.
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
    case .destination(let former):
      let isHere = former?.state.isDisjoint(with: [.detached, .invalidated]) ?? true
      writeReference(isHere ? former : nil, of: layout.relationships[leaf.relationship])
    case .any: break
    }
    return present
  }

  /// Gives the object the flags that it had, or after a save those of a change that is to be saved.
  fileprivate final func setFlags(
    of reversal: ObjectReversal, isUnsaved: Bool, in context: ManagedObjectContext
  ) {
    if isUnsaved {
      let unrecorded = changedProperties(
        of: (extra?.touched ?? PropertySet()).subtracting(reversal.touchedAfter))
      let touched = reversal.touched.union(unrecorded)
      if extra != nil || !touched.isEmpty { ensureExtra().touched = touched }
      if !state.contains(.inserted) {
        let isUpdated = reversal.wasUpdated || !unrecorded.isEmpty
        changeState(removing: isUpdated ? [] : .updated, adding: isUpdated ? .updated : [])
      }
    } else if !reversal.values.isEmpty || !reversal.members.isEmpty {
      let extra = ensureExtra()
      for (place, value) in reversal.values {
        if case .any = value {
          extra.touched.insert(place)
        } else {
          extra.touched.insert(layout.leaves[place].number)
        }
      }
      for (ordinal, _) in reversal.members { extra.touched.insert(layout.relationships[ordinal].number) }
      if !state.contains(.inserted), !isUndirtied(by: reversal) { changeState(adding: .updated) }
    }
    if !state.isDisjoint(with: .changed) { context.recordChange(of: self) }
  }

  /// Whether what is taken back leaves an unchanged object unchanged (OBJ-104).
  private final func isUndirtied(by reversal: ObjectReversal) -> Bool {
    guard state.isDisjoint(with: .changed), reversal.members.isEmpty else { return false }
    return reversal.values.allSatisfy { place, value in
      if case .any = value { return isUndirtied(by: layout.properties[place]) }
      return isUndirtied(by: layout.properties[layout.leaves[place].number])
    }
  }

  /// Those of some properties that differ from the committed state.
  private final func changedProperties(of numbers: PropertySet) -> PropertySet {
    var changed = PropertySet()
    numbers.forEach { number in
      let property = layout.properties[number]
      if property.kind == .toMany {
        let members = relationshipIfTouched(property.relationship) as? ToManyRelationship
        if members?.hasChanges == true { changed.insert(number) }
      } else if let row = currentRow, let committed = extra?.committed, row.hasEqualValue(committed, property)
      {
        return
      } else {
        changed.insert(number)
      }
    }
    return changed
  }
}
