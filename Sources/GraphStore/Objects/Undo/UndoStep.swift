import GraphStorePredicates

/// Step that undoes the changes of one event: for each object its former state.
///
/// Carrying it out yields the step that brings the changes back, so that undo and redo are one thing.
struct UndoStep {
  /// The context's count of saves when the event ended. As long as there was no save between, flags return to
  /// what they were; after one, a reversal is a change to be saved.
  let generation: Int
  var reversals: [ObjectReversal]
  /// The reversals that the opposite step has postponed until objects return; carrying out this one makes
  /// them void.
  var postponements: [Postponement] = []
}

/// Reversal of the changes of one object.
struct ObjectReversal {
  /// Whether the object is to be in its context.
  enum Presence {
    case stays
    case comes
    case goes
  }

  /// A value as it was.
  enum FormerValue {
    case attribute(Value)
    case destination(ManagedObject?)
    /// The value of an undefined attribute, which holds anything.
    case any(Any?)
  }

  private(set) var object: ManagedObject
  var presence = Presence.stays
  /// By the position among the layout's leaves; of an undefined attribute by the property's number.
  var values: [(place: Int, value: FormerValue)] = []
  /// By the relationship's position.
  var members: [(ordinal: Int, log: MembershipLog)] = []
  /// The properties that had been set since the save before.
  var touched = PropertySet()
  /// Whether the object counted as updated.
  var wasUpdated = false

  init(_ object: ManagedObject) { self.object = object }

  /// The objects that its values and members lead to.
  var linked: [ManagedObject] {
    values.compactMap { if case .destination(let object) = $0.value { object } else { nil } }
      + members.flatMap { $0.log.entries.map(\.object) }
  }

  /// Moves the changes of a fault without a record to the object that it represents, which has left and can
  /// be restored.
  fileprivate mutating func turnToDeparted(in context: ManagedObjectContext) {
    guard object.state.contains(.fault), object.block == nil else { return }
    let departed = context.undoManager?.removedObjects.object(of: RecordKey(object), in: object.storeIndex)
    if let departed { object = departed }
  }

  /// Whether carrying it out does anything.
  var isEmpty: Bool {
    if case .stays = presence { return values.isEmpty && members.isEmpty }
    return false
  }
}

extension UndoStep {
  /// Makes the step that undoes the changes of an event.
  init(_ changes: ContextChanges, in context: ManagedObjectContext) {
    generation = context.saving.generation
    // What others have inserted is not undone here.
    reversals = changes.inserted.lazy.filter { $0.state.contains(.inserted) }.map { object in
      var reversal = ObjectReversal(object)
      reversal.presence = .goes
      return reversal
    }
    // Objects that have left cannot be found by the references of rows any more.
    let gone = changes.deleted.lazy.map(\.object).filter { $0.state.contains(.detached) }
    let departed = Dictionary(gone.map { (RecordKey($0), $0) }) { first, _ in first }
    reversals += changes.updated.map {
      var reversal = ObjectReversal($0, in: context, departed)
      reversal.turnToDeparted(in: context)
      return reversal
    }
    // Objects found to be gone were deleted elsewhere.
    let deleted = changes.deleted.filter { !$0.object.state.contains(.inaccessible) }
    reversals += deleted.map { change in
      var reversal = ObjectReversal(change, in: context, departed)
      reversal.presence = .comes
      return reversal
    }
    dropIfVoid()
  }

  /// A step without a net effect is none; beside others flags alone are put back as well.
  mutating func dropIfVoid() {
    if reversals.allSatisfy(\.isEmpty) { reversals = [] }
  }
}

extension ObjectReversal {
  /// Makes the reversal of a change: the values that differ, and no others.
  init(
    _ change: ContextChanges.Change, in context: ManagedObjectContext, _ departed: [RecordKey: ManagedObject]
  ) {
    self.init(change.object)
    touched = change.before.touched
    wasUpdated = change.before.state.contains(.updated)
    members = change.members.filter { ordinal, log in
      let relationship = object.relationshipIfTouched(ordinal) as? ToManyRelationship
      return !log.isEmpty && relationship?.differs(from: log) != false
    }
    guard let before = change.before.row, let now = object.currentRow else { return }
    let set = object.extra?.touched ?? PropertySet()
    let isAllLookedAt = object.state.contains(.inserted) || object.state.contains(.detached)
    for (place, leaf) in object.layout.leaves.enumerated() where isAllLookedAt || set.contains(leaf.number) {
      guard !leaf.isDerived, !now.hasEqualValue(before, leaf) else { continue }
      if let value = context.formerValue(of: leaf, in: before, object, departed) {
        values.append((place, value))
      }
    }
    guard object.layout.hasUndefined else { return }
    for property in object.layout.properties
    where property.kind == .undefined && set.contains(property.number) {
      values.append((property.number, .any(change.before.undefined[property.number])))
    }
  }
}

extension ManagedObjectContext {
  /// The value of a leaf in a row of an object, to be put back later; nil for one that cannot be read. A
  /// reference to an object that has left for good is none.
  func formerValue(
    of leaf: PropertyLayout, in row: Row, _ object: ManagedObject,
    _ departed: [RecordKey: ManagedObject] = [:]
  ) -> ObjectReversal.FormerValue? {
    guard leaf.kind == .toOne else {
      return (try? object.value(of: leaf, in: row)).map { .attribute($0) }
    }
    guard let reference = row.reference(leaf.slot) else { return .destination(nil) }
    // The very instance, also where it has left the context and may be restored.
    let known = object.knownDestination(leaf.relationship)
    if let known, known.key == reference.key, known.layout.index == reference.entity {
      return .destination(known)
    }
    let record = RecordKey(root: coordinator.layout.entities[reference.entity].rootIndex, key: reference.key)
    return .destination(
      departed[record] ?? undoManager?.removedObjects.object(of: record, in: object.storeIndex)
        ?? self.object(reference, storeIndex: object.storeIndex))
  }
}
