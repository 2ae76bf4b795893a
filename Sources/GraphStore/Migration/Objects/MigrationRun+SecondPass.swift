import GraphStoreModel
import GraphStorePredicates

/// Second pass: relationships, mapping by mapping, when all objects of the part exist (MIG-184, MIG-213).
extension MigrationRun {
  func runSecondPass(_ works: [MappingWork]) throws {
    for work in works {
      if work.isPlain { try setLinks(work, in: [.sets]) } else { try callRelationships(work) }
      try calling("endRelationshipCreation(forMapping:manager:)", work) {
        try work.policy.endRelationshipCreation(forMapping: work.mapping, manager: manager)
      }
      if !work.isPlain { try commitBatch() }
    }
    // When every link is there that one end sets, the other end adds its order, or has to agree.
    for work in works { try setLinks(work, in: [.compares]) }
    guard works.last === self.works.last?.last else { return }
    for work in self.works.joined() {
      try setOrders(work)
      try setKeyOrders(work)
    }
    for work in self.works.joined() { notifyDropped(work) }
  }

  /// Reports how many members drop out because nothing was made of them (MIG-174).
  private func notifyDropped(_ work: MappingWork) {
    for transfer in work.relationships where transfer.droppedCount > 0 {
      manager.log.write(
        .mappings,
        "  \(work.mapping.name).\(transfer.relationship.description.name): \(transfer.droppedCount) members were not "
          + "migrated and drop out")
    }
  }

  /// The destination objects of a mapping in batches, each once, with the source object for which each was
  /// made first.
  private func forEachBatch(
    _ work: MappingWork, _ body: ([(source: PackedReference, destination: PackedReference)]) throws -> Void
  ) throws {
    var start = 0
    while start < work.associations.count {
      let end = min(start + manager.batchSize, work.associations.count)
      let batch = (start..<end).filter { position in
        work.associations.firstPosition(ofDestination: work.associations[position].destination) == position
      }
      try body(batch.map { work.associations[$0] })
      try source.releaseObjects()
      start = end
    }
  }

  // MARK: By keys

  /// Assigns places to the members of ordered relationships that were not stated, whichever end has set the
  /// links; and looks for members that a relationship loses whose links the other end has set.
  private func setOrders(_ work: MappingWork) throws {
    let transfers = work.relationships.filter { transfer in
      !transfer.isStated && transfer.origin != nil
        && (transfer.relationship.isOrdered || transfer.role == .follows && mayLoseMembers(transfer))
    }
    if transfers.isEmpty { return }
    try forEachBatch(work) { batch in
      let links = LinkBatch(self)
      for transfer in transfers {
        let finder = MemberFinder(self, work, transfer, reports: transfer.role == .follows)
        let members = try finder.members(of: batch)
        if !transfer.relationship.isOrdered { continue }
        links.add(transfer, zip(batch, members).map { LinkBatch.Links(owner: $0, members: $1) })
      }
      try links.writeOrders()
      try endBatch(units: 0)
    }
  }

  /// Assigns places to the members of ordered relationships without a known order: only their other ends were
  /// stated. Those with places from a policy keep them, the others follow in the order of their keys.
  private func setKeyOrders(_ work: MappingWork) throws {
    let relationships = (work.destination?.relationships ?? []).filter { relationship in
      relationship.isOrdered && relationship.isPersistent
        && !work.relationships.contains { $0.relationship.number == relationship.number }
        && self.works.joined().contains { $0.states(relationship.inverseDescription) }
    }
    if relationships.isEmpty { return }
    try forEachBatch(work) { batch in
      let links = LinkBatch(self)
      for relationship in relationships {
        try links.addOrders(asRead: relationship, of: batch.map(\.destination))
      }
      try links.writeOrders()
      try endBatch(units: 0)
    }
  }

  /// Whether objects that a relationship led to become such as the new one does not lead to.
  private func mayLoseMembers(_ transfer: RelationshipTransfer) -> Bool {
    guard case .relationship(let origin) = transfer.source else { return false }
    return works.joined().contains { work in
      guard let source = work.source?.entity, let made = work.destination?.entity else { return false }
      return source.isKind(of: origin.destinationEntity)
        && !made.isKind(of: transfer.relationship.destinationEntity)
    }
  }

  private func setLinks(_ work: MappingWork, in roles: [RelationshipTransfer.Role]) throws {
    let transfers = work.relationships.filter { roles.contains($0.role) }
    if transfers.isEmpty {
      if roles == [.sets] { try meter.advance(work.associations.count) }
      return
    }
    try forEachBatch(work) { batch in
      let sources = try source.loadedObjects(batch.map(\.source))
      try withExtendedLifetime(sources) {
        let links = LinkBatch(self)
        for transfer in transfers {
          let members = try MemberFinder(self, work, transfer).members(of: batch)
          links.add(transfer, zip(batch, members).map { LinkBatch.Links(owner: $0, members: $1) })
        }
        try links.write()
      }
      try endBatch(units: roles == [.sets] ? batch.count : 0)
    }
  }

  // MARK: By objects

  private func callRelationships(_ work: MappingWork) throws {
    try forEachBatch(work) { batch in
      _ = try session()
      let sources = try source.loadedObjects(batch.map(\.source))
      let objects = try destination.loadedObjects(batch.map(\.destination))
      try withExtendedLifetime(sources) {
        workInHand = work
        for object in objects where !object.isDeleted {
          inHand = object
          try calling("createRelationships(forDestination:in:manager:)", work) {
            try work.policy.createRelationships(forDestination: object, in: work.mapping, manager: manager)
          }
        }
        inHand = nil
      }
      try saveDestination()
      try endBatch(units: batch.count)
    }
  }

  /// Sets the relationships of one destination object; what the base policy does (MIG-186).
  func makeRelationships(of object: ManagedObject, in mapping: CheckedEntityMapping) throws {
    let work = try work(named: mapping.name)
    var first: PackedReference?
    work.associations.forEachSource(of: PackedReference(object)) { first = first ?? $0 }
    guard let source = first else { return }
    for transfer in work.relationships where transfer.role == .sets {
      let finder = MemberFinder(self, work, transfer)
      let members = try finder.members(of: [(source: source, destination: PackedReference(object))])[0]
      try set(members, of: object, transfer, source)
    }
  }

  private func set(
    _ references: [PackedReference], of object: ManagedObject, _ transfer: RelationshipTransfer,
    _ source: PackedReference
  ) throws {
    let relationship = transfer.relationship
    let members = references.map(destination.object)
    // Links set by the policy stay, unless the mapping says otherwise (MIG-194).
    if !transfer.isStated, !relationship.isToMany, try object.object(of: relationship) != nil { return }
    // The rows of members name their present owner.
    if relationship.inverseDescription?.isToMany == false { try destination.context.loadRows(of: members) }
    var kept: [ManagedObject] = []
    for member in members {
      if relationship.inverse >= 0 {
        let inverse = member.layout.relationships[relationship.inverse]
        if !inverse.isToMany, let other = try member.object(of: inverse), other !== object {
          try refuse(
            transfer, claimed: PackedReference(member), by: PackedReference(object),
            holder: PackedReference(other),
            source)
          continue
        }
      }
      kept.append(member)
    }
    if relationship.isToMany {
      if transfer.isStated {
        try object.setMembers(kept, of: relationship)
      } else {
        try object.add(kept, to: relationship)
      }
    } else if kept.first != nil || transfer.isStated {
      try object.setObject(kept.first, of: relationship)
    }
  }

  // MARK: Failures

  /// Refuses a member that another object has by a to-one inverse; for an unstated relationship it is a
  /// finding, or the first one keeps it (MIG-085, MIG-123).
  func refuse(
    _ transfer: RelationshipTransfer, claimed member: PackedReference, by owner: PackedReference,
    holder: PackedReference, _ source: PackedReference
  ) throws {
    let relationship = transfer.relationship.description
    guard transfer.isStated else {
      let inverse = relationship.inverse
      findings.add(
        .severalMembers, entity: inverse?.entity ?? relationship.entity,
        property: inverse?.name ?? relationship.name,
        self.source.identifier(source), value: destination.identifier(member).shortForm,
        isAllowed: manager.allowsInexactConversion)
      return
    }
    let ids = [owner, holder, member].map { destination.identifier($0).shortForm }
    throw GraphStoreError(
      .migrationFailed,
      "\(relationship.entity.name).\(relationship.name): \(ids[0]) and \(ids[1]) both link to \(ids[2]), whose "
        + "\(relationship.inverse?.name ?? "inverse") is to-one.",
      remedy: "Let the expression give each object to one other, or make the inverse to-many.",
      entity: relationship.entity.name, property: relationship.name, objectID: destination.identifier(owner))
  }
}
