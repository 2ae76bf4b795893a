import Foundation
import GraphStoreSQLite

/// Copy of a SQLite store that others go on using: page for page, what is in its log included, with its
/// external data (STO-157).
///
/// The store is only read, and nobody who writes to it waits where it has a log.
struct OnlineCopy {
  /// The copy, whole, durable and checked.
  let store: TemporaryStore
  /// The number of records of the copy.
  let objectCount: Int

  /// How often a copy is begun anew because files of external data went while it was made.
  private static let attemptLimit = 5

  /// Makes a copy of what a store holds at one moment.
  ///
  /// - Parameters:
  ///   - target: The path beside which the copy is made.
  ///   - isOneFile: Whether values with external storage are written into the file.
  /// - Throws: What is wrong with the path, from `store-not-found` to `store-corrupt`; `store-timeout`,
  ///   `disk-full`, `store-permission`; `migration-failed` where the copy is not what the store is;
  ///   `external-data-missing` for one file.
  init(of path: String, beside target: String, isOneFile: Bool, timeout: Duration) throws {
    let path = ResolvedPath.of(path)
    let metadata = try SQLiteMetadataFile.read(path, timeout: timeout)
    TemporaryStore.removeLeftovers(beside: target)
    let store = try TemporaryStore(beside: target)
    do {
      let source = try SQLiteConnection.openForReading(path, busyTimeout: timeout)
      defer { source.close() }
      let counts = try Self.fill(store, from: source, path)
      if isOneFile { try Self.writeExternalData(into: store) }
      store.adoptAttributes(of: path)
      try store.finish()
      try Self.check(store, metadata, counts)
      objectCount = counts.values.reduce(0, +)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
    self.store = store
  }

  // MARK: Filling

  /// Fills a store with what another holds, and with the files that its rows name.
  ///
  /// Files are linked before and after the pages are read: one that a row of the copy names was there then,
  /// unless somebody wrote and replaced it in between. The copy is begun anew then.
  ///
  /// - Returns: The number of rows by table.
  private static func fill(
    _ store: TemporaryStore, from source: SQLiteConnection, _ path: String
  ) throws -> [String: Int] {
    let folder = ExternalDataFolder(besideStoreAt: path)
    let copied = ExternalDataFolder(besideStoreAt: store.path)
    var missing: Set<ExternalDataName>?
    for _ in 0..<attemptLimit {
      try folder.link(into: copied)
      let (counts, named) = try copyPages(source, to: store)
      try folder.link(into: copied)
      let present = Set(copied.files().map(\.name))
      copied.remove(present.subtracting(named))
      copied.removeIfEmpty()
      let missed = named.subtracting(present)
      // What is missing again is missing in the store.
      if missed.isEmpty || missed == missing { return counts }
      missing = missed
    }
    throw GraphStoreError(
      .storeTimeout, "Files of external data of \(path) went again and again while they were copied.",
      remedy: "Try again when less is written.")
  }

  /// Copies one state of the database.
  private static func copyPages(
    _ source: SQLiteConnection, to store: TemporaryStore
  ) throws -> (counts: [String: Int], named: Set<ExternalDataName>) {
    try source.begin(.deferred)
    defer { try? source.rollback() }
    // The first statement decides which state is read.
    let counts = try rowCounts(source)
    let destination = try SQLiteConnection(path: store.path, mode: .readWrite)
    defer { destination.close() }
    try source.copy(into: destination)
    return (counts, try externalNames(source))
  }

  // MARK: Reading without a model

  /// The tables of records: the library's and Core Data's own begin with another word.
  private static func tables(_ connection: SQLiteConnection) throws -> [String] {
    try SQLiteLayout.readTableNames(connection).filter { $0.hasPrefix("Z") && !$0.hasPrefix("Z_") }.sorted()
  }

  private static func rowCounts(_ connection: SQLiteConnection) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in try tables(connection) {
      counts[table] = Int(try connection.int64("SELECT count(*) FROM \(SQLName.quoted(table))") ?? 0)
    }
    return counts
  }

  /// The files that values name, whatever the model is: no other value has their form.
  private static func externalNames(_ connection: SQLiteConnection) throws -> Set<ExternalDataName> {
    var names: Set<ExternalDataName> = []
    try forEachName(connection) { _, _, _, name in names.insert(name) }
    return names
  }

  /// Hands over each value that names a file: its table, column and key, and the name.
  private static func forEachName(
    _ connection: SQLiteConnection,
    _ body: (_ table: String, _ column: String, Int64, ExternalDataName) throws -> Void
  ) throws {
    for table in try tables(connection) {
      for column in try dataColumns(of: table, connection) {
        let (table, column) = (SQLName.quoted(table), SQLName.quoted(column))
        let sql = """
          SELECT Z_PK, \(column) FROM \(table)
            WHERE typeof(\(column)) = 'blob' AND length(\(column)) = \(ExternalDataName.length + 2)
          """
        try connection.withStatement(sql) { row in
          while try row.step() {
            let bytes = unsafe row.blob(at: 1).bindMemory(to: UInt8.self)
            guard case .file(let name)? = unsafe ExternalColumn(bytes) else { continue }
            try body(table, column, row.int64(at: 0), name)
          }
        }
      }
    }
  }

  private static func dataColumns(of table: String, _ connection: SQLiteConnection) throws -> [String] {
    try connection.withStatement("SELECT name FROM pragma_table_info(?1) WHERE type = 'BLOB'") { row in
      try row.bind(table, at: 1)
      var names: [String] = []
      while try row.step() { if let name = row.string(at: 0) { names.append(name) } }
      return names
    }
  }

  // MARK: One file

  /// Writes values that are in files of their own into the rows of a copy, one at a time (STO-186).
  private static func writeExternalData(into store: TemporaryStore) throws {
    let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
    defer { connection.close() }
    let folder = ExternalDataFolder(besideStoreAt: store.path)
    var places: [(table: String, column: String, key: Int64, name: ExternalDataName)] = []
    try forEachName(connection) { places.append(($0, $1, $2, $3)) }
    try connection.transaction(.immediate) {
      for place in places {
        let source = ExternalDataSource.folder(folder)
        guard let data = source.data(place.name) else {
          throw GraphStoreError.missingExternalData(at: folder.path(of: place.name))
        }
        let sql = "UPDATE \(place.table) SET \(place.column) = ?1 WHERE Z_PK = ?2"
        try connection.withStatement(sql) { statement in
          try unsafe ExternalColumn.bytes(inline: data).withUnsafeBytes { bytes in
            try unsafe statement.bind(blobCopying: bytes, at: 1)
          }
          try statement.bind(place.key, at: 2)
          try statement.run()
        }
      }
    }
    folder.remove(folder.files().map(\.name))
    folder.removeIfEmpty()
  }

  // MARK: Checking

  /// Reads the finished file as whoever opens it does.
  private static func check(
    _ store: TemporaryStore, _ metadata: StoreMetadata, _ counts: [String: Int]
  ) throws {
    let connection = try SQLiteConnection(path: store.path, mode: .immutable)
    defer { connection.close() }
    let copied = try StoreHeader.read(connection).get().metadata
    guard copied.identifier == metadata.identifier else {
      throw GraphStoreError.wrongCopy("it has the UUID \(copied.identifier), not \(metadata.identifier)")
    }
    let copiedCounts = try rowCounts(connection)
    guard copiedCounts == counts else {
      let (before, after) = (counts.values.reduce(0, +), copiedCounts.values.reduce(0, +))
      throw GraphStoreError.wrongCopy("\(before) objects became \(after)")
    }
  }
}
