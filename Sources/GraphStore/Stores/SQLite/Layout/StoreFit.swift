import GraphStoreModel
import GraphStoreSQLite

/// Compares a store of Core Data with what a model asks for (MDL-329): its hashes cannot be compared.
struct StoreFit {
  /// Entities from this number up are not the model's.
  private static let firstSystemNumber = 16001

  private let stored: StoredEntities
  private let contents: StoreContents

  /// Makes sure that the store has the entities, tables and columns that a model asks for.
  ///
  /// What the store has beyond that is left as it is.
  ///
  /// - Returns: The layout of the model's tables in the store.
  /// - Throws: `incompatible-model` with each difference; ``SQLiteError``.
  static func schema(
    _ connection: SQLiteConnection, _ contents: StoreContents, _ stored: StoredEntities, path: String
  ) throws -> SQLSchema {
    let fit = StoreFit(stored: stored, contents: contents)
    var differences = fit.entityDifferences
    guard differences.isEmpty else { throw fit.error(differences, path) }
    let schema = try SQLSchema(
      stored, entityNumbers: contents.entityNumbers, existingTables: contents.tables)
    differences = fit.tableDifferences(schema, try columns(connection))
    guard differences.isEmpty else { throw fit.error(differences, path) }
    return schema
  }

  private var entityDifferences: [String] {
    let numbers = contents.entityNumbers
    let names = Set(stored.entities.map(\.name))
    let missing = names.filter { numbers[$0] == nil }.sorted()
    let unknown = numbers.filter { $0.value < Self.firstSystemNumber && !names.contains($0.key) }
    return missing.map { "the store has no entity \($0)" }
      + unknown.keys.sorted().map { "the model has no entity \($0), and the store has" }
  }

  private func tableDifferences(_ schema: SQLSchema, _ present: [String: [String: String]]) -> [String] {
    var differences: [String] = []
    func compare(_ table: String, _ columns: [(name: String, type: String)]) {
      guard let existing = present[table.uppercased()] else {
        differences.append("the table \(table) is missing")
        return
      }
      for column in columns {
        guard let type = existing[column.name.uppercased()] else {
          differences.append("the table \(table) has no column \(column.name)")
          continue
        }
        if type.uppercased() != column.type {
          differences.append(
            "the column \(table).\(column.name) is declared \(type), and the model asks for \(column.type)")
        }
      }
    }
    for table in schema.tables {
      let leading = SQLTable.leadingColumns.map { (name: $0, type: "INTEGER") }
      compare(
        table.name,
        leading + table.columns.filter(\.elements.isEmpty).map { (name: $0.name, type: $0.declaredType) })
    }
    for table in schema.joinTables {
      compare(table.name, table.columns.map { (name: $0, type: "INTEGER") })
    }
    return differences
  }

  /// The declared types of all columns by table and column, in upper case.
  private static func columns(_ connection: SQLiteConnection) throws -> [String: [String: String]] {
    try connection.withStatement(
      """
      SELECT m.name, c.name, c.type FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
      WHERE m.type = 'table'
      """
    ) { row in
      var columns: [String: [String: String]] = [:]
      while try row.step() {
        guard let table = row.string(at: 0), let column = row.string(at: 1) else { continue }
        columns[table.uppercased(), default: [:]][column.uppercased()] = row.string(at: 2) ?? ""
      }
      return columns
    }
  }

  private func error(_ differences: [String], _ path: String) -> GraphStoreError {
    var error = GraphStoreError(
      .incompatibleModel,
      "The model used to open the store is incompatible with the one used to create \(path).",
      remedy: "Give the model that it was made with.")
    error.details = differences
    return error
  }
}
