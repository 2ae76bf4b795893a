import GraphStoreModel

/// Names that a schema gives to tables, columns and indexes.
///
/// A name that is taken gets a number; ``name(_:number:)`` says how.
package protocol SQLNaming: Sendable {
  /// The columns that every entity's table has.
  var systemColumns: SQLSystemColumns { get }
  /// The table that counts keys.
  var keyCounter: SQLKeyCounter { get }
  /// The tables that stores have beside those of a model.
  var reservedTables: [String] { get }
  /// Names that no column of a property has beside those of ``systemColumns``.
  var reservedColumns: [String] { get }
  /// Whether columns of tables of pairs that lead to one entity differ between tables too.
  var distinguishesPairColumns: Bool { get }
  /// A name as the engine keeps it: as it is for 0, else with a number of those of one name.
  func name(_ name: String, number: Int) -> String
  /// The table of a root entity.
  func table(of root: EntityDescription) -> String
  /// The column of an attribute, or of an element of a composite one at the end of a path.
  func column(of path: [AttributeDescription]) -> String
  /// The columns of a to-one relationship: the key, the number of the entity, the place among the members.
  ///
  /// - Parameter root: The number of the root of the entities that it leads to.
  func columns(ofToOne relationship: RelationshipDescription, root: Int) -> SQLReferenceNames
  /// The columns in the rows of members of a to-many relationship without inverse: the key of the owner, and
  /// the place; no row names an entity.
  ///
  /// - Parameter owner: The number of the owner's entity.
  func columns(ofOwner relationship: RelationshipDescription, owner: Int) -> SQLReferenceNames
  /// The table of pairs of a relationship.
  ///
  /// - Parameter owner: The number of the owner's entity.
  func table(ofPairs relationship: RelationshipDescription, owner: Int) -> String
  /// The column of a table of pairs with the owner's key.
  func ownerColumn(ofPairs relationship: RelationshipDescription, _ form: SQLJoinTable.Form, owner: Int)
    -> String
  /// The column of a table of pairs with the member's key.
  func memberColumn(ofPairs relationship: RelationshipDescription, _ form: SQLJoinTable.Form, member: Int)
    -> String
  /// The column of a table of pairs with the place of a member.
  ///
  /// - Parameter member: The column with its key.
  func placeColumn(ofPairs relationship: RelationshipDescription, member: String) -> String
  /// The index over the numbers of entities.
  func entityIndex(of table: String) -> String
  /// The index over keys of other rows.
  func keyIndex(of table: String, _ column: String) -> String
  /// An index of the model.
  func index(_ name: String, of entity: EntityDescription) -> String
  /// The index of a uniqueness constraint.
  func uniqueIndex(of entity: EntityDescription, _ properties: [PropertyDescription]) -> String
}

/// Names of the columns that every entity's table has.
package struct SQLSystemColumns: Sendable, Hashable {
  /// The key of a row.
  package let key: String
  /// The number of the row's entity.
  package let entity: String
  /// The version of the row.
  package let version: String

  package init(key: String, entity: String, version: String) {
    self.key = key
    self.entity = entity
    self.version = version
  }

  /// The columns in their order.
  package var all: [String] { [key, entity, version] }
}

/// Names of the table in which a store counts the keys that it has assigned to the records of each entity
/// tree.
package struct SQLKeyCounter: Sendable, Hashable {
  package let table: String
  /// The number of the tree's root.
  package let entity: String
  /// The last key.
  package let last: String

  package init(table: String, entity: String, last: String) {
    self.table = table
    self.entity = entity
    self.last = last
  }
}

/// Names of the columns of a reference: the key of what it leads to, the number of its entity, and the place
/// among the members on the other side.
package struct SQLReferenceNames: Sendable, Hashable {
  package let key: String
  package let entity: String
  package let place: String

  package init(key: String, entity: String, place: String) {
    self.key = key
    self.entity = entity
    self.place = place
  }
}
