import GraphStoreModel
import GraphStoreSQLite

/// Compares a store of Core Data with a model: its own hashes cannot be compared (MDL-329), those that the
/// library computes for the model it carries can.
struct CoreDataSchemaMatcher {
  private let stored: StoredEntities
  private let contents: StoreHeader

  /// Makes sure that the store has the entities, tables and columns that a model asks for; columns that it
  /// does not know are left as they are (STO-284).
  ///
  /// - Parameter carried: The model that the store carries, where another one is passed (STO-280).
  /// - Returns: The layout of the model's tables in the store.
  /// - Throws: `incompatible-model` with each difference; ``SQLiteError``.
  static func schema(
    _ connection: SQLiteConnection, contents: StoreHeader, stored: StoredEntities,
    carried: ManagedObjectModel? = nil, path: String
  ) throws -> SQLSchema {
    let fit = CoreDataSchemaMatcher(stored: stored, contents: contents)
    var differences = fit.entityDifferences
    guard differences.isEmpty else { throw fit.error(differences, path: path, isCarried: carried != nil) }
    differences = fit.modelDifferences(carried)
    guard differences.isEmpty else { throw fit.error(differences, path: path, isCarried: carried != nil) }
    let schema = try SQLSchema(
      stored, entityNumbers: contents.entityNumbers, existingTables: contents.existingTables)
    differences = fit.tableDifferences(schema, try columns(connection, schema))
    guard differences.isEmpty else { throw fit.error(differences, path: path, isCarried: carried != nil) }
    return schema
  }

  /// Whether the store has the entities, tables and columns that a model asks for, and no others: this
  /// identifies the version of a store whose model is unknown (MIG-002).
  ///
  /// - Throws: ``SQLiteError``; `not-supported` for a model that no store can hold.
  static func isExact(
    _ connection: SQLiteConnection, contents: StoreHeader, stored: StoredEntities
  ) throws -> Bool {
    let fit = CoreDataSchemaMatcher(stored: stored, contents: contents)
    guard fit.entityDifferences.isEmpty else { return false }
    let schema = try SQLSchema(
      stored, entityNumbers: contents.entityNumbers, existingTables: contents.existingTables)
    let present = try columns(connection, schema)
    return fit.tableDifferences(schema, present).isEmpty && !hasUnknownColumns(schema, present)
  }

  /// Whether a table has columns of properties that the model does not have.
  private static func hasUnknownColumns(_ schema: SQLSchema, _ present: [String: [String: String]]) -> Bool {
    schema.tables.contains { table in
      let known = Set((SQLTable.leadingColumns + table.columns.map(\.name)).map { $0.uppercased() })
      return (present[table.name.uppercased()] ?? [:]).keys.contains {
        $0.hasPrefix("Z") && !known.contains($0)
      }
    }
  }

  /// The layout of a model's tables in a store that was made with another model, which may have more than the
  /// model asks for (STO-045).
  ///
  /// - Throws: `incompatible-model` with each entity, table and column that is missing; ``SQLiteError``.
  static func partialSchema(
    _ connection: SQLiteConnection, contents: StoreHeader, stored: StoredEntities, path: String
  ) throws -> SQLSchema {
    let fit = CoreDataSchemaMatcher(stored: stored, contents: contents)
    guard fit.missingEntities.isEmpty else {
      throw fit.error(fit.missingEntities, path: path, isCarried: false)
    }
    let schema = try SQLSchema(
      stored, entityNumbers: contents.entityNumbers, existingTables: contents.existingTables)
    let differences = fit.tableDifferences(schema, try columns(connection, schema))
    guard differences.isEmpty else { throw fit.error(differences, path: path, isCarried: false) }
    return schema
  }

  /// Makes sure that a passed model defines each entity as the one that the store carries (STO-280).
  ///
  /// - Throws: `incompatible-model` with each difference.
  static func checkModel(
    _ stored: StoredEntities, carried: ManagedObjectModel, contents: StoreHeader, path: String
  ) throws {
    let fit = CoreDataSchemaMatcher(stored: stored, contents: contents)
    let differences = fit.modelDifferences(carried)
    guard differences.isEmpty else { throw fit.error(differences, path: path, isCarried: true) }
  }

  private var missingEntities: [String] {
    stored.entities.map(\.name).filter { contents.entityNumbers[$0] == nil }.sorted()
      .map { "the store has no entity \($0)" }
  }

  private var entityDifferences: [String] {
    let names = Set(stored.entities.map(\.name))
    let unknown = contents.entityNumbers.filter { !names.contains($0.key) }
    return missingEntities
      + unknown.keys.sorted().map { "the model has no entity \($0), and the store has" }
  }

  /// The differences between the entities of two models by the hashes of the library.
  private func modelDifferences(_ carried: ManagedObjectModel?) -> [String] {
    guard let carried else { return [] }
    return stored.entities.compactMap { entity in
      guard let other = carried.entitiesByName[entity.name] else { return nil }
      guard other.versionHash != entity.versionHash else { return nil }
      let words = stored.model.differencesInHash(of: entity.name, from: carried)
      return words.isEmpty
        ? "\(entity.name) is another one in the model that the store carries"
        : "\(entity.name) differs from the model that the store carries in \(words.joined(separator: ", "))"
    }
  }

  private func tableDifferences(_ schema: SQLSchema, _ present: [String: [String: String]]) -> [String] {
    Self.wantedColumns(schema).flatMap { table, columns -> [String] in
      guard let existing = present[table.uppercased()] else { return ["the table \(table) is missing"] }
      return columns.compactMap { column in
        guard let type = existing[column.name.uppercased()] else {
          return "the table \(table) has no column \(column.name)"
        }
        return Self.difference(of: column, declared: type, in: table)
      }
    }
  }

  /// The columns that a model asks for by tables, with their types.
  private static func wantedColumns(
    _ schema: SQLSchema
  ) -> [(table: String, columns: [(name: String, type: String)])] {
    let tables = schema.tables.map { table in
      let columns = table.columns.filter { $0.elements.isEmpty || !schema.stored.leavesOutForeignForms }
      return (
        table: table.name,
        columns: SQLTable.leadingColumns.map { (name: $0, type: "INTEGER") }
          + columns.map { (name: $0.name, type: SQLiteDialect().declaredType($0.kind)) }
      )
    }
    return tables
      + schema.joinTables.map { table in
        (table: table.name, columns: table.columns.map { (name: $0, type: "INTEGER") })
      }
  }

  /// The difference of a column whose declared type is not the one that the model asks for; nil where it is.
  private static func difference(
    of column: (name: String, type: String), declared type: String, in table: String
  ) -> String? {
    type.uppercased() == column.type
      ? nil
      : "the column \(table).\(column.name) is declared \(type), and the model asks for \(column.type)"
  }

  /// The columns that are declared as another type than a model asks for, by their tables.
  static func typeDifferences(
    _ connection: SQLiteConnection, _ schema: SQLSchema
  ) throws -> [(table: String, message: String)] {
    let present = try columns(connection, schema)
    return wantedColumns(schema).flatMap { table, columns in
      columns.compactMap { column in
        present[table.uppercased()]?[column.name.uppercased()]
          .flatMap { difference(of: column, declared: $0, in: table) }.map { (table: table, message: $0) }
      }
    }
  }

  /// The declared types of all columns of the schema's tables by table and column, in upper case.
  ///
  /// No other table is asked: SQLite would load the module of a virtual one.
  private static func columns(
    _ connection: SQLiteConnection, _ schema: SQLSchema
  ) throws -> [String: [String: String]] {
    try connection.withStatement("SELECT name, type FROM pragma_table_info(?1)") { row in
      var columns: [String: [String: String]] = [:]
      for table in schema.tables.map(\.name) + schema.joinTables.map(\.name) {
        try row.bind(table, at: 1)
        while try row.step() {
          guard let column = row.string(at: 0) else { continue }
          columns[table.uppercased(), default: [:]][column.uppercased()] = row.string(at: 1) ?? ""
        }
        row.reset()
      }
      return columns
    }
  }

  private func error(_ differences: [String], path: String, isCarried: Bool) -> GraphStoreError {
    var error = GraphStoreError(
      .incompatibleModel,
      "The model used to open the store is incompatible with the one used to create \(path).",
      remedy: isCarried
        ? "Migrate it to this model, or open it with the model that it carries."
        : "Give the model that it was made with.")
    error.details = differences
    if !stored.model.configurations.isEmpty {
      let names = stored.model.configurations.joined(separator: ", ")
      error.remedy.append(" Where it holds the entities of one configuration, name that: \(names).")
    }
    return error
  }
}
