import GraphStoreModel

/// Difference between what an atomic store holds and its document, which another program has changed.
struct DocumentDifference {
  /// Record of an entity.
  typealias Record = (layout: EntityLayout, key: Int64)

  private(set) var inserted: [Record] = []
  private(set) var updated: [Record] = []
  private(set) var deleted: [Record] = []
  /// What the document holds: with the rows there were where nothing has changed, and with versions above
  /// those where something has, so that saves which do not know it find that out.
  private(set) var state: InMemoryState

  /// - Throws: `external-data-missing`, for values in files alone, which documents have not.
  init(from former: InMemoryState, to present: InMemoryState) throws {
    state = present
    var rows: [(key: Int64, row: Row)] = []
    var copier = RowCopier(keys: PermanentKeyMap())
    for root in present.schema.layout.entities where root.index == root.rootIndex {
      try present.scan(root.index) { key, row in
        guard let old = former.row(root.index, key), old.layout === row.layout else {
          inserted.append((row.layout, key))
          return true
        }
        let isSame = old.hasEqualValues(row)
        if !isSame || Self.hasOtherMembers(key, row.layout, former, present) {
          updated.append((row.layout, key))
        }
        let version = isSame ? max(old.version, row.version) : max(old.version + 1, row.version)
        rows.append((key, version == old.version ? old : try copier.copy(row, version: version)))
        return true
      }
      former.scan(root.index) { key, old in
        if present.row(root.index, key)?.layout !== old.layout { deleted.append((old.layout, key)) }
        return true
      }
    }
    for (key, row) in rows { state.put(row, key) }
  }

  private static func hasOtherMembers(
    _ key: Int64, _ layout: EntityLayout, _ former: InMemoryState, _ present: InMemoryState
  ) -> Bool {
    layout.relationships.contains { relationship in
      relationship.isToMany && relationship.isPersistent
        && !former.members(of: relationship, owner: key).lazy.map(\.key)
          .elementsEqual(present.members(of: relationship, owner: key).lazy.map(\.key))
    }
  }
}
