/// Optimistic-locking conflict as a store finds it: a record that another writer has changed or deleted since
/// its object was read.
package struct RowConflict {
  package let key: Int64
  /// The row as it was read.
  package let committed: Row
  /// The row that the row cache had when the conflict was found.
  package let cached: Row?
  /// The present row; nil when the record is gone.
  package let stored: Row?

  /// Whether any value differs; a version that has moved over equal values is no conflict (CTX-173).
  package var isReal: Bool { stored.map { committed.differs(from: $0) } ?? true }

  /// Whether the row cache already had what the store has, so that a context of the same coordinator has
  /// changed the record.
  package var isKnownToCache: Bool {
    guard let stored else { return cached == nil }
    return cached.map { $0.version != committed.version && !$0.differs(from: stored) } ?? false
  }
}

extension RowCache {
  /// The conflict of a record that has another version than the one it was read with; nil where its values
  /// are the same. The cache has what the store has from then on, so that a refresh and another save succeed
  /// (CTX-123, FLT-105).
  package func conflict(_ fetched: SaveRequest.FetchedRow, stored: Row?, in view: RowCache.View)
    -> RowConflict?
  {
    let root = fetched.row.layout.rootIndex
    let conflict = RowConflict(
      key: fetched.key, committed: fetched.row, cached: row(root, fetched.key, in: view),
      stored: stored)
    guard conflict.isReal else { return nil }
    if let stored {
      put(stored, key: fetched.key, holders: 0, from: view == .transaction ? .transaction : .commit)
    } else {
      forget(root, [fetched.key], in: view)
    }
    return conflict
  }
}

extension Row {
  /// The properties that another row of the same record has other values of; derived ones say nothing.
  package func properties(differingFrom other: Row) -> [PropertyLayout] {
    layout.properties.filter {
      $0.isPersistent && !$0.isDerived && $0.isInRow && !hasEqualValue(other, $0)
    }
  }

  /// Whether another row of the same record has all values of this one, derived ones too.
  package func hasEqualValues(_ other: Row) -> Bool {
    layout.properties.allSatisfy { !$0.isPersistent || !$0.isInRow || hasEqualValue(other, $0) }
  }

  fileprivate func differs(from other: Row) -> Bool { !properties(differingFrom: other).isEmpty }
}

extension ReadSession {
  /// The conflicts of records that are not written, and are to be what they were when they were read
  /// (CTX-182); one statement.
  package func conflicts(
    among locked: SaveRequest.Locked, _ cache: RowCache, in view: RowCache.View
  ) throws -> [RowConflict] {
    if locked.rows.isEmpty { return [] }
    var present: [Int64: Row] = [:]
    try rows(locked.root, keys: locked.rows.map(\.key)) { batch in batch.forEach { present[$0] = $1 } }
    return locked.rows.compactMap { fetched in
      let stored = present[fetched.key]
      if stored?.version == fetched.row.version { return nil }
      return cache.conflict(fetched, stored: stored, in: view)
    }
  }
}
