import GraphStoreModel
import GraphStoreSQLite

/// Which attributes of deleted records the columns `ZTOMBSTONE0`, `ZTOMBSTONE1` and so on hold, by the
/// numbers of the entities: a table of our own keeps it, since a model may keep others from one day to the
/// next.
struct TombstoneLayout: Equatable {
  /// The paths of the attributes, `price` or `address.city`, by place.
  private(set) var paths: [Int64: [String]] = [:]

  /// The layout that a model asks for.
  init(_ schema: SQLSchema) {
    for entity in schema.numberedEntities {
      let kept = HistoryTombstones.kept(entity).map(HistoryTombstones.path)
      if !kept.isEmpty { paths[Int64(entity.number)] = kept }
    }
  }

  /// The layout that a file has; nil where it has none, as one of Core Data's, which has that of its model.
  init?(_ connection: SQLiteConnection, of database: String = "main") throws {
    let table = SQLiteHistoryTables.tombstoneLayout
    let count = try connection.int64(
      "SELECT count(*) FROM \(database).sqlite_schema WHERE name = '\(table)'")
    if count == 0 { return nil }
    let sql = "SELECT ENTITY, PATH FROM \(database).\(table) ORDER BY ENTITY, PLACE"
    try connection.withStatement(sql) { row in
      while try row.step() { paths[row.int64(at: 0), default: []].append(row.string(at: 1) ?? "") }
    }
  }

  /// Writes the layout into a file that has none.
  func write(_ connection: SQLiteConnection) throws {
    let table = SQLiteHistoryTables.tombstoneLayout
    try connection.execute(
      "CREATE TABLE \(table) (ENTITY INTEGER, PLACE INTEGER, PATH VARCHAR, PRIMARY KEY (ENTITY, PLACE))")
    let sql = "INSERT INTO \(table) (ENTITY, PLACE, PATH) VALUES (?1, ?2, ?3)"
    try connection.withStatement(sql) { statement in
      for (entity, paths) in paths.sorted(by: { $0.key < $1.key }) {
        for (place, path) in paths.enumerated() {
          try statement.bind(entity, at: 1)
          try statement.bind(Int64(place), at: 2)
          try statement.bind(path, at: 3)
          try statement.run()
        }
      }
    }
  }

  /// Moves the values that the file has to the columns of this layout, which takes the place of the former
  /// one; those of attributes that are not kept any more are removed. The table is made anew, by which other
  /// processes notice that.
  func replace(_ former: TombstoneLayout, _ connection: SQLiteConnection) throws {
    for entity in Set(paths.keys).union(former.paths.keys).sorted() {
      let (old, new) = (former.paths[entity] ?? [], paths[entity] ?? [])
      if old == new { continue }
      let assignments = (0..<max(old.count, new.count)).map { place in
        let source = place < new.count ? old.firstIndex(of: new[place]) : nil
        return SQLiteHistoryTables.tombstoneColumn(place) + " = "
          + (source.map(SQLiteHistoryTables.tombstoneColumn) ?? "NULL")
      }
      try connection.execute(
        "UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) WHERE ZENTITY = \(entity) "
          + "AND ZCHANGETYPE = \(PersistentHistoryChangeType.delete.rawValue)")
    }
    try connection.execute("DROP TABLE \(SQLiteHistoryTables.tombstoneLayout)")
    try write(connection)
  }
}
