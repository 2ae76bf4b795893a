import GraphStoreModel

extension ParentSession {
  /// The members of to-manys as the parent has them: of relationships that it has read, its own; of others
  /// those of its source, corrected by its unsaved changes.
  func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    try links(relationship, of: owners) { try base.members(relationship, owners: $0) }
  }

  func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow] {
    var delivered: Set<Int64> = []
    let correction = RowCorrection(of: parent, storeIndex: mount.index)
    let links = try links(relationship, of: owners) { owners in
      try base.memberRows(relationship, in: root, owners: owners) { batch in
        batch.forEach { key, _ in delivered.insert(key) }
        try correction.correct(&batch, receive)
      }
    }
    let missing = Set(links.map(\.member.key)).subtracting(delivered)
    if !missing.isEmpty { try rows(root, keys: missing.sorted(), receive) }
    return links
  }

  private func links(
    _ relationship: RelationshipLayout, of owners: [Int64], _ read: ([Int64]) throws -> [LinkRow]
  ) throws -> [LinkRow] {
    let layout = parent.coordinator.layout.entities[relationship.description.entityIndex]
    var known: [Int64: ManagedObject] = [:]
    if parent.registry.count > 0 {
      for key in owners { known[key] = parent.registry.object(layout, key: key, store: mount.index) }
    }
    let read = try read(owners.filter { !(known[$0]?.hasMembersInMemory(relationship) ?? false) })
    if known.isEmpty { return read }
    var stored: [Int64: ArraySlice<LinkRow>] = [:]
    var start = 0
    while start < read.count {
      let end = read[start...].firstIndex { $0.owner != read[start].owner } ?? read.count
      stored[read[start].owner] = read[start..<end]
      start = end
    }
    return try owners.flatMap { key -> [LinkRow] in
      let links = stored[key] ?? []
      guard let owner = known[key] else { return Array(links) }
      guard owner.isPresent else { return [] }
      return owner.hasMembersInMemory(relationship)
        ? try owner.links(of: relationship) : owner.corrected(links, of: relationship)
    }
  }
}

extension ManagedObject {
  /// Whether the members of a to-many are known without asking the source.
  fileprivate final func hasMembersInMemory(_ relationship: RelationshipLayout) -> Bool {
    if !isPresent || state.contains(.inserted) { return true }
    return (relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.isResolved == true
  }

  /// The members of a to-many as links, with the places that a save would give them.
  fileprivate final func links(of relationship: RelationshipLayout) throws -> [LinkRow] {
    let members = try members(of: relationship)
    guard relationship.isOrdered else {
      return members.sortedByIdentifier().map { LinkRow(owner: key, member: ObjectKey($0), order: 0) }
    }
    let stored = toMany(relationship).orderKeys
    let orders = OrderKeys.assign(members.map { stored[ObjectIdentifier($0)] })
    return zip(members, orders).map { LinkRow(owner: key, member: ObjectKey($0), order: $1) }
  }

  /// The links of a to-many that the context has not read, without members that have left, and with those
  /// that have joined.
  fileprivate final func corrected(
    _ links: ArraySlice<LinkRow>, of relationship: RelationshipLayout
  ) -> [LinkRow] {
    guard let members = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship, members.hasChanges
    else { return Array(links) }
    let gone = Set(members.removed.elements.map(\.key))
    var kept = links.filter { !gone.contains($0.member.key) }
    let there = Set(kept.map(\.member.key))
    var last = kept.last?.order ?? 0
    for member in members.added.elements where member.isPresent && !there.contains(member.key) {
      if relationship.isOrdered { last += OrderKeys.step }
      kept.append(LinkRow(owner: key, member: ObjectKey(member), order: last))
    }
    if !relationship.isOrdered { kept.sort { $0.member.key < $1.member.key } }
    return kept
  }
}

extension ObjectKey {
  fileprivate init(_ object: ManagedObject) { self.init(entity: object.layout.index, key: object.key) }
}
