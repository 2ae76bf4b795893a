/// A table: the rows of a root entity and of all entities below it.
///
/// Alive as long as its schema is; never changes once the schema is made.
final class SQLTable: @unchecked Sendable {
  /// The names of the columns that every table has, in their order: key, number of the entity, version of the row.
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

  /// The name as it stands in a statement.
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
