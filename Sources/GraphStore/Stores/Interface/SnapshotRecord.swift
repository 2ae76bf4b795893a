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
      let id = ManagedObjectID(scope: scope, entityIndex: layout.index, key: key)
      if let known = rows[id] { return known }
      let row = try session.row(layout, key)
      rows[id] = .some(row)
      return row
    }

    /// The members of a to-many of one record: in stored order, else by key.
    package func members(_ relationship: RelationshipLayout, of owner: Int64) throws -> [SnapshotRecord] {
      let root = layouts[layouts[relationship.destination].rootIndex]
      var found: [Int64: SnapshotRecord] = [:]
      let links = try session.memberRows(relationship, in: root, owners: [owner]) { batch in
        batch.forEach { key, row in
          found[key] = SnapshotRecord(of: self, layout: row.layout, key: key, row: row)
        }
      }
      return links.compactMap { found[$0.member.key] }
    }

    /// The place of a member in an ordered to-many.
    package func place(of key: Int64, in relationship: RelationshipLayout, of owner: Int64) throws -> Int64? {
      try session.members(relationship, owners: [owner]).first { $0.member.key == key }?.order
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
    try source.session.members(relationship, owners: [key]).count
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
