import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Set-based step of a migration between two SQLite stores, in which no object is loaded (MIG-216).
struct SQLiteSetBasedStep {
  /// The path of the store that is migrated; it is only read.
  let sourcePath: String
  /// What messages call it: the path of the store of which it may be a copy, or a former step's.
  let storePath: String
  /// The entities that it holds.
  let source: StoredEntities
  /// The entities of the new store.
  let destination: StoredEntities
  /// The metadata of the new store.
  let metadata: StoreMetadata
  /// The pairing of new parts with old ones.
  let pairing: any MigrationPairing
  /// Whether the data were checked since the store was locked.
  var isChecked = false
  var allowsInexact = false
  /// Whether indexes that are no constraints are left to be made later (MIG-251).
  var defersIndexes = false
  var timeout = StoreOptions.defaultTimeout
  /// Called with the text of each statement that begins to run.
  var onStatement: ((String) -> Void)?
  /// Called with what inexact conversion changes, where there is something.
  var onInexact: (([MigrationFinding]) -> Void)?

  /// Number of objects by the names of new entities.
  typealias Counts = [String: Int]

  /// Fills an empty file with the new store, and checks what it holds.
  ///
  /// - Parameters:
  ///   - path: The path of the empty file.
  ///   - progress: Called with the part that is done, from 0 to 1; what it throws ends the step.
  ///   - isCancelled: Asked while statements run.
  /// - Throws: `migration-constraint` for data that break rules of the new model; `migration-failed`,
  ///   `store-corrupt`, `disk-full`.
  func run(
    into path: String, progress: (Double) throws -> Void, isCancelled: @escaping () -> Bool
  ) throws -> Counts {
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: timeout)
      defer { connection.close() }
      connection.onStatement = onStatement
      return try connection.endingStatements(when: isCancelled) {
        try fill(connection, path: path, progress)
      }
    } catch let failure as SQLiteError where failure.category == .interrupted {
      throw LockedStore.Cancelled()
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// Runs the data checks alone, beside a store that is only read (MIG-054).
  func findings() throws -> [MigrationFinding] {
    do {
      let connection = try SQLiteConnection.temporary()
      defer { connection.close() }
      let (old, header) = try readSource()
      try attach(to: connection)
      return try findings(migration(connection, from: old, into: newSchema(from: old), header))
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: storePath)
    }
  }

  // MARK: Filling

  private func fill(
    _ connection: SQLiteConnection, path: String, _ progress: (Double) throws -> Void
  ) throws -> Counts {
    // A file that is not whole is thrown away: nothing has to be rolled back, and it is made durable once, at
    // the end.
    try connection.execute(
      "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000")
    let (old, header) = try readSource()
    let schema = newSchema(from: old)
    var metadata = metadata
    if defersIndexes { metadata.values[StoreMetadata.Key.deferred] = .int(1) }
    try SQLiteLayout.fill(connection, schema: schema, metadata: metadata, path: path, hasIndexes: false)
    try attach(to: connection)
    let migration = migration(connection, from: old, into: schema, header)
    try connection.transaction(.deferred) {
      let broken = isChecked ? [] : try findings(migration)
      guard broken.isEmpty else { throw GraphStoreError.migration(broken, path: storePath) }
      if allowsInexact { try tellInexact(connection, from: old, into: schema, header) }
      try progress(0.05)
      try migration.copyRows { try progress(0.05 + 0.6 * $0) }
      let indexes = try schema.indexes().filter { $0.isUnique || !defersIndexes }
      for (position, index) in indexes.enumerated() {
        try progress(0.65 + 0.15 * Double(position) / Double(indexes.count))
        try connection.execute(index.sql)
      }
      try deriveValues(connection, schema, path: path, header: header)
    }
    try progress(0.85)
    try linkExternalData(connection, schema, path: path)
    let check = MigrationCopyCheck(connection, migration.entities)
    let counts = try check.run()
    try progress(0.95)
    try connection.execute("DETACH old")
    _ = try connection.string("PRAGMA journal_mode = WAL")
    return counts
  }

  /// Reads the header of the store, and its tables.
  private func readSource() throws -> (schema: SQLSchema, header: StoreHeader) {
    let reading = try SQLiteConnection.openForReading(sourcePath, busyTimeout: timeout)
    defer { reading.close() }
    let header = try StoreHeader.read(reading).get()
    return (try schema(reading, header), header)
  }

  /// The tables of the new store. A to-many relationship without inverse keeps a table of pairs where its
  /// members may have several owners.
  private func newSchema(from old: SQLSchema) -> SQLSchema {
    let schema = SQLSchema(destination)
    let entities = MigratedEntities(source: old, destination: schema, pairing: pairing)
    let paired = entities.pairedRelationships
    return paired.isEmpty ? schema : SQLSchema(destination, keepingPairsOf: paired)
  }

  private func attach(to connection: SQLiteConnection) throws {
    try SQLiteDialect.install(on: connection)
    try MigrationFunctions.install(on: connection, folder: ExternalDataFolder(besideStoreAt: sourcePath))
    try connection.withStatement("ATTACH ?1 AS \(MigrationText.oldSchema)") { statement in
      try statement.bind(AbsolutePath.of(sourcePath), at: 1)
      try statement.run()
    }
  }

  /// The migration of the rows of the store that is attached.
  ///
  /// - Parameter isExact: Whether it is one that converts nothing inexactly, whatever is allowed.
  private func migration(
    _ connection: SQLiteConnection, from old: SQLSchema, into new: SQLSchema, _ header: StoreHeader,
    isExact: Bool = false
  ) -> SQLiteSetBasedMigration {
    SQLiteSetBasedMigration(
      connection, from: old, to: new, pairing: pairing,
      hasPrefixes: header.metadata.hasExternalPrefixes, allowsInexact: allowsInexact && !isExact)
  }

  /// The tables of the old store; those of one of Core Data have to be there first.
  ///
  /// - Throws: `not-supported` for composite attributes in a store of Core Data, whose columns are not known.
  private func schema(_ reading: SQLiteConnection, _ header: StoreHeader) throws -> SQLSchema {
    guard !header.metadata.isOurs else {
      return try SQLSchema(source, entityNumbers: header.entityNumbers, existingTables: header.existingTables)
    }
    let composite = source.entities.lazy.flatMap(\.attributes).first(where: \.hasForeignForm)
    if let composite {
      throw GraphStoreError(
        .notSupported,
        "\(storePath) was made by Core Data, whose columns of composite attributes are not known: \(composite) would be "
          + "lost.", remedy: "Migrate it with the program that it belongs to.", entity: composite.entity.name,
        property: composite.name)
    }
    return try CoreDataSchemaMatcher.schema(reading, contents: header, stored: source, path: sourcePath)
  }

  private func findings(
    _ migration: SQLiteSetBasedMigration, of isMeant: (MigrationDataCheck.Rule) -> Bool = { _ in true }
  ) throws -> [MigrationFinding] {
    try migration.checks().filter { isMeant($0.rule) }.compactMap {
      try $0.run(migration.connection, from: migration.entities.source, identifier: metadata.identifier)
    }
  }

  /// Tells what an exact migration would refuse, which this one converts all the same (MIG-123).
  private func tellInexact(
    _ connection: SQLiteConnection, from old: SQLSchema, into new: SQLSchema, _ header: StoreHeader
  ) throws {
    let exact = migration(connection, from: old, into: new, header, isExact: true)
    let found = try findings(exact, of: \.isOfInexactConversion)
    if !found.isEmpty { onInexact?(found) }
  }

  // MARK: Derived values

  /// The number of records whose values are derived at a time.
  private static let batch = 5_000

  /// Computes the values of derived attributes, batch by batch (MIG-095).
  private func deriveValues(
    _ connection: SQLiteConnection, _ schema: SQLSchema, path: String, header: StoreHeader
  ) throws {
    let layout = ModelLayout(destination)
    let data = ExternalDataTable(folder: ExternalDataFolder(besideStoreAt: sourcePath))
    for derived in layout.derivedAttributes {
      guard case .attribute(let column) = schema.entity(derived.entity).storage(of: derived.attribute) else {
        continue
      }
      guard let computed = SQLDerivedColumn(derived, in: schema, SQLiteDialect()) else {
        try stamp(column, connection)
        continue
      }
      let values = SQLiteDerivedValues(
        column: computed, connection: connection, layout: layout.entities[derived.entity.index],
        schema: schema, externalData: data)
      try forEachBatch(of: column.table, connection) { try values.write(try values.changes(keys: $0)) }
    }
  }

  /// The time of a save that objects without one were last saved at: this one.
  private func stamp(_ column: SQLColumn, _ connection: SQLiteConnection) throws {
    let numbers = MigrationText.list(column.entity.familyNumbers)
    try connection.execute(
      "UPDATE main.\(column.table.quotedName) SET \(column.quotedName) = \(Date().timeIntervalSinceReferenceDate) "
        + "WHERE \(column.quotedName) IS NULL AND Z_ENT IN \(numbers)")
  }

  private func forEachBatch(
    of table: SQLTable, _ connection: SQLiteConnection, _ body: ([Int64]) throws -> Void
  ) throws {
    var last = Int64.min
    while true {
      let keys = try connection.withStatement(
        "SELECT Z_PK FROM main.\(table.quotedName) WHERE Z_PK > ?1 ORDER BY Z_PK LIMIT \(Self.batch)"
      ) { row in
        try row.bind(last, at: 1)
        var keys: [Int64] = []
        while try row.step() { keys.append(row.int64(at: 0)) }
        return keys
      }
      guard let greatest = keys.last else { return }
      try body(keys)
      last = greatest
    }
  }

  // MARK: External data

  /// Links the files that the new store names under a second name in its own folder.
  private func linkExternalData(_ connection: SQLiteConnection, _ schema: SQLSchema, path: String) throws {
    let folder = ExternalDataFolder(besideStoreAt: sourcePath)
    let other = ExternalDataFolder(besideStoreAt: path)
    for table in schema.tables {
      for column in table.columns where column.isExternal {
        let sql =
          "SELECT \(column.quotedName) FROM main.\(table.quotedName) WHERE substr(\(column.quotedName), 1, 1) = x'02'"
        try connection.withStatement(sql) { row in
          var names: [ExternalDataName] = []
          while try row.step() {
            if case .file(let name)? = unsafe ExternalColumn(row.blob(at: 0).bindMemory(to: UInt8.self)) {
              names.append(name)
            }
            if names.count == Self.batch {
              try folder.link(names, into: other)
              names = []
            }
          }
          try folder.link(names, into: other)
        }
      }
    }
  }
}
