import GraphStoreModel
import OrderedCollections

/// Delete rules applied to records of one store, over sets of keys and without objects: with a statement a
/// relationship and wave.
struct RecordCascade {
  private let layout: ModelLayout
  private let session: any WriteSession
  private let scope: StoreIdentity
  /// The records that are deleted, in the order in which they were found.
  private(set) var records: [ObjectKey] = []
  /// By entity: the keys of these.
  private var keys: [[Int64]]
  /// By entity tree: the same, for looking them up; made when first needed.
  private var known: [Int: Set<Int64>] = [:]
  /// Whether it matters which records of an entity tree are deleted, and not only how many.
  private let needsKeys: (_ root: Int) throws -> Bool
  /// By entity tree: how many records were deleted with their owners, of which nobody knows which they were.
  private(set) var members: [Int: Int] = [:]

  /// A to-many of records that stay and lose members, and how many each has to keep.
  struct Loss {
    let relationship: RelationshipDescription
    let owners: [ObjectKey]
  }

  /// So many errors are told of one request.
  private static let mostErrors = 20

  init(
    _ layout: ModelLayout, _ session: any WriteSession, _ scope: StoreIdentity,
    needsKeys: @escaping (_ root: Int) throws -> Bool
  ) {
    self.needsKeys = needsKeys
    self.layout = layout
    self.session = session
    self.scope = scope
    keys = [[Int64]](repeating: [], count: layout.entities.count)
  }

  // MARK: Finding

  /// Finds everything that is deleted with some records, each of which is there; of the last tier of a
  /// cascade, if it can be deleted at once, nothing remains to be found.
  mutating func find(from selected: [ObjectKey]) throws {
    var wave = selected
    for record in selected { append(record) }
    while !wave.isEmpty {
      let sources = sources(in: wave) { $0.deleteRule == .cascade && $0.isPersistent }
      if sources.isEmpty { return }
      wave = []
      for (relationship, owners) in sources where try !deleteMembers(relationship, of: owners) {
        for link in try links(relationship, of: owners) where add(link.member) { wave.append(link.member) }
      }
    }
  }

  /// Deletes the members of a relationship by their owners, where nothing leads from them to others, or to
  /// them from others: most records of a cascade are in its last tier, and finding the keys of each takes as
  /// long as deleting it.
  ///
  /// - Returns: Whether that was done.
  private mutating func deleteMembers(_ relationship: RelationshipLayout, of owners: [Int64]) throws -> Bool {
    let root = layout.entities[relationship.destination].rootIndex
    guard relationship.isToMany, let inverse = relationship.inverseDescription, !inverse.isToMany,
      inverse.destination.rootEntity.index != root,
      layout.hasPlainRows(root, besides: relationship.description), try !needsKeys(root),
      let count = try session.deleteMembers(relationship, owners: owners)
    else { return false }
    members[root, default: 0] += count
    return true
  }

  private mutating func append(_ record: ObjectKey) {
    records.append(record)
    keys[record.entity].append(record.key)
  }

  /// Adds a record; false for one that was found before.
  private mutating func add(_ record: ObjectKey) -> Bool {
    let root = layout.entities[record.entity].rootIndex
    if known[root] == nil { known[root] = keys(ofTree: root) }
    guard known[root]?.insert(record.key).inserted == true else { return false }
    append(record)
    return true
  }

  private func keys(ofTree root: Int) -> Set<Int64> {
    var found: Set<Int64> = []
    for layout in layout.entities where layout.rootIndex == root { found.formUnion(keys[layout.index]) }
    return found
  }

  /// Whether a record is deleted.
  private mutating func contains(_ record: ObjectKey) -> Bool {
    let root = layout.entities[record.entity].rootIndex
    if known[root] == nil { known[root] = keys(ofTree: root) }
    return known[root]?.contains(record.key) == true
  }

  private typealias Sources = OrderedDictionary<
    RelationshipDescription, (layout: RelationshipLayout, owners: [Int64])
  >

  /// The records that have a relationship of a kind, by that: one that entities inherit is read once.
  private func sources(
    in wave: [ObjectKey], _ isMeant: (RelationshipLayout) -> Bool
  ) -> [(RelationshipLayout, [Int64])] {
    var byEntity = [[Int64]](repeating: [], count: layout.entities.count)
    for record in wave { byEntity[record.entity].append(record.key) }
    return sources(of: byEntity, isMeant)
  }

  private func sources(
    of byEntity: [[Int64]], _ isMeant: (RelationshipLayout) -> Bool
  ) -> [(RelationshipLayout, [Int64])] {
    var found: Sources = [:]
    for (entity, owners) in byEntity.enumerated() where !owners.isEmpty {
      for relationship in layout.entities[entity].relationships where isMeant(relationship) {
        found[relationship.description, default: (relationship, [])].owners += owners
      }
    }
    return found.values.map { ($0.layout, $0.owners.sorted()) }
  }

  /// The records at the other end of a relationship; of a to-one those that are there.
  private func links(_ relationship: RelationshipLayout, of owners: [Int64]) throws -> [LinkRow] {
    if relationship.isToMany { return try session.members(relationship, owners: owners) }
    var links: [LinkRow] = []
    let root = layout.entities[relationship.description.entity.rootEntity.index]
    try session.rows(root, keys: owners) { batch in
      batch.forEach { key, row in
        guard let slot = row.layout.property(named: relationship.description.name)?.slot,
          let reference = row.reference(slot)
        else { return }
        links.append(
          LinkRow(owner: key, member: ObjectKey(entity: reference.entity, key: reference.key), order: 0))
      }
    }
    return try present(links, in: layout.entities[layout.entities[relationship.destination].rootIndex])
  }

  /// The links whose members are there, with their entities.
  private func present(_ links: [LinkRow], in root: EntityLayout) throws -> [LinkRow] {
    if links.isEmpty { return [] }
    var entities: [Int64: Int] = [:]
    try session.rows(root, keys: Set(links.map(\.member.key)).sorted()) { batch in
      batch.forEach { entities[$0] = $1.layout.index }
    }
    return links.compactMap { link in
      entities[link.member.key].map {
        LinkRow(owner: link.owner, member: ObjectKey(entity: $0, key: link.member.key), order: 0)
      }
    }
  }

  // MARK: Rules

  /// - Throws: `delete-denied`, of the first records where there are many.
  mutating func checkDenials() throws {
    guard layout.hasDenyRules else { return }
    var (denials, count) = ([DeletionPreview.Denial](), 0)
    for (relationship, owners) in sources(of: keys, { $0.deleteRule == .deny && $0.isPersistent }) {
      var blocking: OrderedDictionary<Int64, [ManagedObjectID]> = [:]
      for link in try links(relationship, of: owners) where !contains(link.member) {
        blocking[link.owner, default: []].append(id(link.member))
      }
      count += blocking.count
      for (owner, blocking) in blocking.prefix(Self.mostErrors - denials.count) {
        denials.append(
          DeletionPreview.Denial(
            objectID: id(try record(owner, of: relationship)), relationship: relationship.description.name,
            blocking: blocking))
      }
    }
    if let error = GraphStoreError.combining(denials.map(\.error)) { throw error.counting(count) }
  }

  /// The to-manys of records that stay which need members, and are going to lose some.
  mutating func losses() throws -> [Loss] {
    var losses: OrderedDictionary<RelationshipDescription, OrderedSet<ObjectKey>> = [:]
    let sources = sources(of: keys) { relationship in
      relationship.isPersistent && relationship.deleteRule != .noAction
        && relationship.inverseDescription.map { $0.isToMany && $0.limitsRemoval } == true
    }
    for (relationship, owners) in sources {
      guard let inverse = relationship.inverseDescription else { continue }
      for link in try links(relationship, of: owners) where !contains(link.member) {
        losses[inverse, default: []].append(link.member)
      }
    }
    return losses.map { Loss(relationship: $0.key, owners: Array($0.value)) }
  }

  /// Checks how many members records have that have lost some.
  ///
  /// - Throws: 1570, 1580.
  func checkCounts(_ losses: [Loss]) throws {
    var failures: [GraphStoreError] = []
    for loss in losses {
      let entity = layout.entities[loss.relationship.entity.index]
      guard let relationship = entity.relationships.first(where: { $0.description === loss.relationship })
      else {
        continue
      }
      var counts: [Int64: Int] = [:]
      for link in try session.members(relationship, owners: loss.owners.map(\.key).sorted()) {
        counts[link.owner, default: 0] += 1
      }
      failures += loss.owners.flatMap { self.failures(of: loss.relationship, $0, count: counts[$0.key] ?? 0) }
    }
    try throwFirst(of: failures)
  }

  /// Checks that no record has lost a partner that it cannot do without.
  ///
  /// - Throws: 1570.
  func checkNeeds(of phantoms: [WrittenRows.Phantoms]) throws {
    var failures: [GraphStoreError] = []
    for found in phantoms {
      guard let inverse = found.check.relationship.inverseDescription, !inverse.isToMany else { continue }
      failures += found.links.flatMap { self.failures(of: inverse, $0.member, count: 0) }
    }
    try throwFirst(of: failures)
  }

  private func failures(
    of relationship: RelationshipDescription, _ record: ObjectKey, count: Int
  ) -> [GraphStoreError] {
    let entity = layout.entities[record.entity]
    guard let property = entity.property(named: relationship.name) else { return [] }
    return relationship.validate(count: count, in: entity.entity).map {
      GraphStoreError($0, of: property, in: entity.entity, objectID: id(record))
    }
  }

  private func throwFirst(of failures: [GraphStoreError]) throws {
    guard let error = GraphStoreError.combining(Array(failures.prefix(Self.mostErrors))) else { return }
    throw error.counting(failures.count)
  }

  private func id(_ record: ObjectKey) -> ManagedObjectID {
    ManagedObjectID(scope: scope, entityIndex: record.entity, key: record.key)
  }

  private func record(_ key: Int64, of relationship: RelationshipLayout) throws -> ObjectKey {
    records.first { record in
      record.key == key && layout.entities[record.entity].entity.isKind(of: relationship.description.entity)
    } ?? ObjectKey(entity: relationship.description.entity.index, key: key)
  }

  // MARK: Writing

  /// Adds the records to those that a save deletes, with the search for references to them that it clears.
  func addDeletions(to save: inout SaveRequest) {
    for root in layout.entities where root.rootIndex == root.index {
      var keys: [Int64] = []
      for entity in layout.entities where entity.rootIndex == root.index { keys += self.keys[entity.index] }
      if keys.isEmpty { continue }
      save.deletions.append(SaveRequest.Deletion(root: root, keys: keys.sorted()))
    }
    // What cascades reach is deleted, and what Deny leads to is not there.
    let sources = sources(of: keys) { relationship in
      relationship.allowsPhantoms && relationship.deleteRule == .nullify
        && relationship.inverseDescription?.isToMany == false
    }
    save.phantomChecks = sources.map { relationship, owners in
      SaveRequest.PhantomCheck(relationship: relationship, cause: .deletion, owners: owners)
    }
  }
}

extension GraphStoreError {
  /// The error with the number of all failures, where it tells the first of them alone.
  fileprivate func counting(_ count: Int) -> GraphStoreError {
    guard count > parts.count else { return self }
    var error = self
    error.details.append("\(count - parts.count) more records are in the way")
    return error
  }
}
