import GraphStoreModel

/// A table: the rows of a root entity and of all entities below it.
///
/// Alive as long as its schema is; never changes once the schema is made.
package final class SQLTable: @unchecked Sendable {
  /// The names of the columns that every table of Core Data's layout has, in their order: key, number of the
  /// entity, version of the row.
  package static let leadingColumns = SQLSystemColumns.coreData.all

  /// The name.
  package let name: String
  /// The root entity.
  package unowned let root: SQLEntity
  /// The columns after key, number of the entity and version, in the order of CREATE TABLE.
  @safe @exclusivity(unchecked) package private(set) var columns: [SQLColumn] = []
  @safe @exclusivity(unchecked) private var columnsByName: [String: SQLColumn] = [:]

  package init(name: String, root: SQLEntity) {
    self.name = name
    self.root = root
  }

  /// The name as written in a statement.
  package var quotedName: String { SQLName.quoted(name) }

  /// The column of a name, nil if there is none.
  package func column(named name: String) -> SQLColumn? { columnsByName[name] }

  package func setColumns(_ columns: [SQLColumn]) {
    self.columns = columns
    columnsByName = Dictionary(columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, column) in columns.enumerated() { column.index = index }
  }
}

/// A table of pairs of keys, for a to-many relationship whose inverse is to-many, or missing in stores of
/// earlier versions and where members may have several owners.
///
/// Alive as long as its schema is; never changes once the schema is made.
package final class SQLJoinTable: Sendable {
  /// Relation of the two ends.
  package enum Form: Hashable, Sendable {
    /// Two relationships that are each other's inverse.
    case pair
    /// A relationship without inverse.
    case oneWay
    /// A relationship that is its own inverse: each pair of objects has two rows, one in each direction.
    case reflexive
  }

  /// The name.
  package let name: String
  /// The relation of the two ends.
  package let form: Form
  /// The relationship that names the table and leads from ``source`` to ``destination``.
  package unowned let relationship: RelationshipDescription
  /// The first column: the key of the owner.
  package let source: String
  /// The second column: the key of the member.
  package let destination: String
  /// The column of the members' places, if the relationship is ordered.
  package let destinationOrder: String?
  /// The column of the owners' places, if the inverse is ordered.
  package let sourceOrder: String?
  /// The entity of the owners.
  package unowned let sourceEntity: SQLEntity
  /// The entity of the members.
  package unowned let destinationEntity: SQLEntity

  package init(
    name: String, form: Form, relationship: RelationshipDescription, source: String, destination: String,
    destinationOrder: String?, sourceOrder: String?, sourceEntity: SQLEntity, destinationEntity: SQLEntity
  ) {
    self.name = name
    self.form = form
    self.relationship = relationship
    self.source = source
    self.destination = destination
    self.destinationOrder = destinationOrder
    self.sourceOrder = sourceOrder
    self.sourceEntity = sourceEntity
    self.destinationEntity = destinationEntity
  }

  /// The name as written in a statement.
  package var quotedName: String { SQLName.quoted(name) }

  /// All columns in the order of CREATE TABLE.
  package var columns: [String] {
    [source, destination] + [sourceOrder, destinationOrder].compactMap { $0 }
  }
}
