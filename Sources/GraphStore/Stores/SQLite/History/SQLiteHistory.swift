import GraphStoreSQLite

/// The history that a file has, and where it keeps what is said of each entity.
final class SQLiteHistory: Sendable {
  let tables: SQLiteHistoryTables
  /// By ``EntityDescription/index``.
  let masks: [HistoryColumnMask]
  /// By ``EntityDescription/index``.
  let tombstones: [HistoryTombstones]

  /// - Parameter layout: Where the file keeps values of deleted records.
  init(_ tables: SQLiteHistoryTables, _ schema: SQLSchema, _ layout: TombstoneLayout) {
    self.tables = tables
    masks = schema.entities.map { HistoryColumnMask($0) }
    tombstones = schema.entities.map { HistoryTombstones($0, layout.paths[Int64($0.number)] ?? []) }
  }

  /// How many columns for values of deleted records the entities of a schema need.
  static func tombstoneCount(_ schema: SQLSchema) -> Int {
    schema.numberedEntities.map { HistoryTombstones.kept($0).count }.max() ?? 0
  }
}
