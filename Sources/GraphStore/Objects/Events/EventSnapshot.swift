/// Snapshot of an object when the event began in which it has changed again: what it was at the last
/// notification.
///
/// An object whose first change since the last save, or ever, falls into the event needs none: its committed
/// row is the one from before, and nothing of it was touched.
final class EventSnapshot {
  let row: Row?
  /// The properties that had been set since the last save.
  let touched: PropertySet
  /// The properties that primitive accessors had written since then.
  let primitives: PropertySet
  let state: ObjectState
  /// The values of undefined attributes, which no row holds.
  let undefined: [Int: Any]

  /// Takes the snapshot of an object that is about to change.
  init(_ object: ManagedObject) {
    row = object.currentRow
    touched = object.extra?.touched ?? PropertySet()
    primitives = object.extra?.primitives ?? PropertySet()
    state = object.state
    undefined = object.undefinedValues
  }

  /// Makes the snapshot of an object that had no unsaved changes when the event began.
  init(unchanged object: ManagedObject) {
    row = object.committedRow
    touched = PropertySet()
    primitives = PropertySet()
    state = object.state.subtracting([.inserted, .updated, .deleted, .propagated])
    undefined = [:]
  }
}

extension ManagedObject {
  /// Enters the event that is open, before the object's first change in it.
  ///
  /// An object with a row of its own is kept as it is, and continues with a copy of the row: a copy for each
  /// object and event, and none for objects that change once before a save.
  @inline(__always)
  final func enterEvent() {
    if state.contains(.inEvent) { return }
    if !state.isDisjoint(with: .ownState) || layout.hasUndefined { keepSnapshot() }
    changeState(adding: .inEvent)
  }

  @inline(never)
  private final func keepSnapshot() {
    guard let context else { return }
    let extra = ensureExtra()
    if extra.snapshot == nil { extra.snapshot = EventSnapshot(self) }
    if !state.isDisjoint(with: .changed) { context.unsaved.event.again.append(self) }
    if state.contains(.ownsRow) { copyRowToWrite() }
  }

  /// Enters the event that is open by a change that leaves the object unchanged (OBJ-104).
  final func enterEventUnchanged() {
    guard let context, !state.contains(.inEvent) else { return }
    if state.isDisjoint(with: .ownState), !layout.hasUndefined {
      ensureExtra().snapshot = EventSnapshot(self)
    }
    enterEvent()
    context.unsaved.event.again.append(self)
  }

  /// The object's state when the event began; nil for an object that was inserted in it, or has no part in
  /// it.
  final var eventSnapshot: EventSnapshot? {
    guard state.contains(.inEvent), !state.contains(.insertedInEvent) else { return nil }
    return extra?.snapshot ?? EventSnapshot(unchanged: self)
  }

  /// Leaves the event, which has ended.
  @inline(__always)
  final func leaveEvent() {
    guard state.contains(.inEvent) else { return }
    changeState(removing: [.inEvent, .insertedInEvent])
    extra?.endEvent()
  }

  final var undefinedValues: [Int: Any] {
    guard layout.hasUndefined, let decoded = extra?.decoded, !decoded.isEmpty else { return [:] }
    return decoded.filter { layout.properties[$0.key].kind == .undefined }
  }
}

extension ObjectExtra {
  /// Forgets what the object was when the event began, which has ended.
  func endEvent() {
    if snapshot != nil { snapshot = nil }
    if relationships.isEmpty { return }
    for case let members as ToManyRelationship in relationships { members.endEvent() }
  }
}

/// Reasons why the values of an object were reset as a whole.
///
/// ```swift
/// final class Employee: ManagedObject {
///   var initials: String?
///
///   override func awake(fromSnapshotEvents events: SnapshotEvents) {
///     if !events.isDisjoint(with: [.undoUpdate, .rollback, .refresh]) { initials = nil }
///   }
/// }
/// ```
public struct SnapshotEvents: OptionSet, Sendable {
  /// The flags.
  public let rawValue: Int

  /// Makes a set of flags.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// An insertion was undone, or redone away.
  public static let undoInsertion = Self(rawValue: 1 << 0)
  /// A deletion was undone, or an insertion redone.
  public static let undoDeletion = Self(rawValue: 1 << 1)
  /// A change was undone or redone.
  public static let undoUpdate = Self(rawValue: 1 << 2)
  /// The context was rolled back.
  public static let rollback = Self(rawValue: 1 << 3)
  /// The object was refreshed, and its own changes put on top.
  public static let refresh = Self(rawValue: 1 << 4)
  /// A merge policy has resolved a conflict.
  public static let mergePolicy = Self(rawValue: 1 << 5)
}
