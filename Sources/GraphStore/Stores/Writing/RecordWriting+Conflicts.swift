extension RecordWriting {
  /// The conflict of an update whose record has another version than the one it was read with.
  ///
  /// - Returns: nil where the values are those that were read; the object's own row has the stored version
  ///   then, and the update can be written.
  package func conflict(of update: SaveRequest.Update) throws -> RowConflict? {
    let stored = try row(update.row.layout, update.key)
    if let conflict = conflict(SaveRequest.FetchedRow(key: update.key, row: update.committed), stored: stored)
    {
      return conflict
    }
    if let stored { update.row.block.setVersion(update.row.index, stored.version) }
    return nil
  }

  /// The conflicts of updates, which are looked for before any is written; of all others the objects' own
  /// rows have the stored versions afterwards.
  package func conflicts(ofUpdated updates: [SaveRequest.Update]) throws -> [RowConflict] {
    let roots = Dictionary(grouping: updates, by: \.row.layout.rootIndex).sorted { $0.key < $1.key }
    return try roots.flatMap { root, updates -> [RowConflict] in
      var versions: [Int64: Int64] = [:]
      try rows(layout.entities[root], keys: updates.map(\.key)) { batch in
        batch.forEach { versions[$0] = $1.version }
      }
      return try updates.filter { versions[$0.key] != $0.row.version }.compactMap { try conflict(of: $0) }
    }
  }

  /// The conflicts of deleted records whose versions have moved: those that have other values than those with
  /// which they were read. A record that is gone already is no conflict (CTX-177, CTX-178).
  package func conflicts(ofDeleted suspects: [SaveRequest.FetchedRow]) throws -> [RowConflict] {
    try suspects.compactMap { suspect in
      try row(suspect.row.layout, suspect.key).flatMap { conflict(suspect, stored: $0) }
    }
  }

  /// The conflicts of records that are not written.
  package func conflicts(ofLocked locked: [SaveRequest.Locked]) throws -> [RowConflict] {
    try locked.flatMap { try conflicts(among: $0, rowCache, in: rowView) }
  }

  private func conflict(_ fetched: SaveRequest.FetchedRow, stored: Row?) -> RowConflict? {
    rowCache.conflict(fetched, stored: stored, in: rowView)
  }
}
