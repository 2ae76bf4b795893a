extension ManagedObject {
  /// The old values of the properties that have changed since objects-did-change was last posted, by name, in
  /// the types of ``value(forKey:)``; a missing value is there as nil.
  ///
  /// Inside of an observer of objects-did-change these are the values from before the event that it is
  /// notified of. For a to-many it returns the set of its former members. It fires nothing, but reads the
  /// members of a to-many that has changed without being read.
  ///
  /// - Throws: What reading such members throws.
  public final func changedValuesForCurrentEvent() throws -> [String: Any?] {
    checkQueue()
    var values: [String: Any?] = [:]
    guard let change = changeOfEvent, context != nil else { return values }
    let before = change.before
    for property in layout.properties where property.isInRow {
      guard let former = before.row, let now = currentRow, !now.hasEqualValue(former, property) else {
        continue
      }
      values.updateValue(try formerValue(of: property, in: former), forKey: property.name)
    }
    for property in layout.properties where property.kind == .undefined {
      guard touchedInEvent(property, since: before) else { continue }
      values.updateValue(before.undefined[property.number], forKey: property.name)
    }
    for (ordinal, log) in change.members {
      let relationship = layout.relationships[ordinal]
      let present = try storedMembers(of: relationship)
      let members = Set(present)
      let former = toMany(relationship).members(before: log, among: members)
      guard former != members || log.order != nil else { continue }
      let name = relationship.description.name
      if relationship.isOrdered {
        let order = toMany(relationship).formerOrder(of: log) ?? present
        values.updateValue(order.filter(former.contains), forKey: name)
      } else {
        values.updateValue(former, forKey: name)
      }
    }
    return values
  }

  /// The change that is being delivered to an observer, or the one of the event that is open.
  private final var changeOfEvent: ContextChanges.Change? {
    if let before = eventSnapshot { return ContextChanges.Change(self, before: before) }
    return context?.delivery.changes?.change(of: self)
  }

  /// Whether a change of an event has set some property to another value.
  final func hasChangedValue(since change: ContextChanges.Change) -> Bool {
    layout.properties.contains { hasChangedValue(of: $0, since: change) }
  }

  /// Whether a change of an event has set a property to another value.
  final func hasChangedValue(of property: PropertyLayout, since change: ContextChanges.Change) -> Bool {
    let before = change.before
    if property.kind == .toMany {
      let log = change.members.first { $0.ordinal == property.relationship }?.log
      return log.map { hasChangedMembers(of: layout.relationships[property.relationship], since: $0) }
        ?? false
    }
    if property.kind == .undefined { return touchedInEvent(property, since: before) }
    guard property.isInRow, let former = before.row, let now = currentRow else { return property.isInRow }
    return !now.hasEqualValue(former, property)
  }

  private final func hasChangedMembers(of relationship: RelationshipLayout, since log: MembershipLog) -> Bool
  {
    if log.order != nil { return true }
    let toMany = toMany(relationship)
    return log.entries.contains { entry in
      let isMember = toMany.members?.contains(entry.object) ?? toMany.added.contains(entry.object)
      return isMember != (entry.wasMember ?? !entry.isJoining)
    }
  }

  private final func touchedInEvent(_ property: PropertyLayout, since before: EventSnapshot) -> Bool {
    guard extra?.touched.contains(property.number) == true else { return false }
    guard let former = before.undefined[property.number] as? AnyHashable,
      let now = extra?.decoded[property.number] as? AnyHashable
    else { return true }
    return former != now
  }
}

extension ManagedObject {
  /// Keeps what an object that counts as unchanged has set nevertheless, before its first unsaved change:
  /// taking that back leaves these values in place (CTX-134).
  ///
  /// Such values are set by `awakeFromFetch`, primitive accessors and keys that do not dirty the object.
  @inline(__always)
  final func keepUnchangedValues() {
    if state.intersection([.ownsRow, .inserted, .updated, .deleted]) == .ownsRow { makeUnchangedValues() }
  }

  @inline(never)
  private final func makeUnchangedValues() {
    let extra = ensureExtra()
    if extra.unchanged != nil { return }
    extra.unchanged = EventSnapshot(self)
    // Later changes go into another row.
    copyRowToWrite()
  }

  /// Sets the values that the object had as an unchanged one upon its committed ones.
  final func restore(_ unchanged: EventSnapshot) {
    guard let own = unchanged.row, currentRow != nil else { return }
    copyRowToWrite()
    let extra = ensureExtra()
    extra.touched = unchanged.touched
    extra.primitives = unchanged.primitives
    let written = extra.written
    for leaf in layout.leaves where !leaf.isPersistent || written.contains(leaf.number) {
      block?.copyValue(of: leaf, from: own, to: Int(rowIndex))
    }
    extra.decoded.merge(unchanged.undefined) { $1 }
  }

  /// Releases the own row of an object that is not changed any more, unless it has values that the committed
  /// row lacks.
  final func returnToCommittedRow() {
    guard let extra, state.isDisjoint(with: .changed) else { return }
    extra.unchanged = nil
    guard state.contains(.ownsRow), extra.written.isEmpty, let committed = extra.committed else { return }
    changeState(removing: .ownsRow)
    attach(committed)
    extra.committed = nil
  }

  /// Whether changes of some properties leave the object unchanged.
  final var hasUndirtyingKeys: Bool {
    hasOwnClass && !type(of: self).keysNotDirtyingContext.isEmpty
  }

  /// Whether a change of a property leaves the object unchanged (OBJ-104).
  final func isUndirtied(by property: PropertyLayout) -> Bool {
    guard !property.isPersistent, property.relationship < 0, hasOwnClass else {
      return false
    }
    return type(of: self).keysNotDirtyingContext.contains(property.name)
  }
}
