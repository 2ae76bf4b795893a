/// The members of a to-many of one object.
///
/// Changes by the context since the last save are kept beside the stored members, so that neither end has to
/// be read from the store to change the other (REL-101). Once resolved, the members are known and held.
final class ToManyRelationship {
  /// The members, if they have been asked for.
  private(set) var members: ObjectSet?
  /// Objects that joined since the last save.
  var added = ObjectSet()
  /// Objects that left since the last save.
  var removed = ObjectSet()
  /// Whether members of an ordered relationship changed places since the last save.
  var isReordered = false
  /// The stored order values of the members of an ordered relationship.
  var orderKeys: [ObjectIdentifier: Int64] = [:]
  /// Order values that a save is about to store.
  var pendingOrderKeys: [ObjectIdentifier: Int64] = [:]

  let isOrdered: Bool
  /// The changes of the open event.
  private(set) var log: MembershipLog?
  /// Whether changes are logged.
  var isLogged = false

  init(isResolved: Bool, isOrdered: Bool) {
    self.isOrdered = isOrdered
    if isResolved { members = ObjectSet() }
  }

  /// An ordered or unordered relationship of a record that is to be written again, all of whose members are
  /// new to the store.
  init(added members: [ManagedObject], isOrdered: Bool) {
    self.isOrdered = isOrdered
    self.members = ObjectSet(unique: members)
    added = ObjectSet(unique: members)
  }

  var isResolved: Bool { members != nil }
  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  /// Takes the stored members and applies what has changed since.
  ///
  /// Only now is it known which of the changes made blindly are changes: a member that was added and is there
  /// already keeps its place, one that left and joined again is last.
  ///
  /// - Returns: The objects about which nothing has changed, though they were added or removed: the other end
  ///   is to know it.
  func resolve(_ stored: [ManagedObject]) -> [ManagedObject] {
    guard !added.isEmpty || !removed.isEmpty else {
      members = ObjectSet(unique: stored)
      return []
    }
    var unchanged: [ManagedObject] = []
    let known = ObjectSet(stored)
    var members = ObjectSet()
    for object in stored where !removed.contains(object) { members.append(object) }
    for object in added.elements {
      members.append(object)
      guard known.contains(object) else { continue }
      added.remove(object)
      if removed.remove(object) { isReordered = isOrdered } else { unchanged.append(object) }
    }
    for object in removed.elements where !known.contains(object) {
      removed.remove(object)
      if !added.contains(object) { unchanged.append(object) }
    }
    self.members = members
    return unchanged
  }

  /// Records that the store has, or has not, a link that was made, or cut, blindly: that was no change. A
  /// member that has left and joined again has changed places.
  func resolveUnknown(_ object: ManagedObject, isStored: Bool) {
    if added.contains(object), removed.contains(object) { return }
    if isStored { added.remove(object) } else { removed.remove(object) }
  }

  /// Whether an object is a member, as far as that is known without asking the store.
  func knows(_ object: ManagedObject) -> Bool? {
    if isResolved { return hasMember(object) }
    if added.contains(object) { return true }
    return removed.contains(object) ? false : nil
  }

  /// The members that a resolved relationship has if the store has these: known ones in their order, then the
  /// others.
  func members(joining stored: [ManagedObject]) -> [ManagedObject] {
    var present = ObjectSet()
    for object in stored where !removed.contains(object) { present.append(object) }
    for object in added.elements { present.append(object) }
    guard isOrdered, let members else { return present.elements }
    return members.elements.filter(present.contains) + present.elements.filter { !members.contains($0) }
  }

  /// Whether an object is known as a member.
  func hasMember(_ object: ManagedObject) -> Bool { members?.containsByIndex(object) ?? false }

  /// Forgets the stored members; what has changed since the last save stays.
  func forgetMembers() {
    guard !isReordered else { return }
    members = nil
    orderKeys = [:]
  }

  /// Discards a changed order of members; they are read again in the stored one, followed by those that have
  /// joined.
  func forgetOrder() {
    isReordered = false
    forgetMembers()
  }

  /// Adopts the present members, those that others have added among them.
  func adopt(_ present: [ManagedObject]) { members = ObjectSet(unique: present) }

  /// Reverts what has changed about one object since the last save.
  func revert(_ object: ManagedObject) {
    let hasJoined = added.remove(object)
    let hasLeft = removed.remove(object)
    log?.forget(object)
    if isReordered {
      if hasJoined, !hasLeft { members?.remove(object) }
      if hasLeft, !hasJoined { members?.append(object) }
    }
    forgetMembers()
  }

  /// Forgets objects that have left the context, whatever was changed about them.
  func drop(_ isGone: (ManagedObject) -> Bool) {
    for object in (members?.elements ?? []) + added.elements + removed.elements where isGone(object) {
      members?.remove(object)
      added.remove(object)
      removed.remove(object)
      orderKeys[ObjectIdentifier(object)] = nil
      log?.forget(object)
    }
  }

  /// Adds a member at the end; false where it is known to be one.
  @discardableResult
  func add(_ object: ManagedObject) -> Bool {
    guard isResolved else {
      guard added.append(object) else { return false }
      note(object, wasMember: nil, wasAdded: false, wasRemoved: removed.contains(object), isJoining: true)
      return true
    }
    guard members?.append(object) == true else { return false }
    let wasRemoved = removed.remove(object)
    note(object, wasMember: false, wasAdded: false, wasRemoved: wasRemoved, isJoining: true)
    if wasRemoved { isReordered = isOrdered && !isInStoredOrder } else { added.append(object) }
    return true
  }

  /// Whether the members have the order in which they would be read: all stored ones in theirs, then those
  /// that have joined.
  private var isInStoredOrder: Bool {
    guard removed.isEmpty, let members else { return false }
    var last = Int64.min
    for (place, object) in members.elements.enumerated() {
      if added.contains(object) { return members.elements[place...].elementsEqual(added.elements, by: ===) }
      guard let key = orderKeys[ObjectIdentifier(object)], key > last else { return false }
      last = key
    }
    return true
  }

  /// Counts a member, whose record is to be written again, among those that have joined; it keeps its place.
  ///
  /// - Returns: Whether it was none of them.
  func countAsJoined(_ object: ManagedObject) -> Bool {
    guard hasMember(object), added.append(object) else { return false }
    orderKeys[ObjectIdentifier(object)] = nil
    return true
  }

  /// Takes a member out; false where it is known not to be one.
  @discardableResult
  func remove(_ object: ManagedObject) -> Bool {
    guard isResolved else {
      if isOrdered, isLogged, added.contains(object) { noteOrderOfAdded() }
      let wasAdded = added.remove(object)
      let isRemoved = removed.append(object)
      guard isRemoved || wasAdded else { return false }
      note(object, wasMember: nil, wasAdded: wasAdded, wasRemoved: !isRemoved, isJoining: false)
      return true
    }
    if isOrdered, isLogged, members?.contains(object) == true { noteOrder() }
    guard members?.remove(object) == true else { return false }
    let wasAdded = added.remove(object)
    note(object, wasMember: true, wasAdded: wasAdded, wasRemoved: false, isJoining: false)
    if !wasAdded { removed.append(object) }
    return true
  }

  /// Puts the members, which stay the same, in another order.
  func reorder(_ objects: [ManagedObject]) {
    noteOrder()
    members = ObjectSet(objects)
    isReordered = !isInStoredOrder
  }

  /// Replaces the members of a resolved relationship, whatever they were.
  func become(_ wanted: ObjectSet) {
    for object in members?.elements ?? [] where !wanted.contains(object) { remove(object) }
    for object in wanted.elements { add(object) }
    guard isOrdered, members?.elements.elementsEqual(wanted.elements, by: ===) == false else { return }
    reorder(wanted.elements)
  }

  /// Forgets the changes, which have been saved.
  func markSaved() {
    for object in removed.elements { orderKeys[ObjectIdentifier(object)] = nil }
    orderKeys.merge(pendingOrderKeys) { $1 }
    pendingOrderKeys = [:]
    added.removeAll()
    removed.removeAll()
    isReordered = false
    log = nil
  }

  // MARK: Log

  /// Forgets what the event has changed, which has ended.
  func endEvent() { log = nil }

  private func note(
    _ object: ManagedObject, wasMember: Bool?, wasAdded: Bool, wasRemoved: Bool, isJoining: Bool
  ) {
    guard isLogged else { return }
    if log == nil { log = MembershipLog(wasReordered: isReordered) }
    log?.note(
      MembershipLog.Entry(
        object: object, wasMember: wasMember, wasAdded: wasAdded, wasRemoved: wasRemoved, isJoining: isJoining
      ),
      of: object)
  }

  private func noteOrder() {
    guard isLogged, let members, log?.order == nil else { return }
    if log == nil { log = MembershipLog(wasReordered: isReordered) }
    log?.order = members.elements
  }

  private func noteOrderOfAdded() {
    if log?.orderOfAdded != nil { return }
    if log == nil { log = MembershipLog(wasReordered: isReordered) }
    log?.orderOfAdded = added.elements
  }

  /// The members before the changes of a log.
  func members(before log: MembershipLog, among present: Set<ManagedObject>) -> Set<ManagedObject> {
    var members = present
    for entry in log.entries {
      if wasMember(entry, isUnsaved: true) {
        members.insert(entry.object)
      } else {
        members.remove(entry.object)
      }
    }
    return members
  }
}
