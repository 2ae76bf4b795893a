import GraphStoreModel
import GraphStorePredicates

/// An incremental store seen by one request or transaction: what reading and writing have in common.
///
/// Each call sees the store as it is at that time; what a session has read it does not ask for again. A
/// session that writes corrects the answers by what it has not written yet.
class IncrementalSession: ReadSession {
  let store: IncrementalPersistentStore
  /// What has been read.
  final var records = SessionRecords()

  init(_ store: IncrementalPersistentStore) { self.store = store }

  /// The origin of rows that the session reads.
  var origin: RowCache.Origin { .commit }
  /// What is not written yet; nil where there is nothing.
  var pending: ChangeBuffer? { nil }

  final var layout: ModelLayout { store.layout }
  final var scope: StoreIdentity { store.scope }
  final var rowCache: RowCache { store.rowCache }

  final func plan(_ request: StoreRequest) throws -> any StoreFetchPlan {
    try IncrementalFetch(request, in: self)
  }

  func metadata() throws -> [String: Value] { store.metadata.all }

  /// The greatest key of the records that there are, all of whose identifiers are read.
  final func greatestKey(_ root: EntityLayout) throws -> Int64 {
    try plan(StoreRequest(entityName: root.entity.name, .identifiers)).identifiers().map(\.key).max() ?? 0
  }

  func begin() throws {}

  func endReading() {}

  // MARK: Rows

  /// All records of an entity and those below it, as they are with what is not written yet.
  final func presentRows(of entity: EntityLayout) throws -> [(key: Int64, row: Row)] {
    let query = IncrementalStoreQuery(
      StoreRequest(entityName: entity.entity.name, .rows), entity.entity, .nodes, with: [])
    let base = store.base
    let answer = try store.caller.call("Fetching \(entity.entity.name) from \(store.path)") {
      try await base.fetch(query)
    }
    guard case .nodes(let nodes) = answer else {
      throw store.wrongAnswer("answers something else than nodes", entity: entity.entity)
    }
    let rows = try take(nodes, of: entity.rootIndex)
    return pending?.corrected(rows, ofTree: entity.rootIndex) ?? rows
  }

  final func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? {
    let root = entity.rootIndex
    if let entry = pending?.records[RecordKey(root: root, key: key)] { return entry.row }
    if let known = records.row(root, key) { return known }
    let keys = records.keys(besides: key, ofTree: root, layout.entities)
    try read(keys, of: keys.count == 1 ? entity : layout.entities[root])
    return records.row(root, key) ?? nil
  }

  final func rows(
    _ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void
  ) throws {
    try deliver(try rows(root, keys), receive)
  }

  /// The rows of records by ascending key.
  final func rows(_ root: EntityLayout, _ keys: [Int64]) throws -> [(key: Int64, row: Row)] {
    let keys = Set(keys.lazy.filter { $0 > 0 }).sorted()
    let pending = pending
    func entry(_ key: Int64) -> ChangeBuffer.Entry? {
      pending?.records[RecordKey(root: root.rootIndex, key: key)]
    }
    try read(keys.filter { entry($0) == nil && records.row(root.rootIndex, $0) == nil }, of: root)
    return keys.compactMap { key in
      let row = entry(key).map(\.row) ?? (records.row(root.rootIndex, key) ?? nil)
      return row.map { (key, $0) }
    }
  }

  /// Asks the store for records of an entity tree, in one call.
  private func read(_ keys: [Int64], of entity: EntityLayout) throws {
    if keys.isEmpty { return }
    let identifiers = keys.map { store.identifier(entity.index, $0) }
    let base = store.base
    let nodes = try store.caller.call("Reading \(Self.text(identifiers)) from \(store.path)") {
      try await base.nodes(for: identifiers)
    }
    try take(nodes, of: entity.rootIndex, asked: Set(keys))
    for key in keys where records.row(entity.rootIndex, key) == nil {
      records.addMissing(entity.rootIndex, key)
    }
  }

  private static func text(_ identifiers: [NodeIdentifier]) -> String {
    identifiers.count == 1 ? "\(identifiers[0])" : "\(identifiers.count) \(identifiers[0].entity)"
  }

  /// Takes nodes of an entity tree.
  ///
  /// - Parameter asked: The keys that were asked for; nil for any.
  @discardableResult
  final func take(
    _ nodes: [IncrementalStoreNode], of root: Int, asked: Set<Int64>? = nil
  ) throws -> [(key: Int64, row: Row)] {
    var reader = IncrementalNodeReader(store)
    var taken: [(key: Int64, row: Row)] = []
    taken.reserveCapacity(nodes.count)
    for node in nodes {
      let (key, row) = try reader.read(node)
      guard row.layout.rootIndex == root, asked?.contains(key) != false else {
        throw store.wrongAnswer("gives \(node.identifier)", entity: layout.entities[root].entity)
      }
      taken.append((key, row))
    }
    // Not before all are there: the tail of a block moves as it grows.
    for (key, row) in taken { records.add(key, row) }
    return taken
  }

  final func deliver(
    _ rows: [(key: Int64, row: Row)], _ receive: (inout RowBatch) throws -> Void
  ) throws {
    var batch = RowBatch()
    for (key, row) in rows {
      if batch.isFull {
        try receive(&batch)
        batch.removeAll()
      }
      batch.append(key, row.block, row.index)
    }
    if batch.count > 0 { try receive(&batch) }
  }

  // MARK: Members

  final func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    try links(relationship, owners: owners, withRows: false)
  }

  final func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow] {
    let links = try links(relationship, owners: owners, withRows: true)
    try rows(root, keys: links.map(\.member.key), receive)
    return links
  }

  private func links(
    _ relationship: RelationshipLayout, owners: [Int64], withRows: Bool
  ) throws -> [LinkRow] {
    guard relationship.isPersistent, relationship.isToMany else { return [] }
    let owners = owners.filter { $0 > 0 }
    let stored = owners.filter {
      pending?.isNew(relationship.description.entity.rootEntity.index, $0) != true
    }
    var unknown = stored.filter { records.links(of: relationship, owner: $0) == nil }
    if unknown.count == 1 {
      unknown = records.owners(besides: unknown[0], of: relationship, layout.entities)
    }
    if !unknown.isEmpty { try readLinks(relationship, owners: unknown, withRows: withRows) }
    let links = stored.flatMap { records.links(of: relationship, owner: $0) ?? [] }
    return pending?.corrected(links, of: relationship, owners: owners, layout) ?? links
  }

  private func readLinks(
    _ relationship: RelationshipLayout, owners: [Int64], withRows: Bool
  ) throws {
    let description = relationship.description
    let query = IncrementalStoreMemberQuery(
      relationship: description, owners: owners.map { store.identifier(description.entity.index, $0) },
      wantsNodes: withRows)
    let base = store.base
    let answer = try store.caller.call("Reading \(description) from \(store.path)") {
      try await base.members(query)
    }
    var links: [LinkRow] = []
    let asked = Set(owners)
    for (owner, members) in answer.members {
      let owner = try store.record(owner)
      guard asked.contains(owner.key),
        layout.entities[owner.entity].rootIndex == description.entity.rootEntity.index
      else {
        throw store.wrongAnswer("gives members of another record", entity: description.entity)
      }
      try add(members, of: relationship, owner, to: &links)
    }
    try take(answer.nodes, of: layout.entities[relationship.destination].rootIndex)
    records.add(links, of: relationship, owners: owners)
  }

  /// Adds the members of an owner: in the order that they are given in, else by key.
  private func add(
    _ members: [NodeIdentifier], of relationship: RelationshipLayout, _ owner: ObjectKey,
    to links: inout [LinkRow]
  ) throws {
    let name = relationship.description.name
    var seen: Set<Int64> = []
    var found: [LinkRow] = []
    for member in members {
      let key = try store.record(member)
      guard relationship.leads(to: layout.entities[key.entity]) else {
        throw store.faulty(
          owner, "has the member \(member) in \(name), to whose entity it does not lead", property: name)
      }
      guard seen.insert(key.key).inserted else {
        throw store.faulty(owner, "has \(member) twice in \(name)", property: name)
      }
      let order = relationship.isOrdered ? OrderKeys.first + Int64(found.count) * OrderKeys.step : 0
      found.append(LinkRow(owner: owner.key, member: key, order: order))
    }
    links += found.sorted()
  }

  // MARK: Constraints

  final func holders(
    of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]
  ) throws -> [ConstraintHolder] {
    var positions: [[UInt8]: [Int]] = [:]
    for (position, fetched) in rows.enumerated() {
      if let claim = fetched.row.claim(fetched.row.layout.properties(of: constraint)) {
        positions[claim, default: []].append(position)
      }
    }
    if positions.isEmpty { return [] }
    var request = StoreRequest(entityName: constraint.declaring.name, .rows)
    request.predicate = try predicate(of: constraint, rows)
    var found: [Int: ObjectKey] = [:]
    for (key, row) in try IncrementalFetch(request, in: self).matches() {
      guard let claim = row.claim(row.layout.properties(of: constraint)) else { continue }
      for position in positions[claim] ?? [] where rows[position].key != key && found[position] == nil {
        found[position] = ObjectKey(entity: row.layout.index, key: key)
      }
    }
    return found.sorted { $0.key < $1.key }.map { ConstraintHolder(position: $0.key, holder: $0.value) }
  }

  /// The condition that a record has the values of one of some rows.
  private func predicate(
    of constraint: UniquenessConstraint, _ rows: [SaveRequest.FetchedRow]
  ) throws -> QueryPredicate {
    var alternatives: [QueryPredicate] = []
    var single: (name: String, values: [Value])?
    for fetched in rows {
      let properties = fetched.row.layout.properties(of: constraint)
      var parts: [QueryPredicate] = []
      for property in properties {
        let value = try value(of: property, in: fetched.row)
        if value.isNull { break }
        if properties.count == 1 {
          single = (property.name, (single?.values ?? []) + [value])
        } else {
          parts.append(
            .compare(.key(property.name), .equal, QueryExpression(.constant(value))))
        }
      }
      if properties.count > 1, parts.count == properties.count { alternatives.append(.all(of: parts)) }
    }
    if let single {
      return .compare(.key(single.name), .in, QueryExpression(.constant(.list(single.values))))
    }
    return .any(of: alternatives)
  }

  private func value(of property: PropertyLayout, in row: Row) throws -> Value {
    guard property.kind == .toOne else { return try row.value(of: property) }
    guard let reference = row.reference(property.slot) else { return .null }
    return .object(
      ObjectReference(
        ManagedObjectID(scope: scope, entityIndex: reference.entity, key: reference.key)))
  }
}

/// A request that reads an incremental store.
final class IncrementalReadSession: IncrementalSession {
  private var commitNumber: Int?

  override var origin: RowCache.Origin { commitNumber.map { .snapshot($0) } ?? .commit }

  override func begin() throws {
    try store.caller.checkStopped()
    try store.turns.beginReading(ObjectIdentifier(self))
    commitNumber = rowCache.beginSnapshot()
  }

  override func endReading() {
    guard let commitNumber else { return }
    rowCache.endSnapshot(commitNumber)
    store.turns.endReading(ObjectIdentifier(self))
    self.commitNumber = nil
  }
}
