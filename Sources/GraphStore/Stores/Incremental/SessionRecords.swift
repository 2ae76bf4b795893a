import GraphStoreModel

/// Records that a session has read, by which it reads what lies beside what is asked for.
///
/// Predicates and expressions that memory evaluates ask record by record for what their relationships lead
/// to. Asked for the destination, or the members, of one of many records that it has read, the session reads
/// those of all of them at once: the number of calls grows with the steps of a path, and not with the records
/// (FLT-143).
struct SessionRecords {
  /// The rows by entity, in the order in which they were read.
  private var rows: [Int: [(key: Int64, row: Row)]] = [:]
  /// The rows by entity tree and key; nil for records that are not there.
  private var known: [Int: [Int64: Row?]] = [:]
  /// The links of to-many relationships by owner.
  private var links: [ObjectIdentifier: [Int64: [LinkRow]]] = [:]

  mutating func add(_ key: Int64, _ row: Row) {
    let isNew = known[row.layout.rootIndex, default: [:]].updateValue(row, forKey: key) == nil
    if isNew { rows[row.layout.index, default: []].append((key, row)) }
  }

  mutating func addMissing(_ root: Int, _ key: Int64) { known[root, default: [:]][key] = .some(nil) }

  mutating func add(_ links: [LinkRow], of relationship: RelationshipLayout, owners: [Int64]) {
    var byOwner = Dictionary(grouping: links, by: \.owner)
    for owner in owners where byOwner[owner] == nil { byOwner[owner] = [] }
    self.links[ObjectIdentifier(relationship.description), default: [:]].merge(byOwner) { $1 }
  }

  /// The row of a record; nil inside where it is known not to be there, and outside where nothing is known.
  func row(_ root: Int, _ key: Int64) -> Row?? { known[root]?[key] }

  /// The links of a relationship of one owner; nil where they were not read.
  func links(of relationship: RelationshipLayout, owner: Int64) -> [LinkRow]? {
    links[ObjectIdentifier(relationship.description)]?[owner]
  }

  /// The keys of an entity tree to be read with one of them: what the same relationships of other records
  /// that were read lead to.
  func keys(besides key: Int64, ofTree root: Int, _ layouts: [EntityLayout]) -> [Int64] {
    var keys: Set<Int64> = [key]
    for (entity, records) in rows {
      for relationship in layouts[entity].relationships
      where relationship.slot >= 0 && layouts[relationship.destination].rootIndex == root {
        guard records.contains(where: { $0.row.reference(relationship.slot)?.key == key }) else { continue }
        keys.formUnion(records.lazy.compactMap { $0.row.reference(relationship.slot)?.key })
      }
    }
    return keys.filter { $0 > 0 && known[root]?[$0] == nil }.sorted()
  }

  /// The owners of which the members are to be read with those of one: other records that were read.
  func owners(besides owner: Int64, of relationship: RelationshipLayout, _ layouts: [EntityLayout]) -> [Int64]
  {
    let entity = relationship.description.entity
    var owners: Set<Int64> = [owner]
    for (index, records) in rows where layouts[index].entity.isKind(of: entity) {
      owners.formUnion(records.lazy.map(\.key))
    }
    let read = links[ObjectIdentifier(relationship.description)] ?? [:]
    return owners.filter { read[$0] == nil }.sorted()
  }
}
