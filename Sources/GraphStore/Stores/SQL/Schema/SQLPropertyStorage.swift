/// Where a property of an entity lies.
enum SQLPropertyStorage: Sendable {
  /// Nowhere: transient and fetched properties, and kinds of attribute that no table can hold yet.
  case none
  /// In a column.
  case attribute(SQLColumn)
  /// In a column with the destination's key, in another with the number of its entity if the destination has
  /// sub-entities, and, if the inverse is an ordered to-many, in a third with the place among its members.
  case toOne(key: SQLColumn, entity: SQLColumn?, order: SQLColumn?)
  /// In the destination's table, in the columns of the inverse to-one, or of its own where it has no inverse.
  case toManyInverse(foreignKey: SQLColumn, order: SQLColumn?)
  /// In a table of pairs of keys: the columns' names of the owner's key, the member's key, and the member's place.
  case joinTable(SQLJoinTable, source: String, destination: String, order: String?)
}
