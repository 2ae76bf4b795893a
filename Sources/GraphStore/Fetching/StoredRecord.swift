import GraphStoreModel
import GraphStorePredicates

/// A record of a store as a request judges and sorts it: by its row, without an object being made of it (FET-284).
///
/// What its relationships lead to are objects of the context, with their unsaved changes.
final class StoredRecord: PropertySource {
  private let search: StoreSearch.Reading
  private(set) var key: Int64
  private(set) var row: Row

  init(_ search: StoreSearch.Reading, _ key: Int64, _ row: Row) {
    self.search = search
    self.key = key
    self.row = row
  }

  /// Becomes another record, where nobody has kept this one.
  func become(_ key: Int64, _ row: Row) {
    self.key = key
    self.row = row
  }

  private var layout: EntityLayout { row.layout }
  private var context: ManagedObjectContext { search.context }
  private var storeIndex: Int32 { search.storeIndex }

  var place: RecordPlace { RecordPlace(storeIndex: storeIndex, key: key) }

  var _objectReference: ObjectReference? {
    ObjectReference(context.identifier(ObjectKey(entity: layout.index, key: key), storeIndex: storeIndex))
  }

  private func property(_ key: PropertyKey) -> PropertyLayout? {
    key.number(in: layout, find: { layout.property(named: $0)?.number }).map { layout.properties[$0] }
  }

  func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    guard let property = property(key) else { return try layout.operand(forOtherKey: key.name, of: self) }
    switch property.kind {
    case .toOne:
      let reference = row.reference(property.slot)
      return reference.flatMap { context.object($0, storeIndex: storeIndex) }.map { .source($0) } ?? .null
    case .toMany:
      let relationship = layout.relationships[property.relationship]
      let members = try members(of: relationship)
      let ordered = relationship.isOrdered ? members : members.sortedByIdentifier()
      return .collection(ordered.map { .source($0) }, isOrdered: relationship.isOrdered)
    default: return .value(try row.value(of: property))
    }
  }

  /// The members of a to-many: as the registered object has them, else as the store.
  private func members(of relationship: RelationshipLayout) throws -> [ManagedObject] {
    if let known = context.registry.object(layout, key: key, store: storeIndex), known.layout === layout {
      return try known.members(of: relationship)
    }
    return try context.storedMembers(of: relationship, owner: key, storeIndex, in: search.session)
  }

  /// The value of a key as a sort compares it: of a to-one with an ordered inverse the place in that, which the object
  /// knows (PRD-225).
  func _sortOperand(forKey key: PropertyKey) throws -> QueryOperand {
    guard let property = property(key), property.kind == .toOne,
      layout.relationships[property.relationship].description.inverse?.isOrdered == true
    else { return try _operand(forKey: key) }
    return try context.object(of: row, self.key, storeIndex)._sortOperand(forKey: key)
  }

  func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool {
    layout.entity.leadsToMany(keys, behind: path)
  }

  func _count(forKey key: PropertyKey) throws -> Int? {
    guard let property = property(key), property.kind == .toMany else { return nil }
    return try members(of: layout.relationships[property.relationship]).count
  }

  func _truth(of test: FieldTest, forKey key: PropertyKey) throws -> Ternary? {
    guard let property = property(key) else { return nil }
    return row.truth(of: test, property)
  }
}
