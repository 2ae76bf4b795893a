#if PostgreSQL
import GraphStore
import GraphStoreModel

extension PostgreSQLStore {
  /// Makes a store in a schema that has none; the schema is made where it is missing.
  ///
  /// - Throws: `store-exists`; `not-supported` for a model that the server cannot hold. Nothing has changed
  ///   then.
  static func create(
    _ address: PostgreSQLAddress, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> PostgreSQLStore {
    let new = try NewStore(address, options, model, form)
    let connection = try connect(address, options.timeout, new.stop)
    do {
      return try reportingPostgreSQL(address.text) {
        _ = try begin(new, .refused, connection)
        try connection.run((new.schema.otherStatements() + ["COMMIT"]).map { .once($0) })
        return try new.store(connection)
      }
    } catch {
      connection.close()
      throw error
    }
  }

  /// Makes a store of what a block writes, in one transaction: at each moment there is the store that was
  /// there, or the new one.
  ///
  /// - Returns: The address of the store that was there, where it is kept.
  /// - Throws: `store-exists`, `not-supported`; `store-timeout` where others use the store that is to be
  ///   replaced; `store-corrupt` for links that lead nowhere, `constraint-conflict`. Nothing has changed
  ///   then.
  static func create(
    _ address: PostgreSQLAddress, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm,
    _ present: PresentStore, filling fill: (any WriteSession) throws -> Void
  ) throws -> String? {
    let new = try NewStore(address, options, model, form)
    let connection = try connect(address, options.timeout, new.stop)
    var kept: String?
    let store: PostgreSQLStore
    do {
      store = try reportingPostgreSQL(address.text) {
        kept = try begin(new, present, connection)
        return try new.store(connection)
      }
    } catch {
      connection.close()
      throw error
    }
    defer { store.close() }
    let session = try PostgreSQLWriteSession(making: store)
    do {
      try fill(session)
      try session.finishMaking(new.schema)
      try session.commit()
      return kept
    } catch {
      try? session.rollback()
      throw error
    }
  }

  /// What is known of a store before it is made.
  struct NewStore {
    let address: PostgreSQLAddress
    let options: StoreOptions
    let form: NewStoreForm
    let stored: StoredEntities
    let schema: PostgreSQLSchema
    let stop = StopFlag()
    var keepsHistory: Bool { options.historyTracking == true }

    init(
      _ address: PostgreSQLAddress, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
    ) throws {
      try PostgreSQLStore.checkOptions(options, address)
      guard form.paired.isEmpty else {
        throw PostgreSQLStore.notSupported(
          "To-many relationships without an inverse whose members have several owners")
      }
      (self.address, self.form) = (address, form)
      self.options = options
      stored = try StoredEntities(model, configuration: options.configuration)
      schema = PostgreSQLSchema(stored, named: address.schema)
    }

    /// The store behind the connection that has made it.
    func store(_ connection: PostgreSQLConnection) throws -> PostgreSQLStore {
      let number = try connection.run("SELECT \(PostgreSQLTables.metadataNumber(schema.dialect))")
      _ = try number.step()
      var options = options
      options.isReadOnly = false
      return PostgreSQLStore(
        address, connection, identifier: form.identifier, schema: schema,
        layout: form.layout ?? ModelLayout(stored), options, isReadOnly: false, keepsHistory: keepsHistory,
        label: nil, rowCache: form.rowCache, tableNumber: number.int64(at: 0), stop: stop)
    }
  }

  /// Begins the transaction, in which no other process makes a store in the schema, and makes the tables.
  ///
  /// - Returns: The address of the store that was there, where it is kept.
  private static func begin(
    _ new: NewStore, _ present: PresentStore, _ connection: PostgreSQLConnection
  ) throws -> String? {
    let (address, dialect) = (new.address, new.schema.dialect)
    let schema = dialect.name(address.schema)
    let name = PostgreSQLName.literal(address.schema)
    let found = try connection.run([
      .once("BEGIN"), .once("SELECT pg_advisory_xact_lock(hashtext(\(name)))"),
      .once(
        "SELECT \(PostgreSQLTables.metadataNumber(dialect)) IS NOT NULL, "
          + "to_regnamespace(\(PostgreSQLName.literal(schema))) IS NULL"),
    ])[2]
    _ = try found.step()
    var kept: String?
    if found.int64(at: 0) != 0 { kept = try takeAway(present, address, connection) }
    try makeTables(new, inNewSchema: found.int64(at: 1) != 0, connection)
    return kept
  }

  /// Makes the tables of a store, and enters its metadata, within a transaction.
  static func makeTables(
    _ new: NewStore, inNewSchema isNew: Bool, _ connection: PostgreSQLConnection
  ) throws {
    let dialect = new.schema.dialect
    let metadata = StoreMetadata(identifier: new.form.identifier, type: .postgreSQL, new.stored)
    let statements =
      (isNew ? ["CREATE SCHEMA \(dialect.name(new.address.schema))"] : []) + new.schema.tableStatements
      + PostgreSQLTables.creating(dialect)
      + PostgreSQLHistoryTables(dialect).creating(isKept: new.keepsHistory)
    try connection.run(
      statements.map { .once($0) } + [PostgreSQLTables.inserting(metadata, dialect)])
  }

  /// Removes the store that is there, or moves it into a schema of its own.
  ///
  /// - Returns: Its address there.
  /// - Throws: `store-exists` where it is to stay.
  private static func takeAway(
    _ present: PresentStore, _ address: PostgreSQLAddress, _ connection: PostgreSQLConnection
  ) throws -> String? {
    guard present != .refused else {
      throw GraphStoreError(
        .storeExists, "There is a store in the schema \(address.schema) of \(address.text).",
        remedy: "Open it, or name another schema: ?schema=name.")
    }
    let former = try schema(of: contents(connection, address), address)
    guard present == .keptAsBackup else {
      try connection.run(former.removals.map { .once($0) })
      return nil
    }
    let name = try freeName(for: address.schema, connection)
    try connection.run(former.moves(to: PostgreSQLDialect(schema: name)).map { .once($0) })
    return address.text(ofSchema: name)
  }

  /// The name of a schema that is not there: `staff_backup`, then `staff_backup_2` and so on.
  static func freeName(
    for schema: String, ending use: String = "_backup", _ connection: PostgreSQLConnection
  ) throws -> String {
    var number = 1
    while true {
      let ending = number == 1 ? use : "\(use)_\(number)"
      var name = schema
      while name.utf8.count + ending.utf8.count > PostgreSQLName.limit { name.removeLast() }
      name += ending
      let quoted = PostgreSQLName.literal(PostgreSQLName.quoted(name))
      let found = try connection.run([.once("SELECT to_regnamespace(\(quoted)) IS NULL")])[0]
      if try found.step(), found.int64(at: 0) != 0 { return name }
      number += 1
    }
  }
}
#endif
