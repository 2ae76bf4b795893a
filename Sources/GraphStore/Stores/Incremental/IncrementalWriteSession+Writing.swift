import Foundation
import GraphStoreModel
import GraphStorePredicates

extension IncrementalWriteSession {
  func performingSteps<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  /// Reads all records whose versions are to be compared, in one call an entity tree.
  func prepare(_ save: SaveRequest) throws {
    take(author: save.author, date: save.date)
    var keys: [Int: [Int64]] = save.touched
    for update in save.updates { keys[update.row.layout.rootIndex, default: []].append(update.key) }
    for deletion in save.deletions { keys[deletion.root.index, default: []] += deletion.keys }
    for locked in save.locked { keys[locked.root.index, default: []] += locked.rows.map(\.key) }
    for (root, keys) in keys.sorted(by: { $0.key < $1.key }) { _ = try rows(layout.entities[root], keys) }
    for locked in save.locked {
      for fetched in locked.rows {
        if let row = try row(locked.root, fetched.key) { buffer.lock(row, fetched.key) }
      }
    }
  }

  /// Whether a record may have been changed since it was read: where the store counts no versions, that is
  /// seen by the values alone.
  private func mayDiffer(_ stored: Row?, from version: Int64) -> Bool {
    stored?.version != version || !store.capabilities.contains(.versions)
  }

  func deleter(_ deletion: SaveRequest.Deletion) -> IncrementalDeleter {
    IncrementalDeleter(session: self, deletion: deletion)
  }

  /// The records among deleted ones that others may have changed.
  func suspects(_ committed: [SaveRequest.FetchedRow]) throws -> [SaveRequest.FetchedRow] {
    try committed.filter { fetched in
      guard let stored = try row(fetched.row.layout, fetched.key) else { return false }
      return mayDiffer(stored, from: fetched.row.version)
    }
  }

  func update(_ save: SaveRequest) throws -> [RowConflict] {
    var copier = RowCopier(keys: save.permanentKeys)
    var conflicts: [RowConflict] = []
    for update in save.updates {
      let stored = try row(update.row.layout, update.key)
      if mayDiffer(stored, from: update.row.version), let conflict = try conflict(of: update) {
        conflicts.append(conflict)
        continue
      }
      guard let stored else { continue }
      let row = try copier.copy(stored, version: stored.version + 1)
      try copier.change(row, update.changed, from: update.row)
      buffer.update(row, update.key, from: stored.version, changed: update.changed)
    }
    return conflicts
  }

  func checkConstraints(ofUpdatesIn save: SaveRequest) throws {
    try checkConstraints(
      save.updates.compactMap { update in
        buffer.records[RecordKey(root: update.row.layout.rootIndex, key: update.key)]?.row.map {
          SaveRequest.FetchedRow(key: update.key, row: $0)
        }
      })
  }

  func insert(_ save: SaveRequest) throws {
    var copier = RowCopier(keys: save.permanentKeys)
    var inserted: [SaveRequest.FetchedRow] = []
    for insertion in save.insertions {
      let row = try copier.copy(insertion.row, version: 1)
      buffer.insert(row, insertion.key)
      inserted.append(SaveRequest.FetchedRow(key: insertion.key, row: row))
    }
    try checkConstraints(inserted)
  }

  /// Looks for other records with the unique values of some rows, in one call a constraint.
  private func checkConstraints(_ rows: [SaveRequest.FetchedRow]) throws {
    var broken: [Int: [ConstraintViolation.Broken]] = [:]
    for (constraint, positions) in rows.positionsByConstraint {
      let watched = positions.map { rows[$0] }
      for holder in try holders(of: constraint, rows: watched) {
        let row = watched[holder.position].row
        broken[positions[holder.position], default: []].append(
          (
            row.layout.properties(of: constraint),
            ManagedObjectID(scope: scope, entityIndex: holder.holder.entity, key: holder.holder.key)
          ))
      }
    }
    guard let (position, constraints) = broken.min(by: { $0.key < $1.key }) else { return }
    throw ConstraintViolation(
      row: rows[position].row, key: rows[position].key, scope: scope, broken: constraints
    ).error()
  }

  // MARK: Links

  func missingRecord(_ root: Int, among keys: Set<Int64>) throws -> Int64? {
    let present = Set(try rows(layout.entities[root], Array(keys)).map(\.key))
    return keys.subtracting(present).min()
  }

  func write(_ links: [SaveRequest.LinkChange]) throws {
    for link in links { buffer.link(link) }
  }

  /// Puts the members that have new places behind those that precede them in the context, or to the end where
  /// nothing else follows; all others stay as the store has them, which others may have changed.
  func write(_ change: SaveRequest.OrderChange) throws {
    let relationship = change.relationship
    guard relationship.isOrdered, relationship.isPersistent else { return }
    let stored = try members(relationship, owners: [change.owner]).map(\.member.key)
    var order = stored
    if let members = change.members {
      let moved = Set(change.orders.map(\.member)).intersection(stored)
      let lastFixed = members.lastIndex { !moved.contains($0) } ?? -1
      order.removeAll(where: moved.contains)
      for (place, member) in members.enumerated() where moved.contains(member) {
        let behind = place > 0 ? order.firstIndex(of: members[place - 1]) : nil
        order.insert(member, at: place > lastFixed ? order.count : behind.map { $0 + 1 } ?? 0)
      }
    } else {
      let joined = change.appended.filter { $0.hasLeft || !relationship.isPaired }.map(\.member)
      order = stored.filter { !joined.contains($0) } + joined.filter(stored.contains)
    }
    buffer.order(order, of: relationship.description, owner: change.owner)
  }

  func raiseVersions(_ root: Int, _ keys: [Int64]) throws -> [RecordVersion] {
    var copier = RowCopier(keys: PermanentKeyMap())
    return try rows(layout.entities[root], keys).map { key, stored in
      let row = try copier.copy(stored, version: stored.version + 1)
      buffer.update(row, key, from: stored.version, changed: PropertySet())
      return RecordVersion(root: root, key: key, version: row.version)
    }
  }

  // MARK: References

  func referring(to keys: [Int64], by reference: RelationshipDescription) throws -> [LinkRow] {
    if let inverse = reference.inverse, inverse.isToMany, !inverse.isTransient {
      let entity = layout.entities[inverse.entity.index]
      return try members(entity.relationships[entity.properties[inverse.number].relationship], owners: keys)
    }
    let wanted = Set(keys)
    var request = StoreRequest(entityName: reference.entity.name, .rows)
    let owners = keys.sorted().map { key in
      Value.object(
        ObjectReference(
          ManagedObjectID(scope: scope, entityIndex: reference.destination.index, key: key)))
    }
    request.predicate = .compare(.key(reference.name), .in, QueryExpression(.constant(.list(owners))))
    return try IncrementalFetch(request, in: self).matches().compactMap { key, row in
      guard let slot = row.layout.property(named: reference.name)?.slot,
        let owner = row.reference(slot)?.key, wanted.contains(owner)
      else { return nil }
      return LinkRow(owner: owner, member: ObjectKey(entity: row.layout.index, key: key), order: 0)
    }
  }

  func clear(_ reference: RelationshipDescription, of keys: [Int64]) throws {
    var copier = RowCopier(keys: PermanentKeyMap())
    for (key, stored) in try rows(layout.entities[reference.entity.rootEntity.index], keys) {
      guard let property = stored.layout.property(named: reference.name) else { continue }
      let row = try copier.copy(stored, version: stored.version + 1)
      row.block.setNull(row.index, property.slot)
      buffer.update(row, key, from: stored.version, changed: PropertySet(property.number))
    }
  }

  // MARK: Derived values

  func storeDerivedValues(
    of derived: DerivedAttribute, keys: [Int64]?, date: Date
  ) throws -> [DerivedValue] {
    let root = layout.entities[derived.entity.rootEntity.index]
    let evaluator = try derived.expression.map {
      try ExpressionEvaluator(PredicateTypeChecker(entity: derived.entity).check($0).expression)
    }
    let stored =
      try keys.map { try rows(root, $0) }
      ?? IncrementalFetch(StoreRequest(entityName: derived.entity.name, .rows), in: self).matches()
    let source = SnapshotRecord.Source(self, layout, scope)
    var copier = RowCopier(keys: PermanentKeyMap())
    var values: [DerivedValue] = []
    for (key, stored) in stored where stored.layout.entity.isKind(of: derived.entity) {
      guard let property = stored.layout.property(named: derived.attribute.name) else { continue }
      var value = Value.date(date)
      if let evaluator {
        let record = SnapshotRecord(of: source, layout: stored.layout, key: key, row: stored)
        value = try derived.value(evaluator.value(of: derived, record))
      }
      guard try stored.value(of: property) != value else { continue }
      let row = try copier.copy(stored, version: stored.version)
      row.block.setValue(value, of: property, inRow: row.index)
      buffer.update(row, key, from: stored.version, changed: PropertySet(property.number))
      values.append(DerivedValue(root: root.index, key: key, attribute: derived.attribute, value: value))
    }
    return values
  }
}

/// Deletes the records of one entity tree of an incremental store.
struct IncrementalDeleter: RecordDeleting {
  let session: IncrementalWriteSession
  let deletion: SaveRequest.Deletion

  func deleteRows() throws -> [RowConflict] {
    let conflicts = try session.conflicts(ofDeleted: session.suspects(deletion.committed))
    guard conflicts.isEmpty else { return conflicts }
    for key in deletion.keys {
      session.buffer.delete(
        RecordKey(root: deletion.root.index, key: key), stored: try session.row(deletion.root, key))
    }
    return []
  }

  func deleteLinks() {
    for key in deletion.keys { session.buffer.unlink(RecordKey(root: deletion.root.index, key: key)) }
  }
}

extension RelationshipLayout {
  /// Whether links are stored outside of the rows at the other end.
  fileprivate var isPaired: Bool { inverseDescription?.isToMany != false }
}

extension [SaveRequest.FetchedRow] {
  /// The positions of the rows that each constraint binds.
  fileprivate var positionsByConstraint: [(UniquenessConstraint, [Int])] {
    var positions: [UniquenessConstraint: [Int]] = [:]
    var constraints: [UniquenessConstraint] = []
    for (position, fetched) in enumerated() {
      for constraint in fetched.row.layout.uniquenessConstraints {
        if positions[constraint] == nil { constraints.append(constraint) }
        positions[constraint, default: []].append(position)
      }
    }
    return constraints.map { ($0, positions[$0] ?? []) }
  }
}

extension ExpressionEvaluator {
  /// The value of a derived attribute of a record.
  ///
  /// - Throws: `value-out-of-range` where it is beyond the numbers that there are.
  fileprivate func value(of derived: DerivedAttribute, _ record: SnapshotRecord) throws -> Value {
    do {
      if case .value(let computed) = try operand(for: .source(record)) { return computed }
      return .null
    } catch let error as QueryPredicateError where error.code == .arithmeticOverflow {
      throw derived.outOfRange()
    }
  }
}
