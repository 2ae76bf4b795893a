#if PostgreSQL
import GraphStore
import GraphStoreModel

extension PostgreSQLStoreDriver: MigratingStoreDriver {
  func beginExchange(_ path: String, isLocking: Bool, timeout: Duration) throws -> any StoreExchange {
    try PostgreSQLStoreExchange(PostgreSQLAddress(path), isLocking: isLocking, timeout: timeout)
  }
}

/// Exchange of a store for another one in the same schema, by one transaction.
///
/// The new store is filled in a schema of its own, which nobody else sees; at the end the tables of the old
/// one move into another schema, and the new ones into theirs. Only that keeps readers waiting. Where tables
/// need but be altered they are, which keeps readers waiting too, for less time than all rows take to be
/// written.
final class PostgreSQLStoreExchange: StoreExchange {
  let metadata: StoreMetadata
  private let address: PostgreSQLAddress
  private let timeout: Duration
  private let connection: PostgreSQLConnection
  /// The old store.
  private let former: PostgreSQLSchema
  private let keepsHistory: Bool
  private var new: (schema: PostgreSQLSchema, session: PostgreSQLWriteSession, store: PostgreSQLStore)?
  /// The entities to which the store was altered; nil for none.
  private var altered: StoredEntities?
  /// The schema in which a copy of the store is kept that was altered.
  private var kept: String?

  init(_ address: PostgreSQLAddress, isLocking: Bool, timeout: Duration) throws {
    (self.address, self.timeout) = (address, timeout)
    connection = try PostgreSQLStore.connect(address, timeout)
    do {
      let contents = try Self.begin(address, connection, isLocking: isLocking)
      guard !contents.isStandby else {
        throw GraphStoreError.standby(address.text, remedy: "Migrate it on the primary.")
      }
      former = try PostgreSQLStore.schema(of: contents, address)
      (metadata, keepsHistory) = (contents.metadata, contents.keepsHistory)
      if isLocking { try lock(former.tableNames, "EXCLUSIVE") }
    } catch {
      connection.close()
      throw error
    }
  }

  /// Begins the transaction, which may take long, and looks at the store once nobody changes it any more.
  private static func begin(
    _ address: PostgreSQLAddress, _ connection: PostgreSQLConnection, isLocking: Bool
  ) throws -> PostgreSQLStore.Contents {
    let dialect = PostgreSQLDialect(schema: address.schema)
    let settings =
      connection.transactionSettings
      + ["SET LOCAL statement_timeout TO 0", "SET LOCAL idle_in_transaction_session_timeout TO 0"]
    let metadata =
      "LOCK TABLE \(dialect.tableName(PostgreSQLTables.metadataTable)) IN EXCLUSIVE MODE"
    let statements =
      ["BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"] + settings
      + ["SELECT pg_advisory_xact_lock(hashtext(\(PostgreSQLName.literal(address.schema))))"]
    return try reportingPostgreSQL(address.text) {
      try connection.run(statements.map { .once($0) })
      let contents = try PostgreSQLStore.contents(connection, address)
      guard isLocking, !contents.isStandby else { return contents }
      let writers = PostgreSQLCommitSignal(contents.metadata.identifier, schema: address.schema)
      try connection.run([.once(writers.holdForChanging), .once(metadata)])
      return try PostgreSQLStore.contents(connection, address)
    }
  }

  /// Locks tables until the end. The metadata come first, as for all who read.
  private func lock(_ tables: [String], _ mode: String) throws {
    let names = [PostgreSQLTables.metadataTable] + tables
    let list = names.map(former.dialect.tableName).joined(separator: ", ")
    try reportingPostgreSQL(address.text) { try run(["LOCK TABLE \(list) IN \(mode) MODE"]) }
  }

  // MARK: Filling

  func checkRights() throws {
    let metadata = PostgreSQLName.literal(former.dialect.tableName(PostgreSQLTables.metadataTable))
    let found = try reportingPostgreSQL(address.text) {
      try connection.run(
        "SELECT has_database_privilege(current_database(), 'CREATE'), "
          + "pg_has_role((SELECT relowner FROM pg_class WHERE oid = \(metadata)::regclass), 'MEMBER')")
    }
    guard try found.step() else { return }
    let missing = [
      found.int64(at: 0) == 0 ? "CREATE on the database" : nil,
      found.int64(at: 1) == 0 ? "membership in the role that owns the store" : nil,
    ].compactMap(\.self)
    guard !missing.isEmpty else { return }
    throw GraphStoreError(
      .storePermission, "\(address.text) cannot be migrated without \(missing.joined(separator: " and ")).",
      remedy: "Migrate it as the role that made it, or have the role be given these rights.")
  }

  func fill(
    _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm, history: HistoryTranslation?,
    _ body: (any WriteSession) throws -> Void
  ) throws {
    assert(new == nil, "one store is exchanged for one")
    var options = options
    options.historyTracking = keepsHistory
    let made = try reportingPostgreSQL(address.text) {
      let name = try PostgreSQLStore.freeName(for: address.schema, ending: "_migration", connection)
      let new = try PostgreSQLStore.NewStore(
        address.inSchema(name), options, model, form)
      try PostgreSQLStore.makeTables(new, inNewSchema: true, connection)
      return (schema: new.schema, store: try new.store(connection))
    }
    let session = try PostgreSQLWriteSession(making: made.store)
    new = (made.schema, session, made.store)
    try body(session)
    try session.finishMaking(made.schema)
    // Deferred checks that are pending would keep the tables from being moved.
    try session.checkCommit()
    try session.noteTransaction()
    guard keepsHistory else { return }
    let translation = PostgreSQLHistoryTranslation(history, from: former, to: made.schema)
    try reportingPostgreSQL(address.text) { _ = try connection.run(translation.statements) }
    guard history == nil, let last = try session.historyBounds()?.newest else { return }
    try session.noteNewBeginning(last)
  }

  // MARK: Altering

  func alter(
    _ steps: [StoreAlteration], history: HistoryTranslation?, keepsFormer: Bool
  ) throws -> [String: Int]? {
    guard let last = steps.last, let alterations = alterations(steps), let new = alterations.last?.new else {
      return nil
    }
    if keepsFormer { try checkRights() }
    do {
      return try reportingPostgreSQL(address.text) {
        try run(["SAVEPOINT altering"])
        try lock(former.tableNames, "ACCESS EXCLUSIVE")
        let privileges = try PostgreSQLPrivileges(of: former.dialect, connection)
        if keepsFormer { kept = try copy() }
        let unchanged = alterations.dropFirst().reduce(alterations[0].unchanged) {
          $0.intersection($1.unchanged)
        }
        let attachments = try PostgreSQLAttachments(from: former, to: new, unchanged: unchanged)
        try run(attachments.drops + alterations.flatMap(\.statements) + attachments.makes)
        try enter(last.destination)
        try run(privileges.statements(forAltered: new, in: new.dialect))
        if keepsHistory {
          try connection.run(PostgreSQLHistoryTranslation(history, from: former, to: new).changes)
        }
        altered = last.destination
        return try counts(new)
      }
    } catch let error as GraphStoreError {
      // What others have made of the tables keeps these from being altered, but not from being moved away.
      guard (error.underlying as? PostgreSQLError)?.isOfDependents == true else { throw error }
      kept = nil
      try reportingPostgreSQL(address.text) { try run(["ROLLBACK TO SAVEPOINT altering"]) }
      return nil
    }
  }

  private func run(_ statements: [String]) throws {
    if !statements.isEmpty { try connection.run(statements.map { .once($0) }) }
  }

  /// The alterations of all steps, each of the tables that the one before leaves.
  private func alterations(_ steps: [StoreAlteration]) -> [PostgreSQLAlteration]? {
    var numbers = former.entityNumbers
    var found: [PostgreSQLAlteration] = []
    for step in steps {
      guard let next = PostgreSQLAlteration(step, in: address.schema, entityNumbers: numbers) else {
        return nil
      }
      found.append(next)
      numbers = next.new.entityNumbers
    }
    return found
  }

  private func copy() throws -> String {
    try PostgreSQLSchemaCopy(of: former.tables, former.dialect, at: address, connection).run(isWhole: true)
  }

  /// Enters what the store is now, in a table of another number, by which those know who have it open.
  private func enter(_ stored: StoredEntities) throws {
    var new = StoreMetadata(identifier: metadata.identifier, type: .postgreSQL, stored)
    for (key, value) in metadata.userValues { new.values[key] = value }
    try run(
      ["DROP TABLE \(former.dialect.tableName(PostgreSQLTables.metadataTable))"]
        + PostgreSQLTables.creating(former.dialect))
    try connection.run([PostgreSQLTables.inserting(new, former.dialect)])
  }

  private func counts(_ new: PostgreSQLSchema) throws -> [String: Int] {
    let number = new.dialect.name(new.tables.systemColumns.entity)
    var counts: [String: Int] = [:]
    for entity in new.tables.numberedEntities where !entity.entity.isAbstract {
      counts[entity.entity.name] = 0
    }
    let statements = new.tables.tables.map { table in
      "SELECT \(number), count(*) FROM \(new.dialect.tableName(table.name)) GROUP BY 1"
    }
    for cursor in try connection.run(statements.map { .once($0) }) {
      while try cursor.step() {
        guard let entity = new.tables.entity(numbered: Int(cursor.int64(at: 0))) else { continue }
        counts[entity.entity.name] = Int(cursor.int64(at: 1))
      }
    }
    return counts
  }

  // MARK: Ending

  func commit(keepsFormer: Bool) throws -> String? {
    if let altered { return try commit(altered) }
    guard let new else {
      throw GraphStoreError(
        .internalInconsistency, "\(address.text) was to be exchanged for nothing.",
        remedy: "Nothing was written; this is a defect of the library, please report it.")
    }
    try lock(former.tableNames, "ACCESS EXCLUSIVE")
    let name = try reportingPostgreSQL(address.text) {
      let privileges = try PostgreSQLPrivileges(of: former.dialect, connection)
      let isRemoved = try !keepsFormer && removeFormer()
      let name = isRemoved ? nil : try PostgreSQLStore.freeName(for: address.schema, connection)
      try run(
        (name.map { former.moves(to: PostgreSQLDialect(schema: $0)) } ?? [])
          + new.schema.moves(to: former.dialect, isNew: false)
          + ["DROP SCHEMA \(new.schema.dialect.name(new.schema.dialect.schema))"]
          + privileges.statements(for: new.schema, in: former.dialect))
      return name
    }
    try new.session.commit()
    end()
    return name.map(address.text(ofSchema:))
  }

  /// Removes the old store, within the transaction; false where objects of others depend on it.
  private func removeFormer() throws -> Bool {
    try run(["SAVEPOINT removing"])
    do {
      try run(former.removals)
      return true
    } catch let failure as PostgreSQLError where failure.isOfDependents {
      try run(["ROLLBACK TO SAVEPOINT removing"])
      return false
    }
  }

  /// Commits the alteration as a store does, which finds out what became of a commit that is not answered.
  private func commit(_ altered: StoredEntities) throws -> String? {
    let store = try reportingPostgreSQL(address.text) {
      var form = NewStoreForm()
      form.identifier = metadata.identifier
      let options = StoreOptions(timeout: timeout, configuration: altered.configuration)
      return try PostgreSQLStore.NewStore(address, options, altered.model, form).store(connection)
    }
    defer {
      store.close()
      end()
    }
    try PostgreSQLWriteSession(making: store).commit()
    return kept.map(address.text(ofSchema:))
  }

  func end() {
    if let new { new.store.close() }
    new = nil
    // A transaction that is open ends with its connection.
    connection.close()
  }
}
#endif
