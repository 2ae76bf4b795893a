#if PostgreSQL
import GraphStore
import GraphStoreModel

extension PostgreSQLSchema {
  /// The views of all entities: each shows the rows of an entity and of those below it, with its columns
  /// alone.
  func viewNames() -> [(entity: SQLEntity, view: String)] {
    var names = SQLNameSpace(
      Self.naming,
      reserved: tables.tables.map(\.name) + tables.joinTables.map(\.name) + [tables.keyCounter.table])
    return tables.entitiesInOrder.map { entity in
      (entity, names.claim(Self.naming.stem(of: entity.entity) + "_view"))
    }
  }

  /// The statements that make a view and say what it is.
  func statements(ofView view: String, _ entity: SQLEntity) -> [String] {
    let key = dialect.name(tables.systemColumns.key)
    let number = dialect.name(tables.systemColumns.entity)
    var columns = [key, "\(entityName(number, entity)) AS \(number)"]
    for column in entity.table.columns where entity.entity.isKind(of: column.entity.entity) {
      guard let shown = shown(column) else { continue }
      columns.append(shown)
    }
    let rows =
      entity.sharesTable && entity.entity.superentity != nil
      ? " WHERE \(number) IN (\(entity.familyNumbers.map(String.init).joined(separator: ", ")))" : ""
    let name = dialect.tableName(view)
    return [
      "CREATE VIEW \(name) AS SELECT \(columns.joined(separator: ", ")) "
        + "FROM \(dialect.tableName(entity.table.name))\(rows)",
      "COMMENT ON VIEW \(name) IS \(PostgreSQLName.literal("The objects of \(entity.entity.name)"))",
    ]
  }

  /// A column as people read it: dates as points of time, names instead of the numbers of entities. Places
  /// among members are left out.
  private func shown(_ column: SQLColumn) -> String? {
    let name = dialect.name(column.name)
    switch column.kind {
    case .orderKey: return nil
    case .date: return "\(Self.time(name)) AS \(name)"
    case .toOneEntity:
      guard let relationship = column.property as? RelationshipDescription else { return name }
      return "\(entityName(name, tables.entity(relationship.destination))) AS \(name)"
    default: return name
    }
  }

  /// The name of the entity that a number stands for.
  private func entityName(_ number: String, _ family: SQLEntity) -> String {
    let cases = family.familyNumbers.compactMap { tables.entity(numbered: $0) }.map {
      "WHEN \($0.number) THEN \(PostgreSQLName.literal($0.entity.name))"
    }
    return cases.isEmpty ? "NULL::text" : "CASE \(number) \(cases.joined(separator: " ")) END"
  }

  /// Seconds since 2001 as a point of time; NULL before and after those that the server has.
  private static func time(_ column: String) -> String {
    "CASE WHEN \(column) BETWEEN -211845110400 AND 9223339708799 "
      + "THEN to_timestamp(\(column) + 978307200) END"
  }
}
#endif
