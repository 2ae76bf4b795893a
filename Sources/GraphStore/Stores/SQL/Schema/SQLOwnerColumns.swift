import GraphStoreModel

/// The columns of a to-many relationship without inverse, which lie in the table of its members (STO-255).
struct SQLOwnerColumns: Sendable {
  /// The relationship.
  let relationship: RelationshipDescription
  /// The entity that declares the relationship.
  let owner: SQLEntity
  /// The column of the owner's key.
  let key: SQLColumn
  /// The column of the member's place, if the relationship is ordered.
  let order: SQLColumn?

  /// The assignments by which a row is nobody's member.
  var clearing: String {
    [key, order].compactMap(\.self).map { "\($0.quotedName) = NULL" }.joined(separator: ", ")
  }
}
