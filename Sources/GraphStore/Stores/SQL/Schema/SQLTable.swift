import GraphStoreModel

/// A table: the rows of a root entity and of all entities below it.
///
/// Alive as long as its schema is; never changes once the schema is made.
final class SQLTable: @unchecked Sendable {
  /// The names of the columns that every table has, in their order: key, number of the entity, version of the
  /// row.
  static let leadingColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// The name.
  let name: String
  /// The root entity.
  unowned let root: SQLEntity
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`, in the order of CREATE TABLE.
  @safe @exclusivity(unchecked) private(set) var columns: [SQLColumn] = []
  @safe @exclusivity(unchecked) private var columnsByName: [String: SQLColumn] = [:]

  init(name: String, root: SQLEntity) {
    self.name = name
    self.root = root
  }

  /// The name as written in a statement.
  var quotedName: String { SQLName.quoted(name) }

  /// The name of the index over the entities' numbers, where the table holds rows of several entities.
  var entityIndexName: String { "\(name)_Z_ENT_INDEX" }

  /// The column of a name, nil if there is none.
  func column(named name: String) -> SQLColumn? { columnsByName[name] }

  func setColumns(_ columns: [SQLColumn]) {
    self.columns = columns
    columnsByName = Dictionary(columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, column) in columns.enumerated() { column.index = index }
  }
}

/// A table of pairs of keys, for a to-many relationship whose inverse is to-many, or missing in stores of
/// earlier versions and where members may have several owners.
///
/// Alive as long as its schema is; never changes once the schema is made.
final class SQLJoinTable: Sendable {
  /// Relation of the two ends.
  enum Form: Hashable, Sendable {
    /// Two relationships that are each other's inverse.
    case pair
    /// A relationship without inverse.
    case oneWay
    /// A relationship that is its own inverse: each pair of objects has two rows, one in each direction.
    case reflexive
  }

  /// The name.
  let name: String
  /// The relation of the two ends.
  let form: Form
  /// The relationship that names the table and leads from ``source`` to ``destination``.
  unowned let relationship: RelationshipDescription
  /// The first column: the key of the owner.
  let source: String
  /// The second column: the key of the member.
  let destination: String
  /// The column of the members' places, if the relationship is ordered.
  let destinationOrder: String?
  /// The column of the owners' places, if the inverse is ordered.
  let sourceOrder: String?
  /// The entity of the owners.
  unowned let sourceEntity: SQLEntity
  /// The entity of the members.
  unowned let destinationEntity: SQLEntity

  init(
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
  var quotedName: String { SQLName.quoted(name) }

  /// All columns in the order of CREATE TABLE.
  var columns: [String] { [source, destination] + [sourceOrder, destinationOrder].compactMap { $0 } }
}
