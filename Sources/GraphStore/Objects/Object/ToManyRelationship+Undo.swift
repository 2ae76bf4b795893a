/// Undo of changes of the members, order included.
extension ToManyRelationship {
  /// Whether the relationship is another one than before the changes of a log, order and unsaved changes
  /// included.
  func differs(from log: MembershipLog) -> Bool {
    if isReordered != log.wasReordered { return true }
    for entry in log.entries {
      let object = entry.object
      if added.contains(object) != entry.wasAdded || removed.contains(object) != entry.wasRemoved {
        return true
      }
      if isResolved, let wasMember = entry.wasMember, wasMember != hasMember(object) { return true }
    }
    guard let order = log.order else {
      return log.orderOfAdded.map { !added.elements.elementsEqual($0, by: ===) } ?? false
    }
    return members?.elements.elementsEqual(order, by: ===) != true
  }

  /// Whether others have joined or left since the last save than the objects of a log. For objects that have
  /// left the context meanwhile, as No Action allows, no link is written.
  func hasChanges(besides log: MembershipLog) -> Bool {
    let objects = Set(log.entries.map(\.object))
    if removed.count > objects.count(where: removed.contains) { return true }
    guard added.count > objects.count(where: added.contains) else { return false }
    return added.elements.contains { $0.isPresent && !objects.contains($0) }
  }

  /// The log that restores the present members once another log has been applied.
  func opposite(of log: MembershipLog) -> MembershipLog {
    var opposite = MembershipLog(wasReordered: isReordered)
    for entry in log.entries {
      let object = entry.object
      opposite.note(
        MembershipLog.Entry(
          object: object, wasMember: members?.contains(object), wasAdded: added.contains(object),
          wasRemoved: removed.contains(object), isJoining: !entry.isJoining),
        of: object)
    }
    if isOrdered {
      opposite.order = members?.elements
      opposite.orderOfAdded = isResolved ? nil : added.elements
    }
    return opposite
  }

  /// Removes all members that are known; returns the log that restores them.
  func empty() -> MembershipLog {
    var log = MembershipLog(wasReordered: isReordered)
    isLogged = false
    let members = members?.elements ?? []
    if isOrdered, !members.isEmpty { log.order = members }
    for object in members {
      let entry = MembershipLog.Entry(
        object: object, wasMember: true, wasAdded: added.contains(object), wasRemoved: false, isJoining: false
      )
      log.note(entry, of: object)
      remove(object)
    }
    return log
  }

  /// Makes the relationship what it was before the changes of a log.
  ///
  /// - Parameter isUnsaved: Whether there was no save between: then it has the same unsaved changes again,
  ///   too.
  func restore(_ log: MembershipLog, isUnsaved: Bool) {
    isLogged = false
    for entry in log.entries where entry.object.state.isDisjoint(with: [.invalidated, .detached]) {
      restore(entry, isUnsaved: isUnsaved)
    }
    if let members {
      if let order = formerOrder(of: log) {
        let all = members.elements(as: order)
        // Reading them again puts those that have joined behind the others, in their order.
        added = ObjectSet(unique: added.elements(as: all))
        if all != members.elements { reorder(all) }
      }
    } else if let order = log.orderOfAdded {
      added = ObjectSet(unique: added.elements(as: order))
    }
    if isUnsaved { isReordered = log.wasReordered }
  }

  /// The order before the changes of a log; of members that were not known then the stored one, which is
  /// known by now.
  func formerOrder(of log: MembershipLog) -> [ManagedObject]? {
    if let order = log.order { return order }
    guard isOrdered, let members, log.entries.contains(where: { $0.wasMember == nil }) else { return nil }
    let stored = (members.elements + removed.elements).compactMap { object in
      orderKeys[ObjectIdentifier(object)].map { (object, $0) }
    }
    let joined = log.orderOfAdded ?? []
    let known = Set(joined)
    return stored.sorted { $0.1 < $1.1 }.map(\.0).filter { !known.contains($0) } + joined
  }

  private func restore(_ entry: MembershipLog.Entry, isUnsaved: Bool) {
    let object = entry.object
    guard !isUnsaved || isResolved else {
      if entry.wasAdded { added.append(object) } else { added.remove(object) }
      if entry.wasRemoved { removed.append(object) } else { removed.remove(object) }
      return
    }
    if wasMember(entry, isUnsaved: isUnsaved) { add(object) } else { remove(object) }
  }

  /// Whether an object was a member before; where that was not known then, the members that are known by now
  /// decide.
  func wasMember(_ entry: MembershipLog.Entry, isUnsaved: Bool) -> Bool {
    if let wasMember = entry.wasMember { return wasMember }
    if entry.wasAdded || entry.wasRemoved { return entry.wasAdded }
    // Without unsaved changes that concerned it, it was what the store has.
    if isUnsaved, let members {
      return members.contains(entry.object) ? !added.contains(entry.object) : removed.contains(entry.object)
    }
    return !entry.isJoining
  }
}
