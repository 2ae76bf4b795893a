import GraphStore

/// What a shelf holds, as a value: a save changes a copy.
struct ShelfState: Sendable {
  /// A record by the name of its root entity and its reference.
  struct Place: Hashable, Sendable {
    let root: String
    let reference: NodeReference
  }

  private var records: [Place: (node: IncrementalStoreNode, number: Int)] = [:]
  private var count = 0
  private var references: [String: Int64] = [:]
  /// By relationship and owner: the members that are linked to it outside of nodes, or the order of members.
  private var lists: [String: [Place: [Place]]] = [:]

  /// The nodes in the order in which they were made.
  var inOrder: [IncrementalStoreNode] { records.values.sorted { $0.number < $1.number }.map(\.node) }

  func node(_ place: Place) -> IncrementalStoreNode? { records[place]?.node }

  mutating func put(_ node: IncrementalStoreNode, _ place: Place) {
    if records[place] == nil { count += 1 }
    records[place] = (node, records[place]?.number ?? count)
  }

  mutating func remove(_ place: Place) { records[place] = nil }

  mutating func delete(_ place: Place) {
    remove(place)
    for name in lists.keys {
      lists[name]?[place] = nil
      for owner in lists[name, default: [:]].keys { lists[name]?[owner]?.removeAll { $0 == place } }
    }
  }

  mutating func nextReference(ofTree root: String, hasTexts: Bool) -> NodeReference {
    references[root, default: 0] += 1
    let number = references[root, default: 0]
    // Some are numerals, and some have what URIs do not.
    return hasTexts ? .text(number % 3 == 0 ? "\(number)" : "nº \(number)/\(root)") : .integer(number)
  }

  // MARK: Links

  private static func name(_ relationship: RelationshipDescription) -> String {
    "\(relationship.entity.name).\(relationship.name)"
  }

  mutating func change(_ links: IncrementalStoreChanges.Links, _ place: (NodeIdentifier) -> Place) {
    let (name, owner) = (Self.name(links.relationship), place(links.owner))
    let inverse = links.relationship.inverse.map(Self.name)
    for member in links.removed.map(place) {
      lists[name]?[owner]?.removeAll { $0 == member }
      if let inverse { lists[inverse]?[member]?.removeAll { $0 == owner } }
    }
    for member in links.added.map(place) {
      if inverse == nil {
        for other in lists[name, default: [:]].keys { lists[name]?[other]?.removeAll { $0 == member } }
      }
      add(member, to: owner, in: name)
      if let inverse { add(owner, to: member, in: inverse) }
    }
    if let members = links.members { lists[name, default: [:]][owner] = members.map(place) }
  }

  private mutating func add(_ member: Place, to owner: Place, in name: String) {
    if lists[name]?[owner]?.contains(member) != true {
      lists[name, default: [:]][owner, default: []].append(member)
    }
  }

  /// The members of owners: in their order, else as they were made.
  func members(of relationship: RelationshipDescription, owners: [Place]) -> [Place: [Place]] {
    let lists = lists[Self.name(relationship)] ?? [:]
    let referring = referring(by: relationship)
    return owners.reduce(into: [:]) { members, owner in
      let list = (lists[owner] ?? []).filter { records[$0] != nil }
      let found = (referring.map { $0[owner.reference] ?? [] } ?? list).sorted { number($0) < number($1) }
      guard relationship.isOrdered else { return members[owner] = found }
      members[owner] = list.filter(found.contains) + found.filter { !list.contains($0) }
    }
  }

  func members(of relationship: RelationshipDescription, owner: Place) -> [Place] {
    members(of: relationship, owners: [owner])[owner] ?? []
  }

  /// The records that refer to others by the inverse of a to-many; nil where that is no to-one.
  private func referring(by relationship: RelationshipDescription) -> [NodeReference: [Place]]? {
    guard let inverse = relationship.inverse, !inverse.isToMany else { return nil }
    let root = relationship.destination.rootEntity.name
    let names = Set(inverse.entity.model.entities.filter { $0.isKind(of: inverse.entity) }.map(\.name))
    var referring: [NodeReference: [Place]] = [:]
    for (place, record) in records where place.root == root {
      guard names.contains(record.node.identifier.entity),
        let owner = record.node.destinations[inverse.name]
      else { continue }
      referring[owner.reference, default: []].append(place)
    }
    return referring
  }

  private func number(_ place: Place) -> Int { records[place]?.number ?? 0 }
}
