#if PostgreSQL
import GraphStore
import GraphStoreModel

/// The statements behind ``StoreStatistics`` of a store on a server.
struct PostgreSQLStatistics {
  /// The most columns that one pass over a table looks at.
  private static let columnLimit = 200

  private let session: PostgreSQLReadSession
  private let catalog: PostgreSQLCatalog
  /// The bytes of tables with their indexes.
  private var sizes: [String: Int] = [:]

  init(_ session: PostgreSQLReadSession) throws {
    self.session = session
    catalog = try PostgreSQLCatalog(session)
    let cursor = try session.run(session.store.tables.sizes(), [])
    while try cursor.step() { sizes[cursor.string(at: 0)] = Int(cursor.int64(at: 1)) }
  }

  func read(_ entity: SQLEntity) throws -> EntityStatistics {
    let dialect = session.store.dialect
    let table = entity.table.name
    let number = dialect.name(session.schema.systemColumns.entity)
    let rows = dialect.tableName(table) + (entity.sharesTable ? " WHERE \(number) = \(entity.number)" : "")
    let columns = entity.columns(includingSubentities: false).filter(Self.isOfProperty)
    var properties: [PropertyStatistics] = []
    var count = 0
    var start = 0
    repeat {
      let part = Array(columns[start..<min(start + Self.columnLimit, columns.count)])
      start += Self.columnLimit
      let results = part.map { dialect.name($0.name) }.flatMap {
        [
          "count(*) - count(\($0))", "count(DISTINCT \($0))",
          "coalesce(sum(pg_column_size(\($0))), 0)::bigint",
        ]
      }
      let cursor = try session.run(
        "SELECT \((["count(*)"] + results).joined(separator: ", ")) FROM \(rows)", [])
      _ = try cursor.step()
      count = Int(cursor.int64(at: 0))
      for (position, column) in part.enumerated() {
        func value(_ offset: Int) -> Int { Int(cursor.int64(at: 1 + position * 3 + offset)) }
        properties.append(
          PropertyStatistics(
            name: ([column.property.name] + column.elements.map(\.name)).joined(separator: "."),
            bytes: value(2), missing: value(0), distinct: value(1),
            indexes: (catalog.indexes[table] ?? []).filter { $0.first == column.name }.map(\.name)))
      }
    } while start < columns.count
    return EntityStatistics(
      name: entity.entity.name, rows: count, fileBytes: sizes[table],
      indexCount: catalog.indexes[table]?.count ?? 0, isAnalyzed: catalog.analyzed.contains(table),
      properties: properties)
  }

  /// Whether a column holds the values of a property of its rows, and not what belongs to one.
  private static func isOfProperty(_ column: SQLColumn) -> Bool {
    switch column.kind {
    case .toOneEntity, .orderKey, .ownerKey: false
    default: true
    }
  }
}
#endif
