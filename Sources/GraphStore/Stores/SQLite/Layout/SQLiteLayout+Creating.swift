import Foundation
import GraphStoreFiles
import GraphStoreModel
import GraphStoreSQLite

extension SQLiteLayout {
  /// The statement that makes the table of entities and their key counters.
  static let primaryKeyStatement =
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
  /// The statement that makes the table of metadata.
  static let metadataStatement =
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
  /// The statement that makes the table of the compiled model, which stores of Core Data have.
  static let modelCacheStatement = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

  /// Makes a store at a path that is free or an empty file, and hands over the connection to it.
  ///
  /// At a free path the store appears when it is whole, whatever happens meanwhile. At an empty file, at a
  /// link, or on a file system that cannot do that, it is made in place, in one transaction. No file that
  /// another process made meanwhile is written to or removed.
  ///
  /// - Throws: `store-exists`, `store-permission`, `store-timeout`, `disk-full`; `not-supported` and
  ///   `model-too-wide` for a model that no table can hold.
  static func create(
    at path: String, schema: SQLSchema, metadata: StoreMetadata, _ history: SQLiteHistoryTables? = nil,
    form: SQLiteFileForm = .usual, busyTimeout: Duration = StoreOptions.defaultTimeout,
    _ log: SQLiteStoreLog? = nil
  ) throws -> SQLiteConnection {
    do {
      // Errors of the model are found before a file is made.
      let image = try image(schema: schema, metadata: metadata, history, form, log)
      if try isFree(path), try place(image, at: path, form, log) {
        let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
        connection.log = log
        try SQLiteDialect.install(on: connection)
        return connection
      }
      return try createInPlace(
        path, schema: schema, metadata: metadata, history, form, busyTimeout: busyTimeout, log)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    } catch let failure as NewFile.Failure {
      throw error(failure, path)
    }
  }

  /// Makes a store that is a private database in memory, and ends with the connection to it.
  static func createInMemory(
    schema: SQLSchema, metadata: StoreMetadata, _ history: SQLiteHistoryTables?, form: SQLiteFileForm,
    busyTimeout: Duration, _ log: SQLiteStoreLog?
  ) throws -> SQLiteConnection {
    do {
      let connection = try filledInMemory(schema: schema, metadata: metadata, history, form, log)
      connection.busyTimeout = busyTimeout
      try SQLiteDialect.install(on: connection)
      return connection
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: SQLiteStore.privateLocation)
    }
  }

  /// A new store as the bytes of a file.
  private static func image(
    schema: SQLSchema, metadata: StoreMetadata, _ history: SQLiteHistoryTables?, _ form: SQLiteFileForm,
    _ log: SQLiteStoreLog?
  ) throws -> [UInt8] {
    let connection = try filledInMemory(schema: schema, metadata: metadata, history, form, log)
    defer { connection.close() }
    return try connection.image()
  }

  private static func filledInMemory(
    schema: SQLSchema, metadata: StoreMetadata, _ history: SQLiteHistoryTables?, _ form: SQLiteFileForm,
    _ log: SQLiteStoreLog?
  ) throws -> SQLiteConnection {
    let connection = try SQLiteConnection.inMemory()
    connection.log = log
    do {
      try checkWidth(schema, connection)
      try fill(connection, schema: schema, metadata: metadata, history, form: form)
      return connection
    } catch {
      connection.close()
      throw error
    }
  }

  /// - Throws: `model-too-wide`.
  static func checkWidth(_ schema: SQLSchema, _ connection: SQLiteConnection) throws {
    let limit = connection.columnLimit
    for table in schema.tables {
      let count = table.columns.count + SQLTable.leadingColumns.count
      guard count > limit else { continue }
      let name = table.root.entity.name
      throw GraphStoreError(
        .modelTooWide,
        "\(name) and the entities below it need \(count) columns, and a table has at most \(limit).",
        remedy: "Move some of their properties to entities of their own, with relationships to them.",
        entity: name)
    }
  }

  /// Whether nothing has the path's name, not even a link.
  ///
  /// - Throws: `store-exists` for what is there and is no empty file.
  private static func isFree(_ path: String) throws -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) != 0, errno == ENOENT { return true }
    guard unsafe stat(path, &status) == 0 else { return false }
    let isEmpty = status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    // A change that was interrupted may be the making of a store.
    guard isEmpty || StoreRecovery.isNeeded(path) else { throw exists(path) }
    return false
  }

  /// Writes the image to a file that appears at the path.
  ///
  /// - Returns: Whether the file system can do that.
  private static func place(
    _ image: [UInt8], at path: String, _ form: SQLiteFileForm, _ log: SQLiteStoreLog?
  ) throws -> Bool {
    let file = try NewFile(for: path)
    try file.write(image)
    let connection = try SQLiteConnection(path: file.temporaryPath, mode: .readWrite)
    connection.log = log
    do {
      // A file system that refuses it leaves a rollback journal.
      if form.usesLog { _ = try connection.string("PRAGMA journal_mode = WAL") }
      connection.close()
    } catch {
      connection.close()
      throw error
    }
    do {
      try file.place()
      return true
    } catch .cannotBePlaced {
      return false
    }
  }

  private static func createInPlace(
    _ path: String, schema: SQLSchema, metadata: StoreMetadata, _ history: SQLiteHistoryTables?,
    _ form: SQLiteFileForm, busyTimeout: Duration, _ log: SQLiteStoreLog?
  ) throws -> SQLiteConnection {
    try StoreRecovery.checkJournal(path)
    let connection = try SQLiteConnection(path: path, mode: .create, busyTimeout: busyTimeout)
    connection.log = log
    do {
      try fill(connection, schema: schema, metadata: metadata, history, form: form, path: path)
      if form.usesLog { _ = try connection.string("PRAGMA journal_mode = WAL") }
      return connection
    } catch {
      connection.close()
      throw error
    }
  }

  /// Makes the tables, indexes and system rows of a new store in an empty database, in one transaction.
  ///
  /// - Parameters:
  ///   - history: The tables of a history, if it has one.
  ///   - form: The form of the file.
  ///   - hasIndexes: Whether the indexes are made too; it is faster to make them once the tables are filled.
  /// - Throws: `store-exists` for a database that is not empty; `not-supported`; ``SQLiteError``.
  static func fill(
    _ connection: SQLiteConnection, schema: SQLSchema, metadata: StoreMetadata,
    _ history: SQLiteHistoryTables? = nil, form: SQLiteFileForm = .usual, path: String = "the database",
    hasIndexes: Bool = true
  ) throws {
    let statements = try statements(schema, metadata, hasIndexes: hasIndexes)
    try SQLiteDialect.install(on: connection)
    try connection.execute("PRAGMA page_size = \(form.pageSize); PRAGMA encoding = 'UTF-8'")
    try connection.transaction(.deferred) {
      // This takes the lock for writing, and writes the first page: outside of the transaction a crash would
      // leave a file without tables.
      try connection.execute("PRAGMA auto_vacuum = \(form.autoVacuum)")
      guard try connection.int64("SELECT count(*) FROM sqlite_schema") == 0 else { throw exists(path) }
      for statement in statements { try connection.execute(statement) }
      try history?.create(connection, keeping: TombstoneLayout(schema))
      try insertEntities(connection, schema)
      try writeMetadata(connection, metadata)
      if !metadata.isOurs { try writeModelCache(connection, schema.stored) }
    }
  }

  /// The statements that make all tables and indexes; those of a store in Core Data's form in its order.
  private static func statements(
    _ schema: SQLSchema, _ metadata: StoreMetadata, hasIndexes: Bool
  ) throws -> [String] {
    let tables = schema.createTableStatements()
    let indexes = hasIndexes ? try schema.createStatements().dropFirst(tables.count) : []
    let system = [primaryKeyStatement, metadataStatement]
    if metadata.isOurs { return system + tables + indexes }
    let hasModel = schema.stored.model.coreDataVersion?.compiledModel != nil
    return tables + system + (hasModel ? [modelCacheStatement] : []) + indexes
  }

  /// Writes the compiled model, as Core Data does.
  private static func writeModelCache(_ connection: SQLiteConnection, _ stored: StoredEntities) throws {
    guard let bytes = stored.model.coreDataVersion?.modelCache else { return }
    try connection.withStatement("INSERT INTO Z_MODELCACHE VALUES (?1)") { statement in
      try unsafe bytes.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 1) }
      try statement.run()
    }
  }

  private static func insertEntities(_ connection: SQLiteConnection, _ schema: SQLSchema) throws {
    let insert = try connection.prepare("INSERT INTO Z_PRIMARYKEY VALUES (?1, ?2, ?3, 0)")
    for entity in schema.numberedEntities {
      try insert.bind(Int64(entity.number), at: 1)
      try insert.bind(entity.entity.name, at: 2)
      try insert.bind(Int64(schema.parentNumber(of: entity)), at: 3)
      try insert.run()
    }
  }

  private static func exists(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeExists, "There is something at \(path) already.",
      remedy: "Choose another path, or remove it first.")
  }

  static func error(_ failure: NewFile.Failure, _ path: String) -> GraphStoreError {
    switch failure {
    case .isTaken: exists(path)
    case .system(EACCES), .system(EPERM), .system(EROFS):
      GraphStoreError(
        .storePermission, "The right to make a file in the folder of \(path) is missing.",
        remedy: "See to the permissions of the folder, or choose another one.")
    case .system(ENOSPC), .system(EDQUOT):
      GraphStoreError(
        .diskFull, "There is no room left to make \(path).", remedy: "Make room on the disk and try again.")
    case .system(let number) where DescriptorRoom.isExhausted(number): .tooManyFiles(path)
    case .system(let number):
      GraphStoreError(
        .storeOpen, unsafe "\(path) cannot be made: \(String(cString: strerror(number))).",
        remedy: "See to the path and its folder.")
    case .cannotBePlaced:
      GraphStoreError(.storeOpen, "\(path) cannot be made.", remedy: "Choose another file system.")
    }
  }
}
