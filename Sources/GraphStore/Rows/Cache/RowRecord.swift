import CGraphStoreShims
import GraphStorePredicates

/// A record as predicates, sort descriptors and expressions read it by its row, without an object being made
/// of it.
///
/// The destinations of its relationships depend on the kind of record: objects of a context, what a session
/// sees, one state of an in-memory store.
package protocol RowRecord: PropertySource {
  var layout: EntityLayout { get }
  /// Nil where the record is gone: it has no values then.
  var knownRow: Row? { get }

  /// The destination of a to-one; nil where there is nothing to read.
  func destination(_ reference: PackedReference) throws -> QueryOperand?
  /// The members of a to-many: in stored order, else by key.
  func memberOperands(of relationship: RelationshipLayout) throws -> [QueryOperand]
  func memberCount(of relationship: RelationshipLayout) throws -> Int
}

extension RowRecord {
  @inline(__always)
  package func property(_ key: PropertyKey) -> PropertyLayout? {
    key.number(in: layout, find: { layout.property(named: $0)?.number }).map { layout.properties[$0] }
  }

  package func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    guard let property = property(key) else { return try layout.operand(forOtherKey: key.name, of: self) }
    switch property.kind {
    case .toOne:
      guard let reference = knownRow?.reference(property.slot) else { return .null }
      return try destination(reference) ?? .null
    case .toMany:
      let relationship = layout.relationships[property.relationship]
      return .collection(try memberOperands(of: relationship), isOrdered: relationship.isOrdered)
    default: return .value(try knownRow?.value(of: property) ?? .null)
    }
  }

  package func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool {
    layout.entity.leadsToMany(keys, behind: path)
  }

  package func _count(forKey key: PropertyKey) throws -> Int? {
    guard let property = property(key), property.kind == .toMany else { return nil }
    return try memberCount(of: layout.relationships[property.relationship])
  }

  /// The truth value of a comparison of an attribute with a constant, without a value of the attribute being
  /// made.
  package func _truth(of test: FieldTest, forKey key: PropertyKey) throws -> Ternary? {
    guard let property = property(key), let row = knownRow else { return nil }
    return row.truth(of: test, property)
  }
}
