#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLStore {
  /// Metadata of a store, and the numbers of its entities.
  struct Contents {
    let metadata: StoreMetadata
    let entityNumbers: [String: Int]
    /// Whether the server takes no writes.
    let isStandby: Bool
    let keepsHistory: Bool
  }

  static func connect(
    _ address: PostgreSQLAddress, _ timeout: Duration, _ stop: StopFlag = StopFlag()
  ) throws -> PostgreSQLConnection {
    try reportingPostgreSQL(address.text) { try PostgreSQLConnection(address, timeout: timeout, stop: stop) }
  }

  /// What a store says of itself; one round trip.
  ///
  /// - Throws: `store-not-found` where there is none, `store-corrupt`.
  static func contents(
    _ connection: PostgreSQLConnection, _ address: PostgreSQLAddress
  ) throws -> Contents {
    let dialect = PostgreSQLDialect(schema: address.schema)
    let counter = PostgreSQLSchema.naming.keyCounter
    do {
      let results = try connection.run([
        .init(PostgreSQLTables.reading(dialect)),
        .init(
          "SELECT name, \(dialect.name(counter.entity)) FROM \(dialect.tableName(counter.table))"),
        .init("SELECT pg_is_in_recovery()"), .init(PostgreSQLHistoryTables(dialect).isKept),
      ])
      var numbers: [String: Int] = [:]
      while try results[1].step() { numbers[results[1].string(at: 0)] = Int(results[1].int64(at: 1)) }
      _ = try results[2].step()
      let keepsHistory = try results[3].step() && results[3].int64(at: 0) != 0
      return Contents(
        metadata: try PostgreSQLTables.metadata(results[0]), entityNumbers: numbers,
        isStandby: results[2].int64(at: 0) != 0, keepsHistory: keepsHistory)
    } catch let failure as PostgreSQLError where failure.category == .undefined {
      throw GraphStoreError(
        .storeNotFound, "There is no store in the schema \(address.schema) of \(address.text).",
        remedy: "Create one there, or name another schema: ?schema=name.", underlying: failure)
    }
  }

  /// Opens the store at an address, which is left as it is.
  ///
  /// - Throws: `store-option`, `unknown-configuration`, `store-open`, `store-permission`, `store-not-found`,
  ///   `store-corrupt`, `no-model`, `incompatible-model`.
  static func open(
    _ address: PostgreSQLAddress, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse
  ) throws -> PostgreSQLStore {
    try checkOptions(options, address)
    if let model = wanted.givenModel, wanted.isGiven {
      _ = try StoredEntities(model, configuration: options.configuration)
    }
    let stop = StopFlag()
    let connection = try connect(address, options.timeout, stop)
    do {
      let contents = try reportingPostgreSQL(address.text) { try Self.contents(connection, address) }
      if options.historyTracking == false, contents.keepsHistory {
        throw GraphStoreError.tracksHistory(address.text)
      }
      let stored = try wanted.entities(options, contents.metadata, path: address.text)
      if case .carried = wanted {
      } else if !options.ignoresVersioning {
        try checkForm(contents.metadata, given: stored, address)
      }
      let schema = try PostgreSQLSchema(
        stored, named: address.schema, entityNumbers: contents.entityNumbers)
      let store = PostgreSQLStore(
        address, connection, identifier: contents.metadata.identifier, schema: schema,
        layout: use.layout ?? ModelLayout(stored), options,
        isReadOnly: options.isReadOnly || contents.isStandby, keepsHistory: contents.keepsHistory,
        label: use.label, rowCache: nil, stop: stop)
      try store.prepareHistory(isKept: contents.keepsHistory)
      return store
    } catch {
      connection.close()
      throw error
    }
  }

  /// Makes a store in a schema that has none; the schema is made where it is missing.
  ///
  /// - Throws: `store-exists`; `not-supported` for a model that the server cannot hold. Nothing has changed
  ///   then.
  static func create(
    _ address: PostgreSQLAddress, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> PostgreSQLStore {
    try checkOptions(options, address)
    let stored = try StoredEntities(model, configuration: options.configuration)
    guard form.paired.isEmpty else {
      throw notSupported("To-many relationships without an inverse whose members have several owners")
    }
    let schema = PostgreSQLSchema(stored, named: address.schema)
    let keepsHistory = options.historyTracking == true
    let making =
      try schema.statements() + PostgreSQLHistoryTables(schema.dialect).creating(isKept: keepsHistory)
    let metadata = StoreMetadata(identifier: form.identifier, type: .postgreSQL, stored)
    let stop = StopFlag()
    let connection = try connect(address, options.timeout, stop)
    do {
      try reportingPostgreSQL(address.text) {
        try make(making, metadata, schema.dialect, connection, address)
      }
    } catch {
      connection.close()
      throw error
    }
    var options = options
    options.isReadOnly = false
    return PostgreSQLStore(
      address, connection, identifier: metadata.identifier, schema: schema,
      layout: form.layout ?? ModelLayout(stored), options, isReadOnly: false, keepsHistory: keepsHistory,
      label: nil, rowCache: form.rowCache, stop: stop)
  }

  /// Makes all in one transaction, while no other process makes a store in the schema.
  private static func make(
    _ statements: [String], _ metadata: StoreMetadata, _ dialect: PostgreSQLDialect,
    _ connection: PostgreSQLConnection, _ address: PostgreSQLAddress
  ) throws {
    let table = PostgreSQLName.literal(dialect.tableName(PostgreSQLTables.metadataTable))
    let schema = dialect.name(address.schema)
    let name = PostgreSQLName.literal(address.schema)
    let found = try connection.run([
      .once("BEGIN"), .once("SELECT pg_advisory_xact_lock(hashtext(\(name)))"),
      .once(
        "SELECT to_regclass(\(table)) IS NOT NULL, to_regnamespace(\(PostgreSQLName.literal(schema))) IS NULL"
      ),
    ])[2]
    do {
      if try found.step(), found.int64(at: 0) != 0 {
        throw GraphStoreError(
          .storeExists, "There is a store in the schema \(address.schema) of \(address.text).",
          remedy: "Open it, or name another schema: ?schema=name.")
      }
      let isNew = found.int64(at: 1) != 0
      try connection.run(
        (isNew ? [.once("CREATE SCHEMA \(schema)")] : [])
          + (statements + PostgreSQLTables.creating(dialect)).map { .once($0) }
          + [PostgreSQLTables.inserting(metadata, dialect), .once("COMMIT")])
    } catch {
      if connection.isOpen { _ = try? connection.run([.once("ROLLBACK")]) }
      throw error
    }
  }

  /// - Throws: `incompatible-model`.
  private static func checkForm(
    _ metadata: StoreMetadata, given: StoredEntities, _ address: PostgreSQLAddress
  ) throws {
    guard metadata.versionHashes != given.versionHashes else { return }
    throw GraphStoreError.incompatibility(metadata, given: given, path: address.text)
  }

  /// What a store on a server does not do yet is refused when it is asked for.
  ///
  /// - Throws: `store-option`.
  private static func checkOptions(_ options: StoreOptions, _ address: PostgreSQLAddress) throws {
    try options.checkVersioning()
    let refused: [(isAsked: Bool, name: String)] = [
      (options.migratesAutomatically, "migratesAutomatically"),
      (!options.sqlitePragmas.isEmpty, "sqlitePragmas"),
    ]
    guard let option = refused.first(where: \.isAsked) else { return }
    throw GraphStoreError(
      .storeOption, "\(address.text): stores on a PostgreSQL server do not take the option \(option.name).",
      remedy: "Leave it out.")
  }

  static func notSupported(_ work: String) -> GraphStoreError {
    .unsupportedRequest(
      work, of: StoreType.postgreSQL.rawValue,
      instead: "Export the objects of one store, and import them into the other one.")
  }
}
#endif
