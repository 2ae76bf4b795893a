/// Properties that count as changed of an object that undo or redo has changed.
enum MarkedChanges {
  /// Those that counted as changed before: there was no save between.
  case former
  /// All that was set: it is to be saved.
  case all
  /// Those that differ from the committed state.
  case differences
}

extension ManagedObject {
  /// Sets the flags that the object had, or those of a change that is to be saved.
  final func mark(
    _ changes: MarkedChanges, of reversal: ObjectReversal, in context: ManagedObjectContext
  ) {
    switch changes {
    case .former: returnToFlags(of: reversal)
    case .all:
      let set = reversal.properties
      if set.isEmpty { break }
      touch(set)
      if !state.contains(.inserted), !isUndirtied(by: reversal) { changeState(adding: .updated) }
    case .differences:
      resolveUnknownMembers(of: reversal)
      let changed = changedProperties(of: reversal.properties)
      if changed.isEmpty { break }
      touch(changed)
      if !state.contains(.inserted) { changeState(adding: .updated) }
    }
    if !state.isDisjoint(with: .changed) { context.recordChange(of: self) }
  }

  /// Counts to-ones as changed that lead elsewhere than what is stored by now: others may have stored another
  /// destination meanwhile than the one that was put back.
  final func markDifferingLinks(in context: ManagedObjectContext) {
    guard state.isDisjoint(with: [.inserted, .deleted, .detached]), state.contains(.ownsRow) else { return }
    var numbers = PropertySet()
    for relationship in layout.relationships where !relationship.isToMany && relationship.isPersistent {
      numbers.insert(relationship.number)
    }
    let changed = changedProperties(of: numbers)
    if changed.subtracting(extra?.touched ?? PropertySet()).isEmpty { return }
    touch(changed)
    changeState(adding: .updated)
    context.recordChange(of: self)
  }

  /// Counts no links as cut that no store has: one of the two records is still to be written.
  private final func resolveUnknownMembers(of reversal: ObjectReversal) {
    for (ordinal, log) in reversal.members {
      let members = toMany(layout.relationships[ordinal])
      for entry in log.entries where state.contains(.inserted) || entry.object.state.contains(.inserted) {
        members.resolveUnknown(entry.object, isStored: false)
      }
    }
  }

  private final func touch(_ properties: PropertySet) {
    let extra = ensureExtra()
    extra.touched = extra.touched.union(properties)
  }

  private final func returnToFlags(of reversal: ObjectReversal) {
    let unrecorded = unrecordedProperties(besides: reversal)
    let touched = reversal.touched.union(unrecorded)
    if extra != nil || !touched.isEmpty { ensureExtra().touched = touched }
    if state.contains(.inserted) { return }
    let isUpdated = reversal.wasUpdated || !unrecorded.isEmpty
    changeState(removing: isUpdated ? [] : .updated, adding: isUpdated ? .updated : [])
  }

  /// Properties set since without being recorded that differ from the committed state: they stay set.
  private final func unrecordedProperties(besides reversal: ObjectReversal) -> PropertySet {
    let touched = extra?.touched ?? PropertySet()
    var unrecorded = changedProperties(
      of: touched.subtracting(reversal.touched).subtracting(reversal.properties))
    for (ordinal, log) in reversal.members {
      let relationship = layout.relationships[ordinal]
      if !reversal.touched.contains(relationship.number), toMany(relationship).hasChanges(besides: log) {
        unrecorded.insert(relationship.number)
      }
    }
    return unrecorded
  }

  /// Whether the reversal leaves an unchanged object unchanged (OBJ-104).
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
        let isChanged = members.map { $0.isReordered || $0.hasChanges(besides: .none) } ?? false
        if isChanged { changed.insert(number) }
      } else if state.isDisjoint(with: [.inserted, .ownsRow]), property.kind != .undefined {
        return
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

extension ObjectReversal {
  /// The properties that are set.
  fileprivate var properties: PropertySet {
    var properties = PropertySet()
    for (place, value) in values {
      if case .any = value {
        properties.insert(place)
      } else {
        properties.insert(object.layout.leaves[place].number)
      }
    }
    for (ordinal, _) in members { properties.insert(object.layout.relationships[ordinal].number) }
    return properties
  }
}
