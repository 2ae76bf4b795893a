#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLWriteSession: RecordWriting {
  /// How often a step of a save is tried that meets a deadlock.
  private static let attempts = 10

  /// A step that the server ends for the sake of another transaction is taken back, and tried again; so is
  /// the first one where a history has begun or ended since that was looked at last.
  func performingSteps<Result>(_ body: () throws -> Result) throws -> Result {
    var attempt = 1
    while true {
      do {
        return try withinSavepoint {
          let former = history
          let result = try reporting(body)
          guard history === former else { throw HistoryHasChanged() }
          return result
        }
      } catch is HistoryHasChanged {
        continue
      } catch let error as GraphStoreError where error.isSerializationFailure && attempt < Self.attempts {
        attempt += 1
        Thread.sleep(forTimeInterval: .random(in: 0...0.01) * Double(attempt))
      }
    }
  }

  /// Records that are to stay what they were are locked against other writers until the end.
  func prepare(_ save: SaveRequest) throws {
    for locked in save.locked where !locked.rows.isEmpty {
      let table = schema.entities[locked.root.index].table
      try run(store.tables.lock(table), [PostgreSQLParameter(keys: locked.rows.map(\.key).sorted())])
    }
    try history?.prepare(save)
  }

  /// The last step of a save: from it on until the commit no other save is recorded.
  func recordHistory(of record: CommitRecord) throws -> CommitRecord.HistoryTransaction? {
    defer { history?.endSave() }
    guard let transaction = try performingSteps({ try history?.record(record) }) else { return nil }
    noteRecorded(transaction.number)
    return transaction
  }

  func deleter(_ deletion: SaveRequest.Deletion) -> PostgreSQLDeleteWriter {
    if !deletion.keys.isEmpty { hasWrittenReferences = true }
    return PostgreSQLDeleteWriter(self, deletion)
  }

  func update(_ save: SaveRequest) throws -> [RowConflict] { try PostgreSQLUpdateWriter(self, save).run() }

  /// The unique indexes have said it already.
  func checkConstraints(ofUpdatesIn save: SaveRequest) {}

  func insert(_ save: SaveRequest) throws {
    if save.isCopy { hasCopied = true }
    if !save.insertions.isEmpty { hasWrittenReferences = true }
    try PostgreSQLInsertWriter(self, save).run()
  }

  func write(_ change: SaveRequest.OrderChange) throws {
    guard
      let storage = PostgreSQLOrderStorage(self, change.relationship.description, owner: change.owner)
    else { return }
    try OrderWriter(storage, change).run()
  }

  /// One statement.
  func raiseVersions(_ root: Int, _ keys: [Int64]) throws -> [RecordVersion] {
    var versions: [RecordVersion] = []
    let cursor = try run(
      statements.raiseVersions(schema.entities[root].table), [PostgreSQLParameter(keys: keys.sorted())])
    while try cursor.step() {
      versions.append(RecordVersion(root: root, key: cursor.int64(at: 0), version: cursor.int64(at: 1)))
    }
    return versions
  }

  // MARK: Links

  /// One statement, which locks the records that are there against being deleted.
  func missingRecord(_ root: Int, among keys: Set<Int64>) throws -> Int64? {
    let cursor = try run(
      store.tables.lockAgainstDeletion(schema.entities[root].table),
      [PostgreSQLParameter(keys: keys.sorted())])
    var missing = keys
    while try cursor.step() { missing.remove(cursor.int64(at: 0)) }
    return missing.min()
  }

  /// One statement for the links that leave, and one for those that are new, of a relationship.
  func write(_ links: [SaveRequest.LinkChange]) throws {
    if !links.isEmpty { hasWrittenReferences = true }
    let groups = Dictionary(grouping: links.indices) { ObjectIdentifier(links[$0].relationship.description) }
    for group in groups.values.sorted(by: { $0[0] < $1[0] }) {
      try write(group.map { links[$0] }, of: links[group[0]].relationship)
    }
  }

  private func write(_ links: [SaveRequest.LinkChange], of relationship: RelationshipLayout) throws {
    let isReflexive = relationship.inverseDescription === relationship.description
    let removed = LinkPairs(links, \.removed, isReflexive: isReflexive)
    let added = LinkPairs(links, \.added, isReflexive: isReflexive)
    switch storage(of: relationship.description) {
    case .joinTable(let table, let source, let destination, _):
      if !removed.isEmpty {
        try run(store.tables.deletePairs(from: table.name, source, destination), removed.parameters)
      }
      if !added.isEmpty {
        try run(store.tables.insertPairs(into: table.name, source, destination), added.parameters)
      }
    case .toManyInverse(let key, let order):
      if !removed.isEmpty {
        try run(store.tables.removeMembers(owner: key, order: order), removed.parameters)
      }
      if !added.isEmpty {
        let last = added.ofLastOwners
        try noteFormerOwners(of: last, relationship, key)
        try run(store.tables.addMembers(owner: key, order: order), last.parameters)
      }
    case .none, .attribute, .toOne: return
    }
  }

  private func noteFormerOwners(
    of added: LinkPairs, _ relationship: RelationshipLayout, _ key: SQLColumn
  ) throws {
    guard let history else { return }
    let cursor = try run(store.tables.formerOwners(key), added.parameters)
    var owners: Set<Int64> = []
    while try cursor.step() { owners.insert(cursor.int64(at: 0)) }
    history.noteFormerOwners(owners.sorted(), of: relationship)
  }

  func storage(of relationship: RelationshipDescription) -> SQLPropertyStorage {
    schema.entity(relationship.entity).storage(of: relationship)
  }

  // MARK: References

  /// One statement, which the index on the column answers.
  func referring(to keys: [Int64], by reference: RelationshipDescription) throws -> [LinkRow] {
    guard case .toOne(let column, _, _) = storage(of: reference), !keys.isEmpty else { return [] }
    let cursor = try run(
      statements.referring(column, .list), [PostgreSQLParameter(keys: keys.sorted())])
    var members: [LinkRow] = []
    while try cursor.step() {
      let entity = schema.entity(numbered: Int(cursor.int64(at: 2)))?.entity.index
      members.append(
        LinkRow(
          owner: cursor.int64(at: 0),
          member: ObjectKey(entity: entity ?? reference.entity.index, key: cursor.int64(at: 1)), order: 0))
    }
    return members
  }

  func clear(_ reference: RelationshipDescription, of keys: [Int64]) throws {
    guard case .toOne(let column, let entity, let order) = storage(of: reference) else { return }
    hasWrittenReferences = true
    let columns = [column, entity, order].compactMap(\.self)
    try run(
      statements.clear(columns, of: column.table, .list, raisingVersions: true),
      [PostgreSQLParameter(keys: keys.sorted())])
  }

  /// One statement, which the index on the column answers.
  func deleteMembers(_ relationship: RelationshipLayout, owners: [Int64]) throws -> Int? {
    guard case .toManyInverse(let column, _) = storage(of: relationship.description) else { return nil }
    hasWrittenReferences = true
    return try run(
      statements.delete(from: column.table.name, where: column.name, .list),
      [PostgreSQLParameter(keys: owners.sorted())]
    ).changes
  }

  /// Deletes a set of records by one DELETE: by the conditions of the request, where memory judges no records
  /// and they are of one table.
  ///
  /// - Returns: How many; nil where that is not so, and nothing was deleted.
  func write(_ deletion: SetDeletion) throws -> Int? {
    let plan = try store.planner(for: deletion.request).plan(deletion.request)
    guard plan.residual == nil, let sql = statements.delete(whereFoundBy: plan.select) else { return nil }
    hasWrittenReferences = true
    return try run(sql, plan.bindings.map { PostgreSQLParameter($0) }).changes
  }

  // MARK: Derived values

  func storeDerivedValues(
    of derived: DerivedAttribute, keys: [Int64]?, date: Date
  ) throws -> [DerivedValue] {
    guard case .attribute(let column) = schema.entity(derived.entity).storage(of: derived.attribute) else {
      return []
    }
    let root = derived.entity.rootEntity.index
    if case .save = derived.source {
      let keys = keys ?? []
      try run(
        statements.set(column),
        [PostgreSQLParameter(date.timeIntervalSinceReferenceDate), PostgreSQLParameter(keys: keys)])
      return keys.map { DerivedValue(root: root, key: $0, attribute: derived.attribute, value: .date(date)) }
    }
    if let keys {
      try run(store.tables.lockForComputing(column.table), [PostgreSQLParameter(keys: keys.sorted())])
    } else {
      try run(store.tables.lockAll(column.table), [])
    }
    let values = PostgreSQLDerivedValues(self, derived, column)
    let changes = try values.changes(keys: keys)
    try values.write(changes)
    return changes.map {
      DerivedValue(root: root, key: $0.key, attribute: derived.attribute, value: $0.value)
    }
  }
}

/// A history has begun or ended since that was looked at last.
private struct HistoryHasChanged: Error {}

/// Links as two arrays: owners, and a member of each.
private struct LinkPairs {
  private var owners: [Int64] = []
  private var members: [Int64] = []

  init(_ links: [SaveRequest.LinkChange], _ part: KeyPath<SaveRequest.LinkChange, [Int64]>, isReflexive: Bool)
  {
    for link in links {
      for member in link[keyPath: part] {
        append(link.owner, member)
        if isReflexive, member != link.owner { append(member, link.owner) }
      }
    }
  }

  private mutating func append(_ owner: Int64, _ member: Int64) {
    owners.append(owner)
    members.append(member)
  }

  var isEmpty: Bool { owners.isEmpty }

  /// Each member with the owner that comes last: who has but one owner would else get any of several.
  var ofLastOwners: LinkPairs {
    let last = Dictionary(zip(members, members.indices), uniquingKeysWith: { $1 })
    guard last.count < members.count else { return self }
    let kept = members.indices.filter { last[members[$0]] == $0 }
    var pairs = self
    pairs.owners = kept.map { owners[$0] }
    pairs.members = kept.map { members[$0] }
    return pairs
  }

  var parameters: [PostgreSQLParameter] {
    [PostgreSQLParameter(keys: owners), PostgreSQLParameter(keys: members)]
  }
}

extension GraphStoreError {
  /// Whether the server has ended a transaction for the sake of another one.
  var isSerializationFailure: Bool { (underlying as? PostgreSQLError)?.category == .serializationFailure }

  /// Whether a row breaks a unique index.
  var brokenIndex: PostgreSQLError? {
    (underlying as? PostgreSQLError).flatMap { $0.category == .unique ? $0 : nil }
  }
}
#endif
