import GraphStorePredicates

/// Optimistic-locking conflict of a save: a record that another writer has changed or deleted since its
/// object was read.
///
/// Snapshots are values by property: all stored attributes, and the destinations of to-ones as references; a
/// missing value is there as `null`. There are two levels. Where another context of the same coordinator has
/// saved the record, ``objectSnapshot`` is what the object was read with and ``cachedSnapshot`` what the row
/// cache has now. Where another coordinator or process has, ``cachedSnapshot`` is what the row cache had and
/// ``persistedSnapshot`` what the store has; without a cached row the object's snapshot is used.
///
/// A conflict may be handed to any thread; ``sourceObject`` is read on the queue of its context alone.
///
/// The error of a save has the conflicts, and these the properties that differ:
///
/// ```swift
/// do {
///   try context.save()
/// } catch let error as GraphStoreError {
///   for difference in error.conflicts.flatMap(\.differences) {
///     print(difference.property, difference.old, difference.inMemory, difference.stored)
///   }
/// }
/// ```
public struct MergeConflict: @unchecked Sendable {
  /// A property that is not the same in memory and in the store.
  public struct Difference: Sendable {
    /// The property's name.
    public let property: String
    /// The value when the object was read.
    public let old: Value
    /// The object's value.
    public let inMemory: Value
    /// The stored value; null for a record that is gone.
    public let stored: Value
  }

  /// The object whose save met the conflict.
  public let sourceObject: ManagedObject
  /// Its identifier.
  public let sourceObjectID: ManagedObjectID
  /// The object's values when it was read; nil where the row cache is compared with the store.
  public let objectSnapshot: [String: Value]?
  /// The row cache's values, or those before the store was read; nil for a record that is gone, and where it
  /// had nothing.
  public let cachedSnapshot: [String: Value]?
  /// The store's values; nil for a record that is gone, and where object and row cache are compared.
  public let persistedSnapshot: [String: Value]?
  /// The version of the row that the object was read with.
  public let oldVersionNumber: Int
  /// The version of the row that is stored; 0 when it is gone.
  public let newVersionNumber: Int
  /// The properties whose values in memory and in the store differ, in the order of the entity's.
  public let differences: [Difference]

  /// Whether the object was to be deleted.
  let isDeletion: Bool
  /// Whether another context of the same coordinator has changed the record.
  let isKnownToCache: Bool
  /// The values of each writer that the other one has changed too, as texts.
  package let values: [ConflictingValue]
  /// The differences in lines for people.
  let lines: [String]

  /// Whether the record was deleted.
  var isGone: Bool { newVersionNumber == 0 }

  init(_ conflict: RowConflict, of object: ManagedObject) {
    let (base, stored) = (conflict.committed, conflict.stored)
    sourceObject = object
    sourceObjectID = object.objectID
    isDeletion = object.isDeleted
    isKnownToCache = conflict.isKnownToCache
    oldVersionNumber = Int(base.version)
    newVersionNumber = stored.map { Int($0.version) } ?? 0
    let newer = stored.map { object.snapshot(of: $0) }
    let cached = conflict.isKnownToCache ? newer : conflict.cached.map { object.snapshot(of: $0) }
    objectSnapshot = conflict.isKnownToCache || cached == nil ? object.snapshot(of: base) : nil
    cachedSnapshot = cached
    persistedSnapshot = conflict.isKnownToCache ? nil : newer
    let own = object.isDeleted ? nil : object.currentRow
    differences = object.differences(base: base, own: own ?? base, stored: stored)
    let changed = stored.map { base.properties(differingFrom: $0) } ?? []
    if let stored {
      values = changed.map {
        ConflictingValue(object.objectID, $0, mine: own, theirs: stored, base: base)
      }
      lines = changed.map { property in
        let was = base.text(of: property)
        return
          "\(property.name): you \(own?.text(of: property) ?? was), store \(stored.text(of: property)), was \(was)"
      }
    } else {
      values = [ConflictingValue(deleted: object.objectID)]
      lines = ["the record was deleted"]
    }
  }

  /// The error of a save that met conflicts which were not resolved (CTX-193).
  package static func error(_ conflicts: [MergeConflict]) -> GraphStoreError {
    let ids = conflicts.map(\.sourceObjectID)
    let names = ids.prefix(5).map(\.shortForm).joined(separator: ", ")
    let others = ids.count > 5 ? " and \(ids.count - 5) more" : ""
    var error = GraphStoreError(
      .mergeConflict, "Could not merge changes: \(names)\(others) changed in the store since it was read.",
      remedy: remedy(isDeletion: conflicts.contains(where: \.isDeletion)), entity: ids.first?.entity.name,
      objectID: ids.first)
    error.relatedObjects = ids
    error.conflicts = conflicts
    error.details = conflicts.prefix(5).flatMap { conflict in
      conflict.lines.map { "\(conflict.sourceObjectID.shortForm) \($0)" }
    }
    return error
  }

  /// A fetch leaves loaded objects as they are, and a refresh leaves deleted ones as they are.
  private static func remedy(isDeletion: Bool) -> String {
    isDeletion
      ? "Roll back, refresh the objects, and delete again what is still to go, or set a merge policy; nothing was written."
      : "Refresh the objects with mergeChanges, which keeps the unsaved changes, and save again, or set a merge policy; "
        + "nothing was written."
  }
}

extension ManagedObject {
  /// The values of a row of the object's, by property.
  final func snapshot(of row: Row) -> [String: Value] {
    var values: [String: Value] = [:]
    for property in layout.properties where property.isPersistent && property.isInRow {
      values[property.name] = (try? value(of: property, in: row)) ?? .null
    }
    return values
  }

  fileprivate final func differences(base: Row, own: Row, stored: Row?) -> [MergeConflict.Difference] {
    func value(_ property: PropertyLayout, _ row: Row) -> Value {
      (try? self.value(of: property, in: row)) ?? .null
    }
    let differing =
      stored.map { own.properties(differingFrom: $0) }
      ?? layout.properties.filter { $0.isPersistent && $0.isInRow && own.hasValue(of: $0) }
    return differing.map { property in
      MergeConflict.Difference(
        property: property.name, old: value(property, base), inMemory: value(property, own),
        stored: stored.map { value(property, $0) } ?? .null)
    }
  }
}

/// A value that two writers have changed: what each of them made of it, and what it was before.
///
/// The values are texts as they are exported; nil is a missing value.
package struct ConflictingValue: Sendable {
  /// The object, by its short form.
  package let object: String
  /// The property; nil where the other writer has deleted the record.
  package let property: String?
  /// The value that was to be saved.
  package let mine: String?
  /// The stored value.
  package let theirs: String?
  /// The stored value when the object was read.
  package let base: String?

  /// The conflict of a record that is gone.
  init(deleted object: ManagedObjectID) {
    self.object = object.shortForm
    property = nil
    mine = nil
    theirs = nil
    base = nil
  }

  /// The conflict of one property of a record.
  init(_ object: ManagedObjectID, _ property: PropertyLayout, mine: Row?, theirs: Row, base: Row) {
    self.object = object.shortForm
    self.property = property.name
    self.base = Self.text(property, base)
    self.mine = mine.map { Self.text(property, $0) } ?? self.base
    self.theirs = Self.text(property, theirs)
  }

  private static func text(_ property: PropertyLayout, _ row: Row) -> String? {
    if property.kind == .toOne { return row.reference(property.slot) == nil ? nil : row.text(of: property) }
    if property.kind == .external {
      return row.block.isNull(row.index, property.slot) ? nil : row.text(of: property)
    }
    guard case .string(let text)? = (try? row.value(of: property))?.cast(to: .string) else { return nil }
    return text
  }
}

extension GraphStoreError {
  /// The conflicts with other writers that kept a save from being made, one for each object.
  public var conflicts: [MergeConflict] {
    get { self[[MergeConflict].self] ?? [] }
    set { self[[MergeConflict].self] = newValue }
  }
}
