import GraphStoreModel
import GraphStorePredicates

/// A record of an in-memory store as predicates and sort descriptors read it: by its row and the links of one
/// state.
final class InMemoryRecord: RowRecord {
  /// State that the records of one search share.
  final class Source {
    let state: InMemoryState
    let scope: StoreIdentity

    init(_ state: InMemoryState, _ scope: StoreIdentity) {
      self.state = state
      self.scope = scope
    }

    var schema: InMemorySchema { state.schema }

    /// The record of a reference, which has no values where the row is gone.
    func record(_ reference: PackedReference) -> InMemoryRecord {
      let layout = schema.layout.entities[reference.entity]
      let row = state.row(layout.rootIndex, reference.key)
      return InMemoryRecord(of: self, layout: row?.layout ?? layout, key: reference.key, row: row)
    }
  }

  private let source: Source
  private(set) var layout: EntityLayout
  private(set) var key: Int64
  private(set) var row: Row?

  init(of source: Source, layout: EntityLayout, key: Int64, row: Row?) {
    self.source = source
    self.layout = layout
    self.key = key
    self.row = row
  }

  /// Becomes another record, where this one is not retained.
  func become(_ key: Int64, _ row: Row) {
    self.key = key
    self.row = row
    layout = row.layout
  }

  var identifier: ManagedObjectID {
    ManagedObjectID(scope: source.scope, entityIndex: layout.index, key: key)
  }

  var _objectReference: ObjectReference? { ObjectReference(identifier) }

  var knownRow: Row? { row }

  func destination(_ reference: PackedReference) -> QueryOperand? { .source(source.record(reference)) }

  func memberOperands(of relationship: RelationshipLayout) -> [QueryOperand] {
    source.state.members(of: relationship, owner: key).map { link in
      .source(InMemoryRecord(of: source, layout: link.row.layout, key: link.key, row: link.row))
    }
  }

  func memberCount(of relationship: RelationshipLayout) -> Int {
    source.state.members(of: relationship, owner: key).count
  }

  /// The value of a key as a sort compares it: of a to-one with an ordered inverse the place in that
  /// (PRD-225).
  func _sortOperand(forKey key: PropertyKey) throws -> QueryOperand {
    guard let property = property(key), property.kind == .toOne else { return try _operand(forKey: key) }
    let description = layout.relationships[property.relationship].description
    guard description.inverse?.isOrdered == true, let table = source.schema.index(of: description) else {
      return try _operand(forKey: key)
    }
    guard let owner = row?.reference(property.slot)?.key else { return .null }
    return source.state.order(table, owner: owner, member: self.key).map { .value(.int($0)) } ?? .null
  }
}

extension InMemoryState {
  /// The members of a to-many whose rows are there: in stored order, those without a place first, else by
  /// key.
  func members(
    of relationship: RelationshipLayout, owner: Int64
  ) -> [(key: Int64, order: Int64?, row: Row)] {
    let table: Int
    switch schema.links(of: relationship.description) {
    case .references(let index): table = index
    case .pairs(let pairs, _): table = pairs
    case nil: return []
    }
    let root = schema.layout.entities[relationship.destination].rootIndex
    let found = members(table, of: owner).compactMap { member, order in
      row(root, member).map { (key: member, order: order, row: $0) }
    }
    guard relationship.isOrdered else { return found }
    return found.sorted { ($0.order ?? .min, $0.key) < ($1.order ?? .min, $1.key) }
  }
}
