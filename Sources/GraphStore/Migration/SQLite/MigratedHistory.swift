import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// The history of a store in the form that a migrated one has it (MIG-275).
///
/// Entities have other numbers there, and their properties other bits. Where a step does not say what becomes
/// of each record, the history begins anew, and numbers go on behind a gap: what was read of the former one
/// has expired.
struct MigratedHistory {
  /// What the old store has.
  private let old: SQLiteHistory
  private let oldSchema: SQLSchema
  private let new: SQLiteHistory
  private let newSchema: SQLSchema
  private let newLayout: TombstoneLayout
  /// The entities and properties that the old ones became; nil where the history begins anew.
  private let pairing: (any MigrationPairing)?

  /// - Parameters:
  ///   - layout: Where the old store keeps values of deleted records; nil where it does not say so.
  ///   - pairing: What became of old entities and properties; nil where records are made by rules.
  init(
    _ tables: SQLiteHistoryTables, _ layout: TombstoneLayout?, from oldSchema: SQLSchema,
    to newSchema: SQLSchema, pairing: (any MigrationPairing)?
  ) {
    (self.oldSchema, self.newSchema) = (oldSchema, newSchema)
    newLayout = TombstoneLayout(newSchema)
    old = SQLiteHistory(tables, oldSchema, layout ?? TombstoneLayout(oldSchema))
    new = SQLiteHistory(
      SQLiteHistoryTables(tombstoneCount: SQLiteHistory.tombstoneCount(newSchema)), newSchema, newLayout)
    self.pairing = pairing
  }

  /// Makes the history in a new store, to which the old one is attached, and adds a transaction of the
  /// migration, which has no changes.
  func write(_ connection: SQLiteConnection, attached database: String) throws {
    try connection.transaction(.deferred) {
      try new.tables.create(connection, keeping: newLayout)
      try copyCounters(connection, database)
      try copyConsumers(connection, database)
      guard let pairing else { return try SQLiteLayout.noteNewBeginning(connection) }
      try copyTransactions(connection, database)
      try copyChanges(connection, database, pairing)
      try addTransaction(connection)
    }
  }

  /// Numbers are never given twice. One of a transaction is passed over where the history begins anew.
  private func copyCounters(_ connection: SQLiteConnection, _ database: String) throws {
    for entity in SQLiteHistoryTables.Entity.allCases {
      let number = try connection.withStatement(
        "SELECT Z_MAX FROM \(database).Z_PRIMARYKEY WHERE Z_ENT = ?1"
      ) { statement -> Int64 in
        try statement.bind(entity.rawValue, at: 1)
        return try statement.step() ? statement.int64(at: 0) : 0
      }
      let skipped: Int64 = entity == .transaction && pairing == nil ? 1 : 0
      if number + skipped > 0 { try SQLiteLayout.setHistoryNumber(entity, to: number + skipped, connection) }
    }
  }

  private func copyConsumers(_ connection: SQLiteConnection, _ database: String) throws {
    let count = try connection.int64(
      "SELECT count(*) FROM \(database).sqlite_schema WHERE name = '\(SQLiteHistoryTables.consumers)'")
    if count == 0 { return }
    try connection.execute(SQLiteHistoryTables.createConsumers)
    let columns = "NAME, TRANSACTIONID, TIMESTAMP, STAMP"
    try connection.execute(
      "INSERT INTO main.GSHISTORYCONSUMER (\(columns)) SELECT \(columns) FROM \(database).GSHISTORYCONSUMER")
  }

  private func copyTransactions(_ connection: SQLiteConnection, _ database: String) throws {
    let texts = SQLiteHistoryTables.Text.allCases
    var columns = ["Z_PK", "Z_ENT", "Z_OPT", "ZTIMESTAMP"] + texts.map(\.column)
    if old.tables.hasStrings {
      columns += texts.map(\.keyColumn)
      try connection.execute(
        "INSERT INTO main.ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) "
          + "SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM \(database).ATRANSACTIONSTRING")
    }
    let list = columns.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO main.ATRANSACTION (\(list)) SELECT \(list) FROM \(database).ATRANSACTION")
  }

  // MARK: Changes

  private static let entityFunction = "gs_history_entity"
  private static let maskFunction = "gs_history_mask"

  /// Changes of entities that are gone are left behind; their transactions stay.
  private func copyChanges(
    _ connection: SQLiteConnection, _ database: String, _ pairing: any MigrationPairing
  ) throws {
    let translations = translations(pairing)
    try connection.register(function: Self.entityFunction, argumentCount: 1) { arguments, result in
      guard let translation = translations[arguments.int64(at: 0)] else { return result.setNull() }
      result.set(Int64(translation.entity.number))
    }
    try connection.register(function: Self.maskFunction, argumentCount: 2) { [old, new] arguments, result in
      guard !arguments.isNull(at: 1), let translation = translations[arguments.int64(at: 0)] else {
        return result.setNull()
      }
      let changed = unsafe old.masks[translation.oldIndex].properties(in: arguments.blob(at: 1))
      var renamed = PropertySet()
      changed.forEach { number in
        if let property = translation.properties[number] { renamed.insert(property) }
      }
      let bytes = new.masks[translation.entity.entity.index].bytes(renamed)
      unsafe bytes.withUnsafeBytes { unsafe result.set(blob: $0) }
    }
    let tombstones = (0..<new.tables.tombstoneCount).map { tombstone($0, translations) }
    let columns = ["Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITYPK", "ZTRANSACTIONID"]
    let names =
      columns + ["ZENTITY", "ZCOLUMNS"]
      + (0..<new.tables.tombstoneCount).map(SQLiteHistoryTables.tombstoneColumn)
    let values =
      columns + ["\(Self.entityFunction)(ZENTITY)", "\(Self.maskFunction)(ZENTITY, ZCOLUMNS)"] + tombstones
    try connection.execute(
      "INSERT INTO main.ACHANGE (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
        + "FROM \(database).ACHANGE WHERE \(Self.entityFunction)(ZENTITY) IS NOT NULL ORDER BY Z_PK")
  }

  /// What an old entity became.
  private struct Translation {
    let oldIndex: Int
    let entity: SQLEntity
    /// The numbers of its properties, by the old ones.
    let properties: [Int: Int]
    /// By column of the new entity for values of deleted records, the old one.
    let tombstones: [Int?]
  }

  private func translations(_ pairing: any MigrationPairing) -> [Int64: Translation] {
    var translations: [Int64: Translation] = [:]
    for entity in newSchema.numberedEntities {
      guard let source = pairing.source(of: entity.entity) else { continue }
      let origin = oldSchema.entity(source)
      var properties: [Int: Int] = [:]
      for property in entity.entity.properties {
        guard let former = pairing.source(of: property, in: entity.entity) else { continue }
        properties[former.number] = property.number
      }
      let former = old.tombstones[source.index].columns
      let tombstones = new.tombstones[entity.entity.index].columns.map { column in
        former.firstIndex { known in
          guard let known, let column else { return false }
          return properties[known.property.number] == column.property.number && known.kind == column.kind
            && known.elements.map(\.name) == column.elements.map(\.name)
        }
      }
      translations[Int64(origin.number)] = Translation(
        oldIndex: source.index, entity: entity, properties: properties, tombstones: tombstones)
    }
    return translations
  }

  /// The expression for a column of values of deleted records.
  private func tombstone(_ place: Int, _ translations: [Int64: Translation]) -> String {
    let cases = translations.sorted { $0.key < $1.key }.compactMap { number, translation -> String? in
      guard place < translation.tombstones.count, let former = translation.tombstones[place],
        former < old.tables.tombstoneCount
      else { return nil }
      return "WHEN \(number) THEN \(SQLiteHistoryTables.tombstoneColumn(former))"
    }
    return cases.isEmpty ? "NULL" : "CASE ZENTITY \(cases.joined(separator: " ")) END"
  }

  /// Whoever follows the history learns of the migration by it.
  private func addTransaction(_ connection: SQLiteConnection) throws {
    var request = SaveRequest()
    request.author = "graphstore.migration"
    _ = try SQLiteHistoryTransaction(connection, new.tables).insert(request)
  }
}
