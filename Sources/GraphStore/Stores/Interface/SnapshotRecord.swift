import GraphStoreModel
import GraphStorePredicates

/// A record as predicates, sort descriptors and expressions read it in the state that a session sees: by its
/// row, and what it refers to through the session. No object is made of it, and nothing of it enters the row
/// cache (FET-074).
package final class SnapshotRecord: RowRecord {
  /// State that the records of one session share.
  package final class Source {
    package let session: any ReadSession
    package let layouts: [EntityLayout]
    package let scope: StoreIdentity
    /// The rows of records that others have referred to; nil where there is none.
    private var rows: [ManagedObjectID: Row?] = [:]
    /// The members of to-manys of the records that were prefetched for last, by owner.
    private var members: [ObjectIdentifier: [Int64: [SnapshotRecord]]] = [:]
    /// The places of the members of ordered ones among these, by owner and member.
    private var places: [ObjectIdentifier: [Int64: [Int64: Int64]]] = [:]

    package init(_ session: any ReadSession, _ layout: ModelLayout, _ scope: StoreIdentity) {
      self.session = session
      layouts = layout.entities
      self.scope = scope
    }

    /// The record of a reference, which has no values where the row is gone.
    package func record(_ reference: PackedReference) throws -> SnapshotRecord {
      let layout = layouts[reference.entity]
      let row = try row(layout, reference.key)
      return SnapshotRecord(of: self, layout: row?.layout ?? layout, key: reference.key, row: row)
    }

    private func row(_ layout: EntityLayout, _ key: Int64) throws -> Row? {
      let id = identifier(PackedReference(entity: layout.index, key: key))
      if let known = rows[id] { return known }
      let row = try session.row(layout, key)
      rows[id] = .some(row)
      return row
    }

    /// The members of a to-many of one record: in stored order, else by key.
    package func members(_ relationship: RelationshipLayout, of owner: Int64) throws -> [SnapshotRecord] {
      if let known = members[ObjectIdentifier(relationship.description)]?[owner] { return known }
      return try readMembers(relationship, of: [owner]).byOwner[owner, default: []]
    }

    /// The number of members of a to-many of one record.
    package func memberCount(_ relationship: RelationshipLayout, of owner: Int64) throws -> Int {
      if let known = members[ObjectIdentifier(relationship.description)]?[owner] { return known.count }
      return try session.members(relationship, owners: [owner]).count
    }

    /// The members of a to-many of several records: by owner, each of which is there, and each member once.
    private func readMembers(
      _ relationship: RelationshipLayout, of owners: [Int64]
    ) throws -> (byOwner: [Int64: [SnapshotRecord]], all: [SnapshotRecord], links: [LinkRow]) {
      let root = layouts[layouts[relationship.destination].rootIndex]
      var found: [Int64: SnapshotRecord] = [:]
      let links = try session.memberRows(relationship, in: root, owners: owners) { batch in
        batch.forEach { key, row in
          found[key] = SnapshotRecord(of: self, layout: row.layout, key: key, row: row)
        }
      }
      var members: [Int64: [SnapshotRecord]] = Dictionary(owners.map { ($0, []) }) { known, _ in known }
      for link in links {
        if let member = found[link.member.key] { members[link.owner]?.append(member) }
      }
      return (members, Array(found.values), links)
    }

    // MARK: Prefetching

    /// Hands over records, after what paths from them lead to was read: for many of them together, by one
    /// statement a relationship (FET-296).
    package func forEach(
      of records: [SnapshotRecord], prefetching paths: RelationshipPaths,
      _ body: (SnapshotRecord) throws -> Void
    ) throws {
      var (rest, size) = (records[...], RelationshipPaths.firstRecords)
      while !rest.isEmpty {
        let block = Array(rest.prefix(size))
        rest = rest.dropFirst(block.count)
        (members, places) = ([:], [:])
        let count = try follow(paths, from: block)
        size = RelationshipPaths.nextRecords(after: size, withDestinations: count)
        for record in block { try body(record) }
      }
    }

    /// - Returns: How many destinations the paths' first steps lead to.
    @discardableResult
    private func follow(_ paths: RelationshipPaths, from records: [SnapshotRecord]) throws -> Int {
      if records.isEmpty { return 0 }
      var count = 0
      for step in paths.steps {
        let destinations = try toOneDestinations(of: step, of: records)
        let members = try toManyMembers(of: step, of: records)
        count += destinations.count + members.count
        try follow(step.rest, from: step.rest.isEmpty ? [] : destinations + members)
      }
      return count
    }

    private func toOneDestinations(
      of step: RelationshipPaths.Step, of records: [SnapshotRecord]
    ) throws -> [SnapshotRecord] {
      var references: Set<PackedReference> = []
      for record in records {
        guard let property = record.layout.property(named: step.name), property.kind == .toOne,
          let reference = record.row?.reference(property.slot)
        else { continue }
        references.insert(reference)
      }
      let missing = references.filter { rows[identifier($0)] == nil }
      for (root, missing) in Dictionary(grouping: missing, by: { layouts[$0.entity].rootIndex }) {
        for reference in missing { rows[identifier(reference)] = .some(nil) }
        let named = Dictionary(grouping: missing, by: \.key)
        try session.rows(layouts[root], keys: named.keys.sorted()) { batch in
          batch.forEach { key, row in
            for reference in named[key, default: []] { rows[identifier(reference)] = .some(row) }
          }
        }
      }
      return try references.map { try record($0) }
    }

    private func toManyMembers(
      of step: RelationshipPaths.Step, of records: [SnapshotRecord]
    ) throws -> [SnapshotRecord] {
      var owners: [ObjectIdentifier: (relationship: RelationshipLayout, keys: Set<Int64>)] = [:]
      for record in records {
        guard let property = record.layout.property(named: step.name), property.kind == .toMany
        else { continue }
        let relationship = record.layout.relationships[property.relationship]
        let identity = ObjectIdentifier(relationship.description)
        owners[identity, default: (relationship, [])].keys.insert(record.key)
      }
      var found: [SnapshotRecord] = []
      for (identity, (relationship, keys)) in owners {
        let read = try readMembers(relationship, of: keys.sorted())
        members[identity, default: [:]].merge(read.byOwner) { _, new in new }
        if relationship.isOrdered {
          for link in read.links {
            places[identity, default: [:]][link.owner, default: [:]][link.member.key] = link.order
          }
        }
        found += read.all
      }
      return found
    }

    private func identifier(_ reference: PackedReference) -> ManagedObjectID {
      ManagedObjectID(scope: scope, entityIndex: reference.entity, key: reference.key)
    }

    /// The place of a member in an ordered to-many.
    package func place(of key: Int64, in relationship: RelationshipLayout, of owner: Int64) throws -> Int64? {
      let identity = ObjectIdentifier(relationship.description)
      if members[identity]?[owner] != nil { return places[identity]?[owner]?[key] }
      return try session.members(relationship, owners: [owner]).first { $0.member.key == key }?.order
    }
  }

  private let source: Source
  package private(set) var layout: EntityLayout
  package private(set) var key: Int64
  package private(set) var row: Row?

  package init(of source: Source, layout: EntityLayout, key: Int64, row: Row?) {
    self.source = source
    self.layout = layout
    self.key = key
    self.row = row
  }

  package var identifier: ManagedObjectID {
    ManagedObjectID(scope: source.scope, entityIndex: layout.index, key: key)
  }

  package var _objectReference: ObjectReference? { ObjectReference(identifier) }

  package var knownRow: Row? { row }

  package func destination(_ reference: PackedReference) throws -> QueryOperand? {
    .source(try source.record(reference))
  }

  package func memberOperands(of relationship: RelationshipLayout) throws -> [QueryOperand] {
    try source.members(relationship, of: key).map { .source($0) }
  }

  package func memberCount(of relationship: RelationshipLayout) throws -> Int {
    try source.memberCount(relationship, of: key)
  }

  /// The value of a key as a sort compares it: of a to-one with an ordered inverse the place in that
  /// (PRD-225).
  package func _sortOperand(forKey key: PropertyKey) throws -> QueryOperand {
    guard let property = property(key), property.kind == .toOne else { return try _operand(forKey: key) }
    let relationship = layout.relationships[property.relationship]
    guard let owner = row?.reference(property.slot), relationship.inverse >= 0 else {
      return try _operand(forKey: key)
    }
    let inverse = source.layouts[relationship.destination].relationships[relationship.inverse]
    guard inverse.isOrdered else { return try _operand(forKey: key) }
    return try source.place(of: self.key, in: inverse, of: owner.key).map { .value(.int($0)) } ?? .null
  }
}
