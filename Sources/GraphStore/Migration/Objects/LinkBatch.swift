import GraphStoreModel
import GraphStorePredicates

/// Batch of links of destination objects, written by keys: references in the rows that have them, pairs, and
/// order values of ordered members.
///
/// Each row is read once and written once, however many of its references are set.
final class LinkBatch {
  /// The members that one owner gets.
  struct Links {
    let owner: (source: PackedReference, destination: PackedReference)
    let members: [PackedReference]
  }

  private let run: MigrationRun
  private var sets: [(transfer: RelationshipTransfer, links: [Links])] = []
  private var rows: ReferenceRows
  private var request = SaveRequest()

  init(_ run: MigrationRun) {
    self.run = run
    rows = ReferenceRows(run.destination)
  }

  /// Adds the members of several owners.
  func add(_ transfer: RelationshipTransfer, _ links: [Links]) { sets.append((transfer, links)) }

  /// Writes everything in one request.
  func write() throws {
    let session = try run.session()
    try loadRows(session)
    for (transfer, links) in sets {
      switch transfer.role {
      case .sets: try set(links, transfer, session)
      case .compares: try compare(links, transfer, session)
      case .follows: break
      }
      if transfer.isStated, transfer.relationship.isOrdered { addOrders(links, transfer.relationship) }
    }
    try send(session)
  }

  /// Writes nothing but the order values of members.
  func writeOrders() throws {
    for (transfer, links) in sets { addOrders(links, transfer.relationship) }
    try send(run.session())
  }

  private func send(_ session: any WriteSession) throws {
    request.updates = rows.updates
    guard !request.isEmpty else { return }
    try session.writeRows(request)
    if run.hasPolicies { forgetRows() }
  }

  /// Objects that policies keep read their rows anew.
  private func forgetRows() {
    let store = run.destination.mount.store
    for (root, updates) in Dictionary(grouping: request.updates, by: \.row.layout.rootIndex) {
      store.rowCache.forget(root, updates.map(\.key), in: .transaction)
    }
  }

  /// Reads the rows that references are written to, or compared with.
  private func loadRows(_ session: any WriteSession) throws {
    for (transfer, links) in sets where transfer.role != .follows {
      let relationship = transfer.relationship
      if !relationship.isToMany { rows.want(links.map(\.owner.destination)) }
      if relationship.inverseDescription?.isToMany == false { rows.want(links.flatMap(\.members)) }
    }
    try rows.load(session)
  }

  // MARK: Setting

  private func set(
    _ links: [Links], _ transfer: RelationshipTransfer, _ session: any WriteSession
  ) throws {
    let relationship = transfer.relationship
    if !relationship.isToMany {
      for link in links { try setReference(of: link, transfer, session) }
    } else if relationship.inverseDescription?.isToMany == false {
      for link in links { try setBackReferences(of: link, transfer) }
      if run.hasPolicies { try removeOthers(links, transfer, session) }
    } else {
      try addPairs(links, transfer, session)
    }
  }

  private func setReference(
    of link: Links, _ transfer: RelationshipTransfer, _ session: any WriteSession
  ) throws {
    let (relationship, owner, member) = (transfer.relationship, link.owner.destination, link.members.first)
    let present = rows.reference(of: owner, relationship)
    if present == member { return }
    // Links set by a policy stay, unless the mapping says otherwise (MIG-194).
    if present != nil, !transfer.isStated { return }
    if relationship.isOneToOne, let member {
      let inverse = run.destination.layouts[member.entity].relationships[relationship.inverse]
      if let holder = rows.reference(of: member, inverse), holder != owner {
        return try run.refuse(transfer, claimed: member, by: owner, holder: holder, link.owner.source)
      }
      rows.setReference(of: member, inverse, to: owner)
    }
    if relationship.isOneToOne, let present {
      try rows.load([present], session)
      let inverse = run.destination.layouts[present.entity].relationships[relationship.inverse]
      rows.setReference(of: present, inverse, to: nil)
    }
    rows.setReference(of: owner, relationship, to: member)
  }

  /// Sets the references of members to their owner.
  private func setBackReferences(of link: Links, _ transfer: RelationshipTransfer) throws {
    let owner = link.owner.destination
    for member in link.members {
      let inverse = run.destination.layouts[member.entity].relationships[transfer.relationship.inverse]
      if let holder = rows.reference(of: member, inverse) {
        if holder == owner { continue }
        try run.refuse(transfer, claimed: member, by: owner, holder: holder, link.owner.source)
      } else {
        rows.setReference(of: member, inverse, to: owner)
      }
    }
  }

  /// Takes members out that a policy has linked and the mapping does not name.
  private func removeOthers(
    _ links: [Links], _ transfer: RelationshipTransfer, _ session: any WriteSession
  ) throws {
    guard transfer.isStated else { return }
    let present = try presentMembers(links.map(\.owner.destination), transfer.relationship, session)
    for link in links {
      let others = (present[link.owner.destination.key] ?? []).filter { !link.members.contains($0) }
      try rows.load(others, session)
      for other in others {
        let inverse = run.destination.layouts[other.entity].relationships[transfer.relationship.inverse]
        rows.setReference(of: other, inverse, to: nil)
      }
    }
  }

  /// The members that are there, by the keys of their owners: in their order, else by key.
  private func presentMembers(
    _ owners: [PackedReference], _ relationship: RelationshipLayout, _ session: any WriteSession
  ) throws -> [Int64: [PackedReference]] {
    var found: [Int64: [PackedReference]] = [:]
    for link in try session.members(relationship, owners: owners.map(\.key)) {
      found[link.owner, default: []].append(PackedReference(link.member))
    }
    return found
  }

  // MARK: Pairs

  private func addPairs(
    _ links: [Links], _ transfer: RelationshipTransfer, _ session: any WriteSession
  ) throws {
    let relationship = transfer.relationship
    let present =
      run.hasPolicies ? try presentMembers(links.map(\.owner.destination), relationship, session) : [:]
    for link in links {
      let owner = link.owner.destination
      let former = present[owner.key] ?? []
      let known = Set(former)
      let added = link.members.filter { !known.contains($0) }
      let kept = Set(link.members)
      // Links set by a policy stay, unless the mapping says otherwise (MIG-194).
      let removed = transfer.isStated ? former.filter { !kept.contains($0) } : []
      addPairs(relationship, owner: owner, added: added.map(\.key), removed: removed.map(\.key))
    }
  }

  private func addPairs(
    _ relationship: RelationshipLayout, owner: PackedReference, added: [Int64], removed: [Int64]
  ) {
    if added.isEmpty, removed.isEmpty { return }
    guard let inverse = relationship.inverseDescription, !relationship.description.isStoredHere else {
      request.links.append(
        SaveRequest.LinkChange(relationship: relationship, owner: owner.key, added: added, removed: removed))
      return
    }
    let other = run.destination.layouts[inverse.entityIndex].relationships[relationship.inverse]
    for key in added {
      request.links.append(
        SaveRequest.LinkChange(relationship: other, owner: key, added: [owner.key], removed: []))
    }
    for key in removed {
      request.links.append(
        SaveRequest.LinkChange(relationship: other, owner: key, added: [], removed: [owner.key]))
    }
  }

  // MARK: Order

  /// Adds order values for the members that owners have, in the order in which they are read.
  func addOrders(asRead relationship: RelationshipLayout, of owners: [PackedReference]) throws {
    let present = try presentMembers(owners, relationship, run.session())
    for owner in owners { addOrders(of: present[owner.key] ?? [], relationship, owner) }
  }

  private func addOrders(_ links: [Links], _ relationship: RelationshipLayout) {
    for link in links { addOrders(of: link.members, relationship, link.owner.destination) }
  }

  private func addOrders(
    of members: [PackedReference], _ relationship: RelationshipLayout, _ owner: PackedReference
  ) {
    if members.isEmpty { return }
    let orders = members.enumerated().map { position, member in
      (member: member.key, order: OrderKeys.first + Int64(position) * OrderKeys.step)
    }
    request.orders.append(
      SaveRequest.OrderChange(
        relationship: relationship, owner: owner.key, orders: orders, isOwnerNew: true, appended: []))
  }

  // MARK: Agreement

  /// Compares what is stated on the second end with what the first one has set (MIG-176). Links to objects of
  /// mappings that state nothing are set.
  private func compare(
    _ links: [Links], _ transfer: RelationshipTransfer, _ session: any WriteSession
  ) throws {
    let relationship = transfer.relationship
    let present =
      relationship.isToMany
      ? try presentMembers(links.map(\.owner.destination), relationship, session) : [:]
    for link in links {
      let owner = link.owner.destination
      let former =
        relationship.isToMany
        ? present[owner.key] ?? [] : [rows.reference(of: owner, relationship)].compactMap(\.self)
      let known = Set(former)
      let wanted = Set(link.members)
      let missing = link.members.filter { !known.contains($0) }
      let surplus = former.filter { !wanted.contains($0) }
      for member in missing + surplus where isStated(relationship.inverseDescription, by: member) {
        throw disagreement(link, member, isMissing: known.contains(member), relationship)
      }
      let change = Links(owner: link.owner, members: link.members)
      if !missing.isEmpty || !surplus.isEmpty { try set([change], transfer, session) }
    }
  }

  private func isStated(_ relationship: RelationshipDescription?, by object: PackedReference) -> Bool {
    run.works.joined().contains { work in
      work.states(relationship) && work.associations.firstPosition(ofDestination: object) != nil
    }
  }

  /// - Parameter isMissing: Whether the first end has the link and the second has not.
  private func disagreement(
    _ link: Links, _ member: PackedReference, isMissing: Bool, _ relationship: RelationshipLayout
  ) -> GraphStoreError {
    let ids = [link.owner.destination, member].map { run.destination.identifier($0).shortForm }
    let names = [relationship.description, relationship.inverseDescription].compactMap(\.self).map {
      "\($0.entity.name).\($0.name)"
    }
    let (having, lacking) = isMissing ? (names.last, names.first) : (names.first, names.last)
    return GraphStoreError(
      .migrationFailed,
      "The mappings of \(names.joined(separator: " and ")) do not agree: \(having ?? "one") links \(ids[0]) with \(ids[1]), "
        + "\(lacking ?? "the other") does not.",
      remedy: "State one of them and leave the other out, which then follows.",
      entity: relationship.description.entity.name, property: relationship.description.name,
      objectID: run.destination.identifier(link.owner.destination))
  }
}
