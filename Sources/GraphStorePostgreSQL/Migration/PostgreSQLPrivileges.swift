#if PostgreSQL
import GraphStore

/// Owner of a store on a server, and the privileges that roles have on its tables and views beside: what is
/// made anew gets both again.
struct PostgreSQLPrivileges {
  private struct Grant {
    let name: String
    /// The column; nil for all of the table or view.
    let column: String?
    /// The role as it is written in a statement.
    let role: String
    let privilege: String
    let isGrantable: Bool
  }

  /// The role that owns the store, as it is written in a statement; nil where it is the one that migrates.
  private let owner: String?
  private let grants: [Grant]

  init(of dialect: PostgreSQLDialect, _ connection: PostgreSQLConnection) throws {
    let schema = PostgreSQLName.literal(dialect.name(dialect.schema))
    let metadata = PostgreSQLName.literal(dialect.tableName(PostgreSQLTables.metadataTable))
    let results = try connection.run([
      .once(
        "SELECT relname::text, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, "
          + "privilege_type, is_grantable, attname::text FROM (SELECT relname, relacl, relowner, NULL AS attname "
          + "FROM pg_class WHERE relnamespace = \(schema)::regnamespace AND relkind IN ('r', 'v') "
          + "UNION ALL SELECT relname, attacl, relowner, attname FROM pg_class JOIN pg_attribute ON attrelid = "
          + "pg_class.oid WHERE relnamespace = \(schema)::regnamespace AND relkind IN ('r', 'v')) AS lists, "
          + "aclexplode(relacl) WHERE grantee <> relowner ORDER BY 1, 5, 2, 3"),
      .once(
        "SELECT relowner::regrole::text FROM pg_class WHERE oid = \(metadata)::regclass "
          + "AND relowner <> (SELECT oid FROM pg_roles WHERE rolname = current_user)"),
    ])
    var grants: [Grant] = []
    while try results[0].step() {
      grants.append(
        Grant(
          name: results[0].string(at: 0), column: results[0].isNull(at: 4) ? nil : results[0].string(at: 4),
          role: results[0].string(at: 1), privilege: results[0].string(at: 2),
          isGrantable: results[0].int64(at: 3) != 0))
    }
    self.grants = grants
    owner = try results[1].step() ? results[1].string(at: 0) : nil
  }

  /// The statements that give a store that was made anew to its owner, and grant what was granted on the
  /// tables and views of the same names.
  func statements(for new: PostgreSQLSchema, in place: PostgreSQLDialect) -> [String] {
    owners(of: new.tableNames, new.viewNames().map(\.view), place)
      + (owner.map { PostgreSQLFunction.owners(place, $0) } ?? [])
      + granting(on: Set(new.tableNames + new.viewNames().map(\.view)), of: new, place)
  }

  /// The statements for a store whose tables stay: for those that are added, the metadata and the views.
  func statements(forAltered new: PostgreSQLSchema, in place: PostgreSQLDialect) -> [String] {
    let views = new.viewNames().map(\.view)
    return owners(of: new.tableNames, views, place)
      + granting(on: Set(views + [PostgreSQLTables.metadataTable]), of: new, place)
  }

  private func owners(of tables: [String], _ views: [String], _ place: PostgreSQLDialect) -> [String] {
    guard let owner else { return [] }
    return tables.map { "ALTER TABLE \(place.tableName($0)) OWNER TO \(owner)" }
      + views.map { "ALTER VIEW \(place.tableName($0)) OWNER TO \(owner)" }
  }

  private func granting(
    on names: Set<String>, of schema: PostgreSQLSchema, _ place: PostgreSQLDialect
  ) -> [String] {
    let columns = Dictionary(
      schema.tables.tables.map { ($0.name, Set($0.columns.map(\.name))) }, uniquingKeysWith: { $1 })
    return grants.filter { grant in
      names.contains(grant.name)
        && (grant.column.map { columns[grant.name]?.contains($0) == true } ?? true)
    }.map { grant in
      "GRANT \(grant.privilege)\(grant.column.map { " (\(place.name($0)))" } ?? "") "
        + "ON \(place.tableName(grant.name)) TO \(grant.role)"
        + (grant.isGrantable ? " WITH GRANT OPTION" : "")
    }
  }
}
#endif
