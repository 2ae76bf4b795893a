import GraphStoreModel

/// To-one references of a new table, as expressions over a row `s` of the old one.
struct MigratedReferences {
  let entities: MigratedEntities
  /// Whether of several members of what becomes a to-one the first is kept (MIG-123).
  let allowsInexact: Bool

  /// The value of a column of a to-one relationship.
  func expression(_ column: SQLColumn, in pair: MigratedEntities.Pair) -> String {
    guard let relationship = column.property as? RelationshipDescription else { return "NULL" }
    if let twin = entities.pairing.twin(of: relationship, in: pair.destination.entity) {
      return column.kind == .toOneKey ? "s.Z_PK" : String(entities.destination.entity(twin).number)
    }
    let links = entities.links(of: relationship, in: pair)
    let values = links.map { link in
      switch column.kind {
      case .toOneEntity: entityNumber(link, relationship)
      case .orderKey: place(link, relationship)
      default: key(link, relationship)
      }
    }.filter { $0 != "NULL" }
    return values.count > 1 ? "coalesce(\(values.joined(separator: ", ")))" : values.first ?? "NULL"
  }

  /// The key of the member; of several the first, in their order or that of their keys (MIG-082, MIG-123).
  ///
  /// Where both sides are to-ones now, a link is kept that is the first on both.
  func key(_ links: MigratedLinks, _ relationship: RelationshipDescription) -> String {
    let first = firstKey(links, relationship)
    guard allowsInexact, first != "NULL", let inverse = relationship.inverse, !inverse.isToMany,
      let back = opposite(of: links)
    else { return first }
    let owners = entities.members(of: back.members, leadingTo: inverse.destination)
    let rows = MigratedLinkQueries(entities).query(back, owners, owners: nil)
    let owner = "(SELECT b.k FROM (\(rows)) AS b WHERE b.w = \(first) ORDER BY b.o, b.k LIMIT 1)"
    return "CASE WHEN s.Z_PK = \(owner) THEN \(first) END"
  }

  /// The links from the side of the members; nil where each has one owner at most.
  private func opposite(of links: MigratedLinks) -> MigratedLinks? {
    let old = links.relationship
    if links.isReversed {
      return old.isToMany ? MigratedLinks(old, of: entities.source.entity(old.entity)) : nil
    }
    return old.inverse?.isToMany == false ? nil : MigratedLinks(reversing: old, in: entities.source)
  }

  private func firstKey(_ links: MigratedLinks, _ relationship: RelationshipDescription) -> String {
    let members = entities.members(of: links.members, leadingTo: relationship.destination)
    if members.kept.isEmpty { return "NULL" }
    if case .owner(let key, let tag, _) = links.place {
      let key = "s.\(key.quotedName)"
      if members.isComplete { return key }
      let numbers = MigrationText.list(members.numbers)
      if let tag { return "CASE WHEN s.\(tag.quotedName) IN \(numbers) THEN \(key) END" }
      let table = MigrationText.old(entities.source.entity(links.members).table)
      return "(SELECT t.Z_PK FROM \(table) AS t WHERE t.Z_PK = \(key) AND t.Z_ENT IN \(numbers))"
    }
    return
      "(SELECT m.k \(MigratedLinkQueries(entities).members(of: links, members)) ORDER BY m.o, m.k LIMIT 1)"
  }

  /// The number of the member's entity.
  private func entityNumber(_ links: MigratedLinks, _ relationship: RelationshipDescription) -> String {
    let members = entities.members(of: links.members, leadingTo: relationship.destination)
    let key = key(links, relationship)
    if key == "NULL" { return key }
    let numbers = members.numbers
    guard case .owner(_, let tag, _) = links.place, tag != nil || numbers.count < 2 else {
      let table = MigrationText.old(entities.source.entity(links.members).table)
      return "(SELECT \(renumbered("t.Z_ENT", members)) FROM \(table) AS t WHERE t.Z_PK = \(key))"
    }
    if let tag {
      let number = renumbered("s.\(tag.quotedName)", members)
      return allowsInexact ? "CASE WHEN \(key) IS NOT NULL THEN \(number) END" : number
    }
    guard let number = numbers.first.flatMap({ members.kept[$0] }) else { return "NULL" }
    return "CASE WHEN \(key) IS NOT NULL THEN \(number) END"
  }

  private func renumbered(_ number: String, _ members: MigratedEntities.Members) -> String {
    let branches = members.numbers.map { "WHEN \($0) THEN \(members.kept[$0] ?? 0)" }
    return "CASE \(number) \(branches.joined(separator: " ")) END"
  }

  /// The place among the members of the ordered inverse; without one so far, in the order of the keys
  /// (MIG-083).
  private func place(_ links: MigratedLinks, _ relationship: RelationshipDescription) -> String {
    let key = key(links, relationship)
    if key == "NULL" { return key }
    switch links.place {
    case .owner(_, _, let order?): return "CASE WHEN \(key) IS NOT NULL THEN s.\(order.quotedName) END"
    case .pairs(_, _, _, _, .some):
      let members = entities.members(of: links.members, leadingTo: relationship.destination)
      return
        "(SELECT m.p \(MigratedLinkQueries(entities).members(of: links, members)) ORDER BY m.o, m.k LIMIT 1)"
    default:
      let number = "row_number() OVER (PARTITION BY \(key) ORDER BY s.Z_PK)"
      return
        "CASE WHEN \(key) IS NOT NULL THEN \(OrderKeys.first - OrderKeys.step) + \(OrderKeys.step) * \(number) END"
    }
  }
}
