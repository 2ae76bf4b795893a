import OrderedCollections

extension ManagedObjectContext {
  /// Resolves a to-many of several owners of one entity tree with one statement; members are registered
  /// objects or new faults, corrected by what has changed since (REL-101).
  ///
  func resolve(_ relationship: RelationshipLayout, of owners: [ManagedObject]) throws {
    let logged = SQLLogRequest.begin()
    defer { logged?.end() }
    let clock = clock(for: TraceKind.faultBits)
    let resolved = try resolve(relationship, of: owners, with: nil)
    if let logged { add(faultsOf: relationship, resolved, to: logged) }
    if !resolved.isEmpty { recordFaults(of: relationship, resolved, since: clock) }
  }

  /// Adds to the SQL log that one request has fulfilled the faults of a to-many.
  private func add(
    faultsOf relationship: RelationshipLayout, _ owners: [ManagedObject], to request: SQLLogRequest
  ) {
    let counts = owners.map { $0.toMany(relationship).members?.count ?? 0 }
    request.addFetchTimes(rows: counts.reduce(0, +))
    for (owner, count) in zip(owners, counts) {
      request.addToManyFault(of: relationship.description.name, owner: owner.objectID, members: count)
    }
  }

  /// As above, within `reader`; not counted as a fault.
  ///
  /// - Parameter reader: The reader of the request.
  /// - Returns: The owners whose members were not known.
  @discardableResult
  func resolve(
    _ relationship: RelationshipLayout, of owners: [ManagedObject], with reader: RequestReader?
  ) throws -> [ManagedObject] {
    let waiting = owners.filter { !$0.toMany(relationship).isResolved }
    try readMembers(relationship, of: waiting, with: reader) { owner, links in
      resolve(relationship, of: owner, links)
    }
    return waiting
  }

  /// Reads the members of a to-many of several owners of one entity tree as the store has them now, with one
  /// statement.
  ///
  /// A relationship that was not resolved is. One that was stays as it is, and what is handed over are the
  /// members that it has in the store, joined with unsaved changes.
  func readPresentMembers(
    _ relationship: RelationshipLayout, of owners: [ManagedObject],
    _ receive: (ManagedObject, [ManagedObject]) -> Void
  ) throws {
    let asked = owners.filter {
      !$0.toMany(relationship).isResolved || (isSaved($0) && relationship.isPersistent)
    }
    try readMembers(relationship, of: asked) { owner, links in
      let state = owner.toMany(relationship)
      guard state.isResolved else { return resolve(relationship, of: owner, links) }
      receive(owner, state.members(joining: faults(links, owner.storeIndex)))
    }
  }

  /// The identifiers of the members of a to-many that was not read and stays so, with unsaved changes.
  func memberIdentifiers(
    _ relationship: RelationshipLayout, of owner: ManagedObject, _ changes: ToManyRelationship
  ) throws -> [ManagedObjectID] {
    var identifiers: [ManagedObjectID] = []
    var joined = changes.added
    let layouts = coordinator.layout.entities
    try readMembers(relationship, of: [owner]) { owner, links in
      for link in links {
        let known = registry.object(
          layouts[link.member.entity], key: link.member.key, store: owner.storeIndex)
        if let known {
          if changes.removed.contains(known) || known.state.contains(.propagated) { continue }
          joined.remove(known)
        }
        identifiers.append(
          ManagedObjectID(scope: owner.scope, entityIndex: link.member.entity, key: link.member.key))
      }
    }
    return identifiers + joined.elements.filter { !$0.state.contains(.propagated) }.map(\.objectID)
  }

  /// Resolves a to-many of several owners of one entity tree, as a part of a request, and brings the rows of
  /// the members into memory, by one statement a store (FLT-143). Where all is resolved nothing is read.
  ///
  /// - Returns: The objects whose rows were read, which nothing may hold but their owners.
  func resolveWithRows(
    _ relationship: RelationshipLayout, of owners: [ManagedObject], with reader: RequestReader
  ) throws -> [ManagedObject] {
    guard owners.contains(where: { !$0.toMany(relationship).isResolved }) else { return [] }
    let destination = coordinator.layout.entities[relationship.destination]
    let root = coordinator.layout.entities[destination.rootIndex]
    let asked = owners.filter { owner in
      guard let members = owner.toMany(relationship).members else { return true }
      return isSaved(owner) && members.elements.contains { $0.block == nil }
    }
    var read: [ManagedObject] = []
    for (index, owners) in OrderedDictionary(grouping: asked, by: \.storeIndex) {
      let keys = owners.filter { isSaved($0) }.map(\.key)
      var links: [LinkRow] = []
      if !keys.isEmpty {
        let session = try reader.session(index)
        var materializer = ObjectMaterializer(self, storeIndex: index)
        links = try session.memberRows(relationship, in: root, owners: keys) {
          try materializer.take($0, from: session.origin)
        }
        read += materializer.consumeObjects()
      }
      distribute(links, to: owners) { owner, links in
        if !owner.toMany(relationship).isResolved { resolve(relationship, of: owner, links) }
      }
    }
    return read
  }

  /// The stored members of a to-many of records that no objects were made of, by owner; each owner is there.
  func storedMembers(
    of relationship: RelationshipLayout, owners: [Int64], _ storeIndex: Int32, in session: any ReadSession
  ) throws -> [Int64: [ManagedObject]] {
    let links = try session.members(relationship, owners: owners)
    var members: [Int64: [ManagedObject]] = Dictionary(owners.map { ($0, []) }) { known, _ in known }
    // A member that several owners share is one object.
    var known: Set<Int64> = []
    let distinct = links.filter { known.insert($0.member.key).inserted }
    let objects = Dictionary(
      zip(distinct.lazy.map(\.member.key), faults(distinct[...], storeIndex)),
      uniquingKeysWith: { first, _ in first })
    for link in links {
      if let member = objects[link.member.key] { members[link.owner]?.append(member) }
    }
    return members
  }

  /// Hands over the stored links of a to-many of each of several owners of one entity tree.
  private func readMembers(
    _ relationship: RelationshipLayout, of owners: [ManagedObject], with reader: RequestReader? = nil,
    _ receive: (ManagedObject, ArraySlice<LinkRow>) -> Void
  ) throws {
    guard let first = owners.first else { return }
    guard owners.allSatisfy({ $0.storeIndex == first.storeIndex }) else {
      for (_, owners) in OrderedDictionary(grouping: owners, by: \.storeIndex) {
        try readMembers(relationship, of: owners, with: reader, receive)
      }
      return
    }
    let keys = owners.lazy.filter { self.isSaved($0) }.map(\.key)
    var links: [LinkRow] = []
    if !keys.isEmpty {
      links =
        try reader?.session(first.storeIndex).members(relationship, owners: Array(keys))
        ?? readingOnce(from: first.storeIndex) { try $0.members(relationship, owners: Array(keys)) }
    }
    distribute(links, to: owners, receive)
  }

  /// Hands each of several owners its links, which follow each other.
  private func distribute(
    _ links: [LinkRow], to owners: [ManagedObject], _ receive: (ManagedObject, ArraySlice<LinkRow>) -> Void
  ) {
    var places: [Int64: Range<Int>] = [:]
    var start = 0
    while start < links.count {
      let key = links[start].owner
      let end = links[start...].firstIndex { $0.owner != key } ?? links.count
      places[key] = start..<end
      start = end
    }
    for owner in owners { receive(owner, links[places[owner.key] ?? 0..<0]) }
  }

  private func resolve(
    _ relationship: RelationshipLayout, of owner: ManagedObject, _ links: ArraySlice<LinkRow>
  ) {
    let state = owner.toMany(relationship)
    let members = faults(links, owner.storeIndex)
    if relationship.isOrdered {
      for (object, link) in zip(members, links) {
        state.orderKeys[ObjectIdentifier(object)] = link.order
      }
    }
    let unchanged = state.resolve(members)
    if !unchanged.isEmpty { resolveOtherEnds(of: relationship, owner, unchanged) }
  }

  /// Has the other ends of links know that these were there, or not there, before they were made, or cut,
  /// blindly: else a refresh of one end would adopt others' changes of a link, and the other end would not.
  private func resolveOtherEnds(
    of relationship: RelationshipLayout, _ owner: ManagedObject, _ unchanged: [ManagedObject]
  ) {
    for object in unchanged where relationship.inverse >= 0 {
      let inverse = object.layout.relationships[relationship.inverse]
      let other = object.relationshipIfTouched(inverse.ordinal) as? ToManyRelationship
      other?.resolveUnknown(owner, isStored: owner.toMany(relationship).hasMember(object))
    }
  }

  /// The objects that links of one relationship name, no two of them the same: registered ones or new faults,
  /// with each lock taken once.
  func faults(_ links: ArraySlice<LinkRow>, _ storeIndex: Int32) -> [ManagedObject] {
    guard let first = links.first else { return [] }
    let layouts = coordinator.layout.entities
    if fetching.knowsTemporaryKeys, links.contains(where: { $0.member.key < 0 }) {
      return links.map { fault(layouts[$0.member.entity], key: $0.member.key, storeIndex: storeIndex) }
    }
    let known = registry.objects(
      layouts[first.member.entity], keys: links.lazy.map(\.member.key), store: storeIndex)
    if known.isEmpty {
      let faults = makeFaults(of: links, storeIndex: storeIndex)
      enter(faults)
      return faults
    }
    let new = makeFaults(of: zip(links, known).filter { $1 == nil }.map(\.0)[...], storeIndex: storeIndex)
    enter(new)
    var next = new.makeIterator()
    return known.compactMap { $0 ?? next.next() }
  }

  /// Registers new faults of one entity tree, and counts them among the holders of their cached rows.
  private func enter(_ faults: [ManagedObject]) {
    registry.register(faults)
    if fetching.sharesRowCache { registry.holdCachedRows(of: faults) }
  }
}
