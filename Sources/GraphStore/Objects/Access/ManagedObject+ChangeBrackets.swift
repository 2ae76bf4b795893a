import Foundation

/// Access and change brackets: what custom accessors put around their primitive reads and writes (OBJ-177 to
/// OBJ-180).
///
/// ```swift
/// final class Project: ManagedObject {
///   var title: String? {
///     get {
///       willAccessValue(forKey: "title")
///       defer { didAccessValue(forKey: "title") }
///       return (try? primitiveValue(forKey: "title")) as? String
///     }
///     set {
///       willChangeValue(forKey: "title")
///       defer { didChangeValue(forKey: "title") }
///       try? setPrimitiveValue(newValue?.trimmingCharacters(in: .whitespaces), forKey: "title")
///     }
///   }
/// }
/// ```
extension ManagedObject {
  /// Begins a read through a primitive accessor: fires the fault. Nil means the whole object.
  ///
  /// An error of reading is kept in the context and thrown by its next save; the primitive reads nil then.
  public final func willAccessValue(forKey key: String?) {
    checkQueue()
    keepingErrors {
      if let key { _ = try property(forKey: key) }
      try realize()
    }
  }

  /// Ends a read through a primitive accessor.
  public final func didAccessValue(forKey key: String?) { checkQueue() }

  /// Begins a change through a primitive accessor: fires the fault, and keeps what the property was.
  ///
  /// Brackets of different keys may nest, and those of one key too, of which the outermost counts. An error
  /// of the key or the object is kept in the context and thrown by its next save.
  public final func willChangeValue(forKey key: String) {
    checkQueue()
    keepingErrors {
      try checkChangeable()
      let property = try property(forKey: key)
      try realize()
      var members: [ManagedObject] = []
      if property.relationship >= 0 {
        let relationship = layout.relationships[property.relationship]
        members =
          relationship.isToMany
          ? try storedMembers(of: relationship) : try storedObject(of: relationship).map { [$0] } ?? []
      }
      // Earlier changes enter the event now: the primitive write changes its row.
      if !state.isDisjoint(with: .changed) { enterEvent() }
      let before = beforePrimitiveWrite()
      ensureExtra().openChanges.append(
        BracketedChange(number: property.number, members: members, before: before))
    }
  }

  /// Ends a change through a primitive accessor: the change is recorded, and the other ends of a relationship
  /// follow.
  ///
  /// Without ``willChangeValue(forKey:)`` before it, it has no effect. An error of changing it is kept in the
  /// context and thrown by its next save; the property is then what it was before the bracket.
  public final func didChangeValue(forKey key: String) {
    checkQueue()
    guard let extra, let number = layout.property(named: key)?.number,
      let index = extra.openChanges.lastIndex(where: { $0.number == number })
    else { return }
    let change = extra.openChanges.remove(at: index)
    if extra.openChanges.contains(where: { $0.number == number }) { return }
    keepingErrors { try reportingChanges { try record(change, of: layout.properties[number]) } }
  }

  /// Begins a change of an unordered to-many relationship.
  ///
  /// - Parameters:
  ///   - key: The relationship.
  ///   - mutation: How the members are going to change.
  ///   - objects: The objects that join or leave; not kept, since the changes are found at the end.
  public final func willChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<ManagedObject>
  ) {
    willChangeValue(forKey: key)
  }

  /// Ends a change of an unordered to-many relationship.
  public final func didChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<ManagedObject>
  ) {
    didChangeValue(forKey: key)
  }

  /// Begins a change of an ordered to-many relationship.
  public final func willChange(_ mutation: OrderedMutation, valuesAt indexes: IndexSet, forKey key: String) {
    willChangeValue(forKey: key)
  }

  /// Ends a change of an ordered to-many relationship.
  public final func didChange(_ mutation: OrderedMutation, valuesAt indexes: IndexSet, forKey key: String) {
    didChangeValue(forKey: key)
  }

  /// The state of an unchanged object with values of its own before the outermost bracket; nil where its
  /// committed row says it.
  private func beforePrimitiveWrite() -> EventSnapshot? {
    if let outermost = extra?.openChanges.first { return outermost.before }
    guard state.isDisjoint(with: .changed), state.contains(.ownsRow) else { return nil }
    let before = EventSnapshot(self)
    copyRowToWrite()
    return before
  }

  /// Has the event, and a rollback, know what an unchanged object was before the primitive write of its first
  /// change.
  private func keep(_ change: BracketedChange, of property: PropertyLayout) {
    guard state.isDisjoint(with: .changed) else { return }
    let (extra, before) = (ensureExtra(), change.before ?? EventSnapshot(unchanged: self))
    if !state.contains(.inEvent) { extra.snapshot = before }
    if extra.unchanged == nil, !isUndirtied(by: property) { extra.unchanged = before }
  }

  /// Discards the state kept for a change that was not made.
  private func forgetKept() {
    if !state.contains(.inEvent) { extra?.snapshot = nil }
    if state.isDisjoint(with: .changed) { extra?.unchanged = nil }
  }

  /// Turns the effect of primitive writes on the storage into a tracked change. A relationship is restored
  /// first, so that the change is made as every other one.
  private func record(_ change: BracketedChange, of property: PropertyLayout) throws {
    keep(change, of: property)
    defer { forgetKept() }
    guard property.relationship >= 0 else {
      if !property.isDerived { try prepareChange(of: property) }
      return
    }
    let relationship = layout.relationships[property.relationship]
    let wasPrimitive = extra?.primitives.contains(property.number) == true
    guard wasPrimitive else { return try prepareChange(of: property) }
    extra?.primitives.remove(property.number)
    if relationship.isToMany {
      let wanted = try storedMembers(of: relationship)
      toMany(relationship).become(ObjectSet(change.members))
      try setMembers(wanted, of: relationship)
    } else {
      let wanted = try storedObject(of: relationship)
      writeReference(change.members.first, of: relationship)
      try setObject(wanted, of: relationship)
    }
  }

  private func keepingErrors(_ body: () throws -> Void) {
    do { try body() } catch { keepDeferred(error) }
  }
}

/// Change of one property between `willChangeValue` and `didChangeValue`.
struct BracketedChange {
  /// The property's number.
  let number: Int
  /// The former destinations of the property: nothing for an attribute, one object at most for a to-one.
  let members: [ManagedObject]
  /// The object's former state, where it counted as unchanged and its committed row does not say it.
  let before: EventSnapshot?
}

/// Kind of change of a set of members, for the brackets of a to-many relationship.
///
/// An accessor that changes the stored members by itself does so between two brackets:
///
/// ```swift
/// final class Department: ManagedObject {
///   func hire(_ employee: Employee) throws {
///     let members = try primitiveValue(forKey: "employees") as? Set<ManagedObject> ?? []
///     willChangeValue(forKey: "employees", withSetMutation: .union, using: [employee])
///     defer { didChangeValue(forKey: "employees", withSetMutation: .union, using: [employee]) }
///     try setPrimitiveValue(members.union([employee]), forKey: "employees")
///   }
/// }
/// ```
public enum SetMutation: Sendable {
  /// Objects join.
  case union
  /// Objects leave.
  case minus
  /// All leave but these.
  case intersect
  /// These replace all.
  case set
}

/// Kind of change of an ordered set of members, for the brackets of an ordered relationship.
///
/// An accessor that changes the stored members by itself does so between two brackets:
///
/// ```swift
/// final class Project: ManagedObject {
///   func append(_ employee: Employee) throws {
///     var members = try primitiveValue(forKey: "members") as? OrderedSet<ManagedObject> ?? []
///     willChange(.insertion, valuesAt: [members.count], forKey: "members")
///     defer { didChange(.insertion, valuesAt: [members.count - 1], forKey: "members") }
///     members.append(employee)
///     try setPrimitiveValue(members, forKey: "members")
///   }
/// }
/// ```
public enum OrderedMutation: Sendable {
  /// Objects are inserted at the indexes.
  case insertion
  /// The objects at the indexes leave.
  case removal
  /// Others replace the objects at the indexes.
  case replacement
}
