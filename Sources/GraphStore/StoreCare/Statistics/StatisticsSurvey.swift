import GraphStoreModel
import GraphStoreSQLite

/// The statements behind ``StoreStatistics``, in the read transaction that is open.
struct StatisticsSurvey {
  private let connection: SQLiteConnection
  private let schema: SQLSchema
  /// The folder of values in files of their own.
  private let folder: ExternalDataFolder
  /// Whether values with external storage say in their first byte where they are.
  private let hasPrefixes: Bool
  /// The indexes by their tables, in capitals.
  private var indexes: [String: [Index]] = [:]
  /// The tables that SQLite has statistics of, in capitals.
  private var analyzed: Set<String> = []
  /// The bytes of the pages of tables with their indexes, by the tables in capitals; nil where SQLite does
  /// not tell.
  private var pages: [String: Int]?

  private struct Index {
    let name: String
    /// Its first column in capitals; nil for an expression.
    let first: String?
  }

  init(_ inspector: StoreInspector) throws {
    (connection, schema) = (inspector.connection, inspector.schema)
    folder = ExternalDataFolder(besideStoreAt: inspector.path)
    hasPrefixes = inspector.metadata.hasExternalPrefixes
    indexes = try readIndexes()
    analyzed = try readAnalyzed()
    pages = try? readPages()
  }

  func statistics(of entity: SQLEntity) throws -> EntityStatistics {
    let table = entity.table.name.uppercased()
    let condition = entity.sharesTable ? " WHERE Z_ENT = \(entity.number)" : ""
    let rows = try connection.int64("SELECT count(*) FROM \(entity.table.quotedName)\(condition)") ?? 0
    let columns = entity.columns(includingSubentities: false).filter(Self.isOfProperty)
    return EntityStatistics(
      name: entity.entity.name, rows: Int(rows), fileBytes: pages.map { $0[table] ?? 0 },
      indexCount: indexes[table]?.count ?? 0, isAnalyzed: analyzed.contains(table),
      properties: try columns.map { try statistics(of: $0, condition) })
  }

  /// Whether a column holds the values of a property of its rows, and not what belongs to one.
  private static func isOfProperty(_ column: SQLColumn) -> Bool {
    switch column.kind {
    case .toOneEntity, .orderKey, .ownerKey: false
    default: true
    }
  }

  private func statistics(of column: SQLColumn, _ condition: String) throws -> PropertyStatistics {
    let value = column.quotedName
    let sql = """
      SELECT count(*) - count(\(value)), count(DISTINCT \(value)), sum(\(Self.size(of: value)))
        FROM \(column.table.quotedName)\(condition)
      """
    let table = column.table.name.uppercased()
    let name = ([column.property.name] + column.elements.map(\.name)).joined(separator: ".")
    let files =
      column.attribute?.allowsExternalStorage == true && hasPrefixes
      ? try fileBytes(of: column, condition) : 0
    return try connection.withStatement(sql) { row in
      _ = try row.step()
      return PropertyStatistics(
        name: name, bytes: Int(row.int64(at: 2)) + files, missing: Int(row.int64(at: 0)),
        distinct: Int(row.int64(at: 1)),
        indexes: (indexes[table] ?? []).filter { $0.first == column.name.uppercased() }.map(\.name))
    }
  }

  /// The bytes of the files that the values of a column name.
  private func fileBytes(of column: SQLColumn, _ condition: String) throws -> Int {
    let sql = "SELECT \(column.quotedName) FROM \(column.table.quotedName)\(condition)"
    return try connection.withStatement(sql) { row in
      var bytes = 0
      while try row.step() {
        guard row.type(at: 0) == .blob else { continue }
        let value = unsafe row.blob(at: 0)
        guard case .file(let name)? = unsafe ExternalColumn(value.bindMemory(to: UInt8.self)) else {
          continue
        }
        bytes += (RegularFile.size(folder.path(of: name)) ?? 0) - value.count
      }
      return bytes
    }
  }

  /// The bytes that SQLite stores of a value, as an expression.
  private static func size(of value: String) -> String {
    """
    CASE typeof(\(value)) WHEN 'null' THEN 0 WHEN 'real' THEN 8 WHEN 'integer' THEN CASE
      WHEN \(value) IN (0, 1) THEN 0 WHEN \(value) BETWEEN -128 AND 127 THEN 1
      WHEN \(value) BETWEEN -32768 AND 32767 THEN 2 WHEN \(value) BETWEEN -8388608 AND 8388607 THEN 3
      WHEN \(value) BETWEEN -2147483648 AND 2147483647 THEN 4
      WHEN \(value) BETWEEN -140737488355328 AND 140737488355327 THEN 6 ELSE 8 END
      ELSE length(CAST(\(value) AS BLOB)) END
    """
  }

  // MARK: The file

  private func readIndexes() throws -> [String: [Index]] {
    let sql = """
      SELECT upper(m.name), l.name, (SELECT upper(i.name) FROM pragma_index_info(l.name) AS i WHERE i.seqno = 0)
        FROM sqlite_schema AS m, pragma_index_list(m.name) AS l WHERE m.type = 'table' ORDER BY l.name
      """
    return try connection.withStatement(sql) { row in
      var indexes: [String: [Index]] = [:]
      while try row.step() {
        guard let table = row.string(at: 0), let name = row.string(at: 1) else { continue }
        indexes[table, default: []].append(Index(name: name, first: row.string(at: 2)))
      }
      return indexes
    }
  }

  private func readAnalyzed() throws -> Set<String> {
    guard try connection.int64("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'") != nil else {
      return []
    }
    return try connection.withStatement("SELECT DISTINCT upper(tbl) FROM sqlite_stat1") { row in
      var tables: Set<String> = []
      while try row.step() { if let table = row.string(at: 0) { tables.insert(table) } }
      return tables
    }
  }

  private func readPages() throws -> [String: Int] {
    let sql = """
      SELECT upper(s.tbl_name), sum(d.pgsize) FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name
        WHERE d.aggregate = TRUE GROUP BY 1
      """
    return try connection.withStatement(sql) { row in
      var pages: [String: Int] = [:]
      while try row.step() { if let table = row.string(at: 0) { pages[table] = Int(row.int64(at: 1)) } }
      return pages
    }
  }
}
