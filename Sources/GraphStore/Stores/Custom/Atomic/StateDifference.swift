import GraphStoreModel

/// Records by which two states of a store in memory differ, by entity tree and key.
struct StateDifference {
  private(set) var inserted: [ObjectKey] = []
  private(set) var updated: [ObjectKey] = []
  private(set) var deleted: [ObjectKey] = []

  /// - Parameter former: The older state; nil for an empty one.
  init(from former: InMemoryState?, to state: InMemoryState) {
    let owners = Self.changedOwners(from: former, to: state)
    for root in state.schema.layout.entities where root.index == root.rootIndex {
      var old: [Int64: Row] = [:]
      former?.scan(root.index) { key, row in
        old[key] = row
        return true
      }
      state.scan(root.index) { key, row in
        let record = ObjectKey(entity: row.layout.index, key: key)
        if let former = old.removeValue(forKey: key) {
          let isChanged = former.block !== row.block || former.index != row.index
          if isChanged || owners.contains(RecordKey(root: root.index, key: key)) { updated.append(record) }
        } else {
          inserted.append(record)
        }
        return true
      }
      deleted += old.sorted { $0.key < $1.key }.map { ObjectKey(entity: $1.layout.index, key: $0) }
    }
  }

  /// The owners of to-manys whose members, or their places, are others.
  private static func changedOwners(from former: InMemoryState?, to state: InMemoryState) -> Set<RecordKey> {
    guard let former else { return [] }
    var owners: Set<RecordKey> = []
    for layout in state.schema.layout.entities {
      for relationship in layout.relationships
      where relationship.isToMany && relationship.description.entity === layout.entity {
        let table: Int
        switch state.schema.links(of: relationship.description) {
        case .references(let index): table = index
        case .pairs(let pairs, _): table = pairs
        case nil: continue
        }
        for owner in state.owners(withOtherMembersThanIn: former, table) {
          owners.insert(RecordKey(root: layout.rootIndex, key: owner))
        }
      }
    }
    return owners
  }
}

extension InMemoryState {
  /// The owners of a link table whose links differ from those of another state.
  fileprivate func owners(withOtherMembersThanIn former: InMemoryState, _ table: Int) -> Set<Int64> {
    var old = former.allLinks(table)
    var owners: Set<Int64> = []
    for (link, order) in allLinks(table) {
      if let known = old.removeValue(forKey: link), known == order { continue }
      owners.insert(link.owner)
    }
    for link in old.keys { owners.insert(link.owner) }
    return owners
  }
}
