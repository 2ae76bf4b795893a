import GraphStoreModel

extension InMemoryWriteSession {
  func performingSteps<Result>(_ body: () throws -> Result) throws -> Result {
    try store.database.checkStopped()
    return try body()
  }

  func prepare(_ save: SaveRequest) throws { isCopying = save.isCopy }

  func deleter(_ deletion: SaveRequest.Deletion) -> InMemoryDeleter {
    InMemoryDeleter(session: self, deletion: deletion)
  }

  func update(_ save: SaveRequest) throws -> [RowConflict] {
    var copier = RowCopier(keys: save.permanentKeys)
    var conflicts: [RowConflict] = []
    for update in save.updates {
      var stored = state.row(update.row.layout.rootIndex, update.key)
      if stored?.version != update.row.version {
        if let conflict = try conflict(of: update) {
          conflicts.append(conflict)
          continue
        }
        stored = state.row(update.row.layout.rootIndex, update.key)
      }
      guard let stored else { continue }
      let row = try copier.copy(stored, version: stored.version + 1)
      try copier.change(row, update.changed, from: update.row)
      state.put(row, update.key)
    }
    return conflicts
  }

  func checkConstraints(ofUpdatesIn save: SaveRequest) throws {
    for update in save.updates {
      if let row = state.row(update.row.layout.rootIndex, update.key) {
        try checkConstraints(row, update.key)
      }
    }
  }

  func insert(_ save: SaveRequest) throws {
    var copier = RowCopier(keys: save.permanentKeys)
    for insertion in save.insertions {
      let row = try copier.copy(insertion.row, version: 1)
      state.put(row, insertion.key)
      try checkConstraints(row, insertion.key)
    }
  }

  func write(_ change: SaveRequest.OrderChange) throws {
    let relationship = change.relationship
    guard relationship.isOrdered, let links = state.schema.links(of: relationship.description) else { return }
    try OrderWriter(InMemoryOrderStorage(self, links, owner: change.owner), change).run()
  }

  func raiseVersions(_ root: Int, _ keys: [Int64]) throws -> [RecordVersion] {
    var copier = RowCopier(keys: PermanentKeyMap())
    var versions: [RecordVersion] = []
    for key in keys {
      guard let stored = state.row(root, key) else { continue }
      let row = try copier.copy(stored, version: stored.version + 1)
      state.put(row, key)
      versions.append(RecordVersion(root: root, key: key, version: row.version))
    }
    return versions
  }

  // MARK: References

  func referring(to keys: [Int64], by reference: RelationshipDescription) throws -> [LinkRow] {
    let root = reference.entity.rootEntity.index
    guard let table = state.schema.index(of: reference) else { return scan(for: Set(keys), reference, root) }
    return keys.sorted().flatMap { owner in
      state.members(table, of: owner).map { member, _ in
        let entity = state.row(root, member)?.layout.index ?? reference.entity.index
        return LinkRow(owner: owner, member: ObjectKey(entity: entity, key: member), order: 0)
      }
    }
  }

  /// Looks through the rows for those that refer to records by a to-one without inverse, of which there is no
  /// index.
  private func scan(for keys: Set<Int64>, _ reference: RelationshipDescription, _ root: Int) -> [LinkRow] {
    var found: [LinkRow] = []
    state.scan(root) { key, row in
      if row.layout.entity.isKind(of: reference.entity),
        let slot = row.layout.property(named: reference.name)?.slot, slot >= 0,
        let owner = row.reference(slot)?.key, keys.contains(owner)
      {
        found.append(LinkRow(owner: owner, member: ObjectKey(entity: row.layout.index, key: key), order: 0))
      }
      return true
    }
    return found
  }

  func clear(_ reference: RelationshipDescription, of keys: [Int64]) throws {
    var copier = RowCopier(keys: PermanentKeyMap())
    for key in keys {
      guard let stored = state.row(reference.entity.rootEntity.index, key),
        let property = stored.layout.property(named: reference.name)
      else { continue }
      let row = try copier.copy(stored, version: stored.version + 1)
      row.block.setNull(row.index, property.slot)
      state.put(row, key)
    }
  }

  // MARK: Links

  func missingRecord(_ root: Int, among keys: Set<Int64>) -> Int64? {
    keys.filter { state.row(root, $0) == nil }.min()
  }

  func write(_ links: [SaveRequest.LinkChange]) {
    for link in links {
      guard case .pairs(let table, let mirror) = state.schema.links(of: link.relationship.description) else {
        continue
      }
      for member in link.removed { state.unlink(table, mirror, owner: link.owner, member: member) }
      for member in link.added {
        if link.relationship.inverseDescription == nil, !isCopying {
          leaveOwners(but: link.owner, member, table: table, mirror: mirror)
        }
        state.link(table, mirror, owner: link.owner, member: member)
      }
    }
  }

  /// Without an inverse a member is in one owner only, as in the other types of store (REL-134).
  private func leaveOwners(but owner: Int64, _ member: Int64, table: Int, mirror: Int) {
    for (former, _) in state.members(mirror, of: member) where former != owner {
      state.unlink(table, mirror, owner: former, member: member)
    }
  }
}

/// Deletes the records of one entity tree of an in-memory store.
struct InMemoryDeleter: RecordDeleting {
  let session: InMemoryWriteSession
  let deletion: SaveRequest.Deletion

  func deleteRows() throws -> [RowConflict] {
    let root = deletion.root.index
    let conflicts = try session.conflicts(
      ofDeleted: deletion.committed.filter { committed in
        session.state.row(root, committed.key).map { $0.version != committed.row.version } == true
      })
    if conflicts.isEmpty { for key in deletion.keys { session.state.remove(root, key) } }
    return conflicts
  }

  func deleteLinks() {
    for key in deletion.keys { session.state.unlinkAll(deletion.root.index, key) }
  }
}

/// The order values of the members of one owner, in its link table.
struct InMemoryOrderStorage: OrderStorage {
  private let session: InMemoryWriteSession
  private let table: Int
  private let owner: Int64
  let isPaired: Bool

  init(_ session: InMemoryWriteSession, _ links: InMemorySchema.Links, owner: Int64) {
    self.session = session
    self.owner = owner
    switch links {
    case .references(let index): (table, isPaired) = (index, false)
    case .pairs(let pairs, _): (table, isPaired) = (pairs, true)
    }
  }

  func greatestOrder() throws -> Int64? { session.state.members(table, of: owner).compactMap(\.order).max() }

  func members(at places: Set<Int64>?) throws -> [(member: Int64, order: Int64)] {
    session.state.members(table, of: owner)
      .compactMap { member, order in order.map { (member: member, order: $0) } }
      .filter { places?.contains($0.order) ?? true }
      .sorted { ($0.order, $0.member) < ($1.order, $1.member) }
  }

  func write(_ orders: [(member: Int64, order: Int64)], keepingStored: Bool) throws {
    for (member, order) in orders {
      session.state.setOrder(order, table, owner: owner, member: member, keepingStored: keepingStored)
    }
  }
}
