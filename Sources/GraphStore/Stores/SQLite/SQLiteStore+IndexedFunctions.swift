import GraphStorePredicates
import GraphStoreSQLite

/// The functions of the library in the indexes of a store.
///
/// An index over `lowercase:(name)` holds the function's result when each row was written. Should the
/// function ever return anything else, the index would find other rows than the function does; so the store
/// records by which version of the functions its indexes were made, and they are made anew when that is
/// another one (PRD-119, PRD-254).
enum SQLiteIndexedFunctions {
  /// The version of all functions that an index may hold: the number is raised when one of them changes;
  /// Unicode's is that of the tables that they are made from.
  static let version = Value.string("1 Unicode \(UnicodeVersion.current)")

  /// The names of the indexes of a schema that have functions in them.
  static func indexes(_ schema: SQLSchema) throws -> [SQLIndex] {
    guard schema.model.entities.contains(where: { $0.indexes.contains(where: \.isComputed) }) else {
      return []
    }
    return try schema.indexes().filter(\.callsFunctions)
  }
}

extension SQLiteStore {
  /// Makes the indexes anew whose functions were of another version.
  ///
  /// - Throws: `incompatible-version` where the store is only read, and its indexes would mislead.
  func renewIndexes(_ contents: StoreHeader, _ connection: SQLiteConnection) throws {
    var metadata = contents.metadata
    guard metadata.format != nil,
      metadata.values[StoreMetadata.Key.functions] != SQLiteIndexedFunctions.version,
      let indexes = try? SQLiteIndexedFunctions.indexes(schema), !indexes.isEmpty
    else { return }
    guard !isReadOnly else {
      // A model with indexes that the store does not have yet: none can mislead.
      guard try reporting({ try indexes.contains { try Self.has($0, connection) } }) else { return }
      throw GraphStoreError(
        .storeOpen,
        "The indexes of \(path) were made by functions of another version and cannot be read by this one.",
        remedy: "Open it once for writing, which makes them anew.")
    }
    metadata.values[StoreMetadata.Key.functions] = SQLiteIndexedFunctions.version
    try reporting {
      try connection.transaction(.immediate) {
        for index in indexes { try Self.renew(index, connection) }
        try SQLiteLayout.writeMetadata(connection, metadata)
      }
    }
  }

  /// A store whose index was removed remains without it.
  static func renew(_ index: SQLIndex, _ connection: SQLiteConnection) throws {
    if try has(index, connection) { try connection.execute("REINDEX \(SQLName.quoted(index.name))") }
  }

  private static func has(_ index: SQLIndex, _ connection: SQLiteConnection) throws -> Bool {
    try connection.withStatement(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = ?1"
    ) { statement in
      try statement.bind(index.name, at: 1)
      return try statement.step() && statement.int64(at: 0) > 0
    }
  }
}
