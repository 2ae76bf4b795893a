import GraphStoreModel
import GraphStorePredicates

/// A record of a store as a request judges and sorts it: by its row, without an object being made of it
/// (FET-284).
///
/// The destinations of its relationships are objects of the context, with their unsaved changes.
final class StoredRecord: RowRecord {
  /// The search that reads the record.
  let search: StoreReading
  private(set) var key: Int64
  private(set) var row: Row

  init(in search: StoreReading, key: Int64, row: Row) {
    self.search = search
    self.key = key
    self.row = row
  }

  /// Becomes another record, where this one is not retained.
  func become(_ key: Int64, _ row: Row) {
    self.key = key
    self.row = row
  }

  var layout: EntityLayout { row.layout }
  private var context: ManagedObjectContext { search.context }
  private var storeIndex: Int32 { search.storeIndex }

  var place: RecordLocation { RecordLocation(storeIndex: storeIndex, key: key) }

  var _objectReference: ObjectReference? {
    ObjectReference(context.identifier(ObjectKey(entity: layout.index, key: key), storeIndex: storeIndex))
  }

  var knownRow: Row? { row }

  func destination(_ reference: PackedReference) -> QueryOperand? {
    context.object(reference, storeIndex: storeIndex).map { .source($0) }
  }

  func memberOperands(of relationship: RelationshipLayout) throws -> [QueryOperand] {
    let members = try members(of: relationship)
    return (relationship.isOrdered ? members : members.sortedByIdentifier()).map { .source($0) }
  }

  func memberCount(of relationship: RelationshipLayout) throws -> Int { try members(of: relationship).count }

  private func members(of relationship: RelationshipLayout) throws -> [ManagedObject] {
    try search.members(of: relationship, owner: KeyedRow(key: key, row: row))
  }

  /// The value of a key as a sort compares it: of a to-one with an ordered inverse the place in that, which
  /// the object knows (PRD-225).
  func _sortOperand(forKey key: PropertyKey) throws -> QueryOperand {
    guard let property = property(key), property.kind == .toOne,
      layout.relationships[property.relationship].description.inverse?.isOrdered == true
    else { return try _operand(forKey: key) }
    return try context.object(of: row, self.key, storeIndex)._sortOperand(forKey: key)
  }
}
