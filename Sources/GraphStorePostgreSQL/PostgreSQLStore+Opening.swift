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
    /// The server's number of the table with the metadata, which another store in its place does not have.
    let tableNumber: Int64
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
        .init("SELECT pg_is_in_recovery(), \(PostgreSQLTables.metadataNumber(dialect))"),
        .init(PostgreSQLHistoryTables(dialect).isKept),
      ])
      var numbers: [String: Int] = [:]
      while try results[1].step() { numbers[results[1].string(at: 0)] = Int(results[1].int64(at: 1)) }
      _ = try results[2].step()
      let keepsHistory = try results[3].step() && results[3].int64(at: 0) != 0
      let metadata = try PostgreSQLTables.metadata(results[0])
      try checkFormat(metadata, address)
      return Contents(
        metadata: metadata, entityNumbers: numbers, isStandby: results[2].int64(at: 0) != 0,
        keepsHistory: keepsHistory, tableNumber: results[2].int64(at: 1))
    } catch let failure as PostgreSQLError where failure.category == .undefined {
      throw GraphStoreError(
        .storeNotFound, "There is no store in the schema \(address.schema) of \(address.text).",
        remedy: "Create one there, or name another schema: ?schema=name.", underlying: failure)
    }
  }

  /// - Throws: `store-open` for a store that a later version of the library has written.
  private static func checkFormat(_ metadata: StoreMetadata, _ address: PostgreSQLAddress) throws {
    guard let format = metadata.format, format > StoreMetadata.currentFormat else { return }
    throw GraphStoreError(
      .storeOpen,
      "\(address.text) has format \(format); this version knows formats up to \(StoreMetadata.currentFormat).",
      remedy: "Open it with a newer version of graphstore.", underlying: NewerStoreFormat())
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
        label: use.label, rowCache: nil, tableNumber: contents.tableNumber, stop: stop)
      try store.prepareHistory(isKept: contents.keepsHistory)
      return store
    } catch {
      connection.close()
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

  /// What a store on a server does not have is refused when it is asked for.
  ///
  /// - Throws: `store-option`.
  static func checkOptions(_ options: StoreOptions, _ address: PostgreSQLAddress) throws {
    try options.checkVersioning()
    guard !options.sqlitePragmas.isEmpty else { return }
    throw GraphStoreError(
      .storeOption, "\(address.text): stores on a PostgreSQL server do not take the option sqlitePragmas.",
      remedy: "Leave it out.")
  }

  static func notSupported(_ work: String) -> GraphStoreError {
    .unsupportedRequest(
      work, of: StoreType.postgreSQL.rawValue,
      instead: "Export the objects of one store, and import them into the other one.")
  }
}
#endif
