import GraphStoreModel
import GraphStorePredicates
import OrderedCollections

/// Changes that a transaction has not written yet, by which the answers of its store are corrected.
///
/// An incremental store is given all changes of a transaction at once, when it is committed: several saves in
/// one transaction, savepoints among them, need nothing of the store. A savepoint is a copy.
struct ChangeBuffer {
  /// A changed record.
  enum Entry {
    case inserted(Row)
    /// With the version that the store has, and the changed properties.
    case updated(Row, from: Int64, changed: PropertySet)
    /// With the version that the store has.
    case deleted(entity: Int, version: Int64)

    /// The present row; nil for a deleted record.
    var row: Row? {
      switch self {
      case .inserted(let row), .updated(let row, _, _): row
      case .deleted: nil
      }
    }
  }

  /// The members of one to-many of one owner.
  struct Place: Hashable {
    let relationship: ObjectIdentifier
    let owner: Int64

    init(_ relationship: RelationshipDescription, _ owner: Int64) {
      self.relationship = ObjectIdentifier(relationship)
      self.owner = owner
    }
  }

  /// The changes of links that are stored outside of rows.
  struct Links {
    let relationship: RelationshipDescription
    var added: OrderedSet<Int64> = []
    var removed: OrderedSet<Int64> = []
  }

  /// All members of an ordered relationship in their order.
  struct Order {
    let relationship: RelationshipDescription
    let members: [Int64]
  }

  private(set) var records: OrderedDictionary<RecordKey, Entry> = [:]
  private(set) var links: OrderedDictionary<Place, Links> = [:]
  private(set) var orders: OrderedDictionary<Place, Order> = [:]
  /// The versions that records have to have which are not written.
  private(set) var locked: OrderedDictionary<RecordKey, (entity: Int, version: Int64)> = [:]
  /// The metadata of programs that are set, and nil for those that are removed.
  var metadata: [String: Value?] = [:]

  var isEmpty: Bool { records.isEmpty && links.isEmpty && orders.isEmpty && metadata.isEmpty }
  /// Whether requests are answered otherwise than by the store.
  var changesAnswers: Bool { !records.isEmpty || !links.isEmpty || !orders.isEmpty }

  /// Whether the store does not have a record yet.
  func isNew(_ root: Int, _ key: Int64) -> Bool {
    if case .inserted? = records[RecordKey(root: root, key: key)] { true } else { false }
  }

  // MARK: Recording

  mutating func insert(_ row: Row, _ key: Int64) {
    records[RecordKey(root: row.layout.rootIndex, key: key)] = .inserted(row)
  }

  /// Records another row of a record.
  ///
  /// - Parameter stored: The version that the store has.
  mutating func update(_ row: Row, _ key: Int64, from stored: Int64, changed: PropertySet) {
    let record = RecordKey(root: row.layout.rootIndex, key: key)
    switch records[record] {
    case .inserted?: records[record] = .inserted(row)
    case .updated(_, let version, let former)?:
      records[record] = .updated(row, from: version, changed: former.union(changed))
    case .deleted?, nil: records[record] = .updated(row, from: stored, changed: changed)
    }
  }

  /// Records a deletion.
  ///
  /// - Parameter stored: The row that the store has; nil where it has none.
  mutating func delete(_ record: RecordKey, stored: Row?) {
    switch records[record] {
    case .inserted?: records[record] = nil
    case .updated(let row, let version, _)?:
      records[record] = .deleted(entity: row.layout.index, version: version)
    case .deleted?: break
    case nil:
      if let stored { records[record] = .deleted(entity: stored.layout.index, version: stored.version) }
    }
  }

  /// Forgets the links of a deleted record, which go with it.
  mutating func unlink(_ record: RecordKey) {
    for (place, change) in links {
      if change.relationship.entity.rootEntity.index == record.root, place.owner == record.key {
        links[place] = nil
      } else if change.relationship.destination.rootEntity.index == record.root {
        links[place]?.added.remove(record.key)
        links[place]?.removed.remove(record.key)
      }
    }
    orders.removeAll { place, order in
      order.relationship.entity.rootEntity.index == record.root && place.owner == record.key
    }
  }

  mutating func link(_ change: SaveRequest.LinkChange) {
    let description = change.relationship.description
    let place = Place(description, change.owner)
    var links = self.links[place] ?? Links(relationship: description)
    for member in change.removed where links.added.remove(member) == nil { links.removed.append(member) }
    for member in change.added where links.removed.remove(member) == nil { links.added.append(member) }
    self.links[place] = links
  }

  mutating func order(_ members: [Int64], of relationship: RelationshipDescription, owner: Int64) {
    orders[Place(relationship, owner)] = Order(relationship: relationship, members: members)
  }

  mutating func lock(_ row: Row, _ key: Int64) {
    locked[RecordKey(root: row.layout.rootIndex, key: key)] = (row.layout.index, row.version)
  }
}

// MARK: - Correcting

extension ChangeBuffer {
  /// The rows of a tree as they are with the changes.
  func corrected(_ rows: [(key: Int64, row: Row)], ofTree root: Int) -> [(key: Int64, row: Row)] {
    let unchanged = rows.filter { records[RecordKey(root: root, key: $0.key)] == nil }
    return unchanged
      + records.compactMap { record, entry in
        record.root == root ? entry.row.map { (record.key, $0) } : nil
      }
  }

  /// The links of a to-many of some owners as they are with the changes.
  func corrected(
    _ links: [LinkRow], of relationship: RelationshipLayout, owners: [Int64], _ layout: ModelLayout
  ) -> [LinkRow] {
    let root = layout.entities[relationship.destination].rootIndex
    var members: [Int64: OrderedDictionary<Int64, Int>] = [:]
    for link in links { members[link.owner, default: [:]][link.member.key] = link.member.entity }
    if let inverse = relationship.inverseDescription, !inverse.isToMany {
      correct(&members, byReferences: inverse)
    } else {
      correct(&members, byLinksOf: relationship)
    }
    var corrected: [LinkRow] = []
    for owner in owners {
      let found = (members[owner] ?? [:]).filter {
        if case .deleted? = records[RecordKey(root: root, key: $0.key)] { false } else { true }
      }
      let keys =
        relationship.isOrdered
        ? ordered(Array(found.keys), of: relationship.description, owner) : found.keys.sorted()
      for (place, key) in keys.enumerated() {
        let order = relationship.isOrdered ? OrderKeys.first + Int64(place) * OrderKeys.step : 0
        let entity = found[key] ?? relationship.destination
        corrected.append(LinkRow(owner: owner, member: ObjectKey(entity: entity, key: key), order: order))
      }
    }
    return corrected
  }

  private func ordered(
    _ members: [Int64], of relationship: RelationshipDescription, _ owner: Int64
  ) -> [Int64] {
    guard let order = orders[Place(relationship, owner)] else { return members }
    let (known, present) = (Set(order.members), Set(members))
    return order.members.filter(present.contains) + members.filter { !known.contains($0) }
  }

  /// Moves members whose rows refer to other owners now.
  private func correct(
    _ members: inout [Int64: OrderedDictionary<Int64, Int>], byReferences inverse: RelationshipDescription
  ) {
    let root = inverse.entity.rootEntity.index
    var present: [Int64: Int64] = [:]
    for (record, entry) in records where record.root == root {
      guard let row = entry.row, row.layout.entity.isKind(of: inverse.entity) else { continue }
      let owner = row.layout.property(named: inverse.name).flatMap { row.reference($0.slot)?.key }
      present[record.key] = owner ?? 0
      if let owner, members[owner]?[record.key] == nil {
        members[owner, default: [:]][record.key] = row.layout.index
      }
    }
    if present.isEmpty { return }
    for owner in Array(members.keys) {
      members[owner]?.removeAll { key, _ in present[key].map { $0 != owner } ?? false }
    }
  }

  /// Adds and removes links that are stored outside of rows, seen from either end.
  private func correct(
    _ members: inout [Int64: OrderedDictionary<Int64, Int>], byLinksOf relationship: RelationshipLayout
  ) {
    let description = relationship.description
    for (place, change) in links {
      if change.relationship === description {
        for member in change.removed { members[place.owner]?[member] = nil }
        for member in change.added {
          if description.inverse == nil {
            // Without an inverse a member is in one owner only (REL-134).
            for owner in Array(members.keys) where owner != place.owner { members[owner]?[member] = nil }
          }
          add(member, to: place.owner, of: description.destination, &members)
        }
      }
      if change.relationship === description.inverse {
        for member in change.removed { members[member]?[place.owner] = nil }
        for member in change.added { add(place.owner, to: member, of: description.destination, &members) }
      }
    }
  }

  private func add(
    _ member: Int64, to owner: Int64, of destination: EntityDescription,
    _ members: inout [Int64: OrderedDictionary<Int64, Int>]
  ) {
    guard members[owner]?[member] == nil else { return }
    members[owner, default: [:]][member] = entity(of: member, destination)
  }

  /// The entity of a record, which is known where it has changed.
  func entity(of key: Int64, _ declared: EntityDescription) -> Int {
    records[RecordKey(root: declared.rootEntity.index, key: key)]?.row?.layout.index ?? declared.index
  }
}

// MARK: - Writing

extension ChangeBuffer {
  /// The changes as the store gets them.
  ///
  /// - Parameter entity: The entity of a record that is stored and has not changed.
  func changes(
    for store: IncrementalPersistentStore, entity: (RecordKey) -> Int?
  ) throws -> IncrementalStoreChanges {
    let writer = IncrementalNodeWriter(store: store)
    var changes = IncrementalStoreChanges()
    for (record, entry) in records {
      switch entry {
      case .inserted(let row): changes.inserted.append(try writer.node(row, key: record.key))
      case .updated(let row, let version, let changed):
        changes.updated.append(
          try writer.update(row, key: record.key, from: version, changed: changed))
      case .deleted(let entity, let version):
        changes.deleted.append(
          IncrementalStoreChanges.ExpectedRecord(
            identifier: store.identifier(entity, record.key), version: version))
      }
    }
    for (record, expected) in locked where records[record] == nil {
      changes.locked.append(
        IncrementalStoreChanges.ExpectedRecord(
          identifier: store.identifier(expected.entity, record.key), version: expected.version))
    }
    func identifier(_ key: Int64, _ declared: EntityDescription) -> NodeIdentifier {
      let record = RecordKey(root: declared.rootEntity.index, key: key)
      let index = records[record]?.row?.layout.index ?? entity(record) ?? declared.index
      return store.identifier(index, key)
    }
    for place in OrderedSet(links.keys).union(orders.keys) {
      guard let relationship = links[place]?.relationship ?? orders[place]?.relationship else { continue }
      let (change, order) = (links[place], orders[place])
      if change?.added.isEmpty != false, change?.removed.isEmpty != false, order == nil { continue }
      changes.links.append(
        IncrementalStoreChanges.Links(
          relationship: relationship, owner: identifier(place.owner, relationship.entity),
          added: (change?.added ?? []).map { identifier($0, relationship.destination) },
          removed: (change?.removed ?? []).map { identifier($0, relationship.destination) },
          members: order?.members.map { identifier($0, relationship.destination) }))
    }
    changes.metadata = metadata.mapValues { $0 ?? .null }
    return changes
  }
}
