import GraphStorePredicates

/// A record that another writer has changed or deleted since its object was read.
struct MergeConflict {
  let key: Int64
  /// The row as it was read.
  let committed: Row
  /// The row that was to be written; nil for a deletion.
  let own: Row?
  /// The present row; nil when the record is gone.
  let stored: Row?

  /// Whether any value differs; a version that has moved over equal values is no conflict (CTX-173).
  var isReal: Bool {
    guard let stored else { return true }
    return !changed(in: stored).isEmpty
  }

  /// The properties whose stored value is another than the one that was read.
  private func changed(in stored: Row) -> [PropertyLayout] {
    committed.layout.properties.filter {
      $0.isPersistent && $0.isInRow && !committed.isEqual(stored, $0)
    }
  }

  /// What each writer made of the values that differ.
  private func values(of id: ManagedObjectID) -> [ConflictingValue] {
    guard let stored else { return [ConflictingValue(deleted: id)] }
    return changed(in: stored).map {
      ConflictingValue(id, $0, mine: own, theirs: stored, base: committed)
    }
  }

  /// One line a property that differs: what is here, what is stored, what it was.
  private var differences: [String] {
    guard let stored else { return ["the record was deleted"] }
    return changed(in: stored).map { property in
      let was = committed.text(of: property)
      return
        "\(property.name): you \(own?.text(of: property) ?? was), store \(stored.text(of: property)), was \(was)"
    }
  }

  /// A fetch leaves loaded objects as they are, and a refresh leaves deleted ones as they are.
  private static func remedy(isDeletion: Bool) -> String {
    isDeletion
      ? "Roll back, refresh the objects, and delete again what is still to go; nothing was written."
      : "Refresh the objects with mergeChanges, which keeps the unsaved changes, and save again; nothing was written."
  }

  /// The error of a save that met conflicts.
  static func error(_ conflicts: [MergeConflict], scope: StoreIdentity) -> GraphStoreError {
    let ids = conflicts.map { conflict in
      ManagedObjectID(scope: scope, entityIndex: conflict.committed.layout.index, key: conflict.key)
    }
    let names = ids.prefix(5).map(\.shortForm).joined(separator: ", ")
    var error = GraphStoreError(
      .mergeConflict, "Could not merge changes: \(names) changed in the store since it was read.",
      remedy: remedy(isDeletion: conflicts.contains { $0.own == nil }), entity: ids.first?.entity.name,
      objectID: ids.first)
    error.relatedObjects = ids
    error.conflicts = zip(ids, conflicts).flatMap { id, conflict in conflict.values(of: id) }
    error.details = zip(ids, conflicts).prefix(5).flatMap { id, conflict in
      conflict.differences.map { "\(id.shortForm) \($0)" }
    }
    return error
  }
}
