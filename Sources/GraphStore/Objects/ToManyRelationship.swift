/// The members of a to-many of one object.
///
/// What the context has changed since the last save is kept beside the stored members, so that neither end has to be
/// read from the store to change the other (REL-101). Once resolved, the members are known and held.
final class ToManyRelationship {
  /// The members, if they have been asked for.
  private(set) var members: ObjectSet?
  /// Objects that joined since the last save.
  private(set) var added = ObjectSet()
  /// Objects that left since the last save.
  private(set) var removed = ObjectSet()
  /// Whether members of an ordered relationship changed places since the last save.
  private(set) var isReordered = false
  /// The stored order values of the members of an ordered relationship.
  var orderKeys: [ObjectIdentifier: Int64] = [:]
  /// Order values that a save is about to store.
  var pendingOrderKeys: [ObjectIdentifier: Int64] = [:]

  private let isOrdered: Bool

  init(isResolved: Bool, isOrdered: Bool) {
    self.isOrdered = isOrdered
    if isResolved { members = ObjectSet() }
  }

  var isResolved: Bool { members != nil }
  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  /// Takes the stored members and applies what has changed since.
  ///
  /// Only now is it known which of the changes made blindly are changes: what was added and is there already keeps its
  /// place, what left and joined again comes last.
  func resolve(_ stored: [ManagedObject]) {
    guard !added.isEmpty || !removed.isEmpty else {
      members = ObjectSet(unique: stored)
      return
    }
    let known = ObjectSet(stored)
    var members = ObjectSet()
    for object in stored where !removed.contains(object) { members.append(object) }
    for object in added.elements {
      members.append(object)
      guard known.contains(object) else { continue }
      added.remove(object)
      if removed.remove(object) { isReordered = isOrdered }
    }
    for object in removed.elements where !known.contains(object) { removed.remove(object) }
    self.members = members
  }

  /// The members that a resolved relationship has if the store has these: known ones in their order, then the others.
  func members(joining stored: [ManagedObject]) -> [ManagedObject] {
    var present = ObjectSet()
    for object in stored where !removed.contains(object) { present.append(object) }
    for object in added.elements { present.append(object) }
    guard isOrdered, let members else { return present.elements }
    return members.elements.filter(present.contains) + present.elements.filter { !members.contains($0) }
  }

  /// Forgets the stored members; what has changed since the last save stays.
  func forgetMembers() {
    guard !isReordered else { return }
    members = nil
    orderKeys = [:]
  }

  /// Takes back what has changed about one object since the last save.
  func takeBack(_ object: ManagedObject) {
    let hasJoined = added.remove(object)
    let hasLeft = removed.remove(object)
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
    }
  }

  /// Adds a member at the end; false where it is known to be one.
  @discardableResult
  func add(_ object: ManagedObject) -> Bool {
    guard isResolved else { return added.append(object) }
    guard members?.append(object) == true else { return false }
    if removed.remove(object) { isReordered = isOrdered } else { added.append(object) }
    return true
  }

  /// Takes a member out; false where it is known not to be one.
  @discardableResult
  func remove(_ object: ManagedObject) -> Bool {
    guard isResolved else {
      let wasAdded = added.remove(object)
      return removed.append(object) || wasAdded
    }
    guard members?.remove(object) == true else { return false }
    if !added.remove(object) { removed.append(object) }
    return true
  }

  /// Puts the members, which stay the same, in another order.
  func reorder(_ objects: [ManagedObject]) {
    members = ObjectSet(objects)
    isReordered = true
  }

  /// Makes the members of a resolved relationship others, whatever they were.
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
  }
}
