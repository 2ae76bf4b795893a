#if PostgreSQL
import GraphStore
import GraphStoreModel

/// Schema of the database that holds a store: its tables, and what operators and other programs see of them.
///
/// ```sql
/// CREATE TABLE company.employee (object_id bigint …, object_entity integer …, object_version bigint …,
///   first_name text COLLATE "C", manager_id bigint)
/// ```
struct PostgreSQLSchema: Sendable {
  /// The tables and columns, without any connection.
  let tables: SQLSchema
  let dialect: PostgreSQLDialect

  /// The schema of a new store.
  init(_ stored: StoredEntities, named name: String) {
    tables = SQLSchema(stored, naming: Self.naming)
    dialect = PostgreSQLDialect(schema: name)
  }

  /// The schema of a store that exists, with the numbers that it gave to its entities: the columns `name` and
  /// `number` of the table of entities.
  ///
  /// - Throws: `store-corrupt` if an entity has no number.
  init(_ stored: StoredEntities, named name: String, entityNumbers: [String: Int]) throws {
    tables = try SQLSchema(
      stored, entityNumbers: entityNumbers, existingTables: .none, naming: Self.naming)
    dialect = PostgreSQLDialect(schema: name)
  }

  init(tables: SQLSchema, dialect: PostgreSQLDialect) { (self.tables, self.dialect) = (tables, dialect) }

  static let naming = ReadableNaming(
    limit: PostgreSQLName.limit, reservedColumns: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"])

  /// The statements that make all of it in a schema that is there, in their order.
  func statements() throws -> [String] { tableStatements + (try otherStatements()) }

  /// The statements that make what rows can be written into.
  var tableStatements: [String] {
    PostgreSQLFunction.statements(dialect) + [entitiesTable] + tables.createTableStatements(dialect)
      + entities
  }

  /// The statements that make all that belongs to these tables, which takes less time once they are filled.
  func otherStatements() throws -> [String] {
    references.map { $0.statement(dialect) } + (try indexes().map(dialect.createStatement)) + descriptions
  }

  /// The statements that make views, and say of each table, column and view what it is.
  var descriptions: [String] {
    viewNames().flatMap { statements(ofView: $0.view, $0.entity) } + comments
  }

  /// All indexes but those of expressions that the server does not compute: no index changes a result
  /// (MDL-288).
  func indexes() throws -> [SQLIndex] {
    let names = tables.tables.map(\.name) + tables.joinTables.map(\.name)
    let reserved = viewNames().map(\.view) + names.map(dialect.keyName)
    return try tables.indexes(dialect, reserved: reserved, leavesOutUnsupported: true)
  }

  // MARK: Entities

  /// The numbers of the entities by their names.
  var entityNumbers: [String: Int] {
    Dictionary(uniqueKeysWithValues: tables.numberedEntities.map { ($0.entity.name, $0.number) })
  }

  /// The table with the number of each entity, its parent's, and the last key of its tree.
  private var entitiesTable: String {
    let counter = tables.keyCounter
    return "CREATE TABLE \(dialect.tableName(counter.table)) (\(dialect.name(counter.entity)) integer "
      + "PRIMARY KEY, name text COLLATE \"C\" NOT NULL UNIQUE, parent integer, "
      + "\(dialect.name(counter.last)) bigint NOT NULL DEFAULT 0)"
  }

  private var entities: [String] {
    let rows = tables.numberedEntities.map { entity in
      let parent = tables.parentNumber(of: entity)
      return "(\(entity.number), \(PostgreSQLName.literal(entity.entity.name)), "
        + "\(parent == 0 ? "NULL" : String(parent)))"
    }
    guard !rows.isEmpty else { return [] }
    let columns = [tables.keyCounter.entity, "name", "parent"].map(dialect.name).joined(separator: ", ")
    return [
      "INSERT INTO \(dialect.tableName(tables.keyCounter.table)) (\(columns)) "
        + "VALUES \(rows.joined(separator: ", "))"
    ]
  }

  // MARK: References

  /// Foreign keys. A reference that a delete rule leaves behind has none: No Action, and to-one relationships
  /// without inverse (REL-300).
  var references: [PostgreSQLReference] {
    var references: [PostgreSQLReference] = []
    func add(_ table: String, _ column: String, to target: SQLTable) {
      let name = Self.naming.name("\(table)_\(column)_fkey", number: 0)
      references.append(
        PostgreSQLReference(table: table, column: column, target: target.name, name: name))
    }
    for table in tables.tables {
      for column in table.columns {
        guard let relationship = column.property as? RelationshipDescription else { continue }
        switch column.kind {
        case .ownerKey: add(table.name, column.name, to: tables.entity(relationship.entity).table)
        case .toOneKey:
          guard let inverse = relationship.inverse, inverse.deleteRule != .noAction else { continue }
          add(table.name, column.name, to: tables.entity(relationship.destination).table)
        default: continue
        }
      }
    }
    for pairs in tables.joinTables {
      add(pairs.name, pairs.source, to: pairs.sourceEntity.table)
      add(pairs.name, pairs.destination, to: pairs.destinationEntity.table)
    }
    return references
  }

  // MARK: Comments

  /// What tables and columns are in the model, with the text that the model has for them under `comment` in
  /// its user info.
  private var comments: [String] {
    var statements: [String] = []
    for table in tables.tables {
      let entity = table.root.entity
      let family = entity.family.dropFirst().map(\.name)
      let names = family.isEmpty ? entity.name : "\(entity.name), with \(family.joined(separator: ", "))"
      statements.append(
        "COMMENT ON TABLE \(dialect.tableName(table.name)) IS \(comment(names, entity.userInfo))")
      for column in table.columns {
        let path = [column.property.name] + column.elements.map(\.name)
        let owner = column.isOfOwner ? column.property.entity.name : column.entity.entity.name
        let info = column.attribute?.userInfo ?? column.property.userInfo
        statements.append(
          "COMMENT ON COLUMN \(dialect.tableName(table.name)).\(dialect.name(column.name)) "
            + "IS \(comment("\(owner).\(path.joined(separator: "."))", info))")
      }
    }
    for table in tables.joinTables {
      let relationship = table.relationship
      statements.append(
        "COMMENT ON TABLE \(dialect.tableName(table.name)) "
          + "IS \(comment("\(relationship.entity.name).\(relationship.name)", relationship.userInfo))")
    }
    return statements
  }

  private func comment(_ subject: String, _ userInfo: [String: JSONValue]) -> String {
    var text = subject
    if case .string(let note)? = userInfo["comment"], !note.isEmpty { text += ": " + note }
    return PostgreSQLName.literal(text.replacing("\0", with: ""))
  }
}
#endif
